"""Where results of loading and analysis are kept: a pack for each workspace and set of options.

Bazel keeps what it found in a server's memory instead; a process that ends needs it on disk.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Self

from bazelscope.base import grammars, looks
from bazelscope.base.hashes import blake2b
from bazelscope.kept.kept_files import KeptFiles, name_of
from bazelscope.kept.pack import MEGABYTE, Pack

_LARGEST = 256 * MEGABYTE


def entries(directory: Path, key: Iterable[object], kind: str, code: tuple[str, ...] = ()) -> Pack:
    """The pack for results of one kind. `key` is what all of them depend on, besides their
    inputs and the code of bazelscope itself: of what evaluates files, and of the packages
    `code`."""
    made_by = (code_digest(), *map(code_digest, code))
    return Pack(KeptFiles(directory), f"{name_of((*made_by, *key))}.{kind}", _LARGEST)


@cache
def code_digest(*packages: str) -> str:
    """A hash that changes with the files of some of bazelscope's packages, by default those
    that evaluate files: another code, another result. It goes by the files' sizes and stamps,
    since to read a megabyte of them takes longer than many an answer."""
    folders = (*(packages or _EVALUATION), *_EVERYWHERE)
    below = tuple([f"{looks.PACKAGE}{os.sep}{folder}{os.sep}" for folder in folders])
    stamps = [one for one in looks.own_files() if one[0].startswith(below)]
    state = blake2b(repr(stamps).encode("utf-8", "surrogatepass"))
    state.update(grammars.text("starlark").encode("utf-8"))
    return state.hexdigest()


_EVALUATION = ("loading", "starlark", "bazel")
_EVERYWHERE = ("base",)


class KeptResults:
    """Results of packages of bazelscope, kept for later runs under the same options. `key_of`
    tells what those of a kind depend on, besides files; without a `directory` none is kept."""

    def __init__(self, directory: Path | None, key_of: Callable[[str], tuple[object, ...]]) -> None:
        self._directory = directory
        self._key_of = key_of
        self._packs: dict[str, Pack] = {}
        self._last_calls: list[Callable[[], None]] = []

    def of(self, kind: str, *code: str) -> Pack | None:
        """Where results of a kind are kept, which the packages `code` of bazelscope make."""
        if self._directory is None:
            return None
        if kind not in self._packs:
            self._packs[kind] = entries(self._directory / kind, self._key_of(kind), kind, code)
        return self._packs[kind]

    def before_saving(self, call: Callable[[], None]) -> None:
        """Lets whoever keeps results here put them when all answers are out."""
        self._last_calls.append(call)

    def without_last_calls(self) -> Self:
        """What is kept here, for who puts nothing."""
        other = copy.copy(self)
        other._last_calls = []
        return other

    def forget_last_calls(self) -> None:
        """Lets nobody put results any more who wanted to."""
        self._last_calls.clear()

    def save(self) -> None:
        """Writes what was put, after all who want to put something have done so."""
        for call in self._last_calls:
            call()
        for pack in self._packs.values():
            pack.save()
