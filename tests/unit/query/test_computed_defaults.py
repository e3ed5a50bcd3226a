"""Defaults that a function computes from several select()s: a value for each combination, as
Bazel 4.2.3 has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_DEFINES = 'define_values = {n: "1"}'
_FILES = {
    "WORKSPACE": "",
    "r.bzl": """\
def _impl(ctx):
    return []

def _tool(one, two):
    return Label("//:%s_%s" % (one, two))

def _deps(more, names):
    return [Label("//:l_" + name) for name in names + more]

def _none(a, b):
    return Label("//:%s" % (1 // int(a + b)))

r = rule(
    _impl,
    attrs = {
        "one": attr.string(default = "d"),
        "two": attr.string(default = "e"),
        "names": attr.string_list(),
        "more": attr.string_list(),
        "_tool": attr.label(default = _tool),
        "_deps": attr.label_list(default = _deps),
    },
)
fails = rule(
    _impl,
    attrs = {"a": attr.string(), "b": attr.string(), "_tool": attr.label(default = _none)},
)
""",
    "BUILD": f"""\
load(":r.bzl", "r")
[config_setting(name = n, {_DEFINES}) for n in ["a", "b", "c"]]
[filegroup(name = x + "_" + y) for x in "dpq".elems() for y in "ers".elems()]
[filegroup(name = "l_" + n) for n in "uvwxyz".elems()]
r(
    name = "two_attributes",
    one = select({{":a": "p", "//conditions:default": "q"}}),
    two = select({{":b": "r", "//conditions:default": "s"}}),
)
r(
    name = "sums",
    names = select({{":a": ["u"], "//conditions:default": ["v"]}})
            + select({{":b": ["w"], "//conditions:default": []}}),
    more = ["z"] + select({{":c": ["x"], "//conditions:default": ["y"]}}),
)
r(
    name = "same_keys",
    names = select({{":a": ["u"], "//conditions:default": ["v"]}})
            + select({{":a": ["w"], "//conditions:default": ["x"]}}),
)
""",
    "many/BUILD": """\
load("//:r.bzl", "fails", "r")
_FOUR = {"//:%s" % x: x for x in ["a", "b", "c"]}
_FOUR["//conditions:default"] = "d"
[filegroup(name = x) for x in "xyz".elems()]
r(
    name = "too_many",
    names = select({k: [] for k in _FOUR}) + select({"//:x%s" % k: [] for k in range(17)}),
)
filegroup(name = "after")
""",
    "fails/BUILD": """\
load("//:r.bzl", "fails")
fails(
    name = "f",
    a = select({"//:a": "0", "//conditions:default": "1"}),
    b = select({"//:b": "0", "//conditions:default": "1"}),
)
filegroup(name = "after")
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, _FILES)
    return tmp_path


def _asked(root: Path, capfd: pytest.CaptureFixture[str], *words: str) -> set[str]:
    main([words[0], *words[1:], "--workspace", str(root), "--bazel-version", "4.2.3"])
    return {line.split(" ")[0] for line in capfd.readouterr().out.splitlines()}


@pytest.mark.parametrize(
    ("target", "attribute", "labels"),
    [
        ("two_attributes", "$tool", {"//:p_r", "//:p_s", "//:q_r", "//:q_s"}),
        ("sums", "$deps", {f"//:l_{name}" for name in "uvwxyz"}),
        ("same_keys", "$deps", {"//:l_u", "//:l_v", "//:l_w", "//:l_x"}),
    ],
)
def test_a_query_has_every_combination(
    target: str,
    attribute: str,
    labels: set[str],
    root: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert _asked(root, capfd, "query", f"labels({attribute}, //:{target})") == labels
    assert labels <= _asked(root, capfd, "query", f"deps(//:{target})")


@pytest.mark.parametrize(
    ("flags", "tool", "deps"),
    [
        ([], "q_s", "vzy"),
        (["--define=a=1"], "p_s", "uzy"),
        (["--define=b=1"], "q_r", "vwzy"),
        (["--define=a=1", "--define=b=1"], "p_r", "uwzy"),
        (["--define=a=1", "--define=c=1"], "p_s", "uzx"),
    ],
)
def test_a_configuration_takes_one(
    flags: list[str], tool: str, deps: str, root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a second run reads of the first has the branches in one another, too."""
    every = {f"//:{x}_{y}" for x in "pq" for y in "rs"} | {f"//:l_{x}" for x in "uvwxyz"}
    wanted = {f"//:{tool}"}, {f"//:l_{x}" for x in deps}
    for _ in range(2):
        for target, expected in zip(("two_attributes", "sums"), wanted, strict=True):
            reached = _asked(root, capfd, "cquery", f"deps(//:{target}, 1)", *flags)
            own = {"//:d_e"} if target == "sums" else set()
            assert reached & every == expected - own


@pytest.mark.parametrize(
    ("package", "error"),
    [
        ("many", "too_many': Too many configurable attributes to compute all possible values:"),
        ("fails", "'_tool' in rule '//fails:f': "),
    ],
)
def test_what_cannot_be_computed_ends_the_file(
    package: str, error: str, root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    main(["query", f"//{package}:all", "-k", "-w", str(root), "--bazel-version", "4.2.3"])
    out, err = capfd.readouterr()
    assert "Cannot compute default value of attribute" in err
    assert error in err
    assert f"//{package}:after" not in out
