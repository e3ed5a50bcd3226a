"""A package is not evaluated again where its BUILD file has other comments and empty lines, and
every word in its column."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bazelscope.base.errors import StarlarkError
from bazelscope.base.label import PackageId
from bazelscope.base.source import SourceFile
from bazelscope.loading.cache.comment_edits import code_of
from bazelscope.loading.cache.package_codec import are_alike
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from bazelscope.starlark.syntax import parser
from tests.unit.loading.cache.test_cache import Runs, evaluated_once

_FILES = {
    "WORKSPACE": "",
    "p/BUILD": """
load("//d:made.bzl", "made")
# First of all.
made(name = "m")  # one
filegroup(
    name = "f",  # #2
    tags = ["# no"],
)
genrule(
    name = "g",
    srcs = select({
        "//conditions:default": ["g.h"],
    }),
    outs = ["g.cc"],
    cmd = '''
one  # no comment

two''',
    tools = glob(["*.py"], allow_empty = True),
)
""",
    "d/BUILD": "",
    "d/made.bzl": "def made(name):\n    native.filegroup(name = name)\n",
}
_PIECES = ['"', "'", '"""', "#", "\\", "\n", "a", " ", "(", ")", "=", "r", "\t", "\r"]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return evaluated_once(tmp_path, monkeypatch, _FILES)


def _change(runs: Runs, old: str, new: str, path: str = "p/BUILD") -> None:
    file = runs.root / path
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# First of all.", ""),
        ("# First of all.", "# 'First"),
        ("  # one", " # two"),
        ("# #2", "# 3"),
        ("two''',\n", "two''',  # Both.\n"),
        ('"# no"],', '"# no"],  # why?'),
    ],
)
def test_other_comments_change_nothing(runs: Runs, old: str, new: str) -> None:
    before = runs.run()
    _change(runs, old, new)
    after = runs.run()
    assert list(after.targets) == list(before.targets)
    assert runs.evaluated == []
    # It is kept with the new text: another edit is compared with that.
    runs.run()
    with (runs.root / "p/BUILD").open("a") as file:
        file.write("# More.\n")
    _change(runs, "(name = name)", "(name = name)  # Made.", "d/made.bzl")
    runs.run()
    assert runs.evaluated == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# First of all.\n", ""),
        ("# First of all.", "# First of all.\n# Here it begins.\n\n"),
        ('tags = ["# no"],\n', '\n    # Not at all.\n    tags = ["# no"],\n \t\n'),
        ('"//conditions:default"', '\n        # Always.\n        "//conditions:default"'),
    ],
)
def test_lines_that_move_take_their_places_along(runs: Runs, old: str, new: str) -> None:
    runs.run()
    for _ in range(2):
        _change(runs, old, new)
        runs.run()
        assert runs.evaluated == []
        assert are_alike(_kept(runs, runs.cache), _kept(runs, runs.root.parent / "anew"))
        (runs.root / "p/BUILD").write_text(_FILES["p/BUILD"])
        runs.run()


def _kept(runs: Runs, cache: Path) -> bytes:
    """What is kept of `//p` in a cache."""
    loader = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), cache)
    loader.package(PackageId("", "p"))
    kept = loader.parts.cache._any(PackageId("", "p"))  # type: ignore[union-attr]
    assert kept is not None
    return kept[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one  # no comment\n\n", "one  # no comment\n"),
        ("one  # no comment", "one"),
        ("two", "two "),
        ("\n\ntwo", " \n\ntwo"),
        ('"# no"', '"# yes"'),
        ("filegroup(\n", "filegroup(\n\n \\\n"),
        ("  # one", "; made(name = 'n')  # one"),
        ('name = "f",  # #2', '# name = "f",'),
        ("# First of all.", "x = 1  # First of all."),
    ],
)
def test_other_words_are_seen(runs: Runs, old: str, new: str) -> None:
    runs.run()
    _change(runs, old, new)
    runs.evaluated.clear()
    runs.run()
    assert runs.evaluated == ["p"]


def test_a_file_with_a_mistake_is_evaluated_again(runs: Runs) -> None:
    _change(runs, "# First of all.", "x = y  # First of all.")
    runs.run()
    runs.evaluated.clear()
    _change(runs, "# First of all.", "# Next.")
    runs.run()
    assert runs.evaluated == ["p"]


def test_texts_of_one_digest_have_the_same_words() -> None:
    chosen = random.Random(5)
    words: dict[bytes, tuple[str, list[tuple[int, str, int, int]]]] = {}
    compared = 0
    for _ in range(60_000):
        text = "".join(chosen.choices(_PIECES, k=chosen.randint(1, 9)))
        code = code_of(text)
        if code is None:
            continue
        own = _words(text, code.numbers())
        text_before, before = words.setdefault(code.digest, (text, own))
        if text_before != text and (own or before):
            assert own == before, (text, text_before)
            compared += 1
    assert compared > 1000


def _words(text: str, lines: list[int]) -> list[tuple[int, str, int, int]]:
    """The tokens of a text with their places, lines counted among those with code; none where it
    has a mistake."""
    try:
        tokens = parser.prepare()._lexer.tokens(SourceFile("BUILD", text), with_lists=False)
    except StarlarkError:
        return []
    return [
        (
            kind,
            word,
            lines.index(text.count("\n", 0, start) + 1),
            start - text.rfind("\n", 0, start),
        )
        for kind, start, word in zip(*tokens, strict=True)
        if word.strip("\n")
    ]
