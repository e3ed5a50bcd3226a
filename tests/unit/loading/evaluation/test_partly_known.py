"""Files of which pieces are not known, and packages of models, which may lack targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.errors import Severity
from bazelscope.base.label import PackageId
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchTarget, Rule, UnknownTarget
from tests.unit.loading.loading_world import Load, label

# A repository rule that writes what a program prints into a BUILD and into a .bzl file.
WORKSPACE = """
load("//:repo.bzl", "machine")
machine(name = "machine")
"""
REPO = '''
def _machine(ctx):
    words = ctx.execute(["lscpu"]).stdout
    ctx.file("defs.bzl", "CORES = %s\\nKIND = 'desk'\\n" % words)
    ctx.file("BUILD", """
exports_files(["defs.bzl"])
filegroup(name = "whole", srcs = [])
genrule(name = "half", outs = ["o"], cmd = "x", tools = %s)
""" % words)

machine = repository_rule(implementation = _machine)
'''
FILES = {
    "WORKSPACE": WORKSPACE,
    "repo.bzl": REPO,
    "BUILD": """
        load("@machine//:defs.bzl", "CORES", "KIND")
        filegroup(name = KIND, srcs = CORES)
        """,
}


def test_a_build_file_with_an_unknown_piece_is_evaluated(load: Load) -> None:
    loaded = load(FILES)
    package = loaded.loader.package(PackageId("machine", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert {"whole", "half", "o"} <= set(package.targets)
    half = package.targets["half"]
    assert isinstance(half, Rule)
    tools = half.attribute("tools")
    assert tools is not None
    assert isinstance(tools.value, Unknown)


def test_such_a_package_may_have_more_targets(load: Load) -> None:
    loaded = load(FILES)
    found = loaded.loader.target(label("@machine//:another"))
    assert isinstance(found, UnknownTarget)
    assert "lscpu" in str(found.unknown)
    assert loaded.loader.completeness().packages.partly == 1


def test_a_module_with_an_unknown_piece_is_evaluated(load: Load) -> None:
    loaded = load(FILES)
    assert not loaded.errors("")
    srcs = loaded.rule("//:desk").attribute("srcs")
    assert srcs is not None
    assert isinstance(srcs.value, Unknown)
    completeness = loaded.loader.completeness()
    assert completeness.loads.partly == 1
    assert any("lscpu" in str(reason) for reason, _ in completeness.reasons)


SKYLIB = {
    "WORKSPACE": """
        load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
        http_archive(name = "bazel_skylib", urls = ["https://example.org/skylib-1.0.tar.gz"])
        """,
    "BUILD": 'filegroup(name = "f", srcs = ["@bazel_skylib//lib:no_such_thing"])',
}


def test_a_target_that_a_model_lacks_is_unknown_not_absent(load: Load) -> None:
    loaded = load(SKYLIB)
    package = loaded.loader.package(PackageId("bazel_skylib", "lib"))
    assert isinstance(package, Package)
    before = loaded.loader.completeness()
    assert (before.packages.modelled, before.packages.unknown) == (1, 0)
    repositories = before.repositories
    assert (repositories.modelled, repositories.known) == (1, 1), "a model counts as known"
    assert before.reasons == ()
    found = loaded.loader.target(label("@bazel_skylib//lib:no_such_thing"))
    assert isinstance(found, UnknownTarget)
    assert found.unknown.reason is Reason.NOT_MODELLED
    after = loaded.loader.completeness()
    assert [str(reason.subject) for reason, _ in after.reasons] == [
        "@bazel_skylib//lib:no_such_thing"
    ]


def test_what_a_model_may_lack_is_kept_in_the_cache(load: Load, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    wanted = label("@bazel_skylib//lib:no_such_thing")
    for _ in range(2):
        loader = load(SKYLIB, cache=cache).loader
        assert isinstance(loader.target(wanted), UnknownTarget)
        loader.save()


ARCHIVE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "archive",
    urls = ["https://example.org/a.tar.gz"],
    build_file = "//:archive.BUILD",
)
"""


def test_a_file_that_an_unanswered_glob_may_name_is_unknown(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": ARCHIVE,
            "BUILD": "",
            "archive.BUILD": 'filegroup(name = "all", srcs = glob(["**/*.pb"]))',
        }
    )
    found = loaded.loader.target(label("@archive//:model.pb"))
    assert isinstance(found, UnknownTarget)
    assert "not on this machine" in str(found.unknown)


