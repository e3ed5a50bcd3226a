"""`query` answers nothing where something is in error, unless told to go on, as 4.2.3 does
(measured)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

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
filegroup(name = "for_nobody", visibility = ["//lib:no_group"])
config_setting(name = "off", define_values = {"x": "1"})
""",
    "odd/BUILD": 'load("@far//:defs.bzl", "some_rule")\n'
    'some_rule(name = "foreign", text = ["//lib:gone"])\n',
    "lib/BUILD": "",
    "broken/BUILD": 'filegroup(name = "before", visibility = ["//visibility:public"])\n'
    'fail("stop")\n',
}


def _ask(capsys: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, set[str]]:
    for name, text in _FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    line = ["query", "--workspace", str(root), "--bazel-version", "4.2.3", *words]
    code = main(line)
    return code, set(capsys.readouterr().out.splitlines())


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
    tmp_path: Path, expression: str, with_k: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ask(capsys, tmp_path, expression) == (7, set())
    assert _ask(capsys, tmp_path, expression, "--keep_going") == (3, with_k)


@pytest.mark.parametrize(
    ("expression", "labels"),
    [
        ("deps(//:above, 1)", {"//:above", "//:lacks", "//:sound"}),
        ("//:on_broken", {"//:on_broken"}),
        ("deps(//:sound)", {"//:sound", "//:leaf"}),
    ],
)
def test_what_is_not_come_to_is_no_error(
    tmp_path: Path, expression: str, labels: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ask(capsys, tmp_path, expression)[1] == labels


def test_targets_that_attributes_name_may_stand_in_packages_in_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ask(capsys, tmp_path, "labels(srcs, //:on_broken)") == (0, {"//broken:before"})
    assert _ask(capsys, tmp_path, "deps(labels(srcs, //:on_broken))") == (7, set())


@pytest.mark.parametrize(("version", "going_on"), [("4.2.3", (3, set())), ("2.1.0", (7, set()))])
def test_visible_wants_every_package_group(
    tmp_path: Path, version: str, going_on: tuple[int, set[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    question = ("--bazel-version", version, "visible(//odd:all, //:for_nobody)")
    assert _ask(capsys, tmp_path, *question) == (7, set())
    assert _ask(capsys, tmp_path, *question, "--keep_going") == going_on


def test_a_text_of_an_unknown_rule_need_not_be_a_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, labels = _ask(capsys, tmp_path, "deps(//odd:foreign)")
    assert "//odd:foreign" in labels
    assert code == 0
