"""Which definition of an external repository counts, as WORKSPACE calls come in.

Bazel evaluates WORKSPACE in chunks cut at its top-level loads. Measured on 0.24.1, 2.1.0 and
4.2.3, two rules decide between definitions of one name:

- A *native* rule may overwrite a name only while no load has been executed in the file; after
  any load it is an error ("Cannot redefine repository"). Binds and the symbols that
  `repository_rule()` returns may always overwrite.
- Repositories are looked up chunk by chunk, so the content comes from the earliest chunk that
  has a target of that name, and there from the last definition. `existing_rules()` and
  `//external:NAME` show the last definition of all.

A bind takes part in this: where the earliest chunk has a bind, there is no such repository.
What modules define wins, and no call in WORKSPACE sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import RepositoryDefinition

EXTERNAL_PACKAGE = PackageId("", "external")
_LEGAL_WORKSPACE_NAME = lazy_pattern(r"[A-Za-z][A-Za-z0-9_]*\Z")
_LEGAL_LATER_NAME = lazy_pattern(r"[A-Za-z0-9_.-]+\Z")
NOWHERE = Location("WORKSPACE", 1, 1)
MODULE_CHUNK = -1
"""Before every chunk of WORKSPACE: what MODULE.bazel defines."""


@dataclass(frozen=True, slots=True)
class Binding:
    """`bind(name, actual)`: what `//external:NAME` stands for; None where it cannot be told."""

    name: str
    actual: Label | None
    location: Location
    call_stack: CallStack


@dataclass(frozen=True, slots=True)
class Registration:
    """One `register_toolchains` or `register_execution_platforms` call."""

    what: str
    patterns: tuple[str, ...]
    location: Location
    repository: str = ""
    """Whose file it stands in: patterns are relative to it."""


@dataclass(frozen=True, slots=True)
class DefinedRepository:
    """One call of a repository rule: its definition, and what running the rule needs.

    `rule` is the value that `repository_rule()` returned, a native rule's name, or what was
    called and cannot be read.
    """

    definition: RepositoryDefinition
    rule: object
    arguments: Mapping[str, object]
    chunk: int
    doubt: Unknown | None = None
    """What the function that made this call had to decide by, without knowing it."""


_Entry = DefinedRepository | Binding


@dataclass(slots=True)
class DefinitionLog:
    """All definitions of one WORKSPACE evaluation, in order."""

    strict_names: bool
    """Old Bazels demand `[A-Za-z][A-Za-z0-9_]*` of native rules' names."""
    chunk: int = 0
    _last: dict[str, _Entry] = field(default_factory=dict)
    _by_chunk: dict[str, dict[int, _Entry]] = field(default_factory=dict)
    _history: dict[str, list[DefinedRepository]] = field(default_factory=dict)
    _winners: dict[str, DefinedRepository | None] = field(default_factory=dict)
    """What was answered since the last definition of that name."""
    _presumed: dict[str, DefinedRepository] = field(default_factory=dict)

    def define(self, repository: DefinedRepository, *, is_native: bool) -> None:
        """Records a definition. Raises `StarlarkError` where Bazel refuses it."""
        name = repository.definition.name
        legal = _LEGAL_WORKSPACE_NAME if self.strict_names else _LEGAL_LATER_NAME
        if is_native and not legal.match(name):
            starlark.fail_with(
                f"{repository.definition.rule_class} rule //external:{name}'s name field must be"
                " a legal workspace name"
            )
        previous = self._last.get(name)
        self._history.setdefault(name, []).append(repository)
        self._winners.pop(name, None)
        if is_native and self.chunk > 0 and isinstance(previous, DefinedRepository):
            starlark.fail_with(
                "Cannot redefine repository after any load statement in the WORKSPACE file"
                f" (for repository '{name}')"
            )
        self._put(name, repository)

    def presume(self, repository: DefinedRepository) -> None:
        """Records a call with a name of what cannot be read. The first one is the definition
        where nothing is surely the definition of that name."""
        self._presumed.setdefault(repository.definition.name, repository)
        self._winners.pop(repository.definition.name, None)

    def bind(self, binding: Binding) -> None:
        self._put(binding.name, binding)

    def last(self, name: str) -> _Entry | None:
        """What `existing_rule(name)` and `//external:name` see: nothing of modules."""
        return self._last.get(name)

    def last_of_all(self) -> Mapping[str, _Entry]:
        return self._last

    def winner(self, name: str) -> DefinedRepository | None:
        """The definition that `@name` is made by; its definition lists the ones it shadows."""
        if name not in self._winners:
            self._winners[name] = self._winner(name)
        return self._winners[name]

    def _winner(self, name: str) -> DefinedRepository | None:
        chunks = self._by_chunk.get(name)
        if not chunks:
            return self._presumed.get(name)
        entry = chunks[min(chunks)]
        if not isinstance(entry, DefinedRepository):
            return None
        shadowed = tuple(other.definition for other in self._history[name] if other is not entry)
        if not shadowed:
            return entry
        return replace(entry, definition=replace(entry.definition, shadowed=shadowed))

    def names(self) -> tuple[str, ...]:
        """The names of all defined repositories, sorted."""
        known = {*self._history, *self._presumed}
        return tuple(sorted(name for name in known if self.winner(name) is not None))

    def bindings(self) -> dict[str, Binding]:
        return {
            name: entry for name, entry in sorted(self._last.items()) if isinstance(entry, Binding)
        }

    def _put(self, name: str, entry: _Entry) -> None:
        self._winners.pop(name, None)
        if self.chunk != MODULE_CHUNK:
            self._last[name] = entry
        self._by_chunk.setdefault(name, {})[self.chunk] = entry


def location_of(stack: CallStack) -> Location:
    """Where the repository rule was called: the innermost frame in a file that users have."""
    for frame in reversed(stack):
        if not frame.location.is_shipped:
            return frame.location
    return stack[-1].location if stack else NOWHERE


def external_label(text: str, mapping: Mapping[str, str]) -> Label:
    """A label as an argument of a WORKSPACE call means it.

    Strings are resolved in the main repository's package `//external`, whichever file the
    calling macro stands in. Raises `LabelError`.
    """
    return parse_label(text, EXTERNAL_PACKAGE, mapping)


_DEEPEST = 32


def plain_value(value: object, depth: int = 0) -> object:
    """A Starlark argument as plain data, for `RepositoryDefinition.attributes`."""
    if value is None or isinstance(value, bool | int | str | Label | Unknown):
        return value
    label = getattr(value, "label", None)
    if isinstance(label, Label):
        return label
    if isinstance(value, UnknownValue):
        return value.as_unknown()
    if depth > _DEEPEST:
        return Unknown(Reason.FAILED, "a value", "a list that contains itself")
    if isinstance(value, Mapping):
        return {
            plain_value(key, depth + 1): plain_value(element, depth + 1)
            for key, element in value.items()
        }
    if isinstance(value, Sequence):
        return tuple(plain_value(element, depth + 1) for element in value)
    return starlark.repr_of(value)
