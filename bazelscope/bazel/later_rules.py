"""What native rules got after the newest table: facts from later releases.

The tables end at 4.2.3. An attribute stands here with the first release of which it is known,
so a release just before may have it already, experimental (or, where its type changed, has it
of another type); and what is not here either is
taken with a warning where the table is older than the Bazel in question. `changed_rules` has
what went, and what became of those that stayed.

From the build encyclopedias of 6.0.0, 7.0.0, 8.0.0, 8.4.2 and 9.1.0, `info build-language` of 7.0,
and, where the encyclopedia lists what it should not or leaves out what there is, the rules'
sources: rules_cc, rules_java, protobuf at the versions that Bazel 8.0 brings.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from bazelscope.base.label import MAIN_ROOT, parse_label
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, Configured
from bazelscope.bazel.changed_rules import is_gone
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release


def _of(
    kind: AttributeType,
    default: object = None,
    *,
    mandatory: bool = False,
    configurable: bool = True,
    is_tool: bool = False,
) -> AttributeDefinition:
    """An attribute whose name is filled in later; a tool is built for an execution platform."""
    if kind is AttributeType.LABEL and isinstance(default, str):
        default = parse_label(default, MAIN_ROOT)
    configured = Configured.EXEC if is_tool else Configured.TARGET
    executable = is_tool and kind is AttributeType.LABEL
    return AttributeDefinition(
        *("", kind, default, mandatory, configurable, configured), executable=executable
    )


_LABEL, _LABELS = _of(AttributeType.LABEL), _of(AttributeType.LABEL_LIST)
_STRING, _STRINGS = _of(AttributeType.STRING), _of(AttributeType.STRING_LIST)
_STRING_DICT = _of(AttributeType.STRING_DICT)
_BOOLEAN, _INTEGER = _of(AttributeType.BOOLEAN), _of(AttributeType.INTEGER)
_TRUE = _of(AttributeType.BOOLEAN, True)
_TOOL, _TOOLS = _of(AttributeType.LABEL, is_tool=True), _of(AttributeType.LABEL_LIST, is_tool=True)
_LICENSE = _of(AttributeType.LICENSE, configurable=False)
_FIXED_BOOLEAN = _of(AttributeType.BOOLEAN, configurable=False)
_FIXED_LABELS = _of(AttributeType.LABEL_LIST, configurable=False)
_FIXED_STRING = _of(AttributeType.STRING, configurable=False)
_FIXED_STRINGS = _of(AttributeType.STRING_LIST, configurable=False)

_EVERY_RULE = ""
_CC = ("cc_binary", "cc_library", "cc_test")
_CC_PROGRAMS = ("cc_binary", "cc_test")
_CC_TOOLCHAINS = ("apple_cc_toolchain", "cc_toolchain")
_JAVA = ("java_binary", "java_library", "java_plugin", "java_test")
_JAVA_LIBRARIES = ("java_library", "java_plugin")
_JAVA_PROGRAMS = ("java_binary", "java_test")
_PYTHON = ("py_binary", "py_library", "py_test")
_PYTHON_PROGRAMS = ("py_binary", "py_test")
_TESTS = ("cc_test", "java_test", "py_test", "sh_test")
_PROFILES = ("fdo_prefetch_hints", "fdo_profile", "propeller_optimize")

_OF_JAVA_9 = {"add_exports": _STRINGS, "add_opens": _STRINGS}
# What a rule has since it is written in Starlark.
_OF_STARLARK = {
    "exec_compatible_with": _FIXED_LABELS,
    "exec_properties": _STRING_DICT,
    "toolchains": _LABELS,
}

_ATTRIBUTES: tuple[tuple[Numbers, tuple[str, ...], Mapping[str, AttributeDefinition]], ...] = (
    # Before, only rules that use toolchains had target_compatible_with (bazel issue 12745).
    (
        (5, 0, 0),
        (_EVERY_RULE,),
        {
            "applicable_licenses": _FIXED_LABELS,
            "aspect_hints": _LABELS,
            "target_compatible_with": _LABELS,
        },
    ),
    ((5, 0, 0), ("cc_library", "objc_library"), {"implementation_deps": _LABELS}),
    ((5, 0, 0), ("java_binary", "java_library", "java_test"), _OF_JAVA_9),
    ((5, 0, 0), _TESTS, {"env_inherit": _STRINGS}),
    ((5, 0, 0), ("label_flag", "label_setting"), {"help": _FIXED_STRING}),
    (
        (6, 0, 0),
        ("cc_import",),
        {
            "includes": _STRINGS,
            "include_prefix": _STRING,
            "linkopts": _STRINGS,
            "objects": _LABELS,
            "pic_objects": _LABELS,
            "pic_static_library": _LABEL,
            "strip_include_prefix": _STRING,
        },
    ),
    (
        (6, 0, 0),
        _CC_PROGRAMS,
        {"link_extra_lib": _of(AttributeType.LABEL, "@bazel_tools//tools/cpp:link_extra_lib")},
    ),
    ((6, 0, 0), _CC_TOOLCHAINS, {"exec_transition_for_inputs": _TRUE}),
    (
        (6, 0, 0),
        ("java_toolchain",),
        {
            "android_lint_data": _TOOLS,
            "android_lint_jvm_opts": _STRINGS,
            "android_lint_opts": _STRINGS,
            "android_lint_package_configuration": _TOOLS,
            "android_lint_runner": _TOOL,
            "deps_checker": _TOOLS,
            "javabuilder_data": _TOOLS,
            "turbine_data": _TOOLS,
        },
    ),
    ((6, 0, 0), ("java_runtime",), {"hermetic_srcs": _LABELS, "lib_modules": _LABEL}),
    (
        (6, 0, 0),
        ("proto_lang_toolchain",),
        {
            "mnemonic": _of(AttributeType.STRING, "GenProto"),
            "plugin_format_flag": _STRING,
            "progress_message": _of(AttributeType.STRING, "Generating proto_library %{label}"),
            "proto_compiler": _TOOL,
        },
    ),
    ((7, 0, 0), _CC, {"additional_compiler_inputs": _LABELS}),
    ((7, 0, 0), ("cc_import", "objc_import"), {"deps": _LABELS}),
    ((7, 0, 0), ("cc_toolchain_alias",), {"mandatory": _BOOLEAN}),  # rules_cc: cc/private/bazel7
    ((7, 0, 0), ("cc_library",), {"additional_linker_inputs": _LABELS}),
    ((7, 0, 0), ("genquery",), {"compressed_output": _BOOLEAN}),
    ((7, 0, 0), ("java_binary",), {"env": _STRING_DICT}),
    (
        (7, 0, 0),
        ("java_runtime",),
        {
            "default_cds": _LABEL,
            "hermetic_static_libs": _LABELS,
            "lib_ct_sym": _LABEL,
            "version": _INTEGER,
        },
    ),
    (
        (7, 0, 0),
        ("java_toolchain",),
        {
            "javac_supports_worker_cancellation": _TRUE,
            "jspecify_implicit_deps": _TOOL,
            "jspecify_javacopts": _STRINGS,
            "jspecify_packages": _TOOLS,
            "jspecify_processor": _TOOL,
            "jspecify_processor_class": _STRING,
            "jspecify_stubs": _TOOLS,
            "oneversion_allowlist_for_tests": _LABEL,
        },
    ),
    ((7, 0, 0), ("objc_library",), {"linkopts": _STRINGS}),
    ((7, 0, 0), ("proto_lang_toolchain",), {"output_files": _of(AttributeType.STRING, "legacy")}),
    ((7, 0, 0), ("proto_library",), {"allow_exports": _LABEL}),
    (
        (7, 0, 0),
        ("py_runtime",),
        {
            "bootstrap_template": _of(
                AttributeType.LABEL, "@bazel_tools//tools/python:python_bootstrap_template.txt"
            ),
            "coverage_tool": _LABEL,
        },
    ),
    ((7, 0, 0), ("xcode_version",), {"default_visionos_sdk_version": _FIXED_STRING}),
    (
        (7, 0, 0),
        (
            *("cc_import", "cc_proto_library", "j2objc_library", "java_import"),
            *("java_library", "java_lite_proto_library", "java_package_configuration"),
            *("java_plugin", "java_proto_library", "java_runtime", "objc_import"),
            *("proto_lang_toolchain", "proto_library"),
        ),
        _OF_STARLARK,
    ),
    # Rules of Android, whose table is that of 2.1.0.
    (
        (7, 0, 0),
        ("android_binary",),
        {
            "debug_signing_keys": _LABELS,
            "debug_signing_lineage_file": _LABEL,
            "key_rotation_min_sdk": _STRING,
            "min_sdk_version": _of(AttributeType.INTEGER, configurable=False),
            "package_id": _INTEGER,
            "stamp": _of(AttributeType.TRISTATE),
        },
    ),
    (
        (7, 0, 0),
        ("android_local_test",),
        {
            "densities": _STRINGS,
            "enable_data_binding": _BOOLEAN,
            "resource_configuration_filters": _STRINGS,
            "use_launcher": _TRUE,
        },
    ),
    (
        (7, 0, 0),
        ("android_instrumentation_test", "android_local_test"),
        {"env": _STRING_DICT, "env_inherit": _STRINGS},
    ),
    (
        (7, 0, 0),
        ("android_sdk",),
        {"dexdump": _TOOL, "legacy_main_dex_list_generator": _TOOL, "system": _LABEL},
    ),
    ((7, 1, 0), _CC, {"hdrs_check": _STRING}),
    ((7, 1, 0), ("genrule",), {"stamp": _of(AttributeType.TRISTATE)}),  # before, a boolean
    ((7, 1, 0), ("java_import", "java_plugin"), _OF_JAVA_9),
    ((7, 1, 0), ("objc_library",), {"stamp": _BOOLEAN}),
    (
        (7, 1, 0),
        ("proto_lang_toolchain",),
        {"allowlist_different_package": _LABEL, "toolchain_type": _LABEL},
    ),
    ((8, 0, 0), _CC, {"conlyopts": _STRINGS, "cxxopts": _STRINGS, "module_interfaces": _LABELS}),
    ((8, 0, 0), ("cc_test",), {"linkshared": _BOOLEAN}),
    ((8, 0, 0), ("fdo_profile",), {"memprof_profile": _LABEL}),
    ((8, 0, 0), _JAVA, {"bootclasspath": _LABEL}),
    ((8, 0, 0), _JAVA_LIBRARIES, {"javabuilder_jvm_flags": _STRINGS}),
    ((8, 0, 0), _JAVA_PROGRAMS, {"neverlink": _BOOLEAN}),
    ((8, 0, 0), ("java_package_configuration",), {"system": _LABEL}),
    (
        (8, 0, 0),
        ("java_toolchain",),
        {
            "header_compiler_builtin_processors": _STRINGS,
            "javac_supports_worker_multiplex_sandboxing": _BOOLEAN,
            "oneversion_allowlist": _LABEL,
            "reduced_classpath_incompatible_processors": _STRINGS,
        },
    ),
    (
        (8, 0, 0),
        ("platform",),
        {
            "allowed_toolchain_types": replace(_LABELS, nodep=True),
            "check_toolchain_types": _BOOLEAN,
            "flags": _FIXED_STRINGS,
            "missing_toolchain_error": _of(
                AttributeType.STRING,
                "For more information on platforms or toolchains see"
                " https://bazel.build/concepts/platforms-intro.",
                configurable=False,
            ),
            "required_settings": _LABELS,
        },
    ),
    ((8, 0, 0), ("proto_lang_toolchain",), {"protoc_minimal_do_not_use": _TOOL}),
    # From 8 on they are those of rules_python, 0.40 or newer.
    (
        (8, 0, 0),
        _PYTHON,
        {
            "precompile": _STRING,
            "precompile_invalidation_mode": _STRING,
            "precompile_optimize_level": _INTEGER,
            "precompile_source_retention": _STRING,
            "pyi_deps": _LABELS,
            "pyi_srcs": _LABELS,
        },
    ),
    (
        (8, 0, 0),
        _PYTHON_PROGRAMS,
        {
            "config_settings": _of(AttributeType.LABEL_KEYED_STRING_DICT),
            "interpreter_args": _STRINGS,
            "main_module": _STRING,
            "pyc_collection": _STRING,
        },
    ),
    (
        (8, 0, 0),
        ("py_runtime",),
        {
            "abi_flags": _STRING,
            "implementation_name": _STRING,
            "interpreter_version_info": _STRING_DICT,
            "pyc_tag": _STRING,
            "stage2_bootstrap_template": _LABEL,
            "zip_main_template": _LABEL,
        },
    ),
    ((8, 0, 0), ("sh_binary",), {"env_inherit": _STRINGS}),
    ((8, 0, 0), ("sh_binary", "sh_test"), {"use_bash_launcher": _BOOLEAN}),
    (
        (8, 0, 0),
        (*_PROFILES, "cc_toolchain", "java_toolchain", "py_library", "py_runtime", "sh_library"),
        _OF_STARLARK,
    ),
    ((8, 1, 0), ("toolchain_type",), {"no_match_error": _FIXED_STRING}),
    ((8, 2, 0), ("toolchain",), {"use_target_platform_constraints": _FIXED_BOOLEAN}),
    (
        (9, 0, 0),
        (_EVERY_RULE,),
        {"exec_group_compatible_with": _of(AttributeType.LABEL_LIST_DICT, configurable=False)},
    ),
    ((9, 0, 0), ("label_flag", "label_setting"), {"scope": _STRING}),  # bazel issue 26909
    (
        (9, 2, 0),
        ("constraint_setting",),
        {"refines_constraint_value": _of(AttributeType.LABEL, configurable=False)},
    ),  # bazel#29727
)

_ONLY_WITH: Mapping[str, tuple[str, ...]] = {
    "exec_group_compatible_with": ("exec_compatible_with", "exec_properties"),
    "target_compatible_with": ("compatible_with",),
}
"""What "every rule" leaves out: rules without these. Bazel: `exemptFromConstraintChecking`,
`NativeActionCreatingRule`."""

_NATIVE = {"distribs": _of(AttributeType.DISTRIBUTION_SET, ("INTERNAL",), configurable=False)}

_RULES: tuple[tuple[Numbers, str, Mapping[str, AttributeDefinition]], ...] = (
    (
        (5, 0, 0),
        "cc_shared_library",
        {
            "additional_linker_inputs": _LABELS,
            "deps": _LABELS,
            "dynamic_deps": _LABELS,
            "experimental_disable_topo_sort_do_not_use_remove_before_7_0": _BOOLEAN,
            "exports_filter": _STRINGS,
            "preloaded_deps": _LABELS,
            "roots": _LABELS,
            "shared_lib_name": _STRING,
            "static_deps": _STRINGS,
            "user_link_flags": _STRINGS,
            "win_def_file": _LABEL,
        },
    ),
    ((5, 0, 0), "cc_shared_library_permissions", {"targets": _STRINGS}),
    ((5, 0, 0), "java_plugins_flag_alias", {}),
    (
        (7, 0, 0),
        "memprof_profile",
        {"absolute_path_profile": _STRING, "licenses": _LICENSE, "profile": _LABEL, **_NATIVE},
    ),
    (
        (7, 0, 0),
        "starlark_doc_extract",
        {
            "data": _LABELS,
            "deps": _LABELS,
            "licenses": _LICENSE,
            "render_main_repo_name": _BOOLEAN,
            "src": _of(AttributeType.LABEL, mandatory=True),
            "symbol_names": _STRINGS,
            **_NATIVE,
        },
    ),
    ((7, 4, 0), "cc_static_library", {"deps": _LABELS}),
)


def later_attributes(
    rule: str, own: Container[str], release: Release
) -> Iterator[AttributeDefinition]:
    """What a rule of the tables, where it has `own` attributes, has in a release besides."""
    for since, rules, attributes in _ATTRIBUTES:
        if since <= release.numbers and (rule in rules or _EVERY_RULE in rules):
            for definition in _named(attributes):
                needed = _ONLY_WITH.get(definition.name, ())
                if all(name in own and not is_gone(rule, name, release) for name in needed):
                    yield definition


def later_rules(release: Release) -> Mapping[str, tuple[AttributeDefinition, ...]]:
    """The rules of a release that no table has, each with its own attributes."""
    return {
        rule: tuple(_named(attributes))
        for since, rule, attributes in _RULES
        if since <= release.numbers
    }


def _named(attributes: Mapping[str, AttributeDefinition]) -> Iterator[AttributeDefinition]:
    return (replace(definition, name=name) for name, definition in attributes.items())
