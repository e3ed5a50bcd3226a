"""What a word of the command line turns off: conditions that would hold without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build -c opt\nbuild --define=a=1\nbuild:off --define=a=0\n",
    "BUILD": """
config_setting(name = "is_opt", values = {"compilation_mode": "opt"})
config_setting(name = "is_opt_a", values = {"compilation_mode": "opt"}, define_values = {"a": "1"})
config_setting(name = "is_opt_b", values = {"compilation_mode": "opt"}, define_values = {"b": "1"})
config_setting(name = "is_a", define_values = {"a": "1"})
config_setting(name = "is_dbg", values = {"compilation_mode": "dbg"})
filegroup(name = "x", srcs = select({
    ":is_opt": [],
    ":is_opt_a": [],
    ":is_opt_b": [],
    ":is_a": [],
    ":is_dbg": [],
    "//conditions:default": [],
}))
""",
}


@pytest.mark.parametrize(
    ("words", "prevented"),
    [
        # `is_opt_b` wants a define besides, which nothing sets.
        (["-c", "dbg"], [["//:is_opt", "//:is_opt_a"]]),
        (["--config=off"], [["//:is_a", "//:is_opt_a"]]),
        # Each alone would keep `is_opt_a` from holding, so neither is to blame.
        (["-c", "dbg", "--config=off"], [["//:is_opt"], ["//:is_a"]]),
        (["-c", "opt"], [[]]),
        (["--define=b=1"], [[]]),
        # The second word gives back what the first one takes.
        (["--config=off", "--define=a=1"], [[], []]),
    ],
)
def test_prevented(words: list[str], prevented: list[list[str]], tmp_path: Path) -> None:
    for path, text in _FILES.items():
        (tmp_path / path).write_text(text)
    workspace = Workspace.open(tmp_path, environment={}, cache_dir=None)
    answer = workspace.configure([*words, "//:x"]).explain()
    assert [sorted(map(str, word.prevented)) for word in answer.words] == prevented
