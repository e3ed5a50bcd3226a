"""What Bazel refuses with `--lockfile_mode=error`: a MODULE.bazel.lock that it would write anew.

Since 7.2 that is one without the hash of a file that a registry is asked for; before, one that was
written for another MODULE.bazel, or for other flags. Bazel: `IndexRegistry`, `RegistryFactoryImpl`,
`BazelLockFileFunction`; `BazelDepGraphFunction` before 7.2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from bazelscope.base.errors import Diagnostic, is_severe
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.bazel.release import Release, lock_version
from bazelscope.loading.modules.discovery import NO_REGISTRY
from bazelscope.loading.modules.lock_file import FROZEN, LOCK_NAME, LockFile
from bazelscope.loading.modules.module_file import FILE_NAME, ModuleFile
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey, Resolution
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY
from bazelscope.loading.tree.loading_options import LoadingOptions

REMEDY = "Please run `bazel mod deps --lockfile_mode=update` to update your lockfile."
_WITHOUT_LOCK: Mapping[str, object] = {"directDependenciesMode": "", "compatibilityMode": ""}


@dataclass(frozen=True, slots=True)
class FrozenLock:
    """A lock file that Bazel may not write. `is_known` says whether it is known which Bazel this
    is; `registry_of` finds the registry that has a module, if that is on this machine; `read`
    reads a file of the workspace, None where there is none."""

    lock: LockFile
    workspace: str
    options: LoadingOptions
    is_known: bool
    registry_of: Callable[[ModuleKey], str | None]
    read: Callable[[str], bytes | None]

    @property
    def _release(self) -> Release:
        return self.options.release

    def refusal(self, root: ModuleFile, resolution: Resolution) -> Diagnostic | None:
        """Why Bazel surely refuses to go on; None if it does not, or if nobody can tell."""
        if self.lock.problem is not None and is_severe(self.lock.problem):
            return None  # That is told by itself.
        if self._is_of_another_version:
            return self._refused(self._wrong_version(), None)
        if not self._release.lock_file_has_hashes:
            changes = list(self._changes(root))
            return self._refused(self._stale(changes), None) if changes else None
        for key in resolution.asked:
            url = self._without_hash(key, root)
            if url is not None and self._is_surely_asked_for(key, resolution):
                return self._refused(_no_hash(url), _asked_at(key, resolution))
        if any(map(is_severe, resolution.diagnostics)):
            return None
        return self._without_source(root, resolution)

    @property
    def _is_of_another_version(self) -> bool:
        if not self.is_known or not (self.lock.start or self.lock.problem):
            return False
        return self.lock.version != lock_version(self._release)

    def _wrong_version(self) -> str:
        if not self._release.lock_file_has_hashes:
            why = "the version of the lockfile is not compatible with the current Bazel"
            return self._stale([why])
        return f"The version of {LOCK_NAME} is not supported by this version of Bazel. {REMEDY}"

    def _stale(self, changes: Sequence[str]) -> str:
        told = f"Lock file is no longer up-to-date because: {', '.join(changes)}"
        return f"{told}. {REMEDY}" if self._release.stale_lock_has_remedy else told

    def _refused(self, message: str, place: Span | None) -> Diagnostic:
        if place is None and self.lock.start:
            place = Span(LOCK_NAME, 1, 1, 1, 2)
        return refused(message, place)

    # ---- Since 7.2

    def _is_surely_asked_for(self, key: ModuleKey, resolution: Resolution) -> bool:
        if not self.lock.hashes:
            return True  # Every Bazel asks for some module.
        if self.is_known and self._release.modules_of_tools_are_known:
            return True
        asked = {ROOT: ROOT}
        queue = [ROOT]
        for one in queue:
            module = resolution.discovered.get(one)
            for edge in module.edges if module is not None else ():
                if edge.asked not in asked and edge.asked.name not in BUILTIN_MODULES:
                    asked[edge.asked] = one
                    queue.append(edge.asked)
        return key in asked

    def _registries(self, key: ModuleKey, root: ModuleFile) -> Sequence[str]:
        override = root.overrides.get(key.name)
        written = override.arguments.get("registry") if override is not None else None
        if isinstance(written, str) and written:
            return (written.rstrip("/"),)
        return self.options.modules.registries or (CENTRAL_REGISTRY,)

    def _without_hash(self, key: ModuleKey, root: ModuleFile) -> str | None:
        """The first MODULE.bazel whose hash Bazel misses as it looks for a module; files of
        registries on this machine need none."""
        for registry in self._registries(key, root):
            url = _url(registry, key, FILE_NAME)
            if registry.startswith("file:"):
                if self.registry_of(key) == registry:
                    return None
            elif url not in self.lock.hashes:
                return url
            elif self.lock.hashes[url] is not None:
                return None
        return None

    def _without_source(self, root: ModuleFile, resolution: Resolution) -> Diagnostic | None:
        hashes = self.lock.hashes
        for key in resolution.selected:
            override = root.overrides.get(key.name)
            is_elsewhere = override is not None and override.kind in NO_REGISTRY
            if not key.version or is_elsewhere or resolution.may_be_newer(key):
                continue
            for registry in self._registries(key, root):
                if registry.startswith("file:") or not hashes.get(_url(registry, key, FILE_NAME)):
                    continue
                if _url(registry, key, "source.json") not in hashes:
                    # Whether the version was taken back stands in a file that has no hash.
                    message = (
                        "Cannot fetch a file without a checksum in ENFORCE mode. This is a bug in"
                        " Bazel, please report at"
                        " https://github.com/bazelbuild/bazel/issues/new/choose."
                        f" ({LOCK_NAME} says nothing of {key}, which is selected)"
                    )
                    return self._refused(message, _asked_at(key, resolution))
                about = f"{registry}/bazel_registry.json"
                if about not in hashes:
                    return self._refused(_no_hash(about), None)
                break
        return None

    # ---- Before

    def _changes(self, root: ModuleFile) -> Iterator[str]:
        """What is not as it was. Bazel: `BazelLockFileValue.getModuleAndFlagsDiff`."""
        was, flags = self.lock.written_for, self.options.modules
        if _digest(self.read(FILE_NAME)) != was.module_file:
            yield "the root MODULE.bazel has been modified"
        before = was.flags or _WITHOUT_LOCK
        registries = [
            url.replace("%workspace%", self.workspace).rstrip("/")
            for url in _texts(before.get("cmdRegistries"))
        ]
        allowed = (
            *_texts(before.get("allowedYankedVersions")),
            str(before.get("envVarAllowedYankedVersions", "")),
        )
        overrides = before.get("cmdModuleOverrides")
        now_and_before = {
            "registry": (list(flags.registries or (CENTRAL_REGISTRY,)), registries),
            "override_module": (dict(self.options.override_modules), overrides or {}),
            "allow_yanked_versions": (
                flags.allowed_yanked,
                {word for text in allowed for word in text.split(",") if word},
            ),
            "ignore_dev_dependency": (
                self.options.ignore_dev_dependency,
                bool(before.get("ignoreDevDependency")),
            ),
            "check_direct_dependencies": (
                flags.check_direct.upper(),
                before.get("directDependenciesMode"),
            ),
            "check_bazel_compatibility": (
                flags.check_compatibility.upper(),
                before.get("compatibilityMode"),
            ),
        }
        for flag, (now, then) in now_and_before.items():
            if now != then:
                yield f"the value of --{flag} flag has been modified"
        for name, override in root.overrides.items():
            path, known = override.arguments.get("path"), was.overrides.get(name)
            if override.kind != "local_path_override" or not isinstance(path, str) or not known:
                continue
            if _digest(self.read(f"{path}/{FILE_NAME}")) != known:
                yield f"The MODULE.bazel file has changed for the overriden module: {name}"


def refused(message: str, place: Span | None) -> Diagnostic:
    """Bazel's error about a lock file that it may not write, with what mends it."""
    hint = "`bazel mod deps --lockfile_mode=update` brings it up to date"
    return Diagnostic(FROZEN, message, place, hint=hint)


def _digest(content: bytes | None) -> str:
    return hashlib.sha256(content or b"").hexdigest()


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else []


def _url(registry: str, key: ModuleKey, name: str) -> str:
    return f"{registry}/modules/{key.name}/{key.version}/{name}"


def _no_hash(url: str) -> str:
    why = f"Missing checksum for registry file {url} not permitted with --lockfile_mode=error"
    return f"{why}. {REMEDY}"


def _asked_at(key: ModuleKey, resolution: Resolution) -> Span | None:
    """Where the root module asks for a module, if it does."""
    root = resolution.discovered.get(ROOT)
    edges = root.edges if root is not None else ()
    return next((edge.written.location.span for edge in edges if edge.asked == key), None)
