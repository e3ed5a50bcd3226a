"""What a registry says of a module beside its MODULE.bazel: where its content comes from, and
which of its versions were taken back.

These files are read of a registry on this machine (`file://`), and of another as far as Bazel's
repository cache has them. Bazel: `IndexRegistry`, `YankedVersionsFunction`, `RepoSpecFunction`.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.loading.modules.module_graph import ModuleKey

_GIT = ("remote", "commit", "tag", "shallow_since", "strip_prefix")
_TAKES = {"archive": ("url", "integrity"), "git_repository": ("remote",), "local_path": ("path",)}
"""The types of `source.json`, and the members that each has to have."""


@dataclass(frozen=True, slots=True)
class ModuleOrigin:
    """Where the content of a module version comes from: what the repository rule of its kind of
    `source.json` is called with."""

    attributes: Mapping[str, object]


class _BrokenFileError(Exception):
    """Why a file of the registry says nothing, and where."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class RegistryFiles:
    """The files of registries. `read` finds the text of one by its URL, None where it is not on
    this machine; what is wrong with them stands in `problems`, once for each file."""

    def __init__(self, read: Callable[[str], SourceFile | None]) -> None:
        self._read = read
        self.problems: dict[str, Diagnostic] = {}

    def yanked(self, registry: str, key: ModuleKey) -> str | None:
        """Why a version was taken back; None if it was not. A file that cannot be read takes
        nothing back, as Bazel has it."""
        url = f"{registry}/modules/{key.name}/metadata.json"
        try:
            metadata = self._object(url)
            versions = metadata.get("yanked_versions") or {}
            if not isinstance(versions, dict):
                source = self._read(url)
                raise _BrokenFileError(
                    "yanked_versions is no object", _first(source) if source is not None else None
                )
        except _BrokenFileError as why:
            self.problems[url] = Diagnostic(
                "broken-registry-file",
                f"Could not read metadata file for module {key.name} from registry {registry}:"
                f" {why.message}",
                why.span,
                severity=Severity.WARNING,
            )
            return None
        reason = versions.get(key.version)
        return reason if isinstance(reason, str) else None

    def origin(self, registry: str, key: ModuleKey) -> ModuleOrigin | None:
        """Where the content of a version comes from; None where the registry does not tell."""
        url = f"{registry}/modules/{key.name}/{key.version}/source.json"
        file = self._read(url)
        try:
            if file is None:
                return None
            return self._origin(registry, key, self._object(url))
        except _BrokenFileError as why:
            self.problems[url] = Diagnostic(
                "broken-registry-file",
                f"Unable to get module repo spec for {key} from registry: {why.message}",
                why.span or _first(file),
                severity=Severity.WARNING,
            )
            return None

    def _origin(self, registry: str, key: ModuleKey, source: Mapping[str, object]) -> ModuleOrigin:
        kind = source.get("type", "archive")
        if not isinstance(kind, str) or kind not in _TAKES:
            raise _BrokenFileError(f'Invalid source type "{kind}" for module {key}')
        for member in _TAKES[kind]:
            if not isinstance(source.get(member), str):
                shown = "source URL" if member == "url" else member
                raise _BrokenFileError(f"Missing {shown} for module {key}")
        if kind == "local_path":
            return ModuleOrigin({"path": self._local_path(registry, key, str(source["path"]))})
        if kind == "git_repository":
            return ModuleOrigin({name: source[name] for name in _GIT if source.get(name)})
        url = str(source["url"])
        attributes: dict[str, object] = {"urls": (*self._mirrors(registry, url), url)}
        for name in ("integrity", "strip_prefix"):
            if source.get(name):
                attributes[name] = source[name]
        return ModuleOrigin(attributes)

    def _local_path(self, registry: str, key: ModuleKey, path: str) -> str:
        if posixpath.isabs(path):
            return posixpath.normpath(path)
        base = self._object(f"{registry}/bazel_registry.json").get("module_base_path")
        if not isinstance(base, str):
            raise _BrokenFileError(
                f"bazel_registry.json has no module_base_path, which {key} needs"
            )
        if not posixpath.isabs(base) and not registry.startswith("file:"):
            raise _BrokenFileError(f"Provided non local registry for module {key}")
        return posixpath.normpath(posixpath.join(urlsplit(registry).path or "/", base, path))

    def _mirrors(self, registry: str, url: str) -> list[str]:
        """The archive at each mirror that the registry names."""
        mirrors = self._object(f"{registry}/bazel_registry.json").get("mirrors") or ()
        if not isinstance(mirrors, list | tuple):
            raise _BrokenFileError("mirrors of bazel_registry.json is no list")
        place = url.partition("://")[2]
        return [f"{str(mirror).rstrip('/')}/{place}" for mirror in mirrors]

    def _object(self, url: str) -> Mapping[str, object]:
        """The members of a JSON file; none where there is no such file."""
        source = self._read(url)
        if source is None or not source.text.strip():
            return {}
        try:
            content = json.loads(source.text)
        except json.JSONDecodeError as error:
            place = Span(source.path, error.lineno, error.colno, error.lineno, error.colno + 1)
            raise _BrokenFileError(
                f"Unable to parse json at url {url}: {error.msg}", place
            ) from None
        except (ValueError, RecursionError):
            raise _BrokenFileError(f"Unable to parse json at url {url}", _first(source)) from None
        if not isinstance(content, dict):
            why = "Expected BEGIN_OBJECT"
            raise _BrokenFileError(f"Unable to parse json at url {url}: {why}", _first(source))
        return content


def _first(source: SourceFile | None) -> Span | None:
    return None if source is None else Span(source.path, 1, 1, 1, 2)
