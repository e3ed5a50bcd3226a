"""What stands for a part of a text that nobody knows is never printed under its own name."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_RULE = '''
def _impl(ctx):
    out = ctx.execute(["prog"]).stdout
    ctx.file("BUILD", """
load(":defs.bzl", "X", "Y")
filegroup(name = "k", srcs = X.keys())
cc_library(name = "d", copts = ["-D%s"], defines = Y, deps = ["@%s//:x", ":%s"])
genrule(name = "g", outs = ["%s.h"], cmd = "echo %s > $@")
config_setting(name = "h", values = {"cpu": "%s"}, visibility = ["//visibility:public"])
filegroup(name = "in_error_%s", srcs = nobody(%s))
""" % (out, out, out, out, out, out, out, out))
    ctx.file("defs.bzl", """
X = %s
Y = ["%s", "a"]
Z = {"%s": 1}.keys()
W = %s.foo.bar
""" % (out, out, out, out))
made = repository_rule(implementation = _impl)
'''
_BUILD = """
load("@m//:defs.bzl", "W", "X", "Y", "Z")
filegroup(name = "a", srcs = X.keys())
filegroup(name = "b", srcs = Y)
filegroup(name = "c", srcs = [W])
filegroup(name = "q", srcs = select({"@m//:h": ["@m//:d"], "//conditions:default": []}))
[filegroup(name = "r_" + z) for z in Z]
filegroup(name = "t", srcs = X[W] + [Y[0].upper(), "%s" % W])
"""


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "words",
    [
        *(("explain", f"@m//:{name}", "--full") for name in "dghk"),
        *(("explain", f"//:{name}", "--full") for name in "abcqt"),
        *((command, "//:q", "--full") for command in ("deps", "select", "why")),
        ("path", "//:q", "@m//:d"),
        ("repos", "m", "--full"),
        ("check", "--full"),
        ("query", "deps(@m//:all + //:all)", "--keep_going"),
        ("cquery", "deps(@m//:all + //:all)", "--keep_going"),
    ],
)
def test_no_internal_name_is_printed(
    words: tuple[str, ...], form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = 'load("//:r.bzl", "made")\nmade(name = "m")\n'
    write_files(tmp_path, {"WORKSPACE": workspace, "r.bzl": _RULE, "BUILD": _BUILD})
    main([words[0], "-w", str(tmp_path), "--no-cache", "--format", form, *words[1:]])
    said = capsys.readouterr()
    assert "_piece_" not in (said.out + said.err).lower()
    assert "internal error" not in said.err
