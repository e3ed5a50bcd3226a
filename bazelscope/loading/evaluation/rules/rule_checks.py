"""What `rule()` and `attr.*` refuse while a `.bzl` file is evaluated.

Bazel: `StarlarkAttrModule`, `StarlarkRuleClassFunctions`, `StarlarkRuleFunction.export`. The words
are those of 4.2.3; whatever only newer Bazels know is let through for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.nearest import bazels_suggestion
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_EVERY = ("default", "doc", "mandatory")
_SEQUENCE = (*_EVERY, "allow_empty")
_FILES = ("allow_files", "allow_rules", "aspects", "cfg", "providers")
_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "bool": _EVERY,
    "int": (*_EVERY, "values"),
    "int_list": _SEQUENCE,
    "label": (*_EVERY, *_FILES, "allow_single_file", "executable"),
    "label_keyed_string_dict": (*_SEQUENCE, *_FILES, "flags"),
    "label_list": (*_SEQUENCE, *_FILES, "flags"),
    "license": _EVERY,
    "output": ("doc", "mandatory"),
    "output_list": ("allow_empty", "doc", "mandatory"),
    "string": (*_EVERY, "values"),
    "string_dict": _SEQUENCE,
    "string_list": _SEQUENCE,
    "string_list_dict": _SEQUENCE,
}
_UNTIL_4 = frozenset({"default", "non_empty", "single_file", "executable", "flags"})
"""Parameters of Bazels before 4 that some `attr` functions lost."""

_DEFAULTS: Mapping[AttributeType, tuple[type, str]] = {
    AttributeType.BOOLEAN: (bool, "bool"),
    AttributeType.INTEGER: (int, "int"),
    AttributeType.STRING: (str, "string"),
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
_IDENTIFIER = re.compile(r"[^\W\d]\w*", re.ASCII)


def check_attribute(
    function: str, kind: AttributeType, options: Mapping[str, object], release: Release
) -> None:
    """Refuses a call of `attr.<function>`, as a StarlarkError."""
    known = _PARAMETERS.get(function)
    if known is not None and release.attribute_parameters_listed:
        for name in options:
            if name in known or (release.old_attribute_parameters and name in _UNTIL_4):
                continue
            near = bazels_suggestion(name, known)
            hint = f" (did you mean '{near}'?)" if near else ""
            starlark.fail_with(f"{function}() got unexpected keyword argument '{name}'{hint}")
    default = options.get("default")
    wanted = _DEFAULTS.get(kind)
    if wanted is not None and _is_plain(default) and type(default) is not wanted[0]:
        got = starlark.type_of(default)
        starlark.fail_with(
            f"in call to {function}(), parameter 'default' got value of type '{got}',"
            f" want '{wanted[1]}'"
        )
    cfg = options.get("cfg")
    if type(cfg) is str and cfg not in ("host", "target", "exec", "data"):
        starlark.fail_with(_CFG)
    if options.get("executable") is True and cfg is None:
        starlark.fail_with(_NO_CFG)
    if None not in (options.get("allow_files"), options.get("allow_single_file")):
        starlark.fail_with("Cannot specify both allow_files and allow_single_file")


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | list | tuple | dict) and not isinstance(
        value, UnknownValue
    )


def check_rule(
    attrs: object,
    specs: Mapping[str, AttributeSpec],
    outputs: object,
    release: Release,
) -> None:
    """Refuses a call of `rule()`, as a StarlarkError."""
    _check_dict(attrs, "attrs", "Attribute")
    for name, spec in specs.items():
        if release.attribute_names_are_identifiers and not _IDENTIFIER.fullmatch(name):
            starlark.fail_with(f"attribute name `{name}` is not a valid identifier.")
        if spec.compute is not None and not name.startswith("_"):
            starlark.fail_with(
                "When an attribute value is a function, the attribute must be private (i.e. start"
                f" with '_'). Found '{name}'"
            )
    if isinstance(outputs, list | tuple | str | int):
        got = starlark.type_of(outputs)
        starlark.fail_with(
            f"in call to rule(), parameter 'outputs' got value of type '{got}', want 'dict,"
            " NoneType, or function'"
        )
    _check_dict(outputs, "implicit outputs of the rule class", "string")


def _check_dict(value: object, what: str, wanted: str) -> None:
    """Refuses a dictionary of plain values of another type than text to `wanted`."""
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        kinds = starlark.type_of(key), starlark.type_of(item)
        fits = _is_text(key) and (starlark.type_of(item) == wanted or not _is_plain(item))
        if not fits and not (wanted == "Attribute" and item is None):
            starlark.fail_with(
                f"got dict<{kinds[0]}, {kinds[1]}> for '{what}', want dict<string, {wanted}>"
            )


def _is_text(value: object) -> bool:
    return isinstance(value, str | UnknownValue)


def check_export(
    name: str,
    specs: Mapping[str, AttributeSpec],
    base: Mapping[str, object],
    is_test: bool,
    release: Release,
    is_analysis_test: bool = False,
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
        return None  # which common attributes a newer Bazel has is not known for certain
    for attribute in base:
        if attribute in specs:
            end = (
                "."
                if release.override_error_ends_in_dot or attribute == "build_setting_default"
                else ""
            )
            return (
                f"There is already a built-in attribute '{attribute}' which cannot be"
                f" overridden{end}"
            )
    return None
