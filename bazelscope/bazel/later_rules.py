"""What native rules got after the newest table: facts from the documentation of later releases.

The tables end at 4.2.3. An attribute stands here with the first release of which it is known,
so a release just before may have it already, experimental (or, where its type changed, has it
of another type); and what is not here either is
taken with a warning where the table is older than the Bazel in question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release

_LABEL, _LABELS = AttributeType.LABEL, AttributeType.LABEL_LIST
_STRING, _STRINGS = AttributeType.STRING, AttributeType.STRING_LIST
_BOOLEAN, _INTEGER = AttributeType.BOOLEAN, AttributeType.INTEGER

_EVERY_RULE = ""
_CC = ("cc_binary", "cc_library", "cc_test")
_CC_PROGRAMS = ("cc_binary", "cc_test")
_JAVA = ("java_binary", "java_library", "java_test")
_PYTHON = ("py_binary", "py_library", "py_test")
_PYTHON_PROGRAMS = ("py_binary", "py_test")
_TESTS = ("cc_test", "java_test", "py_test", "sh_test")

_ATTRIBUTES: tuple[tuple[Numbers, tuple[str, ...], Mapping[str, AttributeType]], ...] = (
    # Before, only rules that use toolchains had target_compatible_with (bazel issue 12745).
    ((5, 0, 0), (_EVERY_RULE,), {"aspect_hints": _LABELS, "target_compatible_with": _LABELS}),
    ((5, 0, 0), ("cc_library", "objc_library"), {"implementation_deps": _LABELS}),
    ((5, 0, 0), _JAVA, {"add_exports": _STRINGS, "add_opens": _STRINGS}),
    ((5, 0, 0), _TESTS, {"env_inherit": _STRINGS}),
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
    ((6, 0, 0), _CC_PROGRAMS, {"link_extra_lib": _LABEL}),
    ((6, 0, 0), ("cc_toolchain",), {"exec_transition_for_inputs": _BOOLEAN}),
    ((7, 0, 0), _CC, {"additional_compiler_inputs": _LABELS}),
    ((7, 0, 0), ("cc_toolchain_alias",), {"mandatory": _BOOLEAN}),  # rules_cc: cc/private/bazel7
    ((7, 0, 0), ("cc_library",), {"additional_linker_inputs": _LABELS}),
    ((7, 0, 0), ("java_binary",), {"env": AttributeType.STRING_DICT}),
    ((7, 0, 0), ("toolchain_type",), {"no_match_error": _STRING}),
    ((7, 1, 0), ("genrule",), {"stamp": AttributeType.TRISTATE}),  # before, a boolean
    ((8, 0, 0), (_EVERY_RULE,), {"package_metadata": _LABELS}),
    (
        (8, 0, 0),
        _CC,
        {"conlyopts": _STRINGS, "cxxopts": _STRINGS, "module_interfaces": _LABELS},
    ),
    (
        (8, 0, 0),
        ("platform",),
        {
            "allowed_toolchain_types": _LABELS,
            "check_toolchain_types": _BOOLEAN,
            "flags": _STRINGS,
            "missing_toolchain_error": _STRING,
            "required_settings": _LABELS,
        },
    ),
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
            "config_settings": AttributeType.LABEL_KEYED_STRING_DICT,
            "interpreter_args": _STRINGS,
            "main_module": _STRING,
            "pyc_collection": _STRING,
        },
    ),
    ((8, 0, 0), ("sh_binary", "sh_test"), {"use_bash_launcher": _BOOLEAN}),
    ((8, 2, 0), ("toolchain",), {"use_target_platform_constraints": _BOOLEAN}),
    ((9, 0, 0), ("label_flag", "label_setting"), {"scope": _STRING}),  # bazel issue 26909
    ((9, 2, 0), ("constraint_setting",), {"refines_constraint_value": _LABEL}),  # bazel#29727
)

_RULES: tuple[tuple[Numbers, str, Mapping[str, AttributeType]], ...] = (
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
    ((7, 0, 0), "memprof_profile", {"profile": _LABEL}),
    (
        (7, 0, 0),
        "starlark_doc_extract",
        {
            "deps": _LABELS,
            "render_main_repo_name": _BOOLEAN,
            "src": _LABEL,
            "symbol_names": _STRINGS,
        },
    ),
)


def later_attributes(rule: str, release: Release) -> Iterator[AttributeDefinition]:
    """What a rule of the tables has in a release besides."""
    for since, rules, attributes in _ATTRIBUTES:
        if since <= release.numbers and (rule in rules or _EVERY_RULE in rules):
            for name, kind in attributes.items():
                yield AttributeDefinition(name, kind)


def later_rules(release: Release) -> Mapping[str, tuple[AttributeDefinition, ...]]:
    """The rules of a release that no table has, each with its own attributes."""
    return {
        rule: tuple(AttributeDefinition(name, kind) for name, kind in attributes.items())
        for since, rule, attributes in _RULES
        if since <= release.numbers
    }
