"""What Bazel refuses of extensions with `--lockfile_mode=error`: what MODULE.bazel.lock does not
hold, or holds of other files. Bazel: `SingleExtensionEvalFunction`."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from operator import attrgetter

from bazelscope.base.errors import Diagnostic
from bazelscope.base.graph_walk import post_order
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.run_result import FilesOfRepositories
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.modules.frozen_lock import REMEDY, refused
from bazelscope.loading.modules.lock_file import LOCK_NAME, LockedExtension, LockedRun
from bazelscope.loading.modules.module_repositories import Extension, ModuleRepositories
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import Provenance

_SYSTEMS = {"linux": "linux", "osx": "macos", "windows": "windows"}


@dataclass(frozen=True, slots=True)
class FrozenExtension:
    """An extension whose entry in the lock file Bazel may not write; `loaded` is its file."""

    extension: Extension
    locked: LockedExtension | None
    loaded: LoadedModule
    repositories: ModuleRepositories
    files: FilesOfRepositories
    release: Release
    host: Host

    @property
    def _title(self) -> str:
        if self.release.errors_name_extensions_by_id:
            return f"'{self.extension.id}'"
        file, name = self.extension.canonical_file, self.extension.name
        key = "Optional.empty"
        return (
            f"'ModuleExtensionId{{bzlFileLabel={file}, extensionName={name}, isolationKey={key}}}'"
        )

    @property
    def run(self) -> LockedRun | None:
        """What the lock file has of a run on this host."""
        runs = self.locked.runs if self.locked is not None else {}
        return next((run for host, run in runs.items() if self._is_of(host)), None)

    def _is_of(self, factors: str) -> bool:
        parts = dict(part.partition(":")[::2] for part in factors.split(","))
        os, cpu = parts.get("os"), parts.get("arch")
        is_os = os is None or _SYSTEMS.get(os) == self.host.os
        return is_os and cpu in (None, self.host.architecture)

    def missing(self) -> Diagnostic:
        """What Bazel says of an extension that it has to lock and that is not in the file."""
        return self._refused(f"The module extension {self._title} does not exist in the lockfile")

    def refusal_before_run(self) -> Diagnostic | None:
        """Why Bazel surely does not even run it; None if it may."""
        if self.run is None:
            return None if self.release.extensions_may_be_reproducible else self.missing()
        return self.stale()

    def stale(self) -> Diagnostic | None:
        """Why what the lock file has is surely not of these files; None if it may be."""
        run = self.run
        changes = list(self._changes(run)) if run is not None else []
        if not changes:
            return None
        begin = LOCK_NAME if self.release.stale_lock_is_named else "Lock file"
        told = f"{begin} is no longer up-to-date because: {', '.join(changes)}"
        return self._refused(f"{told}. {REMEDY}" if self.release.stale_lock_has_remedy else told)

    def doubt(self) -> Unknown:
        """Why nobody can tell whether Bazel refuses the extension."""
        what = "is up to date for it" if self.run is not None else "has to hold it"
        where = self.extension.uses[0][1].location if self.extension.uses else None
        detail = f"whether {LOCK_NAME} {what} (--lockfile_mode=error)"
        return Unknown(Reason.NOT_MODELLED, self.extension.shown, detail, where)

    def _refused(self, message: str) -> Diagnostic:
        place = self.extension.uses[0][1].location.span if self.extension.uses else None
        return refused(message, place)

    def _changes(self, run: LockedRun) -> Iterator[str]:
        if self.release.digest_of_bzl_files_is_known:
            digest = self._digest(self.loaded)
            if digest is not None and base64.b64encode(digest).decode() != run.bzl_files:
                yield (
                    f"The implementation of the extension {self._title} or one of its transitive"
                    " .bzl files has changed"
                )
        if self._maps_otherwise(run.mapped):
            yield (
                f"The repo mappings of certain repos used by the extension {self._title} have"
                " changed"
            )
        if any(self._is_other(label, digest) for label, digest in run.files.items()):
            yield f"One or more files the extension {self._title} is using have changed"

    def _digest(self, loaded: LoadedModule) -> bytes | None:
        """The transitive digest of a `.bzl` file: of its own, then of all that it loads; None where
        one of them is not here. Bazel: `BzlLoadFunction`."""
        digests: dict[Label, bytes] = {}
        for file in post_order([loaded], attrgetter("children"), attrgetter("label")):
            found = self.files.find_file(file.label.repository, file.label.path)
            if not isinstance(found, FileFound) or found.provenance is not Provenance.WORKSPACE:
                return None
            text, loads = self.files.read_text(found), [child.label for child in file.children]
            if not isinstance(text, str) or len(set(loads)) < len(loads):
                return None
            if not digests.keys() >= set(loads):
                return None  # They load one another.
            digest = hashlib.sha256(hashlib.sha256(text.encode()).digest())
            for label in loads:
                digest.update(digests[label])
            digests[file.label] = digest.digest()
        return digests[loaded.label]

    def _maps_otherwise(self, mapped: Mapping[tuple[str, str], str]) -> bool:
        for (source, apparent), canonical in mapped.items():
            name = self.repositories.canonical.get(source) if source else ""
            module = self.repositories.modules.get(name) if name is not None else None
            if module is None or module.file is None:
                continue
            seen = self.repositories.mapping_of(module, {}).get(apparent)
            if seen is not None and self.repositories.canonical_of.get(seen, seen) != canonical:
                return True
        return False

    def _is_other(self, label: str, digest: str) -> bool:
        """Whether a file of the workspace surely has another content."""
        if not label.startswith("@@//") or len(digest) != hashlib.sha256().digest_size * 2:
            return False
        path = label.removeprefix("@@//").replace(":", "/").lstrip("/")
        found = self.files.find_file("", path)
        if not isinstance(found, FileFound):
            return found is None
        text = self.files.read_text(found)
        return isinstance(text, str) and hashlib.sha256(text.encode()).hexdigest() != digest
