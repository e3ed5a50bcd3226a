"""Packages that hold one mistake each, for both sides to report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.support.files import write_files


@dataclass(frozen=True)
class Mistake:
    """Files of one package (paths below it), and the query that meets the mistake.

    `links` are symbolic links; `raw` are files that are no text.
    """

    name: str
    files: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)
    raw: Mapping[str, bytes] = field(default_factory=dict)
    ask: str = ":*"

    @property
    def query(self) -> str:
        target = f"//{self.name}{self.ask}"
        return target if self.ask == ":*" else f"deps({target})"

    def write(self, root: Path) -> None:
        write_files(root / self.name, self.files)
        for path, content in self.raw.items():
            (root / self.name / path).parent.mkdir(parents=True, exist_ok=True)
            (root / self.name / path).write_bytes(content)
        for path, target in self.links.items():
            (root / self.name / path).symlink_to(target)


def _build(name: str, text: str, ask: str = ":*", **files: str) -> Mistake:
    return Mistake(name, {"BUILD": text, **files}, ask=ask)


_FILEGROUP = 'filegroup(name = "x", srcs = ["{}"])\n'

MISTAKES = (
    _build("two_rules", 'filegroup(name = "a")\ncc_library(name = "a")\n'),
    _build(
        "two_outputs", "".join(f'genrule(name = "g{n}", outs = ["o"], cmd = "")\n' for n in "12")
    ),
    _build(
        "output_over_rule", 'filegroup(name = "o")\ngenrule(name = "g", outs = ["o"], cmd = "")\n'
    ),
    _build(
        "rule_over_output", 'genrule(name = "g", outs = ["o"], cmd = "")\nfilegroup(name = "o")\n'
    ),
    _build("rule_over_file", 'exports_files(["o"])\nfilegroup(name = "o")\n'),
    _build(
        "file_over_output", 'genrule(name = "g", outs = ["o"], cmd = "")\nexports_files(["o"])\n'
    ),
    _build("group_over_rule", 'filegroup(name = "a")\npackage_group(name = "a")\n'),
    _build("rule_over_group", 'package_group(name = "a")\nfilegroup(name = "a")\n'),
    _build("exported_twice", 'exports_files(["o"])\nexports_files(["o"])\n'),
    _build(
        "exported_twice_otherwise",
        'exports_files(["o"], visibility = ["//a:__pkg__"])\n'
        'exports_files(["o"], visibility = ["//b:__pkg__"])\n',
    ),
    Mistake("border", {"BUILD": _FILEGROUP.format("sub/f.txt"), "sub/BUILD": ""}),
    Mistake(
        "border_of_output",
        {"BUILD": 'genrule(name = "g", outs = ["sub/o"], cmd = "")\n', "sub/BUILD": ""},
    ),
    Mistake("border_of_rule", {"BUILD": 'filegroup(name = "sub/r")\n', "sub/BUILD": ""}),
    Mistake(
        "border_elsewhere",
        {
            "BUILD": 'filegroup(name = "x", srcs = ["//border_elsewhere/a:b/f.txt"])\n',
            "a/BUILD": "",
            "a/b/BUILD": "",
        },
        ask=":x",
    ),
    Mistake(
        "border_without_build",
        {
            "BUILD": 'filegroup(name = "x", srcs = ["//border_without_build/a/b:f"])\n',
            "a/BUILD": "",
            "a/b/f": "",
        },
        ask=":x",
    ),
    _build("label_double_slash", _FILEGROUP.format("a//b")),
    _build("label_up", _FILEGROUP.format("../a")),
    _build("label_colon", _FILEGROUP.format("a:b")),
    _build("label_empty", _FILEGROUP.format("")),
    _build("label_lone_colon", _FILEGROUP.format(":")),
    _build("label_slash_end", _FILEGROUP.format("a/")),
    _build("label_absolute", _FILEGROUP.format("/a")),
    _build("label_dot", _FILEGROUP.format("./a")),
    _build("label_dot_inside", _FILEGROUP.format("a/./b")),
    _build("label_newline", 'filegroup(name = "x", srcs = ["a\\nb"])\n'),
    _build("label_backslash", 'filegroup(name = "x", srcs = ["a\\\\b"])\n'),
    _build("label_package_slash_end", _FILEGROUP.format("//a/:b")),
    _build("label_package_double", _FILEGROUP.format("//a//b:c")),
    _build("label_package_dots", _FILEGROUP.format("//a/../b:c")),
    _build("label_package_slash", _FILEGROUP.format("///a:b")),
    _build("label_package_backslash", 'filegroup(name = "x", srcs = ["//a\\\\b:c"])\n'),
    _build("label_package_at", _FILEGROUP.format("//a!b:c")),
    _build("label_repository", _FILEGROUP.format("@a b//c:d")),
    _build("label_repository_dots", _FILEGROUP.format("@..//c:d")),
    _build("label_at_colon", _FILEGROUP.format("@a:b")),
    _build("label_empty_name", _FILEGROUP.format("//a:")),
    _build("label_root", _FILEGROUP.format("//")),
    _build("name_slash_end", 'filegroup(name = "a/")\n'),
    _build("name_empty", 'filegroup(name = "")\n'),
    _build("name_colon", 'filegroup(name = "a:b")\n'),
    _build("name_missing", "filegroup()\n"),
    _build("name_number", "filegroup(name = 1)\n"),
    _build("output_up", 'genrule(name = "g", outs = ["../o"], cmd = "")\n'),
    _build("output_elsewhere", 'genrule(name = "g", outs = ["//a:o"], cmd = "")\n'),
    _build("load_missing_file", 'load(":no.bzl", "x")\n'),
    _build("load_missing_package", 'load("//no_such/package:no.bzl", "x")\n'),
    _build("load_missing_below_package", 'load("//empty/below:no.bzl", "x")\n'),
    Mistake("border_of_group", {"BUILD": 'package_group(name = "sub/g")\n', "sub/BUILD": ""}),
    _build("load_missing_repository", 'load("@no_such_repository//:no.bzl", "x")\n'),
    _build("load_missing_symbol", 'load(":a.bzl", "y")\n', **{"a.bzl": "x = 1\n"}),
    _build("load_misspelt_symbol", 'load(":a.bzl", "nmae")\n', **{"a.bzl": "name = 1\n"}),
    _build("load_private", 'load(":a.bzl", "_x")\n', **{"a.bzl": "_x = 1\n"}),
    _build("load_no_label", 'load("a", "x")\n'),
    _build("load_no_bzl", 'load(":a.txt", "x")\n'),
    _build("load_broken", 'load(":a.bzl", "x")\n', **{"a.bzl": "x = 1 +\n"}),
    _build("load_failing", 'load(":a.bzl", "x")\n', **{"a.bzl": 'x = fail("no")\n'}),
    Mistake(
        "load_over_border",
        {"BUILD": 'load(":sub/a.bzl", "x")\n', "sub/BUILD": "", "sub/a.bzl": "x = 1"},
    ),
    Mistake(
        "load_cycle",
        {
            "BUILD": 'load(":a.bzl", "x")\n',
            "a.bzl": 'load(":b.bzl", "y")\nx = y\n',
            "b.bzl": 'load(":a.bzl", "x")\ny = x\n',
        },
    ),
    _build("load_itself", 'load(":a.bzl", "x")\n', **{"a.bzl": 'load(":a.bzl", "x")\n'}),
    _build(
        "missing_target",
        'filegroup(name = "x", srcs = [":y"])\n'
        'filegroup(name = "z", srcs = ["//two_rules:nothing", ":yy"])\n',
        ask=":all",
    ),
    _build(
        "missing_target_elsewhere",
        'filegroup(name = "x", srcs = ["//empty:nothing"])\n'
        'filegroup(name = "z", srcs = ["//empty:nothing"])\n',
        ask=":all",
    ),
    _build("missing_file", 'filegroup(name = "x", srcs = ["no.txt"])\n', ask=":x"),
    _build("missing_package", 'filegroup(name = "x", srcs = ["//no_such/package:y"])\n', ask=":x"),
    _build(
        "missing_repository",
        'filegroup(name = "x", srcs = ["@no_such_repository//:y"])\n',
        ask=":x",
    ),
    _build("missing_misspelt", 'filegroup(name = "x", srcs = ["//empty:somethin"])\n', ask=":x"),
    _build(
        "cycle",
        'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b", srcs = [":a"])\n',
        ask=":a",
    ),
    _build("cycle_of_itself", 'filegroup(name = "a", srcs = [":a"])\n', ask=":a"),
    _build(
        "cycle_of_output", 'genrule(name = "a", srcs = ["o"], outs = ["o"], cmd = "")\n', ask=":a"
    ),
    _build("glob_up", 'filegroup(name = "x", srcs = glob(["../*"]))\n'),
    _build("glob_absolute", 'filegroup(name = "x", srcs = glob(["/etc/*"]))\n'),
    _build("glob_empty_pattern", 'filegroup(name = "x", srcs = glob([""]))\n'),
    _build("glob_stars", 'filegroup(name = "x", srcs = glob(["a**"]))\n'),
    _build("glob_question", 'filegroup(name = "x", srcs = glob(["a?"]))\n'),
    _build("glob_dot", 'filegroup(name = "x", srcs = glob(["./a"]))\n'),
    _build("glob_nothing", 'filegroup(name = "x", srcs = glob(["no*"], allow_empty = False))\n'),
    _build("glob_of_text", 'filegroup(name = "x", srcs = glob("a"))\n'),
    _build("glob_of_numbers", 'filegroup(name = "x", srcs = glob([1]))\n'),
    Mistake(
        # Bazel meets the links of a folder in any order, so that only one is asked about.
        "link_loop",
        {"BUILD": 'filegroup(name = "x", srcs = glob(["a"]))\n'},
        links={"a": "b", "b": "a"},
    ),
    Mistake(
        "link_to_itself",
        {"BUILD": 'filegroup(name = "x", srcs = glob(["**"]))\n', "d/f": ""},
        links={"d/again": "."},
    ),
    Mistake("build_is_loop", {}, links={"BUILD": "BUILD"}, raw={"f": b""}),
    Mistake("load_of_loop", {"BUILD": 'load(":a.bzl", "x")\n'}, links={"a.bzl": "a.bzl"}),
    Mistake("no_text", {}, raw={"BUILD": b'filegroup(name = "a")\n\xff\xfe\n'}),
    Mistake("latin_1", {}, raw={"BUILD": b'filegroup(name = "a", tags = ["\xe9"])\n'}),
    _build("no_such_attribute", 'filegroup(name = "x", scrs = [])\n'),
    _build("mandatory", 'genrule(name = "x")\n'),
    _build("wrong_type", 'filegroup(name = "x", srcs = "a")\n'),
    _build("wrong_item", 'filegroup(name = "x", srcs = [1])\n'),
    _build("duplicate_label", 'filegroup(name = "x", srcs = ["a", ":a"])\n'),
    _build("undefined", "foo()\n"),
    _build("syntax", "filegroup(name = \n"),
    _build("package_twice", "package(default_testonly = 1)\npackage(default_testonly = 0)\n"),
    _build("package_late", 'filegroup(name = "x")\npackage(default_testonly = 0)\n'),
    _build("package_empty", "package()\n"),
    _build(
        "visibility_mixed",
        'filegroup(name = "x", visibility = ["//visibility:public", "//a:__pkg__"])\n',
    ),
    _build(
        "select_type", 'filegroup(name = "x", testonly = select({"//conditions:default": 1}))\n'
    ),
    _build("select_empty", 'filegroup(name = "x", srcs = select({}))\n'),
    _build("positional", 'filegroup("x")\n'),
    _build("group_bad", 'package_group(name = "x", packages = ["a"])\n'),
    _build("fails", 'fail("stop")\nfilegroup(name = "x")\n'),
    _build("divides", 'x = 1 // 0\nfilegroup(name = "x")\n'),
)


@dataclass(frozen=True)
class Report:
    """What both sides say of a mistake; None where there is nothing to be said (it is none).

    `because` tells why the two differ, where they do.
    """

    bazel: str | None
    ours: str | None
    because: str = ""


def expected(mistake: Mistake) -> Report:
    """The reports of that mistake, as measured with Bazel 4.2.3."""
    found = _table()[mistake.name]
    if "says" in found:
        return Report(found["says"], found["says"])
    return Report(found["bazel"], found["ours"], found["because"])


@cache
def _table() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("mistakes.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, str]] = json.loads(text)
    return table


def lay_out(root: Path) -> None:
    """Writes a workspace of all mistakes, and the package `empty` that some of them name."""
    (root / "empty").mkdir(parents=True)
    (root / "WORKSPACE").write_text("")
    (root / "empty" / "BUILD").write_text('filegroup(name = "something")\n')
    for mistake in MISTAKES:
        mistake.write(root)
