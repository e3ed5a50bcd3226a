"""What is wrong with a target, in Bazel's words.

Bazel: `Package.NameConflictException`, `Type.ConversionException`, `BuildType`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.loading.packages.package_data import INPUT, OUTPUT, RULE, TargetData

if TYPE_CHECKING:
    from bazelscope.base.source import Location
    from bazelscope.loading.evaluation.conversion import ConversionError
    from bazelscope.loading.evaluation.package_builder import PackageBuilder


def stack_of(target: TargetData) -> int:
    """The number of the call stack that made a target."""
    shape = target[0]
    if shape == RULE:
        return int(target[4])
    if shape == INPUT:
        return int(target[1])
    return int(target[2] if shape == OUTPUT else target[3])


def place_of(builder: PackageBuilder, target: TargetData) -> Location | None:
    """Where the call stands that made a target; None for the BUILD file itself."""
    number = stack_of(target)
    stack = starlark.decode_stack(builder.stacks[number]) if number >= 0 else ()
    return stack[0].location if stack else None


def described(builder: PackageBuilder, target: TargetData) -> str:
    """An existing target in a message about a conflict with it: what it is, and where."""
    shape = target[0]
    if shape == RULE:
        kind = f"{builder.classes[target[1]].name} rule"
    elif shape == OUTPUT:
        kind = f"generated file from rule '{target[1]}'"
    else:
        kind = "source file" if shape == INPUT else "package group"
    place = place_of(builder, target)
    return kind if place is None else f"{kind}, defined at {place}"


def bad_value(target: str, attribute: str, rule: str, error: ConversionError) -> str:
    """Why a value does not fit an attribute of a rule."""
    return wrong_value(f"attribute '{attribute}' in '{rule}' rule", target, error)


def wrong_value(what: str, target: str, error: ConversionError) -> str:
    """Why a value does not fit `what`, which is an attribute of `target`."""
    for step in error.path:
        what = step.replace("{}", what)
    if error.label_reason:
        if error.is_output:
            return f"illegal output file name '{error.item}' in rule {target}: {error.label_reason}"
        return f"invalid label '{error.item}' in {what}: {error.label_reason}"
    if error.after is None:
        return str(error)
    sign = ":" if error.joint == "in" else ","
    return f"{error.message} {error.joint} {what}{sign} {error.after}".lstrip()
