"""A rule implementation's own `fail()`, and a repository rule's, as refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.files import write_files

_RULES = """
Flag = provider()
def _flag(ctx):
    return Flag(value = ctx.build_setting_value)
flag = rule(_flag, build_setting = config.bool(flag = True))
def _impl(ctx):
    if ctx.attr.flag and ctx.attr.flag[Flag].value:
        fail("not with", ctx.attr.flag.label)
    if ctx.attr.unknown:
        fail("perhaps") if ctx.fragments.cpp.custom_malloc else None
r = rule(_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "flag": attr.label(),
    "unknown": attr.bool(),
}, fragments = ["cpp"])
"""
_BUILD = """
load(":rules.bzl", "flag", "r")
flag(name = "f", build_setting_default = False)
"""


def refused(root: Path, build: str, *words: str, target: str = "//:top") -> tuple[Refusal, ...]:
    write_files(root, {"WORKSPACE": "", "rules.bzl": _RULES, "BUILD": _BUILD + build})
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux")
    return workspace.configure([*words]).refusals(target)


def told(refusals: tuple[Refusal, ...]) -> list[str]:
    return [f"{'also ' if one.also else ''}{one.kind.value} {one.target}" for one in refusals]


FAILS = "implementation-failed"


@pytest.mark.parametrize(
    ("build", "words", "expected"),
    [
        ('r(name = "top", flag = ":f")', ("--//:f",), [f"{FAILS} //:top"]),
        ('r(name = "top", flag = ":f")', (), []),
        # Bazel does not look at what depends on a target that fails.
        (
            'r(name = "top", deps = [":a"])\nr(name = "a", flag = ":f")',
            ("--//:f",),
            [f"{FAILS} //:a"],
        ),
        (
            'r(name = "top", flag = ":f", deps = ["//nowhere:x"])',
            ("--//:f",),
            ["no-such-package //:top", f"also {FAILS} //:top"],
        ),
        # What is decided by something unknown may not fail.
        ('r(name = "top", unknown = True)', (), []),
        (
            'alias(name = "top", actual = ":a")\nr(name = "a", flag = ":f")',
            ("--//:f",),
            [f"{FAILS} //:a"],
        ),
    ],
)
def test_what_fails_is_refused(
    build: str, words: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    assert told(refused(tmp_path, build, *words)) == expected


def test_a_failure_has_its_place_its_text_and_its_causes(tmp_path: Path) -> None:
    (one,) = refused(tmp_path, 'r(name = "top", flag = ":f")', "--//:f")
    assert one.message == "not with //:f"
    assert one.location is not None
    assert (one.location.path, one.location.line) == ("rules.bzl", 8)
    assert [frame.function for frame in one.call_stack] == ["_impl"]
    assert [cause.text for cause in one.causes] == [
        "//:top is a r rule",
        "//:f is true",
    ]


_REPOSITORY = """
def _impl(ctx):
    ctx.file("BUILD", "filegroup(name = 'x', visibility = ['//visibility:public'])")
    if ctx.os.environ.get("V") == "2":
        fail("only 1 is\\nsupported")
    if ctx.os.environ.get("V") == "3" and ctx.execute(["x"]).stdout:
        fail("perhaps")
    ctx.file("x.bzl", "X = 1")
made = repository_rule(_impl, environ = ["V"])
"""


@pytest.mark.parametrize(
    ("workspace", "build", "version", "expected"),
    [
        ("", 'filegroup(name = "top", srcs = ["@m//:x"])', "1", []),
        ("", 'filegroup(name = "top", srcs = ["@m//:x"])', "2", ["repository-rule //:top"]),
        ("", 'filegroup(name = "top", srcs = ["@m//:x"])', "3", []),
        ("", 'filegroup(name = "top")', "2", []),
        ('load("@m//:x.bzl", "X")', 'filegroup(name = "top")', "2", ["repository-rule None"]),
        ('load("@m//:x.bzl", "X")', 'filegroup(name = "top")', "1", []),
    ],
)
def test_the_fail_of_a_repository_rule(
    workspace: str, build: str, version: str, expected: list[str], tmp_path: Path
) -> None:
    text = f'load("//:made.bzl", "made")\nmade(name = "m")\n{workspace}\n'
    write_files(tmp_path, {"WORKSPACE": text, "made.bzl": _REPOSITORY, "BUILD": build})
    opened = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    found = opened.configure([f"--repo_env=V={version}"]).refusals("//:top")
    assert told(found) == expected
    if found:
        assert "only 1 is\nsupported" in found[0].message


_LOOKS_UP = """
def _impl(ctx):
    value, known = ctx.attr.value, {{"x": 1, "y": 2}}
    if {}:
        fail("no such value")
