"""Findings about definitions of repositories: twice defined, unchecked, insecure, on one host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from bazelscope.base.source import Location
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause, FindingSeverity
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.packages.targets import RepositoryDefinition

_URLS = ("url", "urls")
_CHECKSUMS = ("sha256", "integrity", "jar_sha256", "artifact_sha256", "sha1", "sri")
_REMOTE = ("http://", "https://", "ftp://")


def definition_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """All findings about the definitions that the workspace itself makes."""
    for definition in facts.world.loader.table.definitions.values():
        if not _is_own(definition.location):
            continue
        yield from _redefined(facts, definition)
        yield from _downloaded(facts, definition)


def _is_own(place: Location | None) -> bool:
    if place is None or place.path.startswith(("<", "external/", "/")):
        return False
    folder, _, file = place.path.rpartition("/")
    is_of_registry = file == "MODULE.bazel" and "@" in folder  # `zlib@1.3.1/MODULE.bazel`
    return not is_of_registry and not place.path.endswith(".lock")


def place_of_call(definition: RepositoryDefinition) -> Location:
    """The innermost call of the workspace's own that names the repository."""
    stack = [frame.location for frame in definition.call_stack if _is_own(frame.location)]
    helpers = [place for place in stack if not place.path.endswith(("repo.bzl", "maybe.bzl"))]
    return (helpers or stack or [definition.location])[-1]


def _redefined(facts: WorkspaceFacts, definition: RepositoryDefinition) -> Iterator[Finding]:
    if definition.location.path.endswith("MODULE.bazel"):
        return  # A module is one with its override.
    for other in definition.shadowed:
        if not _is_own(other.location) or other.location == definition.location:
            continue
        name, counts = definition.name, place_of_call(definition)
        cause = FindingCause("this one counts", facts.span(counts))
        span = facts.span(place_of_call(other))
        same = _arguments(other) == _arguments(definition)
        if same or _outermost(other) == _outermost(definition):
            message = f"this definition of `@{name}` does not count: it is defined again"
            remedy = "delete one of the two"
            yield CODES["BZS301"].at(span, f"@{name}", message, remedy, (cause,))
        else:
            message = f"`@{name}` is defined twice, differently; the order of the calls decides"
            remedy = "delete this one, or guard it by `native.existing_rule`"
            yield CODES["BZS302"].at(span, f"@{name}", message, remedy, (cause,))


def _arguments(definition: RepositoryDefinition) -> list[tuple[str, str]]:
    return sorted((key, repr(value)) for key, value in definition.attributes.items())


def _outermost(definition: RepositoryDefinition) -> Location | None:
    return definition.call_stack[0].location if definition.call_stack else None


def _downloaded(facts: WorkspaceFacts, definition: RepositoryDefinition) -> Iterator[Finding]:
    given = [definition.attributes.get(name) for name in _URLS]
    flat = [url for one in given for url in (one if isinstance(one, tuple | list) else (one,))]
    urls = [url for url in flat if isinstance(url, str) and url.startswith(_REMOTE)]
    if not urls or len(urls) != len([url for url in flat if url]):
        return
    span, name = facts.span(place_of_call(definition)), f"@{definition.name}"
    checked = any(definition.attributes.get(key) for key in _CHECKSUMS)
    if not checked and not _is_checked_by_rule(facts, definition.name, urls):
        message = f"`{name}` is downloaded without a checksum: whatever the server sends is built"
        is_module = facts.world.loader.table.module_of(definition.name) is not None
        # archive_override() takes `sha256` from Bazel 8 on only.
        key = "`integrity`" if is_module else "`sha256` (or `integrity`)"
        remedy = f"add {key}; Bazel prints it when it downloads"
        yield CODES["BZS303"].at(span, name, message, remedy)
    plain = [url for url in urls if not url.startswith("https://")]
    if plain:
        may_be = "is" if plain[0] == urls[0] else "may be"  # Bazel takes the first that answers.
        message = f"`{name}` {may_be} downloaded without encryption"
        cause = (FindingCause(f"from {plain[0]}"),)
        others = "leave that URL out" if len(plain) < len(urls) else "take another host"
        remedy = f"write `https://`, or {others} if this host does not take that"
        finding = CODES["BZS304"].at(span, name, message, remedy, cause)
        yield replace(finding, severity=FindingSeverity.NOTE) if checked else finding
    hosts = {urlsplit(url).hostname for url in urls}
    if len(urls) > 1 and len(hosts) == 1:
        message = f"the {len(urls)} URLs of `{name}` are all on {hosts.pop()}: none is a mirror"
        yield CODES["BZS305"].at(span, name, message, "add a URL on another host")


def _is_checked_by_rule(facts: WorkspaceFacts, name: str, urls: list[str]) -> bool:
    """Whether nobody can say that these are downloaded unchecked: the rule completes them, so
    that they are not what it downloads, or looks up a checksum for each."""
    if any("{" in url or "%s" in url for url in urls):
        return True
    placement = facts.world.loader.table.placement(name)
    run = placement.dry_run if placement is not None else None
    downloads = [one for one in run.downloads if set(one.urls) & set(urls)] if run else []
    return bool(downloads) and all(one.sha256 != "" for one in downloads)
