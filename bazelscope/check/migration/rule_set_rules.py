"""Rule sets that are too old for another Bazel: archives of WORKSPACE, and selected modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.bazel.builtin_modules import requests_of_bazel_tools
from bazelscope.bazel.release import Release
from bazelscope.bazel.rule_sets import NeededVersion, needed_versions
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause, FindingSeverity
from bazelscope.check.repositories.definition_rules import place_of_call
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.modules.module_graph import ROOT
from bazelscope.loading.modules.module_versions import version_order
from bazelscope.loading.packages.targets import RepositoryDefinition

_VERSION = lazy_pattern(
    r"(?:^|[-/v])(\d+(?:\.\d+)+(?:-?rc\.?\d+)?)(?=$|/|\.(?:tar|zip|tgz|t?xz)|-)"
)
_WRITTEN = ("tag", "strip_prefix", "url", "urls", "branch")


def rule_set_findings(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    """Rule sets that `target` needs in a newer version than this workspace takes. What this
    workspace's own Bazel needs as much is told, too: nobody else says it."""
    needed = needed_versions(target)
    if _may_read_workspace(facts, target):
        for definition in facts.world.loader.table.definitions.values():
            need, version = needed.get(definition.name), _version(definition)
            if need is None or (version and not _is_older(version, need)):
                continue
            finding = _finding(need, version, target, facts.span(place_of_call(definition)))
            if version or not need.version:
                yield finding
            elif any(definition.attributes.get(name) for name in (*_WRITTEN, "commit")):
                yield replace(finding, severity=FindingSeverity.NOTE)
    # Bazel's own modules ask for versions, too, and the highest is taken.
    asked = {name: version for name, version, _ in requests_of_bazel_tools(target)}
    modules = facts.world.loader.table.resolved_modules
    if modules is None:
        return
    resolution = modules.resolution
    for key in resolution.selected:
        need = needed.get(key.name)
        if need is None or need.module != key.name or not key.version:
            continue
        if not _is_older(key.version, need) or resolution.may_be_newer(key):
            continue
        is_raised = key.name in asked and not _is_older(asked[key.name], need)
        if is_raised and key.name not in resolution.pinned:
            continue
        written = [
            (asker, edge.written)
            for asker, module in resolution.selected.items()
            for edge in module.edges
            if edge.selected == key
        ]
        own = [one.location for asker, one in written if asker == ROOT]
        if need.only_named and not own:
            continue
        askers = tuple(
            FindingCause(f"{asker} asks for it") for asker, _ in written if asker != ROOT
        )
        span = facts.span(own[0]) if own else Span("MODULE.bazel", 1, 1, 1, 2)
        yield _finding(need, key.version, target, span, askers, not own)


def _may_read_workspace(facts: WorkspaceFacts, target: Release) -> bool:
    """Whether `target` reads WORKSPACE, or would if it is asked to, where there are no modules to
    take its place."""
    is_asked = "enable_workspace" in facts.rc.flags.values
    has_modules = facts.world.loader.workspace.is_file("MODULE.bazel")
    return target.workspace_by_default or (
        not target.workspace_is_gone and (is_asked or not has_modules)
    )


def _version(definition: RepositoryDefinition) -> str:
    """The version that the archive's address, its folder or its tag bears; empty if none does."""
    for attribute in _WRITTEN:
        value = definition.attributes.get(attribute)
        for text in value if isinstance(value, list | tuple) else (value,):
            versions = _VERSION.findall(text) if isinstance(text, str) else ()
            if versions:
                return str(versions[-1])
    return ""


def _is_older(version: str, need: NeededVersion) -> bool:
    return not need.version or version_order(version) < version_order(need.version)


def _finding(
    need: NeededVersion,
    version: str,
    target: Release,
    span: Span | None,
    askers: tuple[FindingCause, ...] = (),
    is_indirect: bool = False,
) -> Finding:
    needs = f"Bazel {target.text} needs {need.module} {need.version} or newer"
    this = f", this is {version}" if version else "; the address of this one bears no version"
    message = needs + this
    remedy = f"take {need.module} {need.version} or newer"
    if not need.version:
        this = f", this is {version}" if version else ""
        message = f"no release of {need.module} works with Bazel {target.text}{this}"
        remedy = need.instead
    elif is_indirect:
        remedy = f'write `bazel_dep(name = "{need.module}", version = "{need.version}")`'
    causes = (*askers[:3], FindingCause(f"so say {need.source}"))
    finding = CODES["BZS523"].at(span, need.module, message, remedy, causes, 1 + len(askers))
    # What only others ask for may be there and never be loaded.
    return replace(finding, severity=FindingSeverity.WARNING) if is_indirect else finding
