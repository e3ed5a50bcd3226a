"""What `query` and `cquery` end with where WORKSPACE fails, told to go on and not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_exit_codes(version: str, warm_root: Path, bazel: Callable[[str], Bazel]) -> None:
    for text in ('fail("no")\n', 'load("//p:no.bzl", "x")\n', "nonsense(\n"):
        write_files(warm_root, {"WORKSPACE": text, "p/BUILD": 'filegroup(name = "x")\n'})
        for words in (["query"], ["query", "-k"], ["cquery"], ["cquery", "-k"]):
            if version != "4.2.3" and words == ["cquery", "-k"]:
                continue  # which crashes
            line = [*words, "//p:x"]
            theirs = bazel(version).run(warm_root, *line)
            own = ["-w", str(warm_root), f"--bazel-version={version}", "--no-cache"]
            mine = CliRunner().invoke(cli, [line[0], *own, *line[1:]], standalone_mode=False)
            found = mine.return_value, mine.stdout
            assert found == (theirs.exit_code, theirs.stdout), (text, words)
