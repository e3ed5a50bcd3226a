"""`query` answers nothing where something is in error, unless told to go on, as 4.2.3 does
(measured)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli

_FILES = {
    "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    'http_archive(name = "far", urls = ["https://e.org/far.zip"])\n',
    "BUILD": """
filegroup(name = "sound", srcs = [":leaf"])
filegroup(name = "leaf")
filegroup(name = "lacks", srcs = ["//lib:gone"])
filegroup(name = "lost", srcs = ["//nowhere:x"])
filegroup(name = "above", srcs = [":lacks", ":sound"])
filegroup(name = "on_broken", srcs = ["//broken:before"])
filegroup(name = "not_taken", srcs = select({":off": ["//lib:gone"], "//conditions:default": []}))
config_setting(name = "off", define_values = {"x": "1"})
""",
    "odd/BUILD": 'load("@far//:defs.bzl", "some_rule")\n'
    'some_rule(name = "foreign", text = ["//lib:gone"])\n',
    "lib/BUILD": "",
    "broken/BUILD": 'filegroup(name = "before", visibility = ["//visibility:public"])\n'
    'fail("stop")\n',
}


def _ask(root: Path, *words: str) -> tuple[int, set[str]]:
    for name, text in _FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    line = ["query", "--workspace", str(root), "--bazel-version", "4.2.3", *words]
    done = CliRunner().invoke(cli, line, standalone_mode=False)
    return done.return_value, set(done.stdout.splitlines())


@pytest.mark.parametrize(
    ("expression", "with_k"),
    [
        ("deps(//:lacks)", {"//:lacks"}),
        ("deps(//:lost)", {"//:lost"}),
        ("deps(//:above, 2)", {"//:above", "//:lacks", "//:sound", "//:leaf"}),
        ("somepath(//:above, //:leaf)", {"//:above", "//:sound", "//:leaf"}),
        ("deps(//:not_taken)", {"//:not_taken", "//:off"}),
        ("labels(srcs, //:lacks)", set()),
        ("//broken:all", {"//broken:before"}),
        ("//broken:before", {"//broken:before"}),
        ("deps(//:on_broken)", {"//:on_broken", "//broken:before"}),
        ("//:gone", set()),
        ("//nowhere:all + //:leaf", {"//:leaf"}),
    ],
)
def test_nothing_is_answered_where_something_is_in_error(
    tmp_path: Path, expression: str, with_k: set[str]
) -> None:
    assert _ask(tmp_path, expression) == (7, set())
    assert _ask(tmp_path, expression, "--keep_going") == (3, with_k)


@pytest.mark.parametrize(
    ("expression", "labels"),
    [
        ("deps(//:above, 1)", {"//:above", "//:lacks", "//:sound"}),
        ("//:on_broken", {"//:on_broken"}),
        ("deps(//:sound)", {"//:sound", "//:leaf"}),
    ],
)
def test_what_is_not_come_to_is_no_error(tmp_path: Path, expression: str, labels: set[str]) -> None:
    assert _ask(tmp_path, expression)[1] == labels


def test_a_text_of_an_unknown_rule_need_not_be_a_label(tmp_path: Path) -> None:
    code, labels = _ask(tmp_path, "deps(//odd:foreign)")
    assert "//odd:foreign" in labels
    assert code == 0
