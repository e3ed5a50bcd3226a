"""YAML as lock files and settings of programs have it, read without the program that would.

What is read: mappings and sequences in blocks, scalars that end on their line, flow collections
and block scalars. All else (anchors, tags, dates, numbers that are spelled otherwise than
they are printed) ends in None: the reader says nothing rather than what may be otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_NUMBER_LIKE = re.compile(r"[-+.]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]{0,7})\.[0-9]{0,7}[1-9]")
_DATE_LIKE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\s].*)?")
_CONSTANTS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NOT_PLAIN = frozenset("&*!%@`|>{}[],#")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "r": "\r", "0": "\0"}
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""")
_END_OF_PLAIN = re.compile(r" +#|$")
_END_OF_FLOWING = re.compile(r"[,{}\[\]]|:(?=[ ,{}\[\]]|$)| #|$")
_BLOCK_SCALAR = re.compile(r"([|>])(-?) *")


_LAST_DOCUMENT = ["eval-all", ". as $d ireduce (null; $d)"]
"""Makes yq print the last document of a file alone."""


class _OtherYamlError(Exception):
    """Something that this reader does not read."""


def documents(text: str) -> list[object] | None:
    """The values of the documents of a YAML text; None if they are not told."""
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.rstrip() == "---":
            parts.append([])
        elif (
            line.startswith(("--- ", "...", "%")) or "\t" in line[: len(line) - len(line.lstrip())]
        ):
            return None
        else:
            parts[-1].append(line.removesuffix("\r"))
    try:
        if len(parts) > 1 and _Reader(parts[0]).says_nothing():
            del parts[0]
        return [_Reader(lines).document() for lines in parts]
    except (_OtherYamlError, RecursionError):
        return None


def read_by_yq(arguments: list[str]) -> str | None:
    """The path of the file that yq is to print as JSON; None of other arguments."""
    paths = [word for word in _without_filter(arguments) if word != "-o=json"]
    return paths[0] if len(paths) == 1 and len(arguments) > 1 else None


def printed_by_yq(arguments: list[str], text: str) -> str | None:
    """What yq prints of that file, of this text; None if it is not told."""
    found = documents(text)
    takes_last = _without_filter(arguments) != arguments
    if found is None or (len(found) > 1 and not takes_last):
        return None
    return json.dumps(found[-1], indent=2, ensure_ascii=False) + "\n"


