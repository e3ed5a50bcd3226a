"""Edits of BUILD files that change nothing but comments: every word stands where it stood, and what
was made of the file is as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bazelscope.base.errors import LoadingError
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.kept.pack import Input, Table
from bazelscope.loading.cache.file_stamps import FileStamps, UnsettledInputError
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES, FILE
from bazelscope.loading.tree.workspace_files import Workspace

_SEVERAL_LINES = ('"""', "'''", "\\\n")
"""What texts have where a string may go over several lines."""
_STRING_OR_COMMENT = lazy_pattern(
    r"""(\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[ \t]*#[^\n]*""",
    re.DOTALL,
)
_AFTER_BACKSLASH = lazy_pattern(r"\\[ \t]*#")
"""A comment that a backslash before it would end the line without."""


class CommentEdits:
    """The BUILD files of a workspace; `table` has hashes of their texts and of their code, as they
    were when packages were made of them."""

    def __init__(self, table: Table, workspace: Workspace, stamps: FileStamps) -> None:
        self._table = table
        self._workspace = workspace
        self._stamps = stamps

    def note(self, path: str, text: str, inputs: Iterable[Input]) -> None:
        """Notes the text of a BUILD file without a mistake, of which a package was made."""
        code = code_digest(text)
        for input in inputs if code is not None else ():
            if input[:2] == (FILE, path):
                self._table.put(path, input[2] + code)

    def renewed(
        self, inputs: tuple[Input, ...], changed: tuple[Input, ...]
    ) -> tuple[Input, ...] | None:
        """What a package is made from now, of whose inputs some have `changed`; None where more may
        have than comments of its BUILD file."""
        (kind, path, *digest), *others = changed
        row = self._table.get(path) if kind == FILE and not others else None
        below = path.removeprefix(f"{self._workspace.root}/")
        if row is None or below == path or below.rpartition("/")[2] not in BUILD_FILE_NAMES:
            return None
        try:
            self._stamps.take(path)
            text = self._workspace.read(below).text
            code = code_digest(text)
            if code is None or row != digest[0] + code:
                return None
            now = self._stamps.of(path, text)
        except (LoadingError, UnsettledInputError):
            return None
        self._table.put(path, now[2] + code)
        return tuple(now if input == changed[0] else input for input in inputs)


def code_digest(text: str) -> bytes | None:
    """Returns a hash of a text without comments and what is blank at its end; None where what a
    comment is hangs on more than its line. Two with the same hash are cut into the same words in
    the same places, if one of them has no mistake."""
    if _AFTER_BACKSLASH.search(text) is not None:
        return None
    if any(sign in text for sign in _SEVERAL_LINES):
        code = _STRING_OR_COMMENT.sub(r"\1", text)
    else:
        code = "\n".join(map(_without_comment, text.split("\n"))) if "#" in text else text
    code = code.rstrip()
    if code.endswith("\\"):
        return None
    return blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _without_comment(line: str) -> str:
    """Returns a line without its comment."""
    code, sign, _ = line.partition("#")
    if not sign:
        return line
    # Most comments have a line of their own.
    return _STRING_OR_COMMENT.sub(r"\1", line) if '"' in code or "'" in code else code.rstrip(" \t")
