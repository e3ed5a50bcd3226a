"""Reads the annotations of Java's class files, for `measure_builtins.py`."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

_SIZES = {4: 4, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 17: 4, 18: 4}
"""Bytes of constants that nobody looks at, by their tags."""


class Method(NamedTuple):
    """One method: its descriptor as Java writes it, and its annotations by their types."""

    name: str
    descriptor: str
    annotations: dict[str, dict[str, Any]]


class ClassFile:
    """One class with its methods."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 8
        self._pool = self._constants()
        self._at += 2
        self.name, parent = self._class(self._short()), self._class(self._short())
        self.above = [parent, *(self._class(self._short()) for _ in range(self._short()))]
        for _ in range(self._short()):
            self._member()
        self.methods = [self._member() for _ in range(self._short())]
        self.annotations = self._annotations()

    def _take(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def _short(self) -> int:
        return int.from_bytes(self._take(2), "big")

    def _constants(self) -> list[Any]:
        count = self._short()
        pool: list[Any] = [None] * count
        index = 1
        while index < count:
            tag = self._take(1)[0]
            if tag == 1:
                pool[index] = self._take(self._short()).decode("utf-8", "replace")
            elif tag == 3:
                pool[index] = struct.unpack(">i", self._take(4))[0]
            elif tag in (5, 6):
                self._take(8)
                index += 1  # It takes two places.
            elif tag in (7, 8, 16, 19, 20):
                pool[index] = self._short()
            else:
                self._take(_SIZES[tag])
            index += 1
        return pool

    def _class(self, index: int) -> str:
        return str(self._pool[self._pool[index]]) if index else ""

    def _member(self) -> Method:
        self._take(2)
        name, descriptor = self._pool[self._short()], self._pool[self._short()]
        return Method(name, descriptor, self._annotations())

    def _annotations(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for _ in range(self._short()):
            kind = self._pool[self._short()]
            end = int.from_bytes(self._take(4), "big") + self._at
            if kind == "RuntimeVisibleAnnotations":
                found |= dict(self._annotation() for _ in range(self._short()))
            self._at = end
        return found

    def _annotation(self) -> tuple[str, dict[str, Any]]:
        kind = self._pool[self._short()].rpartition("/")[2].rstrip(";")
        return kind, {self._pool[self._short()]: self._value() for _ in range(self._short())}

    def _value(self) -> Any:
        tag = chr(self._take(1)[0])
        if tag == "[":
            return [self._value() for _ in range(self._short())]
        if tag == "@":
            return self._annotation()[1]
        if tag == "e":
            self._short()
        return self._pool[self._short()]


def classes_of(jar: str) -> Iterator[ClassFile]:
    """The classes of Bazel's own in its jar that know of Starlark."""
    with zipfile.ZipFile(jar) as opened:
        for name in opened.namelist():
            if name.startswith(("com/google/devtools/build", "net/starlark")):
                data = opened.read(name) if name.endswith(".class") else b""
                if b"tarlark" in data or b"kylark" in data:
                    yield ClassFile(data)