def _without_filter(arguments: list[str]) -> list[str]:
    return arguments[2:] if arguments[:2] == _LAST_DOCUMENT else arguments


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def document(self) -> object:
        if self.says_nothing():
            return None
        value = self._block(self._indent())
        if self._next() is not None:
            raise _OtherYamlError
        return value

    def says_nothing(self) -> bool:
        return self._next() is None

    def _next(self) -> str | None:
        """The line that is next, without what says nothing."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            stripped = line.strip()
            if stripped and not stripped.startswith("#"):
                return line
            self._at += 1
        return None

    def _indent(self) -> int:
        line = self._lines[self._at]
        return len(line) - len(line.lstrip(" "))

    def _block(self, indent: int) -> object:
        line = self._lines[self._at][indent:]
        if line == "-" or line.startswith("- "):
            return self._sequence(indent)
        if not line.startswith("? ") and _key_of(line) is None:
            return self._inline(line, indent - 1)
        return self._mapping(indent)

    def _sequence(self, indent: int) -> list[object]:
        found = []
        while (line := self._next()) is not None and self._indent() == indent:
            if line[indent:] != "-" and not line.startswith("- ", indent):
                break
            found.append(self._behind_sign(indent))
        return found

    def _behind_sign(self, indent: int) -> object:
        """What stands behind a `-` or the `:` of an explicit key, on its line or below it."""
        line = self._lines[self._at]
        rest = line[indent + 1 :]
        if not rest.strip() or rest.strip().startswith("#"):
            self._at += 1
            return self._below(indent, at_least=indent + 1)
        inner = indent + 1 + len(rest) - len(rest.lstrip(" "))
        is_block = line.startswith(("- ", "? "), inner) or _key_of(line[inner:]) is not None
        if is_block and line[inner] not in "{[":
            self._lines[self._at] = " " * inner + line[inner:]
            return self._block(inner)
        return self._inline(line[inner:], indent)

    def _mapping(self, indent: int) -> dict[str, object]:
        found: dict[str, object] = {}
        while (line := self._next()) is not None and self._indent() == indent:
            if line.startswith("? ", indent):
                key = self._key(line[indent + 2 :].strip())
                self._at += 1
                line = self._next() or ""
                if not (line == " " * indent + ":" or line.startswith(" " * indent + ": ")):
                    raise _OtherYamlError
                value = self._behind_sign(indent)
            else:
                split = _key_of(line[indent:])
                if split is None:
                    raise _OtherYamlError
                key = self._key(split[0])
                if split[1]:
                    value = self._inline(split[1], indent)
                else:
                    self._at += 1
                    value = self._below(indent, at_least=indent)
            if key in found:
                raise _OtherYamlError
            found[key] = value
        return found

    def _key(self, text: str) -> str:
        cursor = _Cursor(text)
        value = cursor.value()
        if isinstance(value, str) and cursor.at == len(text):
            return value
        raise _OtherYamlError

    def _below(self, indent: int, at_least: int) -> object:
        """The block below a key or a `-`; a sequence may stand as deep as its key."""
        line = self._next()
        if line is None or self._indent() < at_least:
            return None
        deep = self._indent()
        if deep == indent and not (line[deep:] == "-" or line.startswith("- ", deep)):
            return None
        return self._block(deep)

    def _inline(self, text: str, indent: int) -> object:
        """The value that begins on this line, of a parent that stands at `indent`."""
        self._at += 1
        if begin := _BLOCK_SCALAR.fullmatch(text):
            return self._block_scalar(begin[1], begin[2], indent)
        while (cursor := _Cursor(text)).is_open() and (more := self._next()) is not None:
            self._at += 1
            text += " " + more.strip()
        value = cursor.value()
        rest = text[cursor.at :]
        if rest.strip() and not rest.lstrip(" ").startswith("#"):
            raise _OtherYamlError
        if self._next() is not None and self._indent() > indent:
            raise _OtherYamlError
        return value

    def _block_scalar(self, style: str, chomping: str, indent: int) -> str:
        lines: list[str] = []
        deep = None
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip():
                inner = len(line) - len(line.lstrip(" "))
                if inner <= indent:
                    break
                deep = inner if deep is None else deep
                if inner < deep or (style == ">" and inner > deep):
                    raise _OtherYamlError
            lines.append(line[deep or 0 :] if line.strip() else "")
            self._at += 1
        if not lines or not lines[0]:
            raise _OtherYamlError
        text = "\n".join(lines).rstrip("\n")
        if style == ">":
            text = re.sub(r"(\n+)", lambda run: " " if run[0] == "\n" else run[0][1:], text)
        return text if chomping else text + "\n"


def _key_of(line: str) -> tuple[str, str] | None:
    """Key and value of a line of a mapping."""
    if quoted := _QUOTED.match(line):
        rest = line[quoted.end() :].lstrip()
        if rest == ":" or rest.startswith(": "):
            return quoted[0], _without_comment(rest[1:].strip())
        return None
    if line[:1] in _NOT_PLAIN:
        return None
    key, colon, rest = line.partition(": ")
    if not colon:
        key, colon, rest = line.rstrip(), line.rstrip()[-1:], ""
        key = key[:-1]
    if colon not in (":", ": ") or " #" in key:
        return None
    return key.rstrip(), _without_comment(rest.strip())


def _without_comment(text: str) -> str:
    return "" if text.startswith("#") else text


class _Cursor:
    """Values within one line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def value(self, *, is_flow: bool = False) -> object:
        sign = self.text[self.at : self.at + 1]
        if sign == "{":
            found: dict[str, object] = {}
            for key in self._entries("}"):
                if not isinstance(key, str) or key in found or self._sign() != ":":
                    raise _OtherYamlError
                self.at += 1
                self._sign()
                found[key] = self.value(is_flow=True)
            return found
        if sign == "[":
            return list(self._entries("]"))
        if quoted := _QUOTED.match(self.text, self.at):
            self.at = quoted.end()
            return _unquoted(quoted[0])
        ends = _END_OF_FLOWING if is_flow else _END_OF_PLAIN
        end = ends.search(self.text, self.at)
        begin, self.at = self.at, end.start() if end else len(self.text)
        return _plain(self.text[begin : self.at].rstrip())

    def is_open(self) -> bool:
        """Whether a flow collection begins here and does not end in the text."""
        if self.text[:1] not in ("{", "["):
            return False
        bare = _QUOTED.sub("", self.text)
        return bare.count("{") > bare.count("}") or bare.count("[") > bare.count("]")

    def _entries(self, close: str) -> Iterator[object]:
        self.at += 1
        while self._sign() != close:
            yield self.value(is_flow=True)
            if self._sign() == ",":
                self.at += 1
            elif self._sign() != close:
                raise _OtherYamlError
        self.at += 1

    def _sign(self) -> str:
        """The next sign that is no space."""
        while self.text.startswith(" ", self.at):
            self.at += 1
        if self.at >= len(self.text):
            raise _OtherYamlError
        return self.text[self.at]


def _unquoted(text: str) -> str:
    inner = text[1:-1]
    if text[0] == "'":
        return inner.replace("''", "'")
    if any(sign not in _ESCAPES for sign in re.findall(r"\\(.)", inner)):
        raise _OtherYamlError
    return re.sub(r"\\(.)", lambda escaped: _ESCAPES[escaped[1]], inner)


def _plain(text: str) -> object:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NOT_PLAIN or text[0] in "'\"" or text[:2] in ("- ", "? ", ": ") or ": " in text:
        raise _OtherYamlError
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if (
        _NUMBER_LIKE.fullmatch(text)
        or _DATE_LIKE.fullmatch(text)
        or text[-1] == ":"
        or text == "<<"
    ):
        raise _OtherYamlError
    if text.lower().lstrip("+-") in (".inf", ".nan"):
        raise _OtherYamlError
    return text
