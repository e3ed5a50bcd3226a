"""A small workspace of which a test says the root package, and what is refused of its targets."""

from __future__ import annotations

from pathlib import Path

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.api import Workspace

_SETTINGS = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
config_setting(name = "bad", values = {"compilation_mode": "fast"})
"""

LIB = """
filegroup(name = "private")
filegroup(name = "open", visibility = ["//visibility:public"])
filegroup(name = "tests", testonly = 1, visibility = ["//visibility:public"])
genrule(name = "make", outs = ["made"], cmd = "", testonly = 1,
        visibility = ["//visibility:public"])
alias(name = "way", actual = ":private", visibility = ["//visibility:public"])
alias(name = "shut", actual = ":open")
"""

FAR = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://e.org/far.zip"])
"""

BOTH = ("--define=a=1", "--define=b=1")


def refused(
    root: Path,
    build: str,
    *words: str,
    version: str = "4.2.3",
    target: str = "//:top",
    workspace: str = "",
    lib: str = LIB,
) -> tuple[Refusal, ...]:
    files = {"WORKSPACE": workspace, "BUILD": _SETTINGS + build, "lib/BUILD": lib}
    files["broken/BUILD"] = (
        'filegroup(name = "x", visibility = ["//visibility:public"])\nfail("stop")\n'
    )
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    return workspace.configure([*words]).refusals(target)
