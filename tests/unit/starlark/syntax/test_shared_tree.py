"""The tree of a text that several look at one after another."""

from __future__ import annotations

import pytest

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark.syntax.tree import Statement


def _statements(text: str, path: str = "x.bzl") -> tuple[Statement, ...]:
    return starlark.parse(SourceFile(path, text), starlark.FileKind.BZL).statements


def test_the_last_text_is_parsed_once_where_its_tree_is_shared() -> None:
    with starlark.sharing_tree():
        first = _statements("a = 1\n")
        assert _statements("a = 1\n") is first
        with starlark.sharing_tree():
            assert _statements("a = 1\n") is not first
        assert _statements("a = 1\n") is first
        assert _statements("a = 2\n") is not first
        assert _statements("a = 1\n") is not first
    assert _statements("a = 1\n") is not _statements("a = 1\n")


def test_an_error_is_told_of_its_own_file_each_time() -> None:
    with starlark.sharing_tree():
        for path in ("x.bzl", "x.bzl", "y.bzl"):
            with pytest.raises(StarlarkError) as told:
                _statements("a = = 1\n", path)
            assert told.value.diagnostic.span is not None
            assert told.value.diagnostic.span.path == path
    with starlark.sharing_tree():
        assert starlark.check(SourceFile("x", "a = = 1\n"), starlark.FileKind.BZL, frozenset())
        assert not starlark.check(SourceFile("x", "a = 1\n"), starlark.FileKind.BZL, frozenset())
