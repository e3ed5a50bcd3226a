"""What there is to say about one external repository, as `bazelscope repos` tells it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition
from bazelscope.loading.repositories.repository_table import RepositoryTable

_URLS = ("url", "urls", "remote", "jar_url", "jar_urls")
_REVISIONS = ("commit", "tag", "branch")
_PATCHES = ("patch_file", "patch_files", "patches")


@dataclass(frozen=True, slots=True)
class ShadowedDefinition:
    """A definition of the same name that another one keeps from counting."""

    rule_class: str
    location: Location
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """One repository: how it is defined, what would be fetched, where its content is from, and
    why that, or some of it, cannot be told."""

    name: str
    provenance: Provenance
    rule_class: str | None
    """None: defined by nothing that is known."""
    location: Location | None
    call_stack: CallStack
    macro: str | None
    """The outermost macro that made the definition, called from WORKSPACE."""
    urls: tuple[str, ...]
    sha256: str | None
    strip_prefix: str | None
    patches: tuple[str, ...]
    build_file: Label | None
    root: str | None
    shadowed: tuple[ShadowedDefinition, ...]
    programs: tuple[str, ...]
    """Programs that its rule would run."""
    assumptions: tuple[Unknown, ...]
    """What the dry run had to assume."""
    unknown: Unknown | None
    module: str | None
    """The Bazel module that it is, and its version."""
    integrity: str | None = None
    """The checksum as `integrity` gives it (`sha256-...`)."""
    revision: str | None = None
    """What of a git repository: `tag v1.0`, `commit ...` or `branch main`."""
    failure: str | None = None
    """Why Bazel surely cannot make it, in its words."""


def repository_facts(table: RepositoryTable, name: str) -> RepositoryFacts | None:
    """The facts of the repository `name`; None if certainly nothing defines it."""
    repository = table.get(name)
    placement = table.placement(name)
    if repository is None or placement is None:
        return None
    definition = repository.definition
    attributes: Mapping[str, object] = definition.attributes if definition is not None else {}
    run, failure = placement.dry_run, table.failure_of(name)
    urls = _urls(attributes)
    patches = _texts(attributes.get(key) for key in _PATCHES)
    if run is not None:
        urls = tuple(
            dict.fromkeys((*urls, *(url for download in run.downloads for url in download.urls)))
        )
        patches = run.patches or patches
    return RepositoryFacts(
        name,
        repository.provenance,
        definition.rule_class if definition is not None else None,
        definition.location if definition is not None else None,
        definition.call_stack if definition is not None else (),
        _macro(definition),
        urls,
        _checksum(attributes, run.downloads if run is not None else ()),
        _text(attributes.get("strip_prefix")),
        patches,
        repository.build_file,
        repository.root,
        tuple(
            ShadowedDefinition(shadowed.rule_class, shadowed.location, _urls(shadowed.attributes))
            for shadowed in (definition.shadowed if definition is not None else ())
        ),
        run.programs if run is not None else (),
        run.assumptions if run is not None else (),
        repository.unknown,
        table.module_of(name),
        _text(attributes.get("integrity")),
        _revision(attributes),
        failure.message if failure is not None else None,
    )


def _urls(attributes: Mapping[str, object]) -> tuple[str, ...]:
    """The addresses among the arguments of a definition."""
    return _texts(attributes.get(key) for key in _URLS)


def _revision(attributes: Mapping[str, object]) -> str | None:
    given = ((word, _text(attributes.get(word))) for word in _REVISIONS)
    return next((f"{word} {text}" for word, text in given if text), None)


def _macro(definition: RepositoryDefinition | None) -> str | None:
    if definition is None or len(definition.call_stack) < 2:
        return None
    return definition.call_stack[1].function


def _checksum(attributes: Mapping[str, object], downloads: Iterable[object]) -> str | None:
    given = _text(attributes.get("sha256")) or _text(attributes.get("jar_sha256"))
    if given:
        return given
    checksums = [_text(getattr(download, "sha256", None)) for download in downloads]
    return next((checksum for checksum in checksums if checksum), None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    texts: list[str] = []
    for value in values:
        for element in value if isinstance(value, tuple) else (value,):
            if isinstance(element, str | Label) and str(element):
                texts.append(str(element))
    return tuple(dict.fromkeys(texts))
