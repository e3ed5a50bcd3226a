"""Module resolution: from the root's MODULE.bazel to the graph of selected modules.

Bazel: `BazelModuleResolutionFunction`. A pure function of what `ModuleFiles` answers. Where a
module cannot be read, what the lock file says of the modules that it asks for takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.discovery import NO_REGISTRY, ModuleFiles, discover
from bazelscope.loading.modules.module_file import ModuleDependency, ModuleFile
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey, Resolution
from bazelscope.loading.modules.module_versions import is_version
from bazelscope.loading.modules.selection import select


@dataclass(frozen=True, slots=True)
class ResolutionSettings:
    """What resolution takes besides the files. `builtin` are the modules that come with this
    Bazel, and what each needs; `unknown_builtin` are those that may need more; `yanked` tells
    why a version was taken back, if it was; `allowed_yanked` are those that
    `--allow_yanked_versions` lets pass (`None` for all)."""

    release: Release
    builtin: Mapping[str, Sequence[ModuleDependency]]
    unknown_builtin: Mapping[str, Unknown] = field(default_factory=dict)
    yanked: Callable[[ModuleKey], str | None] = lambda key: None
    allowed_yanked: Collection[str] | None = frozenset()
    check_compatibility: str = "error"
    check_direct: str = "warning"


def resolve(
    root: ModuleFile,
    files: ModuleFiles,
    settings: ResolutionSettings,
    asked_in_lock: Sequence[ModuleKey] = (),
    selected_in_lock: Sequence[ModuleKey] = (),
) -> Resolution:
    """The module graph. What Bazel would refuse stands among its diagnostics, in its words."""
    in_lock = (*asked_in_lock, *selected_in_lock)
    discovered = discover(root, settings.builtin, files, in_lock, settings.unknown_builtin)
    kept = tuple(selected_in_lock) if discovered.unknowns else ()
    chosen = select(root, discovered, settings.release, kept)
    pinned = frozenset(
        name
        for name, override in root.overrides.items()
        if override.kind in NO_REGISTRY
        or (override.kind == "single_version_override" and override.arguments.get("version"))
    )
    result = Resolution(
        chosen.modules,
        chosen.discovered,
        tuple(discovered.asked),
        (*discovered.diagnostics, *chosen.diagnostics),
        tuple(dict.fromkeys(discovered.unknowns.values())),
        pinned | frozenset(settings.builtin) | {root.name},
        frozenset(kept),
    )
    if result.diagnostics:
        return result
    refused = (
        *_override_of_root(root),
        *_nonexistent_overrides(root, result),
        *_direct_dependencies(result, settings),
        *_incompatible(root, result, settings),
        *_yanked(result, settings),
    )
    return Resolution(
        result.selected,
        result.discovered,
        result.asked,
        refused,
        result.unknowns,
        result.pinned,
        result.from_lock,
    )


def _override_of_root(root: ModuleFile) -> list[Diagnostic]:
    """Bazel: `ModuleFileFunction.buildRootModuleFileValue`."""
    override = root.overrides.get(root.name)
    if override is None:
        return []
    message = f"invalid override for the root module found: {override.kind}"
    return [Diagnostic("override-of-root", message, call_stack=override.call_stack)]


def _nonexistent_overrides(root: ModuleFile, result: Resolution) -> list[Diagnostic]:
    """Bazel: `BazelModuleResolutionFunction.verifyAllOverridesAreOnExistentModules`: modules that
    selection drops exist, too."""
    known = {key.name for key in result.discovered}
    if result.unknowns:
        return []
    missing = [name for name in root.overrides if name not in known | {root.name}]
    if not missing:
        return []
    names = ", ".join(missing)
    message = f"the root module specifies overrides on nonexistent module(s): {names}"
    return [Diagnostic("override-of-nothing", message)]


def _direct_dependencies(result: Resolution, settings: ResolutionSettings) -> list[Diagnostic]:
    """Bazel: `BazelModuleResolutionFunction.checkDirectDependenciesForDivergence`."""
    if settings.check_direct not in ("warning", "error"):
        return []
    severity = Severity.WARNING if settings.check_direct == "warning" else Severity.ERROR
    problems: list[Diagnostic] = []
    for edge in result.selected[ROOT].edges:
        got, written = edge.selected, edge.written
        if got is None or not written.version or written.repository is None:
            continue
        if not got.version or got.version == edge.asked.version:
            continue
        if severity is Severity.WARNING and result.may_be_newer(got):
            continue  # Which version Bazel would name, nobody can tell.
        message = (
            f"For repository '{written.repository}', the root module requires module version"
            f" {edge.asked}, but got {got} in the resolved dependency graph."
        )
        if settings.release.resolution_says_remedies:
            message += (
                " Please update the version in your MODULE.bazel or set"
                " --check_direct_dependencies=off"
            )
        place = written.location
        problems.append(Diagnostic("direct-dependency", message, place.span, severity=severity))
    return problems


def _incompatible(
    root: ModuleFile, result: Resolution, settings: ResolutionSettings
) -> list[Diagnostic]:
    """Bazel: `BazelModuleResolutionFunction.checkBazelCompatibility`."""
    if settings.check_compatibility not in ("error", "warning"):
        return []
    is_warning = settings.check_compatibility == "warning"
    severity = Severity.WARNING if is_warning else Severity.ERROR
    problems: list[Diagnostic] = []
    for key, module in result.selected.items():
        conditions = module.facts.bazel_compatibility if module.facts is not None else ()
        for condition in conditions:
            if not settings.release.suits_module(condition):
                shown = ", ".join(conditions)
                facts = module.facts
                named = str(key)
                if facts is not None and not settings.release.resolution_says_remedies:
                    named = f"{facts.name}@{facts.version}"
                message = (
                    f"Bazel version {settings.release} is not compatible with module"
                    f' "{named}" (bazel_compatibility: [{shown}])'
                )
                place = root.location if key == ROOT else None
                span = place.span if place is not None else None
                problems.append(Diagnostic("bazel-compatibility", message, span, severity=severity))
                break
    return problems


def _yanked(result: Resolution, settings: ResolutionSettings) -> list[Diagnostic]:
    """Bazel: `BazelModuleResolutionFunction.checkNoYankedVersions`."""
    allowed = settings.allowed_yanked
    if allowed is None:
        return []
    for word in sorted(allowed):
        name, _, version = word.partition("@")
        if not name or not version or not is_version(version):
            message = (
                f"Parsing command line flag --allow_yanked_versions={word} failed, module versions"
                " must be of the form '<module name>@<version>'"
            )
            return [Diagnostic("yanked-version", message)]
    return [
        Diagnostic(
            "yanked-version",
            f"Yanked version detected in your resolved dependency graph: {key}, for the reason:"
            f" {reason}.\nYanked versions may contain serious vulnerabilities and should not be"
            " used. To fix this, use a bazel_dep on a newer version of this module. To continue"
            " using this version, allow it using the --allow_yanked_versions flag or the"
            " BZLMOD_ALLOW_YANKED_VERSIONS env variable.",
        )
        for key in result.selected
        if (reason := settings.yanked(key)) is not None and str(key) not in allowed
    ]
