"""Where mappings and visibility prove that nothing unknown leads to a target, `path` denies it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
"""
_APP = """
load("@far//:defs.bzl", "listed")
filegroup(name = "app", srcs = ["@far//b:near"])
filegroup(name = "attribute", srcs = listed())
"""
_END = 'filegroup(name = "inner"%s)\nfilegroup(name = "user", srcs = [":inner"]%s)\n'
_PUBLIC = ', visibility = ["//visibility:public"]'
_TO_APP = ', visibility = ["//app:__pkg__"]'
_TO_KNOWN = ', visibility = ["//known:__pkg__"]'
_TO_GROUP = ', visibility = ["//app:group"]'


def _code(root: Path, files: dict[str, str], *words: str) -> int:
    write_files(root, files)
    return main(["path", *words, "--workspace", str(root), "--no-cache"])


@pytest.mark.parametrize(
    ("inner", "user", "start", "flags", "code"),
    [
        ("", "", "//app:app", [], 1),
        ("", "", "//app:app", ["--nocheck_visibility"], 3),
        (_PUBLIC, "", "//app:app", [], 3),
        ("", _PUBLIC, "//app:app", [], 3),
        (_TO_APP, "", "//app:app", [], 3),  # `listed()` may declare what @far uses
        (_TO_KNOWN, "", "//app:app", [], 1),
        (_TO_APP, "", "//app:attribute", [], 3),
        ("", _TO_APP, "//app:attribute", [], 3),
        ("", "", "//app:attribute", [], 1),
        (_TO_GROUP, "", "//known:known", [], 1),
        (_TO_GROUP, "", "//app:attribute", [], 1),
    ],
)
def test_of_what_nobody_else_sees(
    tmp_path: Path, inner: str, user: str, start: str, flags: list[str], code: int
) -> None:
    files = {
        "WORKSPACE": _WORKSPACE,
        ".bazelversion": "4.2.3",
        "app/BUILD": _APP + 'package_group(name = "group", packages = ["//known"])\n',
        "known/BUILD": 'filegroup(name = "known", srcs = ["@far//b:near"])',
        "end/BUILD": _END % (inner, user),
    }
    assert _code(tmp_path, files, start, "//end:inner", *flags) == code


_MODULES = {
    ".bazelversion": "8.0.0",
    "MODULE.bazel": """
module(name = "root")
bazel_dep(name = "far", version = "1.0")
bazel_dep(name = "near", version = "1.0")
local_path_override(module_name = "near", path = "near")
""",
    "BUILD": f'filegroup(name = "end"{_PUBLIC})\nfilegroup(name = "top", srcs = ["@near//:all"])\n',
    "near/MODULE.bazel": """
module(name = "near", version = "1.0")
maker = use_extension("//:maker.bzl", "maker")
use_repo(maker, "made")
""",
    "near/maker.bzl": """
def _fetch(ctx):
    ctx.download_and_extract("https://example.com/made.zip")

fetch = repository_rule(_fetch, attrs = {"builds": attr.label_list()})

def _made(ctx):
    fetch(name = "made", builds = [%s])

maker = module_extension(_made, tag_classes = {"take": tag_class()})
""",
    "near/BUILD": f'filegroup(name = "all", srcs = ["@made//:files"]{_PUBLIC})\n',
}


@pytest.mark.parametrize(
    ("builds", "code"),
    [
        ("", 1),
        ('"@@//:end"', 3),
        ('"@@far+//:end"', 1),
        ('"//:end"', 1),
        ('Label("@@//:end")', 3),
        ('Label("//:end")', 1),
    ],
)
def test_of_modules_that_do_not_see_the_root(tmp_path: Path, builds: str, code: int) -> None:
    files = {**_MODULES, "near/maker.bzl": _MODULES["near/maker.bzl"] % builds}
    files["MODULE.bazel"] = files["MODULE.bazel"].replace('"root"', "").replace("name = ", "", 1)
    assert _code(tmp_path, files, "//:top", "//:end") == code


def test_of_what_is_registered(tmp_path: Path) -> None:
    files = {**_MODULES, "near/maker.bzl": _MODULES["near/maker.bzl"] % ""}
    files["MODULE.bazel"] += 'register_toolchains("//:end")\n'
    assert _code(tmp_path, files, "//:top", "//:end") == 3


def test_of_what_tags_of_the_root_may_name(tmp_path: Path) -> None:
    files = {**_MODULES, "near/maker.bzl": _MODULES["near/maker.bzl"] % ""}
    files["MODULE.bazel"] += """
maker = use_extension("@near//:maker.bzl", "maker")
maker.take()
"""
    assert _code(tmp_path, files, "//:top", "//:end") == 3
