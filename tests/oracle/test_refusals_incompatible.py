"""What we refuse beside what 4.2.3 refuses where targets are incompatible with the platform, or
depend on such: what is checked before that is known, and what is never looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.oracle.query_language_world import STUBS
from tests.oracle.refusals.messages import said_of_tree
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
_SHARED = {
    f"stubs/{name}/{path}": text
    for name, files in STUBS.items()
    for path, text in {"WORKSPACE": "", **files}.items()
} | {
    "WORKSPACE": "".join(
        f'local_repository(name = "{name}", path = "stubs/{name}")\n' for name in STUBS
    ),
    "d.bzl": """
def _impl(ctx):
    if ctx.attr.fails:
        fail("stop")
    return []
r = rule(implementation = _impl, attrs = {
    "one": attr.label(allow_single_file = True),
    "deps": attr.label_list(allow_files = [".zz"]),
    "fails": attr.bool(),
    "must": attr.label(mandatory = True),
})
I = ["//p:v"]
""",
    "BUILD": "",
    "p/BUILD": """
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s", visibility = ["//visibility:public"])
filegroup(name = "private", visibility = ["//visibility:private"])
sh_library(name = "inc", target_compatible_with = [":v"], visibility = ["//visibility:private"])
""",
}
_HEAD = """
load("//:d.bzl", "I", "r")
sh_library(name = "inc", target_compatible_with = I)
filegroup(name = "ok")
config_setting(name = "never", values = {"cpu": "nope"})
config_setting(name = "bad", values = {"compilation_mode": "what"})
"""
_RULES = {
    "of_a_dependency": """
r(name = "single", one = ":inc", must = ":ok")
r(name = "fails", deps = [":inc"], fails = True, must = ":ok")
r(name = "misplaced", deps = [":inc", "x.txt"], must = ":ok")
r(name = "private", deps = [":inc", "//p:private"], must = ":ok")
r(name = "missing", deps = [":inc", "//p:nothing"], must = ":ok")
r(name = "above", deps = [":single"], fails = True, must = ":ok")
r(name = "private_inc", deps = ["//p:inc"], must = ":ok")
sh_library(name = "no_match", srcs = [":inc"], data = select({":never": ["x.txt"]}))
sh_library(name = "for_tests", testonly = 1, target_compatible_with = I)
sh_library(name = "uses_for_tests", deps = [":for_tests"])
genrule(name = "text", srcs = [":inc"], outs = ["o1"], cmd = "$(NONE)")
genrule(name = "tool", tools = [":inc"], outs = ["o2"], cmd = "$(NONE)")
alias(name = "alias", actual = ":inc")
genrule(name = "by_alias", srcs = [":alias"], outs = ["o3"], cmd = "$(location :alias) $(NONE)")
cc_library(name = "lib", srcs = ["x.cc"], target_compatible_with = I)
cc_binary(name = "program", deps = [":lib"], copts = ["$(NONE)"])
""",
    "of_its_own": """
r(name = "fails", fails = True, target_compatible_with = I, must = ":ok")
r(name = "misplaced", deps = ["x.txt"], target_compatible_with = I, must = ":ok")
r(name = "private", deps = ["//p:private"], target_compatible_with = I, must = ":ok")
r(name = "missing", deps = ["//p:nothing"], target_compatible_with = I, must = ":ok")
r(name = "above_failing", deps = [":failing"], target_compatible_with = I, must = ":ok")
r(name = "failing", fails = True, must = ":ok")
sh_library(name = "no_match", srcs = select({":never": ["x.txt"]}), target_compatible_with = I)
sh_library(name = "no_key", target_compatible_with = I,
           srcs = select({":ok": ["x.sh"], "//conditions:default": []}))
sh_library(name = "bad_key", target_compatible_with = I,
           srcs = select({":bad": ["x.sh"], "//conditions:default": []}))
