"""`path` values of a dry run: in the repository itself, in a known one, or out on the machine."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces

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
            return self
        if name in ("exists", "is_dir"):
            return self._exists() if name == "exists" else self._is_directory()
        if name == "get_child":
            return starlark.Builtin("get_child", self._get_child)
        if name == "readdir":
            return starlark.Builtin("readdir", self._readdir)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("basename", "dirname", "exists", "get_child", "is_dir", "readdir", "realpath")

    def text_content(self) -> str | Unknown | None:
        """What a file at this path holds; None if it certainly does not exist."""
        own = self.own
        if own is not None:
            return self.state.text_of(own)
        known = place_of(self.state, self.text)
        if known is None:
            return self.state.unknown(Reason.RUNS_PROGRAM, self._shown(), _NOWHERE)
        file = self.state.files_of.find_file(*known)
        if file is None or isinstance(file, Unknown):
            return file
        return self.state.files_of.read_text(file)

    def _get_child(self, *relative_paths: object) -> object:
        text = self.text
        for relative in relative_paths:
            text = posixpath.join(text, str(relative))
        return RepositoryPath(self.state, posixpath.normpath(text))

    def _readdir(self, watch: object = None) -> object:
        names = self._names()
        if isinstance(names, Unknown):
            return starlark.List(
                [RepositoryPath(self.state, f"{self.text}/{self.state.unknown_text(names)}")]
            )
        return starlark.List([RepositoryPath(self.state, f"{self.text}/{name}") for name in names])

    def _names(self) -> tuple[str, ...] | Unknown:
        own = self.own
        if own is not None:
            prefix = f"{own}/" if own else ""
            unknown = self.state.open_at(own)
            if unknown is not None:
                return unknown
            files: tuple[str, ...] | Unknown = tuple(
                path[len(prefix) :] for path in self.state.files if path.startswith(prefix)
            )
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
            return own in self.state.directories or any(
                path.startswith(f"{own}/") or not own for path in self.state.files
            )
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
