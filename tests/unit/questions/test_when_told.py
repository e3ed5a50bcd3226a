"""`when` tells combinations that were tried: what makes it so, what ends it, what holds it back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.shared.conditions.flag_conditions import (
    Now,
)
from bazelscope.questions.when.text import when_document
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.unit.questions.when_world import (
    DRIVER,
    GCS,
    GROUPS,
    PUBLIC,
    TWO,
    lines,
    of,
    said,
    workspace,
)


def test_what_is_proposed_was_tried(tmp_path: Path) -> None:
    """FINDINGS P5: the configured graph under a proposed line takes the edge, and under a line
    that ends it, it does not."""
    asked = workspace(tmp_path, TWO + DRIVER + GCS.replace("top", "gcs") + GROUPS)
    write_files(tmp_path, {"p/BUILD": PUBLIC})
    tried = 0
    for names in (
        ("two", "g"),
        ("top", "lib"),
        ("gcs", "lib"),
        ("with_any", "g"),
        ("first", "lib"),
    ):
        condition = of(asked.configure([]).when(*names))
        for line, expected in ((condition.making, True), (condition.ending, False)):
            if line is not None:
                tried += 1
                found = asked.configure(line.words).path(*names, configured=True)
                assert found.is_negative is not expected, (names, line)
        for listed, expected in ((condition.alternatives, True), (condition.exceptions, False)):
            for one in listed:
                words = [word.need.text for word in one.words if word.is_so]
                against = [word.need.text for word in one.words if not word.is_so]
                if any(text.startswith("--define=") for text in words) or not words:
                    under = asked.configure(words)
                    found = under.path(*names, configured=True)
                    assert found.is_negative is not expected, (names, words, against)
                    tried += 1
    assert tried > 10


def test_of_a_long_condition_what_single_flags_change_is_told(tmp_path: Path) -> None:
    settings = "".join(
        f'config_setting(name = "c{n}", values = {{"cpu": "c{n}"}})\n' for n in range(8)
    )
    cpus = "".join(f'":c{n}": [], ' for n in range(8))
    build = f"""
{settings}
filegroup(name = "top", srcs = select({{":a": [":g"], {cpus}"//conditions:default": [":mid"]}}))
filegroup(name = "mid", srcs = select({{":nogcp": [], "//conditions:default": [":g"]}}))
"""
    line = workspace(tmp_path, build, "build:plain --define=nogcp=true\n").configure([])
    answer = line.when("top", "g")
    condition = of(answer)
    assert condition.is_long
    assert condition.now is Now.YES
    changed = [("" if word.is_so else "not ") + word.need.text for word in condition.changes]
    assert changed == [*(f"--cpu=c{n}" for n in range(8)), "--define=nogcp=true"]
    for word in condition.changes:
        beside = Workspace.open(tmp_path, environment={}, cache_dir=None)
        assert of(beside.configure([word.need.text]).when("top", "g")).now is not Now.YES
    assert lines(answer)[:6] == [
        "//:top needs //:g under some flags only:",
        "2 combinations of up to 9 flags (--full lists them)",
        "",
        "So now; each of these ends it:",
        "--cpu is c0, c1, c2, c3, c4 or c5 and 2 other values",
        "--define=nogcp=true set by --config=plain",
    ]
    full = to_text(when_document(answer, full=True), None, False)
    assert "--cpu other than c0, c1, c2, c3, c4, c5, c6 or c7" in " ".join(full.split())


def test_all_that_holds_it_back_is_told(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = select({":cuda": [":mid"], "//conditions:default": []}))
filegroup(name = "mid", srcs = select({":shared": [], "//conditions:default": [":lib"]}))
"""
    answer = workspace(tmp_path, build, "build --define=shared=true\n").configure([])
    text = " ".join(lines(answer.when("top", "lib")))
    assert (
        "Not so now: --define=shared=true (.bazelrc:1); besides, --define=cuda is not set" in text
    )


def test_what_is_told_has_been_tried(tmp_path: Path) -> None:
    """Each alternative under a line that makes it so, each exception under one that ends it."""
    build = """
filegroup(name = "some", srcs = select({":a": [":g"], ":win": [":g"], "//conditions:default": []}))
filegroup(name = "most", srcs = select({":a": [], "//conditions:default": [":g"]}))
"""
    asked = workspace(tmp_path, build, "build:one --define=a=1 --define=other=1\n")
    tried = {
        said((one,))[0]: one.line and one.line.words
        for one in of(asked.when("//:some", "//:g")).told
    }
    assert tried == {
        "--define=a=1": ("--config=one",),
        "--cpu=x64_windows": ("--cpu=x64_windows",),
    }
    (exception,) = of(asked.when("//:most", "//:g")).told
    assert exception.line is not None and exception.line.words == ("--config=one",)


def test_all_of_a_long_list_have_been_tried(tmp_path: Path) -> None:
    settings = "".join(
        f'config_setting(name = "s{n}", define_values = {{"s{n}": "1"}})\n' for n in range(40)
    )
    parts = (f'select({{":s{n}": [":g"], "//conditions:default": []}})' for n in range(40))
    build = f'{settings}filegroup(name = "top", srcs = {" + ".join(parts)})\n'
    told = of(workspace(tmp_path, build).when("//:top", "//:g")).told
    assert len(told) == 40
    assert all(one.line and one.line.words == (one.words[0].need.text,) for one in told)


def test_a_combination_that_no_line_makes_so_is_told_as_untried(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = select({":a": [":g"], ":mac": [":g"], "//conditions:default": []}))
"""
    answer = workspace(tmp_path, build).when("//:top", "//:g")
    assert said(of(answer).untried) == ["a platform with @platforms//os:osx"]
    assert "1 of them not tried: no command line was found for it" in lines(answer)


def test_what_is_loaded_counts_alike_with_and_without_a_cache(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The platform of the host is looked up only where no conditions are kept."""
    build = """
config_setting(name = "linux", constraint_values = ["@platforms//os:linux"])
filegroup(name = "top", srcs = select({":linux": [":leaf"], "//conditions:default": []}))
filegroup(name = "leaf")
filegroup(name = "other")
"""
    root, cache = tmp_path / "tree", tmp_path / "cache"
    write_files(root, {"WORKSPACE": "", "BUILD": build})
    counts = []
    for option in ("--no-cache", f"--cache-dir={cache}", f"--cache-dir={cache}"):
        words = ["when", "//:top", "//:other", option, "--bazel-version=7.4.0", "--host=linux"]
        capfd.readouterr()
        assert main([*words, f"--workspace={root}", "--format=json"]) == 1
        counts.append(json.loads(capfd.readouterr().out)["completeness"]["counts"])
        shutil.rmtree(cache / "answers", ignore_errors=True)
    assert counts[1:] == counts[:1] * 2
