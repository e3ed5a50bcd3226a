"""`canonicalize-flags`: Bazel's own output, and one line to paste."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.canonical_lines import LINES
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": "startup --batch\nbuild --copt=-g --jobs=2\nbuild:a --copt=-O3 --define=b=c\n",
}


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
@pytest.mark.parametrize("line", LINES)
def test_the_output_is_bazels(
    version: str, line: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version", version, "--for_command=test", "--", *line)
    code = main(["canonicalize-flags", *words])
    expected = LINES[line]
    out = capsys.readouterr().out
    assert (code, out.splitlines()) == ((2, []) if expected is None else (0, expected))


def test_one_line_to_paste(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version=4.2.3", "--", "--config=a", "--jobs=4")
    assert main(["canonicalize-flags", "--places", *words]) == 0
    first, _, *rest = capsys.readouterr().out.splitlines()
    assert shlex.split(first) == [
        *("bazel", "--ignore_all_rc_files", "--batch", "build"),
        *("--copt=-g", "--copt=-O3", "--define=b=c", "--jobs=4"),
    ]
    assert [line.split()[:2] for line in rest] == [
        ["--copt=-g", ".bazelrc:2"],
        ["--copt=-O3", ".bazelrc:3,"],
        ["--define=b=c", ".bazelrc:3,"],
        ["--jobs=4", "command"],
    ]


def test_all_options_of_the_line_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", cache_dir=None, environment={})
    answer = asked.configure(["--config=a", "--jobs=4"]).canonicalize_flags(places=True)
    texts = [setting.canonical for setting in answer.instances]
    assert texts == [
        *("--copt=-g", "--jobs=2", "--config=a", "--copt=-O3", "--define=b=c", "--jobs=4"),
    ]
    words = ("-w", str(tmp_path), "--bazel-version=4.2.3", "--format=json", "--places")
    main(["canonicalize-flags", *words, "--", "--config=a", "--jobs=4"])
    told = json.loads(capsys.readouterr().out)
    assert [setting["text"] for setting in told["instances"]] == texts
