"""Edits of BUILD files that change nothing but comments and empty lines: every word stands in its
column and behind the same words, and what was made of the file is as it was, but for the lines that
it tells."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from itertools import compress, count
from typing import NamedTuple

from bazelscope.base.errors import LoadingError
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.kept.pack import Input, Table
from bazelscope.loading.cache.file_stamps import FileStamps, UnsettledInputError
from bazelscope.loading.cache.package_cache import Renewed
from bazelscope.loading.cache.package_codec import MovedLines
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES, FILE
from bazelscope.loading.tree.workspace_files import Workspace

_SEVERAL_LINES = ('"""', "'''", "\\\n")
"""What texts have where a string may go over several lines."""
_STRING_OR_COMMENT = lazy_pattern(
    r"""(\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[ \t]*#[^\n]*""",
    re.DOTALL,
)
_GOES_ON = "\0"
"""What is put before the lines of a string but the first."""
_AFTER_BACKSLASH = lazy_pattern(r"\\[ \t]*#")
"""A comment that a backslash before it would end the line without."""
_LINE_AFTER_BACKSLASH = lazy_pattern(r"\\(?:\n(?!\0)|\Z)")
"""What a backslash goes on with, in no string: it may be an empty line."""


class CommentEdits:
    """The BUILD files of a workspace; `table` has of each, as it was when a package was made of it,
    hashes of its text and of its code, and in which lines that stands."""

    def __init__(self, table: Table, workspace: Workspace, stamps: FileStamps) -> None:
        self._table = table
        self._workspace = workspace
        self._stamps = stamps

    def note(self, path: str, text: str, inputs: Iterable[Input]) -> None:
        """Notes the text of a BUILD file without a mistake, of which a package was made."""
        code = code_of(text)
        for input in inputs:
            if code is not None and input[:2] == (FILE, path):
                self._table.put(path, (input[2], *code))

    def renewed(self, inputs: tuple[Input, ...], changed: tuple[Input, ...]) -> Renewed | None:
        """What a package is made from now, of whose inputs some have `changed`; None where more may
        have than comments and empty lines of its BUILD file."""
        (kind, path, *digest), *others = changed
        row = self._table.get(path) if kind == FILE and not others else None
        below = path.removeprefix(f"{self._workspace.root}/")
        if not isinstance(row, tuple) or row[0] != digest[0]:
            return None
        if below == path or below.rpartition("/")[2] not in BUILD_FILE_NAMES:
            return None
        try:
            self._stamps.take(path)
            text = self._workspace.read(below).text
            code, before = code_of(text), Code(*row[1:])
            if code is None or code.digest != before.digest:
                return None
            now = self._stamps.of(path, text)
        except (LoadingError, UnsettledInputError):
            return None
        self._table.put(path, (now[2], *code))
        renewed = tuple(now if input == changed[0] else input for input in inputs)
        return Renewed(renewed, None if code == before else _moved(below, before, code))


class Code(NamedTuple):
    """A hash of a text without comments and empty lines, and in which lines it stands, packed. Two
    with the same hash are cut into the same words in the same columns, if one of them has no
    mistake."""

    digest: bytes
    lines: bytes

    def numbers(self) -> list[int]:
        """The numbers of these lines."""
        return list(compress(count(1), zlib.decompress(self.lines)))


def code_of(text: str) -> Code | None:
    """Returns the code of a text; None where what a comment or an empty line is hangs on more than
    its line."""
    if _AFTER_BACKSLASH.search(text) is not None or "\r" in text or _GOES_ON in text:
        return None
    if any(sign in text for sign in _SEVERAL_LINES):
        code = _STRING_OR_COMMENT.sub(_whole_string, text)
    else:
        code = "\n".join(map(_without_comment, text.split("\n"))) if "#" in text else text
    lines = [line if line.strip(" \t") else "" for line in code.split("\n")]
    code = "\n".join(filter(None, lines))
    if _LINE_AFTER_BACKSLASH.search(code) is not None:
        return None
    digest = blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return Code(digest, zlib.compress(bytes(map(bool, lines)).rstrip(b"\0"), 1))


def _whole_string(found: re.Match[str]) -> str:
    """Returns a string so that none of its lines is an empty one, and nothing for a comment."""
    return (found[1] or "").replace("\n", f"\n{_GOES_ON}")


def _moved(path: str, before: Code, now: Code) -> MovedLines:
    """Returns where the lines of a file stand that have code."""
    return MovedLines(path, dict(zip(before.numbers(), now.numbers(), strict=True)))


def _without_comment(line: str) -> str:
    """Returns a line without its comment."""
    code, sign, _ = line.partition("#")
    if not sign:
        return line
    # Most comments have a line of their own.
    return _STRING_OR_COMMENT.sub(r"\1", line) if '"' in code or "'" in code else code.rstrip(" \t")
