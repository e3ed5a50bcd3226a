"""Names and values that are orders to a terminal or to a shell reach neither as such."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.render.visible import visible, visible_json
from tests.support.files import write_files

# Retitles the window, turns red, wipes the screen; a C1 byte; a line that reads backwards.
_TITLE = "\x1b]0;owned\x07\x1b[31m\x1b[2J"
_NAME = "a\x9b2J\u202e.txt"
"""What Bazel lets a file be called; it refuses names with other orders."""
_ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "WORKSPACE": "",
        ".bazelversion": "4.2.3\n",
        ".bazelrc": f"build --define=x={_TITLE}\nbuild:c{_TITLE} --copt=\x9b\nbuild --copt=\x9bA\n",
        "BUILD": f"""
config_setting(name = "set", define_values = {{"x": "{_TITLE}"}})
filegroup(name = "files", srcs = ["plain", "{_NAME}"], tags = ["{_TITLE}"])
filegroup(name = "chosen", srcs = select({{":set": ["a\u202eb"], "//conditions:default": []}}))
filegroup(name = "`id`")
""",
        "refused/BUILD": f'fail("{_TITLE}")\n',
        "wrong/BUILD": f"x = {_TITLE}\n",
        "named/BUILD": f'filegroup(name = "x", srcs = ["{_TITLE}"])\n',
    }
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "//:chosen"],
        ["explain", "//:files", f"--define=y={_TITLE}"],
        ["explain", "--why", "copt", "//:chosen"],
        ["explain", "--why", _TITLE, "//:chosen"],
        ["flag", "copt"],
        ["flag", "define=x"],
        ["configs"],
        ["select", "//:chosen"],
        ["settings"],
        ["deps", "//:files"],
        ["deps", "//refused:x"],
        ["deps", "//wrong:x"],
        ["deps", "//named:x"],
        ["deps", f"//:{_TITLE}"],
        ["rdeps", f"//:{_NAME}"],
        ["path", "//:files", f"//:{_NAME}"],
    ],
    ids=lambda words: visible(" ".join(words)),
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_answer_commands_the_terminal(
    words: list[str], form: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*words, "--format", form])
    out, err = capsys.readouterr()
    assert out + err
    assert _ORDERS.findall(out + err) == []


def _strings(value: object) -> set[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(_strings, value))
    return {str(value)}


def test_what_it_was_can_be_read(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["deps", "//:files"])
    assert r"//:a\x9b2J\u202e.txt  srcs" in capsys.readouterr().out
    main(["deps", "//:files", "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert f"//:{_NAME}" in _strings(answer)


def test_a_pipe_gets_the_bytes_of_a_query(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["query", "labels(srcs, //:files)"])
    assert f"//:{_NAME}\n" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    main(["query", "labels(srcs, //:files)"])
    assert r"//:a\x9b2J\u202e.txt" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \t\n ü 界", "plain \t\n ü 界"),
        ("a\x1b[0m\r\x00\x7f", r"a\x1b[0m\x0d\x00\x7f"),
        ("\ufeffbuild", r"\ufeffbuild"),
        ("\u202eevil\u2028", r"\u202eevil\u2028"),
        ("\udc9b\udcff\ud800", "\\x9b\udcff\\ud800"),  # 0xff is only no UTF-8: it stays a byte.
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["ü\x9b\u202e", "\udcff\ud800", "\x7f", "\x1b", "界"])
def test_json_keeps_its_content(text: str) -> None:
    written = visible_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert _ORDERS.findall(written) == []
    written.encode("utf-8")


@pytest.mark.parametrize(
    ("shell", "line", "completed"),
    [
        ("bash", 'explain "//:`', r'"//:\`id\`'),
        ("zsh", 'explain "//:`', r'"//:\`id\`'),
        ("bash", "explain //:`", r"\`id\`"),
        ("bash", "explain '//:`", "//:`id`"),
        ("fish", "explain //:`", "//:`id`"),
    ],
)
def test_a_completed_name_is_no_command(
    shell: str,
    line: str,
    completed: str,
    workspace: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BAZELSCOPE_COMPLETION_SECONDS", "60")
    breaks = [" \t\n\"'@><=;|&(:"] if shell == "bash" else []
    main(["complete", shell, f"bazelscope {line}", *breaks])
    found = [row.partition("\t")[0] for row in capsys.readouterr().out.splitlines()]
    assert found[1:] == [completed.removeprefix('"')]


def test_a_name_that_no_line_can_hold_is_no_candidate(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAZELSCOPE_COMPLETION_SECONDS", "60")
    main(["complete", "fish", "bazelscope configs c"])
    assert capsys.readouterr().out == "words\n"
