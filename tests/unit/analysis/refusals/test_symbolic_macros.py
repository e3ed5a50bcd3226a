"""Who sees whom where symbolic macros declare targets, and which names are refused.

As Bazel's `CommonPrerequisiteValidator` and its documentation of visibility have it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_BZL = """
def _impl(name, visibility, srcs):
    native.filegroup(name = name, srcs = srcs, visibility = visibility)
    native.filegroup(name = name + "_own", srcs = ["//lib:own"])
    native.filegroup(name = name + "_peek", srcs = ["//other:secret"])
    native.filegroup(name = "odd" + name)

m = macro(implementation = _impl, attrs = {"srcs": attr.label_list()})

def _outer(name, visibility, srcs):
    m(name = name, srcs = srcs)
    m(name = name + "_mixed", srcs = ["//other:for_a"])

outer = macro(implementation = _outer, attrs = {"srcs": attr.label_list()})

def _last(name, visibility):
    native.filegroup(name = name, srcs = ["//other:for_a"])

last = macro(implementation = _last, finalizer = True)
"""
_FILES = {
    "MODULE.bazel": "",
    "lib/BUILD": 'filegroup(name = "own", visibility = ["//visibility:private"])',
    "lib/m.bzl": _BZL,
    "other/BUILD": """
filegroup(name = "for_a", visibility = ["//a:__pkg__"])
filegroup(name = "secret", visibility = ["//a:__pkg__"])
""",
    "a/BUILD": """
load("//lib:m.bzl", "last", "m", "outer")
m(name = "x", srcs = ["//other:for_a"])
outer(name = "y", srcs = ["//other:for_a"])
m(name = "sees_inside", srcs = [":x_own"])
filegroup(name = "sees_own", srcs = [":x_own"])
filegroup(name = "sees_passed", srcs = [":x"])
last(name = "end")
""",
}


@pytest.mark.parametrize(
    ("target", "version", "refused"),
    [
        ("x", "8.2.0", ""),  # the caller sees what it passed
        ("x_own", "8.2.0", ""),  # the macro sees what is its own
        ("x_peek", "8.2.0", "//other:secret"),  # but not what only the caller sees
        ("y", "8.2.0", ""),  # passed on twice
        # The outer macro named it itself, but was given the same label.
        ("y_mixed", "8.2.0", ""),
        ("sees_own", "8.2.0", "//a:x_own"),
        ("sees_inside", "8.2.0", "//a:x_own"),
        ("sees_passed", "8.2.0", ""),
        # A finalizer sees what its BUILD file sees, since 8.2.
        ("end", "8.2.0", ""),
        ("end", "8.1.0", "//other:for_a"),
    ],
)
def test_who_sees_whom(target: str, version: str, refused: str, tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    told = [
        (one.kind.value, one.message)
        for one in workspace.configure([]).refusals(f"//a:{target}")
        if not one.also
    ]
    message = f"target '{refused}' is not visible from target '//a:{target}'"
    assert told == ([("not-visible", message)] if refused else [])


def test_names_that_do_not_begin_with_the_macros(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    workspace = Workspace.open(tmp_path, bazel_version="9.0.0", host="linux")
    (refusal,) = workspace.configure([]).refusals("//a:oddx")
    assert refusal.kind.value == "macro-naming"
    assert refusal.message == (
        "Target //a:oddx declared in symbolic macro 'x' violates macro naming rules and cannot be"
        " built. Name must be the same as the macro's name, or the macro's name followed by '_'"
        " (recommended), '-', or '.', and a non-empty string."
    )


def test_names_of_exported_files_that_do_not_begin_with_the_macros(tmp_path: Path) -> None:
    bzl = """
def _impl(name, visibility):
    native.exports_files(["abc.txt", "abc_txt", "xyz.txt"])

m = macro(implementation = _impl)
"""
    build = """
load(":m.bzl", "m")
m(name = "abc")
filegroup(name = "uses", srcs = ["xyz.txt"])
"""
    write_files(tmp_path, {"MODULE.bazel": "", "m.bzl": bzl, "BUILD": build})
    asked = Workspace.open(tmp_path, bazel_version="9.0.0", host="linux").configure([])
    assert not asked.refusals("//:abc.txt") + asked.refusals("//:abc_txt")
    for user in ("//:xyz.txt", "//:uses"):
        (refusal,) = asked.refusals(user)
        assert refusal.kind.value == "macro-naming"
        assert refusal.message.startswith("Target //:xyz.txt declared in symbolic macro 'abc'")


def test_what_is_kept_knows_the_macro(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    for _ in range(2):
        cache = tmp_path / "cache"
        opened = Workspace.open(tmp_path, bazel_version="8.2.0", host="linux", cache_dir=cache)
        assert len(opened.configure([]).refusals("//a:x_peek")) == 1
