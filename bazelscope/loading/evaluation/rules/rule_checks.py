"""What `rule()` and `attr.*` refuse while a `.bzl` file is evaluated.

Bazel: `StarlarkAttrModule`, `StarlarkRuleClassFunctions`, `StarlarkRuleFunction.export`. The words
are those of 4.2.3; whatever only newer Bazels know is let through for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.attribute_types import LABEL_TYPES, AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_FORMER = (("single_file", "allow_single_file"), ("non_empty", "allow_empty"))
_DEFAULTS: Mapping[AttributeType, tuple[type, str]] = {
    AttributeType.BOOLEAN: (bool, "bool"),
    AttributeType.INTEGER: (int, "int"),
    AttributeType.STRING: (str, "string"),
}

_CONTAINERS: Mapping[AttributeType, str] = {
    AttributeType.STRING_LIST: "sequence",
    AttributeType.INTEGER_LIST: "sequence",
    AttributeType.STRING_DICT: "dict",
    AttributeType.STRING_LIST_DICT: "dict",
}

_CFG = (
    "cfg must be either 'host', 'target', 'exec' or a starlark defined transition defined by the"
    " exec() or transition() functions."
)
_NO_CFG = (
    "cfg parameter is mandatory when executable=True is provided. Please see"
    " https://www.bazel.build/versions/master/docs/skylark/rules.html#configurations for more"
    " details."
)
IDENTIFIER = lazy_pattern(r"[^\W\d]\w*", re.ASCII)


def check_attribute_name(name: str) -> None:
    """Fails for a name of an attribute that is no identifier."""
    if not IDENTIFIER.fullmatch(name):
        starlark.fail_with(f"attribute name `{name}` is not a valid identifier.")


def check_attribute(
    function: str, kind: AttributeType, options: Mapping[str, object], release: Release
) -> None:
    """Refuses a call of `attr.<function>`, as a StarlarkError."""
    _check_former_parameters(function, options, release)
    default = options.get("default")
    wanted = _DEFAULTS.get(kind)
    if wanted is not None and _is_plain(default) and type(default) is not wanted[0]:
        starlark.fail_with(starlark.wrong_type(function, "default", default, wanted[1]))
    cfg = options.get("cfg")
    configurations = ("host", "target", "exec", *(() if release.has_floats else ("data",)))
    kind_of_default = _CONTAINERS.get(kind, "") or _DEFAULTS.get(kind, (str, ""))[1]
    if kind_of_default and release.has_floats and starlark.is_function(default):
        starlark.fail_with(
            f"in call to {function}(), parameter 'default' got value of type 'function', want"
            f" '{kind_of_default}'"
        )
    is_no_word = isinstance(cfg, int | list | tuple | dict)
    if is_no_word or (type(cfg) is str and cfg not in configurations):
        starlark.fail_with(_CFG)
    if cfg == "host" and release.refuses_host_transition:
        starlark.fail_with(
            "'cfg = \"host\"' is deprecated and should no longer be used. Please use"
            " 'cfg = \"exec\"' instead."
        )
    if cfg == "exec" and not release.exec_of_attributes:
        starlark.fail_with("cfg must be either 'data', 'host', or 'target'.")
    if _is_starlark_transition(cfg) and not release.transitions_of_attributes:
        starlark.fail_with(
            "Starlark-defined transitions on rule attributes is experimental and disabled by"
            " default. This API is in development and subject to change at any time. Use"
            " --experimental_starlark_config_transitions to use this experimental API."
        )
    if options.get("executable") is True and cfg is None:
        starlark.fail_with(_NO_CFG)
    if None not in (options.get("allow_files"), options.get("allow_single_file")):
        starlark.fail_with("Cannot specify both allow_files and allow_single_file")


def _check_former_parameters(
    function: str, options: Mapping[str, object], release: Release
) -> None:
    """Refuses what `attr` functions lost before 4, in the words of these releases (measured)."""
    if not release.old_attribute_parameters:
        return
    for name, other in () if release.deprecated_attribute_parameters else _FORMER:
        if name in options:
            starlark.fail_with(
                f"'{name}' is no longer supported. use {other} instead. You can use"
                " --incompatible_disable_deprecated_attr_params=false to temporarily disable this"
                " check."
            )
    default = options.get("default")
    if function in ("output", "output_list") and default is not None:
        if release.refuses_output_defaults:
            starlark.fail_with(
                "parameter 'default' is deprecated and will be removed soon. It may be temporarily"
                " re-enabled by setting --incompatible_no_output_attr_default=false"
            )
        if function == "output" and isinstance(default, str):
            starlark.fail_with(
                "expected value of type 'Label or function or NoneType' for parameter 'default',"
                " for call to method output(default = None, doc = '', mandatory = False) of 'attr"
                " (a language module)'"
            )
    if options.get("cfg") == "data" and not release.takes_data_transition:
        starlark.fail_with(
            'Using cfg = "data" on an attribute is a noop and no longer supported. Please remove'
            " it. You can use --incompatible_disallow_data_transition=false to temporarily disable"
            " this check."
            if release.knows_data_transition
            else "cfg must be either 'host' or 'target'."
        )


def _is_starlark_transition(cfg: object) -> bool:
    """Whether a `cfg` is what `transition()` returns, which has a function."""
    return getattr(cfg, "implementation", None) is not None


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | list | tuple | dict) and not isinstance(
        value, UnknownValue
    )


def check_rule(
    attrs: object,
    specs: Mapping[str, AttributeSpec],
    outputs: object,
    build_setting: object,
    release: Release,
) -> None:
    """Refuses a call of `rule()`, as a StarlarkError."""
    if build_setting is not None and not release.build_settings:
        starlark.fail_with(
            "parameter 'build_setting' is experimental and thus unavailable with the current"
            " flags. It may be enabled by setting --experimental_build_setting_api"
        )
    if outputs is not None and release.refuses_rule_outputs:
        call = "in call to rule(), " if release.has_floats else ""
        starlark.fail_with(
            f"{call}parameter 'outputs' is deprecated and will be removed soon. It may"
            " be temporarily re-enabled by setting --incompatible_no_rule_outputs_param=false"
        )
    _check_dict(attrs, "attrs", "Attribute", may_be_none=not release.attribute_parameters_listed)
    for name, spec in specs.items():
        if release.attribute_names_are_identifiers:
            check_attribute_name(name)
        is_late = spec.late_bound and release.attribute_parameters_listed
        if (spec.compute is not None or is_late) and not name.startswith("_"):
            starlark.fail_with(
                "When an attribute value is a function, the attribute must be private (i.e. start"
                f" with '_'). Found '{name}'"
            )
    if isinstance(outputs, list | tuple | str | int):
        wanted = "dict, NoneType, or function"
        starlark.fail_with(starlark.wrong_type("rule", "outputs", outputs, wanted))
    _check_dict(outputs, "implicit outputs of the rule class", "string")


def _check_dict(value: object, what: str, wanted: str, may_be_none: bool = False) -> None:
    """Refuses a dictionary of plain values of another type than text to `wanted`."""
    if not isinstance(value, dict):
        return
    for key, element in value.items():
        kinds = starlark.type_of(key), starlark.type_of(element)
        is_taken = not _is_plain(element) and element is not None
        is_text = isinstance(key, str | UnknownValue)
        fits = is_text and (kinds[1] == wanted or is_taken)
        if not fits and not (may_be_none and element is None):
            starlark.fail_with(
                f"got dict<{kinds[0]}, {kinds[1]}> for '{what}', want dict<string, {wanted}>"
            )


_COMMON = ("visibility", "deprecation", "tags", "testonly", "features", "toolchains", "args")
"""Attributes that all rules of every Bazel have, or all executable ones."""


def check_export(
    name: str,
    specs: Mapping[str, AttributeSpec],
    base: Mapping[str, object],
    is_test: bool,
    release: Release,
    is_analysis_test: bool,
) -> str | None:
    """Why the rule class may not have its name or its attributes; None if it may."""
    if is_test != name.endswith("_test"):
        return (
            f"Invalid rule class name '{name}', test rule class names must end with '_test' and"
            " other rule classes must not"
        )
    is_fixed = any(getattr(spec.cfg, "settings", None) is not None for spec in specs.values())
    if is_fixed and not is_analysis_test:
        return (
            "Only rule definitions with analysis_test=True may have attributes with"
            " analysis_test_transition transitions"
        )
    if not release.attribute_parameters_listed:
        # Which common attributes a newer Bazel has is not known for certain but for some.
        own = next((name for name in _COMMON if name in specs and name in base), None)
        if own is None and "name" in specs:
            own = "name"
        return own and f"attribute `{own}`: built-in attributes cannot be overridden."
    for attribute in base:
        if attribute in specs:
            is_setting = attribute == "build_setting_default"
            end = "." if release.override_error_ends_in_dot or is_setting else ""
            return (
                f"There is already a built-in attribute '{attribute}' which cannot be"
                f" overridden{end}"
            )
    return None


ALLOWLISTS = {
    f"_{word}_function_transition": (
        f"tools/{word}s/function_transition_{word}",
        f"function_transition_{word}",
    )
    for word in ("allowlist", "whitelist")
}
"""Attributes for the allowlist of transitions: each with package and name of its list."""


def allowlist_problem(
    specs: Mapping[str, AttributeSpec], cfg: object, ends: str, release: Release
) -> str | None:
    """Why a rule class may not have its transitions: those of Starlark want an attribute for
    their allowlist, where that is not there by itself, and no other rule may have one. None if it
    may, or if that cannot be told; `ends` is what Bazel's message ends in."""
    word = "allowlist" if release.allowlist_attribute else "whitelist"
    names = [name for name in ALLOWLISTS if word in name or release.has_both_allowlists]
    listed = [name for name in names if name in specs]
    for name in listed:
        problem = _list_problem(f"_{word}_function_transition", specs[name], names, release)
        if problem is not None:
            return problem
    given = [spec.cfg for spec in specs.values()]
    if release.transitions_of_rules_need_allowlist:
        given.append(cfg)
    if any(_is_starlark_transition(one) for one in given):
        if listed or not release.transitions_need_allowlist:
            return None
        attribute = f" attribute '_{word}_function_transition'" if word == "allowlist" else ""
        more = ". See Starlark transitions documentation for details and usage" if attribute else ""
        return f"Use of Starlark transition without {word}{attribute}{more}: {ends}"
    if listed and not any(isinstance(one, UnknownValue) for one in given):
        return f"Unused function-based split transition {word}: {ends}"
    return None


def _list_problem(
    attribute: str, spec: AttributeSpec, names: Sequence[str], release: Release
) -> str | None:
    """What is wrong with the attribute for the allowlist itself."""
    if spec.type not in LABEL_TYPES:
        return f"{attribute} attribute must be a label type"
    if spec.compute is not None or spec.late_bound:
        return None
    if spec.default is None:
        return f"{attribute} attribute must have a default value"
    label = spec.default
    if not isinstance(label, Label):
        return None
    fits = (label.package, label.name) in [ALLOWLISTS[name] for name in names]
    if fits and (release.allowlist_of_bazel_tools or not label.repository):
        return None
    wanted = "//{}:{}".format(*ALLOWLISTS[attribute])
    shown = f" ({label})" if release.allowlist_attribute else ""
    return f"{attribute} attribute{shown} does not have the expected value {wanted}"