r = rule(_impl, attrs = {{"value": attr.string()}})
"""
_WRITES = """
def _impl(ctx):
    value = ctx.execute(["cpu"]).stdout.strip() if ctx.attr.asks else "z"
    ctx.file("BUILD", "load('@//:r.bzl', 'r')\\nr(name = 'x', value = '%s')" % value)
made = repository_rule(_impl, attrs = {"asks": attr.bool()})
"""


@pytest.mark.parametrize(
    "looked_up",
    [
        "value not in known",
        "not known.get(value)",
        "known.pop(value, 3) == 3",
        "[one for one in [value] if one not in known]",
        "known.setdefault(value, 3) == 3",
        "not known[value] if value in ['x', 'y'] else value not in ['x', 'y']",
        "'x' not in {value: 1}",
        "not {value: 1, 'y': 2}.get('x')",
        "{value: 1, 'y': 2}.pop('x', 3) == 3",
        "{value: 1, 'y': 2}.setdefault('x', 3) == 3",
        "'x' not in dict(known.items(), **{}) or 'x' not in dict([(value, 1)])",
        "{'x': 1, 'y': 2} != {value: 1, 'y': 2}",
        "('x', 1) not in {(value, 1): 2}",
    ],
)
def test_what_nobody_knows_may_be_a_key(looked_up: str, tmp_path: Path) -> None:
    workspace = (
        'load("//:made.bzl", "made")\nmade(name = "open", asks = True)\nmade(name = "plain")'
    )
    files = {"WORKSPACE": workspace, "made.bzl": _WRITES, "r.bzl": _LOOKS_UP.format(looked_up)}
    write_files(tmp_path, {**files, "BUILD": ""})
    configured = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    assert told(configured.refusals("@open//:x")) == []
    assert told(configured.refusals("@plain//:x")) == [f"{FAILS} @plain//:x"]


def test_an_output_of_which_nobody_knows_the_name(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    ctx.actions.write(output = ctx.outputs.out, content = "")
    for one in ctx.outputs.more:
        ctx.actions.write(output = one, content = "")
r = rule(_impl, attrs = {"out": attr.output(), "more": attr.output_list()})
"""
    makes = """
def _impl(ctx):
    ctx.file("BUILD")
    ctx.file("said.bzl", "SAID = '%s'" % ctx.execute(["id"]).stdout.strip())
made = repository_rule(_impl)
"""
    build = 'load("@m//:said.bzl", "SAID")\nload(":r.bzl", "r")\n'
    build += 'r(name = "top", out = SAID + ".txt", more = ["x", SAID])'
    workspace = 'load("//:made.bzl", "made")\nmade(name = "m")'
    files = {"WORKSPACE": workspace, "made.bzl": makes, "r.bzl": rules, "BUILD": build}
    write_files(tmp_path, files)
    configured = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    assert told(configured.refusals("//:top")) == []


def test_a_file_with_an_unknown_piece_that_does_not_fit_is_unknown(tmp_path: Path) -> None:
    makes = """
def _impl(ctx):
    ctx.file("BUILD")
    ctx.file("said.bzl", "SAID = {" + ctx.execute(["env"]).stdout + '"a": "b"}')
made = repository_rule(_impl)
"""
    workspace = 'load("//:made.bzl", "made")\nmade(name = "m")'
    build = 'load("@m//:said.bzl", "SAID")\nfilegroup(name = "top", tags = [SAID["a"]])'
    write_files(tmp_path, {"WORKSPACE": workspace, "made.bzl": makes, "BUILD": build})
    configured = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    assert told(configured.refusals("//:top")) == []


_LOCAL = (
    'local_repository(name = "m", path = "there")\nlocal_repository(name = "g", path = "gone")\n'
)
_OVERLAID = 'new_local_repository(name = "g", path = "gone", build_file_content = "")\n'