cc_library(name = "misplaced_source", srcs = ["x.txt"], target_compatible_with = I)
cc_library(name = "above_misplaced", deps = [":misplaced_source", "x.txt"])
cc_library(name = "text", srcs = ["x.cc"], copts = ["$(NONE)"], target_compatible_with = I)
genrule(name = "command", outs = ["o"], cmd = "$(NONE)", target_compatible_with = I)
sh_binary(name = "two", srcs = ["x.sh", "y.sh"], target_compatible_with = I)
""",
}


@pytest.mark.parametrize("package", sorted(_RULES))
def test_the_same_is_refused(package: str, bazel: Callable[[str], Bazel], warm_root: Path) -> None:
    files = {**_SHARED, f"{package}/BUILD": _HEAD + _RULES[package]}
    files |= {f"{package}/{name}": "" for name in ("x.txt", "x.cc", "x.sh", "y.sh")}
    write_files(warm_root, files)
    real = bazel(VERSION).run(
        warm_root, "build", "--nobuild", "--keep_going", "--color=no", f"//{package}/..."
    )
    theirs, unread = said_of_tree(real.stderr, warm_root)
    assert not unread
    assert theirs
    workspace = Workspace.open(warm_root, bazel_version=VERSION, host="linux")
    asked = workspace.configure(["--", f"//{package}/..."], command="build")
    refusals = asked.explain().envelope.refusals
    ours = {(one.kind.value, str(one.target)) for one in refusals if not one.also}
    assert theirs - ours == set(), "missed"
    assert ours - theirs == set(), "invented"


_NAMED = {
    "BUILD": """
load("//:d.bzl", "runs_test")
sh_library(name = "out", target_compatible_with = ["//p:v"])
filegroup(name = "above", srcs = [":out"])
filegroup(name = "well")
alias(name = "other", actual = ":out")
runs_test(name = "skipped", target_compatible_with = ["//p:v"])
runs_test(name = "runs")
test_suite(name = "suite", tests = [":skipped", ":runs"])
test_suite(name = "only", tests = [":skipped"])
alias(name = "other_suite", actual = ":suite")
filegroup(name = "of_suite", srcs = [":suite"])
py_library(name = "compiled", srcs = ["x.py"], target_compatible_with = ["//p:v"])
""",
    "x.py": "",
}
_RUNS = """
def _runs(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(made, "", is_executable = True)
    return [DefaultInfo(executable = made)]
runs_test = rule(_runs, test = True)
"""
_LINES = (
    "//n:out",
    "n:out",
    "n/out",
    "//n:out //n/...",
    "//n/... //n:out",
    "//n/...",
    "//n:all",
    "//n:above //n/...",
    "-- //n:well //n:out -//n:out",
    "//n:other",
    "//n:suite",
    "//n:only",
    "//n:other_suite",
    "//n:of_suite",
    "//n:suite //n:skipped",
    "--noexpand_test_suites //n:suite",
    "--build_tests_only //n:suite //n:runs",
    "--build_tests_only //n:skipped",
    "--build_tag_filters=x //n:skipped",
    "--compile_one_dependency n/x.py",
    "--compile_one_dependency //n:x.py",
)


def test_incompatible_targets_are_refused_where_they_are_named(
    bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    """As far as a line asks for them by their labels; the tests of a suite are not."""
    files = {**_SHARED, **{f"n/{name}": text for name, text in _NAMED.items()}}
    write_files(warm_root, {**files, "d.bzl": _SHARED["d.bzl"] + _RUNS})
    real = bazel(VERSION)
    workspace = Workspace.open(warm_root, bazel_version=VERSION, host="linux")
    different = []
    for line in _LINES:
        words = line.split()
        theirs = real.run(warm_root, "build", "--nobuild", *words).exit_code != 0
        configured = workspace.configure(words)
        told = bool(configured.explain().envelope.refusals)
        checked = any(one.code == "BZS006" for one in configured.check(codes=["BZS006"]).findings)
        if not theirs == told == checked:
            different.append((line, theirs, told, checked))
    assert not different
