"""`explain` gives a reason that several conditions share once, below all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    "BUILD": """
config_setting(name = "a", define_values = {"x": "1"})
config_setting(name = "b", define_values = {"x": "1"})
config_setting(name = "both", define_values = {"x": "1", "y": "1"})
config_setting(name = "u", values = {"no_such_option": "1"})
config_setting(name = "v", values = {"no_such_option": "1"})
[filegroup(name = "is_" + key, srcs = select({key: [], "//conditions:default": []}))
 for key in ["a", "b", "both", "u", "v"]]
filegroup(name = "top", srcs = ["is_" + key for key in ["a", "b", "both", "u", "v"]])
""",
}


def test_reasons_that_are_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, text in _FILES.items():
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    main(["explain", "//:top", "--define=x=1", "--define=y=1", "--no-cache"])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("Conditions that hold"))
    assert lines[start : start + 13] == [
        "Conditions that hold: 3 of 5 that the targets' dependencies select on",
        "//:a BUILD:2",
        "//:b BUILD:3",
        "each: --define=x=1 command line",
        "//:both BUILD:4",
        "--define=x=1 command line",
        "--define=y=1 command line",
        "",
        "Conditions that cannot be told: 2",
        "//:u BUILD:5",
        "//:v BUILD:6",
        "each: cannot be told: unknown option `no_such_option` in `values`",
        "",
    ]
