"""Targets in the form in which packages are built and cached: tuples that `marshal` can write.

Most targets of a package are passed through and never looked at, so they are decoded when
somebody asks. These functions alone know where in the tuples what stands.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from bazelscope.bazel.encoded_values import Encoded

RULE, INPUT, OUTPUT, GROUP, ENVIRONMENTS = range(5)
"""The shapes: a rule, a source file, a generated file, a package group, a group of environments."""

TargetData = tuple[Any, ...]
"""`(RULE, class, ((attribute, value), ...), outputs, stack, computed)`, `(INPUT, stack,
is_exported)` with a visibility of its own at the end if it has one, `(OUTPUT, rule, stack)`,
`(GROUP, packages, includes, stack)` or `(ENVIRONMENTS, environments, defaults, stack)`."""

Values = tuple[tuple[str, Encoded], ...]
"""Attributes and their values, in written order."""


def encoded_rule(
    class_number: int, explicit: Values, outputs: tuple[str, ...], stack: int, computed: Values
) -> TargetData:
    """Makes a rule of the number of its class, of what it was given, of the files that it
    generates, of the number of its call stack, and of what loading computed."""
    return (RULE, class_number, explicit, outputs, stack, computed)


def encoded_input(stack: int, is_exported: bool, *visibility: Encoded) -> TargetData:
    """Makes a source file."""
    return (INPUT, stack, is_exported, *visibility)


def encoded_output(rule: str, stack: int) -> TargetData:
    """Makes a file that `rule` generates."""
    return (OUTPUT, rule, stack)


def encoded_group(packages: tuple[str, ...], includes: Encoded, stack: int) -> TargetData:
    """Makes a package group."""
    return (GROUP, packages, includes, stack)


def encoded_environments(environments: Encoded, defaults: Encoded, stack: int) -> TargetData:
    """Makes a group of environments."""
    return (ENVIRONMENTS, environments, defaults, stack)


shape_of: Callable[[TargetData], int] = itemgetter(0)
"""Which of the five shapes a target has."""
class_number: Callable[[TargetData], int] = itemgetter(1)
"""Of a rule: its class, as a number in its package."""
explicit_values: Callable[[TargetData], Values] = itemgetter(2)
"""Of a rule: what the BUILD file or a macro set."""
output_names: Callable[[TargetData], tuple[str, ...]] = itemgetter(3)
"""Of a rule: the files that it generates."""
computed_values: Callable[[TargetData], Values] = itemgetter(5)
"""Of a rule: what loading worked out for it."""
generating_rule: Callable[[TargetData], str] = itemgetter(1)
"""Of a generated file: the name of its rule."""
is_exported: Callable[[TargetData], bool] = itemgetter(2)
"""Of a source file: whether the BUILD file exports it."""
group_packages: Callable[[TargetData], tuple[str, ...]] = itemgetter(1)
"""Of a package group: its specifications."""
group_includes: Callable[[TargetData], Encoded] = itemgetter(2)
"""Of a package group: the groups that it includes."""
group_environments: Callable[[TargetData], Encoded] = itemgetter(1)
"""Of a group of environments: all of them."""
group_defaults: Callable[[TargetData], Encoded] = itemgetter(2)
"""Of a group of environments: those that a rule is for unless it says otherwise."""

_STACKS = (4, 1, 2, 3, 3)


def stack_of(target: TargetData) -> int:
    """Returns the number of the call stack that made a target."""
    return int(target[_STACKS[target[0]]])


def own_visibility(file: TargetData) -> Encoded:
    """Returns the visibility that a source file was exported with; None without one."""
    return file[3] if len(file) > 3 else None


def with_computed(rule: TargetData, *more: tuple[str, Encoded]) -> TargetData:
    """Returns a rule for which loading has worked out `more`."""
    return (*rule[:5], (*rule[5], *more))
