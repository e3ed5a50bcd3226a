"""Where the program is started from, and what is closed: a word or an answer, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.parts import CHECKOUT

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
