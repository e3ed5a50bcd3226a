"""Where the MODULE.bazel of each module is read: the first of these that has it.

The folder of an override; the vendor directory or Bazel's output base; a `file://` registry;
Bazel's repository cache, by the hash that the lock file has of it; the index of the central
registry that ships with bazelscope. Else it is unknown. Bazel: `ModuleFileFunction`,
`IndexRegistry`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bazelscope.base.errors import Diagnostic, LoadingError, Severity
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.modules.discovery import NO_REGISTRY, NotInRegistry
from bazelscope.loading.modules.lock_file import LockFile
from bazelscope.loading.modules.module_file import FILE_NAME, ModuleFile, ModuleOverride
from bazelscope.loading.modules.module_graph import ModuleFacts, ModuleKey
from bazelscope.loading.modules.module_names import CanonicalNames
from bazelscope.loading.modules.registry_files import ModuleOrigin, RegistryFiles
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY, central_registry
from bazelscope.loading.tree.disk import MACHINE, Disk, EntryKind
from bazelscope.loading.tree.workspace_files import is_clean

_LARGEST = 4 << 20
_CACHED = "file"
"""How each file of Bazel's repository cache is called, in a folder that its hash names."""


@dataclass(frozen=True, slots=True)
class ModulePlaces:
    """Where modules may lie on this machine. `downloaded` are the vendor directory and the
    output base's `external`; `repository_cache` is Bazel's, of files by their hash."""

    workspace: Path
    registries: Sequence[str]
    downloaded: Sequence[Path]
    repository_cache: Path | None


