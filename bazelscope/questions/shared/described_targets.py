"""Targets and repositories of the loading phase put into the form that answers show."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.loading.origins.terms import Term
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Provenance,
    Repository,
    Rule,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.questions.path.answer import RepositoryAnswer, RepositoryFact
from bazelscope.questions.shared.nodes import NodeAnswer, TermAnswer

_FACTS_FIRST = ("urls", "url", "remote", "commit", "tag", "branch", "path", "sha256", "integrity")
_FACTS_LATER = ("strip_prefix", "build_file", "system_build_file", "patches", "patch_file")


def describe_node(label: Label, result: TargetResult, package: PackageResult) -> NodeAnswer:
    """What `label` is; a target that does not exist, or cannot be told, is a node too."""
    provenance = _provenance(package)
    if isinstance(result, UnknownTarget | UnknownPackage):
        return NodeAnswer(label, "unknown", provenance=provenance, unknown=result.unknown)
    if isinstance(result, NoSuchTarget | NoSuchPackage):
        return NodeAnswer(label, f"missing: {result.message}", provenance=provenance)
    if isinstance(result, Rule):
        return NodeAnswer(
            label,
            result.kind,
            result.location,
            result.generator_function,
            result.call_stack,
            provenance,
        )
    return NodeAnswer(label, result.kind, result.location, provenance=provenance)


def _provenance(package: PackageResult) -> str | None:
    if isinstance(package, Package) and package.provenance is not Provenance.WORKSPACE:
        return str(package.provenance.value)
    return None


def describe_term(term: Term) -> TermAnswer:
    """The piece of an expression that a label came from."""
    return TermAnswer(
        kind=term.kind.value,
        text=term.text,
        location=term.location,
        defined_at=term.defined_at,
        via=tuple(describe_term(inner) for inner in term.via),
    )


def describe_repository(name: str, repository: Repository) -> RepositoryAnswer:
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
        found = (RepositoryFact(name, _texts(definition.attributes[name])) for name in names)
        facts = tuple(fact for fact in found if any(fact.values))
    return RepositoryAnswer(
        name=name,
        rule=rule,
        location=location,
        call_stack=call_stack,
        provenance=repository.provenance.value,
        facts=facts,
        unknown=repository.unknown,
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
        return tuple(f"{key}: {', '.join(_texts(item))}" for key, item in value.items)
    if isinstance(value, (list, tuple)):
        return tuple(text for item in value for text in _texts(item))
    return (str(value),)