def test_a_file_that_no_overlay_names_is_no_target(load: Load) -> None:
    """Bazel: a source file is a target only where its package names it."""
    loaded = load(
        {
            "WORKSPACE": ARCHIVE,
            "BUILD": "",
            "archive.BUILD": 'exports_files(["graph.pb"])',
        }
    )
    assert isinstance(loaded.loader.target(label("@archive//:model.pb")), NoSuchTarget)


def test_an_unknown_value_has_as_many_parts_as_are_asked_for(load: Load) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "maker", version = "1.0")',
        "BUILD": "",
        "defs.bzl": 'load("@maker//:defs.bzl", "make")\n'
        'first, (second, third) = make().set("a", 1).build()\n',
        "p/BUILD": 'load("//:defs.bzl", "third")\nthird(name = "x", srcs = ["y"])\n',
    }
    loaded = load(files, version="8.0.0")
    assert loaded.errors("p") == []
    assert loaded.rule("//p:x").rule_class.name == "make().set(...).build()[1][1]"


def test_what_an_unknown_symbol_declares_conflicts_with_nothing(load: Load) -> None:
    # Bazel: only the names of rules are taken, and a macro need not use its own.
    loaded = load(
        {
            "WORKSPACE": """
                load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
                http_archive(name = "far", urls = ["https://example.org/far.zip"])
                """,
            "p/BUILD": """
                load("@far//:defs.bzl", "flow")
                flow(name = "twice", srcs = ["a"])
                flow(name = "twice", srcs = ["b"])
                flow(name = "known", outs = ["old.txt"])
                filegroup(name = "known", srcs = ["c"])
                filegroup(name = "first")
                flow(name = "first")
                package_group(name = "group")
                flow(name = "group")
                """,
        }
    )
    package = loaded.package("p")
    assert not [one for one in package.diagnostics if one.severity is Severity.ERROR]
    classes = {
        name: target.rule_class.name
        for name, target in package.targets.items()
        if isinstance(target, Rule)
    }
    assert classes == {"twice": "flow", "known": "filegroup", "first": "filegroup"}
    assert "old.txt" not in package.targets


def test_a_branch_that_adds_to_what_is_unknown_is_unknown(load: Load) -> None:
    files = {
        "WORKSPACE": """
            load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
            http_archive(name = "far", urls = ["https://example.org/far.zip"])
            """,
        "p/BUILD": """
            load("@far//:copts.bzl", "FLAGS")
            OWN = select({":on": FLAGS + ["-Wall"], "//conditions:default": ["-g"]})
            config_setting(name = "on", values = {"define": "on=1"})
            cc_library(name = "x", copts = OWN)
            """,
    }
    loaded = load(files)
    assert loaded.errors("p") == []
    [selector] = loaded.rule("//p:x").attributes["copts"].value.parts
    branches = {branch.condition.name: branch.value for branch in selector.branches}
    assert isinstance(branches["on"], Unknown)
    assert branches["default"] == ("-g",)


def test_a_statement_of_several_lines_is_in_doubt_as_a_whole(load: Load) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "far", version = "1.0")',
        "BUILD": "",
        "defs.bzl": """
            load("@far//:config.bzl", "VERSIONS")
            DEPS = select({
                Label("//p:v" + version): ["//p:b"]
                for version in VERSIONS
            })
            """,
        "p/BUILD": 'load("//:defs.bzl", "DEPS")\nfilegroup(name = "x", srcs = DEPS)\n',
    }
    loaded = load(files, version="8.0.0")
    assert loaded.errors("p") == []


LOOKING = """
load("@machine//:defs.bzl", "CORES")

def _in_loop():
    for core in CORES:
        if core.startswith("x"):
            return core

def _under_condition():
    if CORES:
        return "some"
    elif not CORES:
        pass

def _for_sure(cores):
    for core in cores:
        if core == "x":
            return core

IN_LOOP = "x-{}".format(_in_loop())
UNDER_CONDITION = "x-{}".format(_under_condition())
FOR_SURE = "x-{}".format(_for_sure(["a", "b"]))
"""


