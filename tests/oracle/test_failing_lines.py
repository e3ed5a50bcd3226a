"""Command lines that stand for sound targets, and for such as fail: what a real Bazel refuses,
`explain` and `check` refuse, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

FILES = {
    "WORKSPACE": 'local_repository(name = "other", path = "other")\n',
    "other/WORKSPACE": 'workspace(name = "other")\n',
    "other/BUILD": 'filegroup(name = "o")\nfilegroup(name = "lost", srcs = ["//none:none"])\n',
    "d.bzl": """
def _impl(ctx):
    if ctx.attr.fails:
        fail("stop")
r = rule(_impl, attrs = {"fails": attr.bool(), "deps": attr.label_list()})
""",
    "BUILD": """
load("//:d.bzl", "r")
r(name = "ok")
r(name = "by_hand", fails = True, tags = ["manual"])
alias(name = "also", actual = "//c:lost")
""",
    "a/BUILD": """
load("//:d.bzl", "r")
r(name = "a")
r(name = "of_c", deps = ["//c:c"])
""",
    "a/below/BUILD": 'filegroup(name = "below")\n',
    "b/BUILD": 'filegroup(name = "b")\nfilegroup(name = "one")\nfilegroup(name = "b")\n',
    "broken/BUILD": 'filegroup(name = "broken"\n',
    "loads/BUILD": 'load("//nowhere:x.bzl", "x")\nfilegroup(name = "loads")\n',
    "empty/BUILD": "",
    "c/BUILD": """
load("//:d.bzl", "r")
r(name = "c", visibility = ["//visibility:public"])
r(name = "lost", deps = [":none"])
r(name = "above", deps = [":lost"])
r(name = "fails", fails = True)
r(name = "of_b", deps = ["//b:one"])
r(name = "private", deps = ["//e:e"])
r(name = "abroad", deps = ["@other//:lost"])
""",
    "e/BUILD": 'filegroup(name = "e")\n',
}
LINES = """
//:ok
ok
//:by_hand
//:all
//:also
//:d.bzl
d.bzl
//a:a //e/...
//a/...
a/below
//a/below:all -//c:c
//b:one
//b:all
//b:none
//broken:all
//broken:broken
//loads/...
//...
//... -//c/...
//... -//c/... -//b/... -//broken/... -//loads/... -//:also
//a/... -//b:all
//a/... -//none:all
--keep_going //a/... //none:all
--keep_going //a/... //c:all
--keep_going //a/... -//c:fails
--keep_going //a:a -//b:one
--keep_going //a:a -//b/...
--keep_going //a:a -//broken:all
--keep_going //a:a -//broken:broken
--keep_going //a:a -//loads/...
--keep_going //a:a -//none:none
--keep_going //a:a //b:one
//a:a -//b:one
//a:a -//a:none
//a:a -//none:none
//none:all
//none/...
//none
//a:none
//empty:all
//empty/...
//c:c
//c:all
//c:lost
//c:above
//c:fails
//c:of_b
//c:private
--nocheck_visibility //c:private
--check_visibility=false //c:private
//c:abroad
@other//:o
@other//:all
@other//... -@other//:lost
--deleted_packages=c //c:all
--deleted_packages=b,broken,loads,c //...
--deleted_packages=b,broken,loads,c //a:a
--deleted_packages=c //a:of_c
--build_manual_tests //:all
--build_tag_filters=manual //:by_hand
--build_tag_filters=-manual //:by_hand
--build_tests_only //c:all
""".strip().split("\n")


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_the_same_lines_are_refused(
    version: str,
    warm_root: Path,
    bazel: Callable[[str], Bazel],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(warm_root, FILES)
    own = ["-w", str(warm_root), f"--bazel-version={version}", "--host=linux"]
    different = []
    for line in LINES:
        words = line.split()
        if words[-1].startswith("-"):  # What excludes stands behind a separator.
            words.insert(sum(word.startswith("--") for word in words), "--")
        theirs = bazel(version).run(warm_root, "build", "--nobuild", *words).exit_code != 0
        for command in (["explain"], ["check", "--codes=BZS00"]):
            mine = main([*command, *own, *words])
            capsys.readouterr()
            if (mine != 0) != theirs:
                different.append((line, theirs, command[0], mine))
    assert not different
