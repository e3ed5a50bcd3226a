"""A fault of bazelscope in one file is told of that file, and the rest is answered."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from bazelscope.starlark.syntax import parser
from bazelscope.starlark.syntax.tree_builder import TreeBuilder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").touch()
    for package in ("a", "b"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "BUILD").write_text(f'filegroup(name = "{package}")\n')
    return tmp_path


def ask(tree: Path, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([*words, "-w", str(tree), "--no-cache"])
    out, err = capfd.readouterr()
    return code, out, err


def test_a_fault_of_the_parser_is_the_files(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*args: object) -> None:
        raise AttributeError("oops")

    (tree / "a/BUILD").write_text("x = 1\ny = [1][0:1]\n")
    monkeypatch.setattr(TreeBuilder, "list", stumble)
    monkeypatch.setattr(parser, "_parsers", [])  # One that is there has its methods at hand.
    code, out, err = ask(tree, capfd, "query", "//b:*")
    assert (code, out) == (0, "//b:BUILD\n//b:b\n")
    code, out, err = ask(tree, capfd, "query", "//...:*")
    assert code == 3
    assert out == "//a:BUILD\n//b:BUILD\n//b:b\n"
    assert "an error of bazelscope, please report: AttributeError: oops" in err
    assert "a/BUILD:2:" in err


def test_a_fault_of_a_function_is_the_calls(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.loading.tree.globs import PackageFiles

    def stumble(*args: object, **named: object) -> None:
        raise RuntimeError("oops")

    monkeypatch.setattr(PackageFiles, "glob", stumble)
    (tree / "a/BUILD").write_text(
        'filegroup(name = "first")\nx = glob(["*"])\nfilegroup(name = "last")\n'
    )
    code, out, err = ask(tree, capfd, "query", "//...")
    assert code == 3
    assert out == "//a:first\n//a:last\n//b:b\n"
    assert "please report: RuntimeError: oops" in err
    assert "a/BUILD:2:" in err


def test_an_empty_tuple_in_parentheses(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = ("x = (())", "len((()))", "[y for a in (()) for y in a]", "z = ((), (()))")
    (tree / "a/BUILD").write_text("\n".join(lines) + '\nfilegroup(name = "a")\n')
    code, out, err = ask(tree, capfd, "query", "//...")
    assert (code, out, err) == (0, "//a:a\n//b:b\n", "")


def test_a_system_without_memory_is_no_defect(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bazelscope.cli.query_commands._answer", refuse)
    code, out, err = ask(tree, capfd, "query", "//...")
    assert (code, out) == (3, "")
    assert "no more memory" in err and "--max-memory" in err and "defect" not in err


def test_a_folder_that_cannot_be_read_is_told(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("/b"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    code, out, err = ask(tree, capfd, "query", "//...")
    assert (code, out) == (3, "//a:a\n")
    assert "cannot look for packages in `b`: Permission denied" in err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("label", ["@proc//:all", "@proc//self:environ"])
def test_a_repository_of_what_comes_and_goes_is_no_crash(
    tree: Path, capfd: pytest.CaptureFixture[str], label: str
) -> None:
    (tree / "WORKSPACE").write_text('local_repository(name = "proc", path = "/proc")\n')
    code, _out, err = ask(tree, capfd, "query", f"{label} + deps(//b:b)", "--keep_going")
    assert code in (0, 3)
    assert "please report" not in err and "Traceback" not in err


def test_a_root_that_cannot_be_looked_at_is_told(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_file(path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", is_file)
    code, _out, err = ask(tree, capfd, "query", "//...")
    assert code == 2
    assert f"cannot read `{tree}`: Permission denied" in err


@pytest.mark.parametrize("columns", ["0", "²", "9" * 30])
def test_odd_columns(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from bazelscope.cli.terminal import _width
    from bazelscope.render.console import to_text
    from bazelscope.render.document import Document, row, strong

    monkeypatch.setenv("COLUMNS", columns)
    assert _width(io.StringIO()) > 0
    document = Document()
    document.add([row(strong("shown"))])
    assert "shown" in to_text(document, 80, color=True)


def test_a_cache_that_cannot_be_used_is_mentioned_once(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "file").touch()
    assert main(["query", "//b", "-w", str(tree), "--cache-dir", str(tree / "file" / "c")]) == 0
    err = capfd.readouterr().err
    assert err.count("--cache-dir is not used") == 1