def test_a_function_that_finds_nothing_in_what_is_unknown_gives_what_is_unknown(
    load: Load,
) -> None:
    """Of rules_go: which platform is the host's, by a list of the host's constraints."""
    build = """
load(":looking.bzl", "IN_LOOP", "UNDER_CONDITION", "FOR_SURE")
genrule(name = "loop", outs = ["a"], cmd = IN_LOOP)
genrule(name = "condition", outs = ["b"], cmd = UNDER_CONDITION)
genrule(name = "sure", outs = ["c"], cmd = FOR_SURE)
"""
    loader = load({**FILES, "looking.bzl": LOOKING, "BUILD": build}).loader
    shown = {}
    for name in ("loop", "condition", "sure"):
        rule = loader.target(label(f"//:{name}"))
        assert isinstance(rule, Rule)
        shown[name] = rule.attributes["cmd"].value
    assert "_in_loop() by @machine" in str(shown["loop"])
    assert "_under_condition() by @machine" in str(shown["condition"])
    assert shown["sure"] == "x-None"


@pytest.mark.parametrize(
    ("attrs", "is_refused"),
    [
        ("dict(BASE, **X)", False),
        ("dict(BASE.items() + [(k, v) for k, v in X.items()])", False),
        ("BASE", True),
    ],
)
def test_attributes_made_in_another_file_may_be_more_than_is_known(
    attrs: str, is_refused: bool, load: Load
) -> None:
    """Where that file, or one below it, takes for empty what nobody knows."""
    unknown = 'load("@archive//:x.bzl", "X")\n' if not is_refused else ""
    files = {
        "WORKSPACE": ARCHIVE
        + 'http_archive(name = "unknown", url = "https://example.org/x.zip")\n',
        "p/attrs.bzl": f'{unknown}BASE = {{"a": attr.string()}}\nATTRS = {attrs}\n',
        "p/lib.bzl": 'load(":attrs.bzl", "ATTRS")\nlib = struct(attrs = ATTRS)\n',
        "p/r.bzl": (
            'load(":lib.bzl", "lib")\ndef _r(ctx):\n    pass\nr = rule(_r, attrs = lib.attrs)\n'
        ),
        "p/BUILD": 'load(":r.bzl", "r")\nr(name = "t", b = "x")\n',
    }
    told = load(files, version="7.7.0").errors("p")
    assert any("no such attribute 'b'" in one for one in told) is is_refused


_MADE = [
    "V = dict(X)",
    'V = dict({"b": 1}, **X)',
    'V = {"b": 1}\nV.update(X)',
    'V = {"b": 1}\nV.update(**X)',
    "V = {k: v for k, v in X.items()}",
    "W = list(X)\nV = W + []",
    'V = ["b"]\nV.extend(X)',
    "V = {}\nW = sorted(X)\nV.update([(w, 1) for w in W])",
    "V = depset(list(X)).to_list()",
    'W = {"V": ["b"]}\nW["V"].extend(X)\nV = W["V"]',
    "def _v():\n    return list(X)\nV = _v()",
]
_ASKED = {
    "p/BUILD": 'load("//:again.bzl", "AGAIN")\n"a" in AGAIN or fail("no a")\n',
    "again.bzl": 'load("//:made.bzl", "V")\nAGAIN = V\n',
    "q/BUILD": 'load("//:macro.bzl", "macro")\nmacro()\n',
    "macro.bzl": (
        'load("//:made.bzl", V2 = "V")\ndef macro():\n    if len(V2) < 9:\n        fail("few")\n'
    ),
    "r/BUILD": 'load("//:top.bzl", "N")\n',
    "top.bzl": 'load("//:made.bzl", "V")\nN = [fail("no a") for _ in [0] if "a" not in V]\n',
    "s/BUILD": 'load("//:made.bzl", "KNOWN", "V")\n"a" in KNOWN or fail("no a")\n',
}


@pytest.mark.parametrize("made", _MADE)
def test_what_one_file_decides_without_knowing_no_other_tells_for_a_fact(
    made: str, load: Load
) -> None:
    workspace = ARCHIVE + 'http_archive(name = "unknown", url = "https://example.org/x.zip")\n'
    for first, is_refused in (('load("@unknown//:x.bzl", "X")', False), ("X = {}", True)):
        text = f"{first}\n{made}\nKNOWN = []\n"
        loaded = load({"WORKSPACE": workspace, "BUILD": "", "made.bzl": text, **_ASKED})
        for package in ("p", "q", "r"):
            assert bool(loaded.errors(package)) is is_refused, package
        # Another name of the same file is in no doubt.
        assert loaded.errors("s") == ["no a"]
