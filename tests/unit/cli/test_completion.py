"""What a completion finds, and that it never says anything else."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.cli.completion import deadline, labels
from bazelscope.cli.completion.typed_line import TypedLine, split
from tests.support.files import write_files

_WORD_BREAKS = " \t\n\"'@><=;|&(:"


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("a b", TypedLine(("a",), "b", "b", "")),
        ("a ", TypedLine(("a",), "", "", "")),
        ("a 'b c", TypedLine(("a",), "b c", "'b c", "'")),
        ("a 'b'c ''", TypedLine(("a", "bc"), "", "''", "")),
        ('a "b\\"', TypedLine(("a",), 'b"', '"b\\"', '"')),
        ("a b\\ c", TypedLine(("a",), "b c", "b\\ c", "")),
        ("a \\", TypedLine(("a",), "\\", "\\", "")),
    ],
)
def test_words(line: str, typed: TypedLine) -> None:
    assert split(line) == typed


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "WORKSPACE": 'load("//:deps.bzl", "deps")\n'
        'local_repository(name = "here", path = "x")\ndeps()\n',
        "deps.bzl": 'def deps():\n    native.local_repository(name = "deep", path = "y")\n',
        ".bazelversion": "4.2.3\n",
        ".bazelrc": "build:one -c opt\ntest:two --copt=x\ncommon:three --color=no\n",
        "BUILD": 'filegroup(name = "top", srcs = select({":with_one": []}), tags = ["x"])\n'
        'config_setting(\n    name = "with_one",\n    define_values = {"one": "1"},\n)\n',
        "a/BUILD": 'filegroup(name = "made", srcs = ["f.txt"])\n[filegroup(name = "m" + x) for x'
        ' in ["1", "2"]]\n',
        "a/f.txt": "",
        "a/b/c/BUILD.bazel": "",
        "empty/x/readme": "",
        "bazel-out/p/BUILD": "",
        ".hidden/BUILD": "",
        "broken/BUILD": 'filegroup(name = "seen"\n',
    }
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    # What is found is tested here; how long it may take is not.
    monkeypatch.setenv("BAZELSCOPE_COMPLETION_SECONDS", "60")
    return tmp_path


def _complete(capsys: pytest.CaptureFixture[str], line: str, shell: str = "zsh") -> list[str]:
    breaks = [_WORD_BREAKS] if shell == "bash" else []
    assert main(["complete", shell, f"bazelscope {line}", *breaks]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [text.partition("\t")[0] for text in out.splitlines()]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("explain //", ["words", "//a:", "//a/", "//broken:", "//...", "//:"]),
        ("explain //a/", ["words", "//a/b/c:", "//a/b/..."]),
        ("explain //a:m", ["words", "//a:made", "//a:m1", "//a:m2"]),
        ("explain //a:a", ["words", "//a:all"]),
        ("explain //a:m1", ["words", "//a:m1"]),
        ("explain :t", ["words", ":top"]),
        ("explain a", ["words", "a:", "a/"]),
        ("explain mad", ["words", "made"]),
        ("explain //nosuch", ["words"]),
        ("explain //nosuch:", ["words"]),
        ("explain //empty/", ["words"]),
        ("explain //broken:", ["words", "//broken:seen", "//broken:BUILD", "//broken:all"]),
        ("explain @de", ["open", "@deep//"]),
        ("explain --config=", ["words", "--config=one", "--config=three"]),
        ("explain bazel test --config=t", ["words", "--config=three", "--config=two"]),
        ("explain --config t", ["words", "three"]),
        ("query --config=", ["words", "--config=three"]),
        ("explain --platforms=//a:ma", ["words", "--platforms=//a:made"]),
        ("explain --//a:ma", ["words", "--//a:made"]),
        ("explain --no//a:ma", ["words", "--no//a:made"]),
        ("explain --stamp=", ["words", "--stamp=true", "--stamp=false"]),
        ("explain --compilation_mode ", ["words", "fastbuild", "dbg", "opt"]),
        ("explain -c d", ["words", "dbg"]),
        ("explain --nokeep_g", ["words", "--nokeep_going"]),
        ("explain --keep_go", ["words", "--keep_going"]),
        ("explain --jav", None),
        ("explain --form", ["words", "--format"]),
        ("explain --format j", ["words", "json", "jsonl"]),
        ("explain --format=", ["words", "--format=text", "--format=json", "--format=jsonl"]),
        ("explain --bazel-version 4", ["words", "4.2.3"]),
        ("explain -w ", ["directories"]),
        ("explain --cache-dir=", ["directories"]),
        ("graph x -o ", ["files"]),
        ("query --order_output=f", ["words", "--order_output=full"]),
        ("query --output=m", ["words", "--output=maxrank", "--output=minrank"]),
        ("cquery --output=m", ["words"]),
        ("query 'sib", ["words", "siblings(//", "siblings(@", "siblings(:"]),
        ("query 'kind(x, //a:ma", ["words", *(f"kind(x, //a:made{end}" for end in "), ")]),
        ("cquery 'conf", ["words", "config(//", "config(@", "config(:"]),
        ("query 'conf", ["words"]),
        ("flag compilation_m", ["words", "compilation_mode"]),
        ("configs t", ["words", "three", "two"]),
        ("repos d", ["words", "deep"]),
        ("repos //a:ma", ["words", "//a:made"]),
        ("path ma", ["words", "made"]),
        ("path made //a:ma", ["words", "//a:made"]),
        ("deps --config=one to", ["words", "top"]),
        ("path made top --via ma", ["words", "made"]),
        ("path made top --avoid=ma", ["words", "--avoid=made"]),
        ("settings wi", ["words", "with_one"]),
        ("select top.", ["words", "top.srcs"]),
        ("select //:top.s", ["words", "//:top.srcs"]),
        ("explain --sections li", ["words", "line"]),
        ("explain --sections=line,re", ["words", "--sections=line,repos"]),
        ("explain --skip line,l", ["words"]),
        ("explain --why compilation_m", ["words", "compilation_mode"]),
        ("explain --why=thr", ["words", "--why=three"]),
        ("explain --why --config=o", ["words", "--config=one"]),
        ("explain --why wi", ["words", "with_one"]),
        ("explain --why //:top.s", ["words", "//:top.srcs"]),
        ("why top.s", ["words", "top.srcs"]),
        ("explain bazel test --copt=", ["words", "--copt=x"]),
        ("explain --color ", ["words", "yes", "no", "auto"]),
        ("explain --why @de", ["open", "@deep//"]),
        ("check --for 4", ["words", "4.2.3"]),
        ("why compilation_m", ["words", "compilation_mode"]),
        ("completion f", ["words", "fish"]),
        ("wh", ["words", "when", "why"]),
        ("matrix s", ["words", "size"]),
        ("matrix flag compilation_m", ["words", "compilation_mode"]),
        ("matrix size to", ["words", "top"]),
        ("matrix size top --over c", ["open", "configs="]),
        ("matrix size top --over configs=one,t", ["words", "configs=one,three"]),
        ("effects thr", ["words", "three"]),
        ("effects wi", ["words", "with_one"]),
        ("effects one to", ["words", "top"]),
        ("nosuch //", ["words"]),
        ("explain -w nosuch/place --comp=", ["words"]),
        ("explain --bazel-version=banana //a:m1", ["words"]),
        ("complete ", None),
        ("", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_candidates(
    line: str, found: list[str] | None, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _complete(capsys, line)
    if found is not None:
        assert answer == found
    else:
        assert answer


def test_out_of_time_names_are_read_off_the_files(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "within_time", lambda work: None)
    assert _complete(capsys, "explain //a:") == ["words", "//a:made", "//a:all"]
    assert _complete(capsys, "explain @") == ["words", "@deep//", "@here//"]


def test_work_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.001)

    monkeypatch.setenv("BAZELSCOPE_COMPLETION_SECONDS", "0.01")
    assert deadline.within_time(work) is None
    assert deadline.within_time(lambda: 1 // 0) is None
    assert deadline.within_time(lambda: 7) == 7


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("explain //a:ma", ["words", "made"]),  # Bash completes what is behind the colon.
        ("explain @de", ["open", "@deep//"]),
        ("explain --config=o", ["words", "one"]),
        ("explain '//a:ma", ["words", "//a:made"]),
        ("query conf", ["words"]),
        ("query sib", ["words", "'siblings(//", "'siblings(@", "'siblings(:"]),
    ],
)
def test_bash_gets_the_rest_of_the_word(
    line: str, found: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _complete(capsys, line, "bash") == found


@pytest.mark.parametrize(
    "line",
    ["explain //x:", "explain --config=", "explain @", "explain @x//", "query 'deps(//x:", "flag "],
)
def test_a_broken_workspace_is_silent(
    line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "WORKSPACE").write_text("load(")
    (tmp_path / ".bazelrc").write_bytes(b"import nowhere\nbuild:x '\xff\n")
    (tmp_path / ".bazelversion").write_text("banana")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "BUILD").write_text("((((\0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["complete", "bash", f"bazelscope {line}", _WORD_BREAKS]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert f"complete {shell}" in capsys.readouterr().out


def test_outside_of_a_workspace(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bazelscope", "complete", "fish", "bazelscope explain //"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert (done.stdout, done.stderr) == ("words\n", "")


@pytest.mark.parametrize("text", ["", "soon", "-1", "nan", "inf", "1e300"])
def test_a_patience_that_is_none_is_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("BAZELSCOPE_COMPLETION_SECONDS", text)
    assert deadline.within_time(lambda: 7) == 7
