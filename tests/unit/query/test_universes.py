"""What `query` knows of in a universe, and what it loads past what its options leave out: as Bazel
4.2.3 answers (`tests/oracle/test_query_of_universes.py` asks real ones)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files
from tests.support.universes import FILES, SKY, as_lines

_BARE = "--noimplicit_deps"
_WITHOUT = "//...,-//bad/...,-//usebad/...,-//miss/...,-//lacks/...,-//w/..."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def _ask(root: Path, *words: str, version: str = "4.2.3") -> int:
    return main(["query", "-w", str(root), "--bazel-version", version, "--no-cache", *words])


@pytest.mark.parametrize(
    ("universe", "expression", "code", "labels"),
    [
        ("//a/...", "//b:b", 7, ""),
        ("//a/...", "//d:y", 0, "//d:y"),
        ("//a/...", "//d/...", 7, ""),
        ("//a/...", "//a/s/...", 0, "//a/s:s"),
        ("//a:all", "//a/...", 7, ""),
        ("//a:all", "//a/s:s", 7, ""),
        ("//a/...", "allrdeps(//d/e:e)", 0, "//d/e:e //l:imp"),
        ("//a/...", "rbuildfiles(d/e/BUILD, l/BUILD, b/BUILD)", 0, "//d/e:BUILD //l:BUILD"),
        ("//bad/...", "//bad:p", 7, "//bad:p"),
        ("//usebad:u", "//usebad:u", 7, "//usebad:u"),
        ("//miss/...", "allrdeps(//miss:ok)", 0, "//miss:ok"),
        ("//d:x", "same_pkg_direct_rdeps(//d:x)", 0, ""),
        (_WITHOUT, "allrdeps(//d:x)", 0, "//a:a //b:b //d:x //d:y"),
        (_WITHOUT, "//miss:ok", 7, ""),
    ],
)
def test_nothing_is_known_but_what_the_universe_comes_to(
    universe: str,
    expression: str,
    code: int,
    labels: str,
    root: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert _ask(root, *SKY, f"--universe_scope={universe}", expression) == code
    assert as_lines(capfd.readouterr().out) == labels.split()


def test_what_is_drawn_or_ranked_has_no_universe(root: Path) -> None:
    for output in ("graph", "minrank", "maxrank"):
        words = (*SKY, "--universe_scope=//...", f"--output={output}", "allrdeps(//d:x)")
        assert _ask(root, *words) == 2


@pytest.mark.parametrize(
    ("flag", "expression", "code"),
    [
        (_BARE, "deps(//lacks:t2)", 7),
        (_BARE, "deps(//lacks:t2, 19)", 0),
        (_BARE, "deps(//lacks:t2, 20)", 7),
        (_BARE, "somepath(//lacks:t, //d:x)", 7),
        (_BARE, "deps(//lacks:none_there)", 7),
        (_BARE, "deps(//lacks:none_there, 1)", 0),
        (_BARE, "deps(//lacks:given)", 0),
        ("--notool_deps", "deps(//lacks:u)", 7),
        ("--notool_deps", "deps(//lacks:v)", 7),
        ("--notool_deps", "deps(//lacks:v, 1)", 0),
        ("--nonodep_deps", "deps(//lacks:y)", 7),
        ("--nonodep_deps", "deps(//lacks:y, 1)", 0),
        ("--nonodep_deps", "deps(//lacks:x)", 7),
    ],
)
def test_all_there_is_below_is_loaded(flag: str, expression: str, code: int, root: Path) -> None:
    assert _ask(root, flag, expression) == code


@pytest.mark.parametrize(
    ("version", "words", "text"),
    [
        ("2.1.0", ("//d:x", "--output=xml", "--relative_locations"), 'location="d/BUILD:1:1"'),
        ("0.24.1", ("deps(//d:y)", "--output=graph"), '\n"//d:y" -> "//d:x"\n'),
        ("2.1.0", ("deps(//d:y)", "--output=graph"), '\n  "//d:y" -> "//d:x"\n'),
        ("2.1.0", ("//d:x", "--output=build", "--line_terminator_null"), ")\n\0"),
        ("4.2.3", ("//d:x", "--output=build", "--line_terminator_null"), ")\0"),
        ("0.24.1", ("//w:p", "--output=xml"), '"d/e"/>\n            <string value="//..."'),
        ("4.2.3", ("//w:p", "--output=xml"), '"//..."/>\n            <string value="x/..."'),
        ("4.2.3", ("//w:alike", "--output=xml"), '<label configurable="yes" name="actual"/>'),
        ("0.24.1", ("//h:h", "--output=proto"), "512cff5aaf0d2889030b78a47d7a134c"),
        ("2.1.0", ("//h:h", "--output=proto"), "605b5ec2b9d9f88bf1f744fe15e7d1ca"),
        ("4.2.3", ("//h:h", "--output=proto"), "5796eded74cc5351cd830b8a893f1e11"),
        ("4.2.3", ("//w:only", "--output=xml"), '<label name="actual" value="//d:x"/>'),
    ],
)
def test_written_as_that_release_writes(
    version: str,
    words: tuple[str, ...],
    text: str,
    root: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert _ask(root, _BARE, *words, version=version) == 0
    assert text.encode() in capfdbinary.readouterr().out


@pytest.mark.parametrize(
    ("version", "expression", "code"),
    [
        ("0.24.1", "'*'", 7),
        ("2.1.0", "'*'", 2),
        ("0.24.1", "'-//d:x'", 0),
        ("0.24.1", "//d:x~y", 2),
        ("0.24.1", "'//d:x~y'", 7),
        ("2.1.0", "//d:x~y", 7),
        ("0.24.1", "some('-//d:x')", 7),
        ("2.1.0", "deps(buildfiles(//a:r))", 7),
        ("2.1.0", "deps(buildfiles(//a:r), 2)", 0),
        ("4.2.3", "deps(buildfiles(//a:r))", 0),
    ],
)
def test_taken_as_that_release_takes_it(
    version: str, expression: str, code: int, root: Path
) -> None:
    assert _ask(root, _BARE, expression, version=version) == code
