"""The module `config`: what makes a rule a build setting, and transitions of Bazel's own.

Bazel: `StarlarkConfigApi`, `StarlarkConfig`.
"""

from __future__ import annotations

from collections.abc import Callable

from bazelscope import starlark
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.opaque import Opaque
from bazelscope.loading.evaluation.rule_values import BuildSetting, NamedTransition
from bazelscope.loading.evaluation.structs import Namespace

_KINDS = {
    "bool": AttributeType.BOOLEAN,
    "int": AttributeType.INTEGER,
    "string": AttributeType.STRING,
    "string_list": AttributeType.STRING_LIST,
    "string_set": AttributeType.STRING_LIST,
}
# Flags of which every setting on the command line counts, not the last alone: the parameter
# that says so, and since when it is there. 4.2.3 was measured to refuse both.
_REPEATABLE = {
    "string": ("allow_multiple", (5, 0, 0)),
    "string_list": ("repeatable", (5, 3, 0)),
    "string_set": ("repeatable", (5, 3, 0)),
}

_LAST_REPEATABLE = (5, 3, 0)
"""What newer Bazels may know besides is not refused."""


def config_module(context: EvaluationContext) -> Namespace:
    """The module for the Bazel version of `context`."""
    members: dict[str, object] = {
        name: starlark.Builtin(name, _maker(name, kind, context.version))
        for name, kind in _KINDS.items()
    }
    for name in ("exec", "target", "none"):
        members[name] = starlark.Builtin(name, _transition_maker(name))
    return Namespace("config", members)


def _maker(
    name: str, kind: AttributeType, version: tuple[int, int, int]
) -> Callable[..., BuildSetting]:
    repeated, since = _REPEATABLE.get(name, ("", (0, 0, 0)))
    known = {"flag", repeated} if version >= since else {"flag"}

    def make(*arguments: object, **options: object) -> BuildSetting:
        if arguments:
            starlark.fail_with(f"{name}() got unexpected positional argument")
        for option, value in options.items():
            if option not in known and version < _LAST_REPEATABLE:
                starlark.fail_with(f"{name}() got unexpected keyword argument '{option}'")
            if not isinstance(value, bool | Opaque):
                got = starlark.type_of(value)
                starlark.fail_with(
                    f"in call to {name}(), parameter '{option}' got value of type '{got}',"
                    " want 'bool'"
                )
        return BuildSetting(kind, options.get("flag") is True, options.get(repeated) is True)

    return make


def _transition_maker(name: str) -> Callable[..., NamedTransition]:
    return lambda *_, **__: NamedTransition(name)
