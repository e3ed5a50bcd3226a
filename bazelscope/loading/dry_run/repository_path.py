"""`path` values of a dry run: in the repository itself, in a known one, or out on the machine."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.tree.disk import EntryKind

_NOWHERE = "the files of this machine are not looked at"


class RepositoryPath(starlark.Value):
    """An absolute path as `repository_ctx.path` gives it.

    `text` is what `str()` says. The repository's own directory has a name that nobody knows:
    `state.own_root` stands for it.
    """

    starlark_type: ClassVar[str] = "path"
    __slots__ = ("state", "text")

    def __init__(self, state: DryRunState, text: str) -> None:
        self.state = state
        self.text = text

    @property
    def own(self) -> str | None:
        """The path inside the repository that the rule makes; None if it is elsewhere."""
        return own_path(self.state, self.text)

    def get_attr(self, name: str) -> object:
        if name == "basename":
            return self.state.text_with_pieces(posixpath.basename(self.text))
        if name == "dirname":
            above = posixpath.dirname(self.text)
            return None if above == self.text else RepositoryPath(self.state, above)
        if name == "realpath":
            return self._real_path()
        if name == "exists":
            return self._exists()
        if name == "is_dir" and self._has_is_dir:
            return self._is_directory()
        if name == "get_child":
            return starlark.Builtin("get_child", self._get_child)
        if name == "readdir":
            return starlark.Builtin("readdir", self._readdir)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        names = ("basename", "dirname", "exists", "get_child", "readdir", "realpath")
        return (*names, "is_dir") if self._has_is_dir else names

    @property
    def _has_is_dir(self) -> bool:
        return self.state.settings.release.repository_rules_watch

    def text_content(self) -> str | Unknown | None:
        """What a file at this path holds; None if it certainly does not exist."""
        own = self.own
        if own is not None:
            return self.state.text_of(own)
        file = self._file_elsewhere()
        if file is None or isinstance(file, Unknown):
            return file
        return self.state.files_of.read_text(file)

    def _file_elsewhere(self) -> FileFound | Unknown | None:
        """The file at this path, which is out of the repository that the rule makes."""
        known = place_of(self.state, self.text)
        if known is None:
            return self.state.unknown(Reason.RUNS_PROGRAM, self._shown(), _NOWHERE)
        return self.state.files_of.find_file(*known)

    def _real_path(self) -> RepositoryPath:
        """Where the path leads to by the links that the rule made. Raises `StarlarkError`."""
        own = self.own
        if own is None:
            return self
        if self.state.kind_of(own) is None:
            starlark.fail_with(f"{self._shown()} (No such file or directory)")
        led = self.state.led_to(own)
        file = self.state.files.get(led)
        if file is not None and file.real_path is not None:
            return RepositoryPath(self.state, file.real_path)
        return RepositoryPath(self.state, f"{own_root(self.state)}/{led}".rstrip("/"))

    def _get_child(self, *relative_paths: object) -> object:
        text = self.text
        for relative in relative_paths:
            is_name = "/" not in str(relative) and relative not in (".", "..")
            if self.state.settings.release.children_are_single_names and not is_name:
                starlark.fail_with(f"get_child() takes the name of one child, not '{relative}'")
            text = posixpath.join(text, str(relative))
        return RepositoryPath(self.state, posixpath.normpath(text))

    def _readdir(self, watch: object = None) -> object:
        own = self.own
        if own is not None:
            kind = self.state.kind_of(own)
        else:
            kind = EntryKind.FILE if isinstance(self._file_elsewhere(), FileFound) else None
        if kind is EntryKind.FILE or (kind is None and own is not None):
            why = "No such file or directory" if kind is None else "Not a directory"
            starlark.fail_with(f"{self._shown()} ({why})")
        names = self._names()
        if isinstance(names, Unknown):
            return starlark.List(
                [RepositoryPath(self.state, f"{self.text}/{self.state.unknown_text(names)}")]
            )
        return starlark.List([RepositoryPath(self.state, f"{self.text}/{name}") for name in names])

    def _names(self) -> tuple[str, ...] | Unknown:
        own = self.own
        if own is not None:
            files = self.state.files_below(own)
        else:
            known = place_of(self.state, self.text)
            if known is None:
                return self.state.unknown(Reason.RUNS_PROGRAM, self._shown(), _NOWHERE)
            files = self.state.files_of.files_below(*known)
        if isinstance(files, Unknown):
            return files
        return tuple(sorted({path.partition("/")[0] for path in files}))

    def _exists(self) -> object:
        content = self.text_content()
        if isinstance(content, str):
            return True
        if self._is_known_directory():
            return True
        if content is None:
            return False
        return self._assumed(content, "exists")

    def _is_directory(self) -> object:
        if self._is_known_directory():
            return True
        content = self.text_content()
        if content is None or isinstance(content, str):
            return False
        # A walk through directories that nobody knows comes to an end.
        name = posixpath.basename(self.text)
        is_deep = posixpath.basename(posixpath.dirname(self.text)) == name
        return self._assumed(content, "is a directory", not (is_deep and self._stands_for(name)))

    def _stands_for(self, name: str) -> bool:
        return bool(self.state.pieces.inside(name))

    def _assumed(self, unknown: Unknown, predicate: str, preferred: bool = True) -> bool:
        about = f"`{self._shown()}`"
        decide = self.state.decisions.decide
        return decide(unknown, about, predicate, preferred, self.text, is_of_text=False)

    def _is_known_directory(self) -> bool:
        own = self.own
        if own is not None:
            return self.state.kind_of(own) is EntryKind.DIRECTORY
        names = self._names()
        return not isinstance(names, Unknown) and bool(names)

    def _shown(self) -> str:
        return shown_without_pieces(self.text)

    def in_text(self, text: str, form: str) -> object:
        return self.state.text_with_pieces(text)

    def equals(self, other: object) -> bool:
        return isinstance(other, RepositoryPath) and self.text == other.text

    def hash(self) -> int:
        return hash(self.text)

    def to_repr(self) -> str:
        return self.text

    def to_str(self) -> str:
        return self.text


def own_root(state: DryRunState) -> str:
    """The absolute path of the repository's own directory, below an output base unknown. An
    extension, which is named by its label, has one folder, too."""
    base = state.unknown(Reason.RUNS_PROGRAM, "output base", "its place is not known")
    return f"/{state.unknown_text(base)}/external/{state.repository.replace('/', '_')}"


def own_path(state: DryRunState, text: str) -> str | None:
    """`text` relative to the repository's own directory; None if it leads elsewhere."""
    root = own_root(state)
    if text == root:
        return ""
    return text[len(root) + 1 :] if text.startswith(f"{root}/") else None


def place_of(state: DryRunState, text: str) -> tuple[str, str] | None:
    """Repository and path of an absolute path into a known repository, which may have no
    directory on this machine."""
    known = state.files_of.locate(text)
    if known is not None:
        return known
    base = posixpath.dirname(own_root(state))
    if not text.startswith(f"{base}/"):
        return None
    repository, _, path = text[len(base) + 1 :].partition("/")
    state.need(repository)
    return repository, path
