"""The variables by which a line and its configs choose toolkits, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags

_OPTIONS = ("action_env", "repo_env")
"""Later ones beat earlier ones, as repository rules see them."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, its value, and the option that sets it (None: the user's environment)."""

    name: str
    value: str
    instance: FlagInstance | None

    @property
    def span(self) -> Span | None:
        """Where an rc file sets it."""
        return self.instance.span if self.instance is not None else None


@dataclass(frozen=True, slots=True)
class Line:
    """A line that people run: the flags, how it is called, and the variables that it sets."""

    name: str
    flags: ResolvedFlags
    variables: Mapping[str, Variable]

    def first(self, *names: str) -> Variable | None:
        """The first of some variables that is set to something."""
        variables = (self.variables.get(name) for name in names)
        return next((one for one in variables if one is not None and one.value), None)


def lines(facts: WorkspaceFacts) -> Iterator[Line]:
    """The line itself, and each other config of the tree alone: nobody asked for both."""
    own = facts.world.flags
    yield Line("", own, _variables(facts, own))
    for config in facts.rc.by_config:
        if config in {expansion.name for expansion in own.configs}:
            continue
        word = f"--config={config}"
        flags = facts.world.resolve_words((word,))
        if not flags.undefined_configs:
            yield Line(word, flags, _variables(facts, flags))


def _variables(facts: WorkspaceFacts, flags: ResolvedFlags) -> Mapping[str, Variable]:
    environment = facts.rc.request.environment
    variables = {name: Variable(name, value, None) for name, value in environment.items()}
    for option in _OPTIONS:
        value = flags.values.get(option)
        for instance in value.instances if value is not None else ():
            name, equals, text = (instance.value or "").partition("=")
            if equals:
                variables[name] = Variable(name, text, instance)
    return variables
