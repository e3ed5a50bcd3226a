"""The external repositories that a path goes through: what defines each, and what it fetches."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.loading.packages.targets import Repository
from bazelscope.questions.path.answer import RepositoryAnswer, RepositoryFact
from bazelscope.questions.shared.macro_calls import edited_at
from bazelscope.questions.shared.world import World

_FACTS_FIRST = ("urls", "url", "remote", "commit", "tag", "branch", "path", "sha256", "integrity")
_FACTS_LATER = ("strip_prefix", "build_file", "system_build_file", "patches", "patch_file")


def which_repositories(world: World, labels: Iterable[Label]) -> tuple[RepositoryAnswer, ...]:
    """The external repositories of `labels`, in order of appearance."""
    names = dict.fromkeys(label.repository for label in labels if label.repository)
    repositories = ((name, world.loader.table.get(name)) for name in names)
    return tuple(
        _describe(world, name, repository) for name, repository in repositories if repository
    )


def _describe(world: World, name: str, repository: Repository) -> RepositoryAnswer:
    """The rule that defines a repository, what it fetches, and where its content is from."""
    definition = repository.definition
    facts: tuple[RepositoryFact, ...] = ()
    rule = ""
    location: Location | None = None
    call_stack: CallStack = ()
    if definition is not None:
        rule = definition.rule_class
        location = definition.location
        call_stack = definition.call_stack
        names = [name for name in (*_FACTS_FIRST, *_FACTS_LATER) if name in definition.attributes]
        every = (RepositoryFact(name, _texts(definition.attributes[name])) for name in names)
        facts = tuple(fact for fact in every if any(fact.values))
    return RepositoryAnswer(
        name=name,
        rule=rule,
        location=location,
        call_stack=call_stack,
        provenance=repository.provenance.value,
        facts=facts,
        unknown=repository.unknown,
        edited_at=edited_at(world.loader.syntax_pieces, call_stack),
    )


def _texts(value: object) -> tuple[str, ...]:
    """A repository attribute as texts; empty strings and None say nothing."""
    if value is None or value == "":
        return ()
    if isinstance(value, Unknown):
        return (f"unknown: {value}",)
    if isinstance(value, Label):
        return (str(value),)
    if isinstance(value, DictValue):
        return tuple(f"{key}: {', '.join(_texts(element))}" for key, element in value.items)
    if isinstance(value, (list, tuple)):
        return tuple(text for element in value for text in _texts(element))
    return (str(value),)
