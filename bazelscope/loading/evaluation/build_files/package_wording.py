"""A target in a message about a conflict with it. Bazel: `Package.NameConflictException`."""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope import starlark
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.encoded_targets import (
    ENVIRONMENTS,
    GROUP,
    INPUT,
    OUTPUT,
    RULE,
    TargetData,
    class_number,
    generating_rule,
    shape_of,
    stack_of,
)

_OTHERS = {INPUT: "source file", GROUP: "package group", ENVIRONMENTS: "environment group"}


def place_of(target: TargetData, stacks: Sequence[starlark.RawStack]) -> Location | None:
    """Where the call stands that made a target; None for the BUILD file itself. `stacks` are
    those of its package."""
    number = stack_of(target)
    stack = starlark.decode_stack(stacks[number]) if number >= 0 else ()
    return stack[0].location if stack else None


def described(
    target: TargetData,
    classes: Sequence[RuleClass],
    stacks: Sequence[starlark.RawStack],
    release: Release,
) -> str:
    """An existing target in a message about a conflict with it: what it is, and where. `classes`
    and `stacks` are those of its package. Where the place of a call is where it begins, that is
    taken for the begin of its line."""
    shape = shape_of(target)
    if shape == RULE:
        kind = f"{classes[class_number(target)].name} rule"
    elif shape == OUTPUT:
        kind = f"generated file from rule '{generating_rule(target)}'"
    else:
        kind = _OTHERS[shape]
    place = place_of(target, stacks)
    if place is None:
        return kind
    if release.calls_lie_where_they_begin:
        place = place._replace(column=1)
    return f"{kind}, defined at {place}"
