"""What a label_flag points at, and what says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "BUILD": """
label_flag(name = "backend", build_setting_default = ":basic")
filegroup(name = "basic")
filegroup(name = "other")
""",
    ".bazelrc": "build:device --//:backend=//:other\n",
}


def explained(
    root: Path, capfd: pytest.CaptureFixture[str], *words: str
) -> tuple[str, dict[str, object]]:
    write_files(root, FILES)
    question = ("explain", "//:backend", *words, "--no-cache", "--bazel-version=7.4.0")
    capfd.readouterr()
    assert main([*question, f"--workspace={root}"]) == 0
    text = capfd.readouterr().out
    assert main([*question, f"--workspace={root}", "--format=json"]) == 0
    (target,) = json.loads(capfd.readouterr().out)["targets"]
    return text, target


def test_its_default(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text, target = explained(tmp_path, capfd)
    assert "points at //:basic\n" in text
    assert "its default: no flag sets it" in text
    assert target["points_at"] == {"label": "//:basic", "set_by": None, "problem": ""}


def test_what_sets_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The dependency has no place then: the file names the default."""
    text, target = explained(tmp_path, capfd, "--config=device")
    assert "points at //:other\n" in text
    assert "    set by --//:backend=//:other  " in text and ".bazelrc:1, --config=device" in text
    groups = target["dependencies"]
    assert isinstance(groups, list)
    (group,) = [one for one in groups if one["attribute"] == "build_setting_default"]
    assert [one["label"] for one in group["dependencies"]] == ["//:other"]
    assert group["location"] is None
