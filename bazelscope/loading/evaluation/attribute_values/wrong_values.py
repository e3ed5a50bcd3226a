"""Why a value does not fit an attribute, in Bazel's words: `Type.ConversionException`,
`BuildType`."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.loading.evaluation.attribute_values.conversion import ConversionError


def bad_value(target: str, attribute: str, rule: str, error: ConversionError) -> str:
    """Why a value does not fit an attribute of a rule."""
    return wrong_value(f"attribute '{attribute}' in '{rule}' rule", target, error)


def wrong_value(what: str, target: str, error: ConversionError) -> str:
    """Why a value does not fit `what`, which is an attribute of `target`."""
    for step in error.path:
        what = step.replace("{}", what)
    if error.label_reason:
        if error.is_output:
            return (
                f"illegal output file name '{error.value}' in rule {target}: {error.label_reason}"
            )
        return f"invalid label '{error.value}' in {what}: {error.label_reason}"
    if error.after is None:
        return str(error)
    sign = ":" if error.joint == "in" else ","
    return f"{error.message} {error.joint} {what}{sign} {error.after}".lstrip()


def has_to_be(allowed: Iterable[object], value: object) -> str:
    """Why a value is none of those that are allowed. Bazel: `Attribute.AllowedValueSet`."""
    *others, last = [f"'{choice}'" for choice in allowed]
    expected = f"{', '.join(others)} or {last}" if others else last
    return f"has to be one of {expected} instead of '{value}'"