@pytest.mark.parametrize("workspace", [_LOCAL, _OVERLAID])
def test_a_local_repository_without_its_folder(
    workspace: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Measured: 4.2.3, 2.1.0 and 0.24.1 refuse it; query ends with 7, but for `//...`."""
    build = 'filegroup(name = "top", srcs = ["@g//:x"])\nfilegroup(name = "ok")\n'
    there = 'exports_files(["x"])\n'
    write_files(tmp_path, {"WORKSPACE": workspace, "BUILD": build, "there/BUILD": there})
    opened = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    found = opened.configure([]).refusals("//:top")
    assert told(found) == ["repository-rule //:top"]
    assert 'path is "gone"' in found[0].message
    assert told(opened.configure([]).refusals("//:ok")) == []
    options = ["-w", str(tmp_path), "--bazel-version", "4.2.3", "--no-cache"]
    for expression, code in (("deps(//:top)", 7), ("@g//:x", 7), ("//:all", 0)):
        assert main(["query", expression, *options]) == code
    capfd.readouterr()
    write_files(tmp_path, {"gone/BUILD": there, "gone/WORKSPACE": ""})
    again = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert told(again.configure([]).refusals("//:top")) == (
        [] if workspace == _LOCAL else ["no-such-target //:top"]
    )


_TAKING = """
Info = provider()
Other = provider()
def _info(ctx):
    return [Info()]
def _nothing(ctx):
    return []
i = rule(_info)
n = rule(_nothing)
ext = rule(_nothing, attrs = {"s": attr.label_list(allow_files = [".txt"])})
none = rule(_nothing, attrs = {"s": attr.label_list()})
one = rule(_nothing, attrs = {"s": attr.label(allow_single_file = True)})
onet = rule(_nothing, attrs = {"s": attr.label(allow_single_file = [".txt"])})
prov = rule(_nothing, attrs = {"s": attr.label_list(providers = [Info])})
provs = rule(_nothing, attrs = {"s": attr.label_list(providers = [[Info, Other], [CcInfo]])})
provf = rule(_nothing, attrs = {"s": attr.label_list(providers = [Info], allow_files = True)})
"""
_TAKEN = """
load(":rules.bzl", "ext", "i", "n", "none", "one", "onet", "prov", "provf", "provs")
i(name = "i")
n(name = "n")
filegroup(name = "two", srcs = ["x.txt", "y.h"])
filegroup(name = "h", srcs = ["y.h"])
filegroup(name = "e")
genrule(name = "g", outs = ["g.h"], cmd = "")
alias(name = "al", actual = ":h")
alias(name = "f1", actual = "y.h")
alias(name = "f2", actual = ":f1")
alias(name = "f3", actual = ":f2")
alias(name = "na", actual = ":n")
cc_library(name = "cc")
"""
_EXT, _MANDATORY = "does not produce any ext s files (expected .txt)", "does not have mandatory"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('ext(name = "top", s = ["x.txt", ":two"])', None),
        (
            'ext(name = "top", s = ["y.h"])',
            "source file '//:y.h' is misplaced here (expected .txt)",
        ),
        ('ext(name = "top", s = ["g.h"])', "generated file '//:g.h' is misplaced here"),
        ('ext(name = "top", s = [":h"])', f"'//:h' {_EXT}"),
        ('ext(name = "top", s = [":al"])', f"'//:h' {_EXT}"),
        (
            'ext(name = "top", s = [":f1"])',
            "alias '//:f1' referring to source file '//:y.h' is misplaced here (expected .txt)",
        ),
        (
            'none(name = "top", s = [":f3"])',
            "alias '//:f3' referring to source file '//:y.h' through '//:f2' -> '//:f1' is",
        ),
        (
            'cc_binary(name = "top", malloc = ":al")',
            "alias '//:al' referring to filegroup rule '//:h' is misplaced here",
        ),
        ('py_library(name = "top", deps = [":na"])', f"'//:n' {_MANDATORY} providers: 'py'"),
        ('ext(name = "top", s = [":e"])', f"'//:e' {_EXT}"),
        ('ext(name = "top", s = [":n"])', f"'//:n' {_EXT}"),
        ('ext(name = "top", s = [":cc"])', f"'//:cc' {_EXT}"),  # without sources, it builds nothing
        ('none(name = "top", s = [":h", ":n"])', None),
        ('none(name = "top", s = ["x.txt"])', "is misplaced here (expected no files)"),
        ('one(name = "top", s = ":h")', None),
        ('one(name = "top", s = "x.txt")', None),
        ('one(name = "top", s = ":two")', "'//:two' must produce a single file"),
        ('one(name = "top", s = ":e")', "'//:e' must produce a single file"),
        ('onet(name = "top", s = ":h")', "does not produce any onet s files (expected .txt)"),
        ('prov(name = "top", s = [":i"])', None),
        ('prov(name = "top", s = [":n"])', f"'//:n' {_MANDATORY} providers: 'Info'"),
        ('prov(name = "top", s = [":na"])', f"'//:n' {_MANDATORY} providers: 'Info'"),
        ('prov(name = "top", s = [":cc"])', f"'//:cc' {_MANDATORY} providers: 'Info'"),
        ('provs(name = "top", s = [":i"])', f"{_MANDATORY} providers: 'Other' or 'CcInfo'"),
        ('provs(name = "top", s = [":cc"])', None),
        ('provf(name = "top", s = ["x.txt", "g.h"])', None),
        ('provf(name = "top", s = [":g"])', f"'//:g' {_MANDATORY} providers: 'Info'"),
    ],
)
def test_what_an_attribute_does_not_take(written: str, message: str | None, tmp_path: Path) -> None:
    """As 4.2.3 says it (measured)."""
    files = {"WORKSPACE": "", "rules.bzl": _TAKING, "BUILD": _TAKEN + written}
    write_files(tmp_path, {**files, "x.txt": "", "y.h": ""})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    found = workspace.configure([]).refusals("//:top")
    kind = "missing-provider" if _MANDATORY in (message or "") else "misplaced"
    assert told(found) == ([f"{kind} //:top"] if message is not None else [])
    if message is not None:
        assert found[0].message.startswith("in ")
        assert message in found[0].message


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("act(ctx, made)", []),
        ('act(ctx, name = "x", dst = made)', []),
        ("print(made)", [f"{FAILS} //:top"]),
    ],
)
def test_a_function_that_nobody_knows_may_register_the_action(
    call: str, expected: list[str], tmp_path: Path
) -> None:
    workspace = (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "archive", urls = ["https://example.org/a.tar.gz"])\n'
    )
    rules = (
        'load("@archive//:act.bzl", "act")\n'
        "def _impl(ctx):\n"
        '    made = ctx.actions.declare_directory("d")\n'
        f"    {call}\n"
        "    return DefaultInfo(files = depset([made]))\n"
        "r = rule(_impl)\n"
    )
    build = 'load(":r.bzl", "r")\nr(name = "top")\n'
    write_files(tmp_path, {"WORKSPACE": workspace, "r.bzl": rules, "BUILD": build})
    opened = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert told(opened.configure([]).refusals("//:top")) == expected


@pytest.mark.parametrize("made", ["dict(X)", 'dict({"b": 1}, **X)', "[x for x in X]", "list(X)"])
@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("version", ["4.2.3", "7.7.0"])
def test_what_another_file_decided_without_knowing(
    made: str, is_known: bool, version: str, tmp_path: Path
) -> None:
    first = "X = {}" if is_known else 'load("@far//:x.bzl", "X")'
    files = {
        "WORKSPACE": (
            'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
            'http_archive(name = "far", url = "https://example.org/x.zip")\n'
        ),
        "made.bzl": f"{first}\nMADE = {made}\nKNOWN = []\n",
        "help.bzl": (
            'load("//:made.bzl", "KNOWN", "MADE")\n'
            'def check():\n    "a" in MADE or fail("no a")\n'
            'def check_known():\n    "a" in KNOWN or fail("no a")\n'
        ),
        "r.bzl": (
            'load("//:made.bzl", "MADE")\nload("//:help.bzl", "check", "check_known")\n'
            'def _impl(ctx):\n    "a" in MADE or fail("no a")\n'
            "def _helped(ctx):\n    check()\n"
            "def _refused(ctx):\n    check_known()\n"
            "own = rule(_impl)\nhelped = rule(_helped)\nrefused = rule(_refused)\n"
        ),
        "BUILD": (
            'load("//:r.bzl", "helped", "own", "refused")\n'
            'own(name = "own")\nhelped(name = "helped")\nrefused(name = "refused")\n'
        ),
    }
    write_files(tmp_path, files)
    configured = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([])
    for name in ("own", "helped", "refused"):
        expected = [f"{FAILS} //:{name}"] if is_known or name == "refused" else []
        assert told(configured.refusals(f"//:{name}")) == expected, name
