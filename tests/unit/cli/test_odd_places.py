"""Where the program is started from, and what is closed: a word or an answer, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files
from tests.support.parts import CHECKOUT

if os.name == "nt":
    pytest.skip("there is no POSIX shell", allow_module_level=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text('filegroup(name = "x", srcs = ["a"])\n')
    (tmp_path / ".bazelrc").write_text("build:fast -c opt\n")
    (tmp_path / "gone").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("cd gone && rmdir ../gone && $SCOPE configs", 2, "", "the working directory does not"),
        ("cd gone && rmdir ../gone && $SCOPE configs -w .", 2, "", "the working directory does"),
        ("cd gone && rmdir ../gone && $SCOPE configs -w $ROOT", 0, "--config=fast", ""),
        # A directory that is misspelt is not the workspace above it.
        ("$SCOPE configs -w nosuch", 2, "", "`nosuch` is no directory"),
        ("$SCOPE configs -w BUILD", 2, "", "`BUILD` is no directory"),
        ("$SCOPE configs -w gone", 0, "--config=fast", ""),
        ("$SCOPE configs >&-", 0, "", ""),
        ("$SCOPE configs 2>&-", 0, "--config=fast", ""),
        ("$SCOPE deps //:nosuch 2>&- >&-", 1, "", ""),
        ("$SCOPE configs <&-", 0, "--config=fast", ""),
        ("HOME= $SCOPE configs", 0, "--config=fast", ""),
        ("unset HOME; $SCOPE configs", 0, "--config=fast", ""),
        ("LC_ALL=C PYTHONUTF8=0 $SCOPE configs", 0, "--config=fast", ""),
        ("$SCOPE deps //:x --cache-dir /dev/null", 0, "//:a", ""),
    ],
)
def test_line(line: str, code: int, out: str, err: str, workspace: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
        env={
            "HOME": str(workspace / "home"),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(CHECKOUT),
            "ROOT": str(workspace),
            "SCOPE": f"{sys.executable} -m bazelscope",
        },
    )
    assert (done.returncode, "internal error" in done.stderr) == (code, False), done.stderr
    assert out in done.stdout
    assert err in done.stderr
    assert bool(done.stdout) == bool(out)


def test_a_version_of_many_digits_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": 'filegroup(name = "a")\n'})
    (tmp_path / ".bazelversion").write_text(f"{'9' * 6000}.1.0\n")
    assert main(["deps", "//:a", "-w", str(tmp_path), "--no-cache"]) == 0
    assert "//:a depends on nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["query", "//..."], 7, "cannot read `big/BUILD`: larger than 64 MB"),
        (["query", "//...", "--keep_going"], 3, "cannot read `big/BUILD`: larger than 64 MB"),
        (["explain", "//..."], 0, "cannot read `big/BUILD`: larger than 64 MB"),
    ],
    ids=["query", "query that goes on", "explain"],
)
def test_a_package_that_cannot_be_read_is_told_where_all_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, told: str
) -> None:
    write_files(
        tmp_path,
        {"WORKSPACE": "", ".bazelversion": "4.2.3\n", "a/BUILD": "filegroup(name = 'a')\n"},
    )
    (tmp_path / "big").mkdir()
    with (tmp_path / "big/BUILD").open("wb") as file:
        file.truncate(65 << 20)
    assert main([*words, "-w", str(tmp_path), "--no-cache"]) == code
    assert told in "".join(capsys.readouterr())


@pytest.mark.parametrize("command", ["deps", "select", "path", "cquery", "explain"])
def test_a_long_chain_of_aliases_is_no_crash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    aliases = "".join(f'alias(name = "x{n}", actual = ":x{n + 1}")\n' for n in range(1500))
    end = 'config_setting(name = "x1500", values = {"cpu": "k8"})\n'
    rule = 'filegroup(name = "a", srcs = select({":x0": ["f"], "//conditions:default": []}))\n'
    write_files(
        tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3\n", "BUILD": aliases + end + rule}
    )
    question = {"path": ["//:a", "//:f"], "cquery": ["deps(//:a)"]}.get(command, ["//:a"])
    words = [command, *question, "-w", str(tmp_path), "--no-cache", "-c", "opt"]
    assert main(words) in (0, 3)
    out = "".join(capsys.readouterr())
    assert "internal error" not in out
    if command == "select":
        assert "more than 100 aliases lead to it" in out


def test_an_rc_file_that_was_not_read_concerns_every_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3\n"})
    (tmp_path / ".bazelrc").symlink_to("/dev/zero")
    assert main(["flag", "copt", "-w", str(tmp_path)]) == 3
    assert "`.bazelrc` was not read" in capsys.readouterr().err


def test_a_label_of_thousands_of_parts_is_no_crash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "a/" * 20_000 + "a"
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelversion": "4.2.3\n",
            "BUILD": f'filegroup(name = "a", srcs = ["//{long}:b"])\n',
        },
    )
    assert main(["deps", "//:a", "-w", str(tmp_path), "--no-cache"]) == 3
    assert main(["path", "//:a", f"//{long}", "-w", str(tmp_path), "--no-cache"]) in (1, 3)
    assert "internal error" not in "".join(capsys.readouterr())
