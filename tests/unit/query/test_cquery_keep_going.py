"""`cquery --keep_going` goes on without what Bazel refuses, as 4.2.3 was measured to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli

_BUILD = """
filegroup(name = "sound", srcs = ["x"])
filegroup(name = "refused", srcs = ["//lib:private"])
filegroup(name = "above", srcs = [":refused"])
"""


@pytest.mark.parametrize(
    ("words", "labels", "code"),
    [
        (("//:all",), set(), 1),
        (("//:all", "--keep_going"), {"//:sound"}, 1),
        (("deps(//:above)", "-k"), set(), 1),
        (("//:sound + //:above", "-k"), {"//:sound"}, 1),
        (("//:sound + //:none", "-k"), set(), 1),
        (("//:sound", "-k"), {"//:sound"}, 0),
    ],
)
def test_what_is_refused_is_left_out(
    tmp_path: Path, words: tuple[str, ...], labels: set[str], code: int
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "x").touch()
    (tmp_path / "BUILD").write_text(_BUILD)
    (tmp_path / "lib/BUILD").write_text('filegroup(name = "private")\n')
    line = ["cquery", "--workspace", str(tmp_path), "--bazel-version", "4.2.3", *words]
    done = CliRunner().invoke(cli, line, standalone_mode=False)
    assert {text.partition(" ")[0] for text in done.stdout.splitlines()} == labels
    assert done.return_value == code
