"""The module `config`: what makes a rule a build setting, and transitions of Bazel's own.

Bazel: `StarlarkConfigApi`, `StarlarkConfig`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.facts.fact import Fact
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import BuildSetting, NamedTransition
from bazelscope.loading.evaluation.values.structs import Namespace
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_KINDS = {
    "bool": AttributeType.BOOLEAN,
    "int": AttributeType.INTEGER,
    "string": AttributeType.STRING,
    "string_list": AttributeType.STRING_LIST,
    "string_set": AttributeType.STRING_LIST,
}
# Flags of which every setting on the command line counts, not the last alone: the parameter
# that says so, and since when it is there. 4.2.3 was measured to refuse both.
_REPEATABLE: Mapping[str, tuple[str, Fact]] = {
    "string": ("allow_multiple", Release.string_allows_multiple),
    "string_list": ("repeatable", Release.repeatable_lists),
    "string_set": ("repeatable", Release.repeatable_lists),
}


class _ConfigModule(Namespace):
    """The module, by the name of its type."""

    __slots__ = ()

    starlark_type: ClassVar[str] = "config"


def config_module(context: EvaluationContext) -> Namespace:
    """The module for the Bazel version of `context`."""
    members: dict[str, object] = {
        name: starlark.Builtin(name, _maker(name, kind, context.release))
        for name, kind in _KINDS.items()
    }
    has_groups = context.release.rules_take_exec_groups
    for name in ("exec", "target", "none") if has_groups else ("target", "none"):
        members[name] = starlark.Builtin(name, _transition_maker(name))
    measured = context.builtins.members("config")
    if measured is not None:
        members = {name: member for name, member in members.items() if name in measured}
    return _ConfigModule("config", members)


def _maker(name: str, kind: AttributeType, release: Release) -> Callable[..., BuildSetting]:
    repeated, had_by = _REPEATABLE.get(name, ("", None))
    known = {"flag"} if had_by is None or not had_by.holds(release) else {"flag", repeated}

    def make(*arguments: object, **options: object) -> BuildSetting:
        if arguments:
            starlark.fail_with(f"{name}() got unexpected positional argument")
        for option, value in options.items():
            if option not in known and not release.repeatable_lists:
                starlark.fail_with(f"{name}() got unexpected keyword argument '{option}'")
            if not isinstance(value, bool | UnknownValue):
                starlark.fail_with(starlark.wrong_type(name, option, value, "bool"))
        return BuildSetting(kind, options.get("flag") is True, options.get(repeated) is True)

    return make


def _transition_maker(name: str) -> Callable[..., NamedTransition]:
    def make(exec_group: object = None) -> NamedTransition:
        return NamedTransition(name, exec_group if isinstance(exec_group, str) else "")

    return make
