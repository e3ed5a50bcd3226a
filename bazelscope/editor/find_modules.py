"""What a `bazel_dep` of MODULE.bazel comes to, and which ones may be written."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.check.repositories.module_rules import askers
from bazelscope.editor.facts import DependencyFacts
from bazelscope.editor.pointed import AttributeAt, LabelAt, NameAt, Pointed, TargetNameAt
from bazelscope.editor.state import EditorState
from bazelscope.loading.modules.module_graph import ROOT, Edge, ModuleKey
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.module_versions import version_order
from bazelscope.loading.modules.registry_index import central_registry

_DEPENDENCY = lazy_pattern(r"\bbazel_dep\(([^()]*)$")
_NAME_OPEN = lazy_pattern(r"""(?:^|\bname\s*=)\s*["'][^"'\n]*$""")
_VERSION_OPEN = lazy_pattern(r"""\bversion\s*=\s*["'][^"'\n]*$""")
_NAME = lazy_pattern(r"""(?:^|\bname\s*=)\s*["']([^"'\n]+)["']""")


def dependency(state: EditorState, at: Pointed) -> DependencyFacts | None:
    """What the `bazel_dep` comes to that something stands in; None where it is in none that takes
    part."""
    call = at.call if isinstance(at, AttributeAt | LabelAt | NameAt | TargetNameAt) else None
    modules = state.build.loader.table.modules
    resolved = modules.resolved if modules is not None else None
    root = resolved.resolution.selected.get(ROOT) if resolved is not None else None
    if call is None or resolved is None or root is None:
        return None
    for edge in root.edges:
        if state.now(edge.written.location) == call:
            return _facts(resolved, edge)
    return None


def _facts(resolved: ModuleRepositories, edge: Edge) -> DependencyFacts:
    resolution, written, chosen = resolved.resolution, edge.written, edge.selected
    file = resolved.root.file
    override = file.overrides.get(written.name) if file is not None else None
    repository = resolved.repository_of(chosen.name) if chosen is not None else None
    module = resolved.modules.get(repository) if repository else None
    versions = tuple(_versions(written.name))
    return DependencyFacts(
        written.name,
        written.version,
        chosen,
        chosen is None or not resolution.may_be_newer(chosen),
        override.kind if override is not None else "",
        tuple(dict.fromkeys(askers(resolution, chosen))) if chosen is not None else (),
        written.repository or "",
        module.canonical if module is not None else "",
        next((version for version, yanked in versions if not yanked), ""),
        central_registry().date,
        next((why for version, why in versions if chosen and version == chosen.version), ""),
    )


def _versions(module: str) -> Iterator[tuple[str, str]]:
    """The versions of the central registry, highest first, and why one was taken back."""
    registry = central_registry()
    for version in sorted(registry.versions(module), key=version_order, reverse=True):
        yield version, registry.yanked(ModuleKey(module, version)) or ""


def offered(before: str) -> Iterator[tuple[str, str]] | None:
    """What may be written in the string that is open at the end of a text, and what that is: names
    and versions of the central registry. None where it is neither of a `bazel_dep`."""
    call = _DEPENDENCY.search(before)
    if call is None:
        return None
    if _NAME_OPEN.search(call[1]):
        detail = f"central registry, {central_registry().date}"
        return ((name, detail) for name in sorted(central_registry().names()))
    name = _NAME.search(call[1])
    if name is None or not _VERSION_OPEN.search(call[1]):
        return None
    return ((version, "taken back" if why else "") for version, why in _versions(name[1]))
