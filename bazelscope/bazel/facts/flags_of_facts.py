"""Which flags decide facts of loading that a release has by default."""

from __future__ import annotations

FLAGS_OF_FACTS: dict[str, tuple[str, bool]] = {
    "check_bzl_visibility": ("bzl_visibility", False),
    "experimental_build_setting_api": ("build_settings", False),
    "experimental_enable_starlark_set": ("starlark_set", False),
    "experimental_google_legacy_api": ("google_legacy_api", False),
    "experimental_starlark_config_transitions": ("transitions_of_attributes", False),
    "incompatible_depset_is_not_iterable": ("depsets_are_lists", True),
    "incompatible_depset_union": ("depsets_are_sums", True),
    "incompatible_disallow_load_labels_to_cross_package_boundaries": (
        "refuses_loads_across_packages",
        False,
    ),
    "incompatible_disallow_native_in_build_file": ("native_in_build_files", True),
    "incompatible_enable_proto_toolchain_resolution": ("proto_toolchains", False),
    "incompatible_no_transitive_loads": ("transitive_loads", True),
    "incompatible_remap_main_repo": ("remaps_main_repository", False),
    "incompatible_restrict_string_escapes": ("restricts_escapes", False),
    "incompatible_run_shell_command_string": ("run_shell_takes_words", True),
    "incompatible_simplify_unconditional_selects_in_rule_attrs": (
        "simplifies_unconditional_selects",
        False,
    ),
}
"""A flag, and the fact that it decides; True where the fact is the opposite of the flag."""
