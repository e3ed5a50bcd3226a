"""A workspace that is opened, asked and dropped leaves nothing behind in the process."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path

from bazelscope.api import Workspace
from tests.support.files import write_files

FILES = {
    "WORKSPACE": 'load("//:made.bzl", "made")\nmade(name = "made")\n',
    "made.bzl": """
def _made(ctx):
    out = ctx.execute(["program"]).stdout
    ctx.file("BUILD", "filegroup(name = 'f', srcs = ['%s'])" % out)

made = repository_rule(_made)
""",
    "rules.bzl": """
def _impl(ctx):
    pass

some_rule = rule(
    _impl,
    attrs = {"srcs": attr.label_list(), "tool": attr.label(default = "//tools:t")},
)

def macro(name, srcs):
    some_rule(name = name, srcs = srcs + select({"//:on": ["b.cc"], "//conditions:default": []}))
""",
    "BUILD": """
load("//:rules.bzl", "macro")
macro(name = "top", srcs = ["a.cc", "@made//:f"])
config_setting(name = "on", define_values = {"x": "1"})
""",
    "tools/BUILD": 'filegroup(name = "t", visibility = ["//visibility:public"])\n',
    ".bazelrc": "build:x --define=x=1\nbuild --config=x\n",
}

ROUNDS = 15


def _ask(root: Path) -> None:
    workspace = Workspace.open(root, bazel_version="4.2.3")
    build = workspace.configure(["//:all"])
    assert build.deps("//:top").total
    build.select("//:top")
    build.repos("made")
    build.query("deps(//...)")
    build.explain()


def test_memory_stays_flat(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    for _ in range(4):  # What is read once for all, such as the tables of flags.
        _ask(tmp_path)
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(ROUNDS):
        _ask(tmp_path)
    gc.collect()
    assert (sys.getallocatedblocks() - before) / ROUNDS < 50


def test_a_line_dies_with_its_last_use(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    line = Workspace.open(tmp_path, bazel_version="4.2.3").configure(["//:all"])
    assert line.world.resolve_words(("--define=x=2",)).defines["x"].value == "2"
    alive = weakref.ref(line)
    gc.disable()
    try:
        del line
        assert alive() is None
    finally:
        gc.enable()
