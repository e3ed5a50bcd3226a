"""The toolchain types that a rule asks for: `toolchains = [...]` of `rule()` and `exec_group()`.

Bazel: `ToolchainTypeRequirement`, `StarlarkRuleClassFunctions.parseToolchainTypes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import ExecGroup, ToolchainRequirement
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class ToolchainType(starlark.Value):
    """What `config_common.toolchain_type(name, mandatory = True)` returns."""

    starlark_type: ClassVar[str] = "toolchain_type"
    __slots__ = ("label", "mandatory")

    def __init__(self, label: object, mandatory: bool) -> None:
        self.label = label
        self.mandatory = mandatory


class ExecutionGroup(Struct):
    """What `exec_group()` returns; `toolchains` and `constraints` are what it asks for."""

    __slots__ = ("constraints", "toolchains")

    def __init__(
        self,
        fields: Mapping[str, object],
        toolchains: tuple[ToolchainRequirement | Unknown, ...],
        constraints: tuple[Label, ...],
    ) -> None:
        super().__init__(fields)
        self.toolchains = toolchains
        self.constraints = constraints


def toolchain_type(context: EvaluationContext) -> starlark.Builtin:
    """`config_common.toolchain_type`; a label is relative to the file that calls it."""

    def make(name: object, *, mandatory: object = True) -> object:
        members = context.builtins.members("config_common")
        if members is not None and "toolchain_type" not in members:
            starlark.fail_with("'config_common' value has no field or method 'toolchain_type'")
        label = context.label(name) if isinstance(name, str) else name
        return ToolchainType(label, mandatory is not False)

    return starlark.Builtin("toolchain_type", make)


def read_toolchains(
    context: EvaluationContext, given: object
) -> tuple[ToolchainRequirement | Unknown, ...]:
    """The types that `toolchains = given` asks for, relative to the file that calls.

    A type that cannot be told is an `Unknown`, as is a text that is no label.
    """
    if given is None:
        return ()
    if isinstance(given, UnknownValue):
        return (given.as_unknown(),)
    return tuple(_requirement(context, given_type) for given_type in starlark.iterate(given))


def _requirement(context: EvaluationContext, given: object) -> ToolchainRequirement | Unknown:
    mandatory = True
    if isinstance(given, ToolchainType):
        mandatory, given = given.mandatory, given.label
    if isinstance(given, str):
        try:
            return ToolchainRequirement(context.label(given).label, mandatory)
        except LabelError as error:
            return Unknown(Reason.FAILED, given, str(error))
    if isinstance(given, UnknownValue):
        return given.as_unknown()
    if not isinstance(given, LabelValue):
        starlark.fail_with(
            "'toolchains' takes a toolchain_type, Label, or String, but instead got a"
            f" {starlark.type_of(given)}"
        )
    return ToolchainRequirement(given.label, mandatory)


def read_constraints(context: EvaluationContext, given: object) -> tuple[Label, ...]:
    """The constraint values that `exec_compatible_with = given` asks for, relative to the file that
    calls, as far as these can be told."""
    labels = []
    for one in given if isinstance(given, list | tuple) else ():
        if isinstance(one, LabelValue):
            labels.append(one.label)
        elif isinstance(one, str):
            try:
                labels.append(context.label(one).label)
            except LabelError:
                continue
    return tuple(dict.fromkeys(labels))


def constraints_of(options: Mapping[str, object]) -> tuple[Label, ...]:
    """What the options of one `rule()` ask of the platform that its actions run on."""
    given = options.get("exec_compatible_with")
    return given if isinstance(given, tuple) else ()


def exec_groups_of(options: Mapping[str, object]) -> tuple[ExecGroup, ...]:
    """The execution groups in the options of one `rule()`, after what the rule itself asks for."""
    given = options.get("exec_groups")
    groups = given if isinstance(given, dict) else {}
    if not groups:
        return ()
    toolchains = options.get("toolchains")
    own = toolchains if isinstance(toolchains, tuple) else ()
    constraints = constraints_of(options)
    named = [
        ExecGroup(name, own, constraints)
        if group.fields.get("copy_from_rule") is True
        else ExecGroup(name, group.toolchains, group.constraints)
        for name, group in groups.items()
        if isinstance(name, str) and isinstance(group, ExecutionGroup)
    ]
    return (ExecGroup("", own, constraints), *named)


def requirements_of(options: Mapping[str, object]) -> tuple[ToolchainRequirement | Unknown, ...]:
    """Everything that the options of one `rule()` ask for, its execution groups included."""
    requirements: list[ToolchainRequirement | Unknown] = []
    toolchains = options.get("toolchains")
    if isinstance(toolchains, tuple):
        requirements += toolchains
    groups = options.get("exec_groups")
    if isinstance(groups, UnknownValue):
        requirements.append(groups.as_unknown())
    for group in groups.values() if isinstance(groups, dict) else ():
        if isinstance(group, ExecutionGroup):
            requirements += group.toolchains
        elif isinstance(group, UnknownValue):
            requirements.append(group.as_unknown())
    return tuple(dict.fromkeys(requirements))