class ModuleFileSources:
    """Reads what MODULE.bazel files say. `evaluate` evaluates one in the folder that the second
    argument names, if it lies in one; the third tells whether an override says so;
    `about_to_read` is told each path; `remedy_of_missing` says how to get a directory of the
    workspace that is not there; `patches` says whether those of an override change the file."""

    def __init__(
        self,
        places: ModulePlaces,
        names: CanonicalNames,
        lock: LockFile,
        evaluate: Callable[[SourceFile, Path | None, bool], ModuleFile],
        about_to_read: Callable[[str], object],
        disk: Disk = MACHINE,
        remedy_of_missing: Callable[[str], str] = lambda directory: "",
        patches: bool = True,
    ) -> None:
        self._places = places
        self._names = names
        self._lock = lock
        self._evaluate = evaluate
        self._about_to_read = about_to_read
        self._disk = disk
        self._remedy_of_missing = remedy_of_missing
        self._patches = patches
        self.files: dict[ModuleKey, ModuleFile] = {}
        """The modules of which the whole file was read."""
        self._registries: dict[ModuleKey, str] = {}
        """In which registry a module was found."""
        self._registry_files = RegistryFiles(self._registry_file)
        self._left_aside: dict[str, Diagnostic] = {}
        self.other_versions: dict[ModuleKey, str] = {}
        """The modules whose folder has another version than the one asked for, and which. Bazel
        fetches them anew: `RepositoryFetchFunction`, by the marker file."""

    def facts(
        self, key: ModuleKey, override: ModuleOverride | None
    ) -> ModuleFacts | NotInRegistry | Unknown | Diagnostic:
        """What the MODULE.bazel of a module says, or why that is not known."""
        if override is not None and override.kind == "local_path_override":
            return self._local(key, override)
        read = self._downloaded(key)
        if read is not None:
            return read
        if override is not None and override.kind in NO_REGISTRY:
            detail = f"the module of {override.kind} is not on this machine"
            return Unknown(Reason.NOT_FETCHED, str(key), detail, override.location)
        if not key.version:
            return NotInRegistry(())
        return self._in_registries(key, override)

    def yanked(self, key: ModuleKey) -> str | None:
        """Why the registry took a version back, if that is known and counts here: what was chosen
        when the lock file was written was not, unless it says so. Bazel:
        `IndexRegistry.tryGetYankedVersionsFromLockfile`."""
        if tuple(key) in self._lock.selected:
            return self._lock.yanked.get(str(key))
        registry = self.registry_of(key)
        if registry is None:
            return None
        known = self._registry_files.yanked(registry, key)
        return known or (central_registry().yanked(key) if registry == CENTRAL_REGISTRY else None)

    def origin(self, key: ModuleKey) -> ModuleOrigin | None:
        """Where the content of a version comes from, as the registry that has it says."""
        registry = self.registry_of(key)
        if registry is None:
            return None
        known = self._registry_files.origin(registry, key)
        return known or (central_registry().origin(key) if registry == CENTRAL_REGISTRY else None)

    @property
    def problems(self) -> Sequence[Diagnostic]:
        """Files of registries and of Bazel's repository cache that say nothing, and why."""
        return (*self._left_aside.values(), *self._registry_files.problems.values())

    def registry_of(self, key: ModuleKey) -> str | None:
        """The first registry that has a version."""
        if key.version and key not in self._registries:
            for registry in map(_plain, self._places.registries):
                url = _module_file(registry, key)
                is_central = registry == CENTRAL_REGISTRY
                if (is_central and central_registry().facts(key)) or self._registry_file(url):
                    self._registries[key] = registry
                    break
        return self._registries.get(key)

    def _local(
        self, key: ModuleKey, override: ModuleOverride
    ) -> ModuleFacts | Unknown | Diagnostic:
        written = override.arguments.get("path")
        if not isinstance(written, str):
            return Unknown(Reason.FAILED, str(key), "its path is not known", override.location)
        folder = self._places.workspace / written
        text = self._text(folder / FILE_NAME)
        if text is None:
            # Bazel takes a folder without the file for a module that says nothing of itself.
            message = f"cannot read MODULE.bazel of {key}: there is none in `{written}`"
            inside = os.path.normpath(written)
            hint = self._remedy_of_missing(inside) if is_clean(inside) else ""
            stack = override.call_stack
            return Diagnostic("no-module-file", message, hint=hint or None, call_stack=stack)
        shown = os.path.normpath(f"{written}/{FILE_NAME}")
        return self._read(key, SourceFile(shown, text), folder)

    def _downloaded(self, key: ModuleKey) -> ModuleFacts | None:
        for folder in self._places.downloaded:
            for name in self._names.directories(key):
                if not is_clean(name):
                    continue
                text = self._text(folder / name / FILE_NAME)
                if text is None:
                    continue
                source = SourceFile(f"external/{name}/{FILE_NAME}", text)
                file = self._evaluate(source, folder / name, not key.version)
                if not key.version or file.version in ("", key.version):
                    self.other_versions.pop(key, None)
                    facts = self._keep(key, file, source.path)
                    return replace(facts, version=facts.version or key.version)
                self.other_versions.setdefault(key, f"{source.path} is of {file.version}")
        return None

    def _in_registries(
        self, key: ModuleKey, override: ModuleOverride | None
    ) -> ModuleFacts | NotInRegistry | Unknown | Diagnostic:
        written = override.arguments.get("registry") if override is not None else None
        registries = (written,) if isinstance(written, str) and written else None
        asked: list[str] = []
        for registry in registries or self._places.registries:
            asked.append(registry)
            url = _module_file(_plain(registry), key)
            if url in self._lock.hashes and self._lock.hashes[url] is None:
                continue
            source = self._registry_file(url)
            if source is not None:
                self._registries[key] = _plain(registry)
                source = replace(source, path=f"{key}/{FILE_NAME}")
                return self._read_patched(key, source, override)
            if registry.startswith("file:"):
                continue
            if _plain(registry) != CENTRAL_REGISTRY:
                detail = f"the registry {registry} is not on this machine"
                return Unknown(Reason.NOT_FETCHED, str(key), detail)
            known = central_registry().facts(key)
            if known is not None:
                self._registries[key] = CENTRAL_REGISTRY
                return self._patched_facts(key, known, override)
            if url in self._lock.hashes or not self._is_certain(key):
                date = central_registry().date
                detail = f"not in the central registry as bazelscope knows it, of {date}"
                return Unknown(Reason.NOT_FETCHED, str(key), detail)
        return NotInRegistry(tuple(asked))

    def _read_patched(
        self, key: ModuleKey, source: SourceFile, override: ModuleOverride | None
    ) -> ModuleFacts | Diagnostic:
        text = source.text
        for path, patch, strip in self._patches_of(override):
            from bazelscope.loading.dry_run.unified_diff import PatchError
            from bazelscope.loading.modules.module_patches import patched_module_file

            if patch is None:
                message = f"{path}: is a directory or doesn't exist"
                return _bad_patch(f"error reading single_version_override patch {message}")
            try:
                text = patched_module_file(text, patch, strip)
            except PatchError as why:
                message = f"error applying single_version_override patch {path} to module file"
                return _bad_patch(f"{message}: {why}")
        return self._read(key, replace(source, text=text), None)

    def _patched_facts(
        self, key: ModuleKey, known: ModuleFacts, override: ModuleOverride | None
    ) -> ModuleFacts | Unknown:
        """What the index has of a module, whose text is not at hand, after the patches: whole
        statements that they add and take out."""
        facts = known
        for path, patch, strip in self._patches_of(override):
            changed = facts if patch is None else self._changed(facts, path, patch, strip)
            if changed is None:
                detail = f"its MODULE.bazel is changed by the patch {path}"
                place = override.location if override is not None else None
                return Unknown(Reason.NOT_MODELLED, str(key), detail, place)
            facts = changed
        return facts

    def _changed(self, facts: ModuleFacts, path: str, patch: str, strip: int) -> ModuleFacts | None:
        from bazelscope.loading.dry_run.unified_diff import PatchError
        from bazelscope.loading.modules.module_patches import changes_of_module_file

        try:
            changes = changes_of_module_file(patch, strip)
        except PatchError:
            return None
        if not any(changes):
            return facts
        gone, added = (self._evaluate(SourceFile(path, text), None, False) for text in changes)
        if gone.diagnostics or added.diagnostics or gone.location or added.location:
            return None
        left = {(one.name, one.version, one.repository) for one in gone.dependencies}
        kept = [
            one for one in facts.dependencies if (one.name, one.version, one.repository) not in left
        ]
        return replace(facts, dependencies=(*kept, *added.dependencies))

    def _patches_of(self, override: ModuleOverride | None) -> Iterator[tuple[str, str | None, int]]:
        """Yields path, text and strip of each patch in the workspace."""
        if override is None or override.kind != "single_version_override" or not self._patches:
            return
        patches = override.arguments.get("patches")
        strip = override.arguments.get("patch_strip")
        for patch in patches if isinstance(patches, list | tuple) else ():
            if not isinstance(patch, str) or patch.startswith("@@"):
                continue
            path = parse_label(patch, PackageId("", "")).path
            text = self._text(self._places.workspace / path)
            yield path, text, strip if isinstance(strip, int) else 0

    def _is_certain(self, key: ModuleKey) -> bool:
        """Whether the index tells that a version does not exist: never, since the registry
        grows; but a workspace that names one that is older than those known is in error."""
        from bazelscope.loading.modules.module_versions import version_order

        known = central_registry().versions(key.name)
        newest = max(map(version_order, known), default=None)
        return newest is not None and version_order(key.version) < newest

    def _registry_file(self, url: str) -> SourceFile | None:
        """A file of a registry, if it is on this machine."""
        for path in self._local_paths(url):
            text = self._text(path)
            if text is not None:
                return SourceFile(str(path), text)
        return None

    def _local_paths(self, url: str) -> Iterator[Path]:
        if url.startswith("file:"):
            path = "/" + url.removeprefix("file:").lstrip("/")
            yield Path(path.replace("/%workspace%", str(self._places.workspace)))
        digest = self._lock.hashes.get(url)
        cache = self._places.repository_cache
        if digest is not None and cache is not None and digest.isalnum():
            yield cache / "content_addressable" / "sha256" / digest / _CACHED

    def _text(self, path: Path) -> str | None:
        if self._disk.kind(str(path)) is not EntryKind.FILE:
            return None
        self._about_to_read(str(path))
        try:
            content = self._disk.read(str(path), path.name)
        except LoadingError as error:
            self._leave_aside(path, error.diagnostic.message)
            return None
        why = ""
        if len(content) > _LARGEST:
            why = f"it has more than {_LARGEST >> 20} MB"
        elif path.name == _CACHED and hashlib.sha256(content).hexdigest() != path.parent.name:
            why = "its content is not that of its SHA-256"
        if why:
            self._leave_aside(path, why)
        return None if why else content.decode("utf-8", "replace")

    def _leave_aside(self, path: Path, why: str) -> None:
        self._left_aside[str(path)] = Diagnostic(
            "broken-registry-file",
            f"{path} is left aside: {why}",
            Span(str(path), 1, 1, 1, 2),
            severity=Severity.WARNING,
        )

    def _read(self, key: ModuleKey, source: SourceFile, folder: Path | None) -> ModuleFacts:
        file = self._evaluate(source, folder, folder is not None)
        return self._keep(key, file, source.path)

    def _keep(self, key: ModuleKey, file: ModuleFile, origin: str) -> ModuleFacts:
        self.files[key] = file
        return ModuleFacts.of(file, origin)


def repository_cache_of(written: str | None, output_base: str | None) -> Path | None:
    """The repository cache: the one that `--repository_cache` names, or the one beside an output
    base. Bazel: `BazelRepositoryModule`."""
    if written:
        return Path(written)
    return Path(output_base).parent / "cache" / "repos" / "v1" if output_base else None


def _bad_patch(message: str) -> Diagnostic:
    return Diagnostic("module-patch", message)


def _plain(registry: str) -> str:
    return registry.rstrip("/")


def _module_file(registry: str, key: ModuleKey) -> str:
    return f"{registry}/modules/{key.name}/{key.version}/{FILE_NAME}"
