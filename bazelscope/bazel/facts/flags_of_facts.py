"""Which flags decide facts of loading that a release has by default."""

from __future__ import annotations

FLAGS_OF_FACTS: dict[str, tuple[str, bool]] = {
    "check_bzl_visibility": ("bzl_visibility", False),
    "enable_bzlmod": ("canonical_strings", False),
    "experimental_build_setting_api": ("build_settings", False),
    "experimental_dormant_deps": ("dormant_labels", False),
    "experimental_enable_starlark_set": ("starlark_set", False),
    "experimental_exec_groups": ("rules_take_exec_groups", False),
    "experimental_google_legacy_api": ("google_legacy_api", False),
    "experimental_platforms_api": ("platform_providers", False),
    "experimental_rule_extension_api": ("rules_are_extended", False),
    "experimental_starlark_config_transitions": ("transitions_of_attributes", False),
    "check_third_party_targets_have_licenses": ("third_party_needs_licenses", False),
    "incompatible_bzl_disallow_load_after_statement": ("refuses_late_loads", False),
    "incompatible_depset_is_not_iterable": ("depsets_are_lists", True),
    "incompatible_depset_union": ("depsets_are_sums", True),
    "incompatible_disable_depset_items": ("refuses_depset_items", False),
    "incompatible_disable_deprecated_attr_params": ("deprecated_attribute_parameters", True),
    "incompatible_disable_native_repo_rules": ("refuses_native_repository_rules", False),
    "incompatible_disable_starlark_host_transitions": ("refuses_host_transition", False),
    "incompatible_disable_third_party_license_checking": ("third_party_needs_licenses", True),
    "incompatible_disallow_data_transition": ("takes_data_transition", True),
    "incompatible_disallow_load_labels_to_cross_package_boundaries": (
        "refuses_loads_across_packages",
        False,
    ),
    "incompatible_disallow_native_in_build_file": ("native_in_build_files", True),
    "incompatible_enable_proto_toolchain_resolution": ("proto_toolchains", False),
    "incompatible_fail_on_unknown_attributes": ("refuses_unknown_none", False),
    "incompatible_no_attr_license": ("has_attr_license", True),
    "incompatible_no_implicit_file_export": ("implicit_files_are_private", False),
    "incompatible_no_output_attr_default": ("refuses_output_defaults", False),
    "incompatible_no_rule_outputs_param": ("refuses_rule_outputs", False),
    "incompatible_no_transitive_loads": ("transitive_loads", True),
    "incompatible_package_group_has_public_syntax": ("package_group_words", False),
    "incompatible_remap_main_repo": ("remaps_main_repository", False),
    "incompatible_restrict_string_escapes": ("restricts_escapes", False),
    "incompatible_run_shell_command_string": ("run_shell_takes_words", True),
    "incompatible_simplify_unconditional_selects_in_rule_attrs": (
        "simplifies_unconditional_selects",
        False,
    ),
    "incompatible_struct_has_no_methods": ("structs_have_methods", True),
}
"""A flag, and the fact that it decides; True where the fact is the opposite of the flag."""
