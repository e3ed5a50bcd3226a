"""`when`: under which flags one target depends on another, over all paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.shared.conditions.flag_conditions import (
    Now,
    Verdict,
)
from tests.support.files import write_files
from tests.unit.questions.when_world import (
    BOTH,
    DRIVER,
    GCS,
    GROUP,
    TWO,
    lines,
    of,
    said,
    workspace,
)

EITHER = ["--define=a=1", "--define=b=1"]
NEITHER = ["not --define=a=1 not --define=b=1"]


@pytest.mark.parametrize(
    ("build", "names", "ways", "exceptions"),
    [
        (
            TWO,
            ("two", "g"),
            EITHER,
            NEITHER,
        ),
        (
            DRIVER,
            ("top", "lib"),
            ["--define=cuda=true not --define=shared=true"],
            ["--define=shared=true", "not --define=cuda=true"],
        ),
        (GCS, ("top", "lib"), ["not --define=nogcp=true"], ["--define=nogcp=true"]),
        (
            BOTH,
            ("x", "g"),
            [""],
            [],
        ),
        (
            GROUP,
            ("z", "g"),
            EITHER,
            NEITHER,
        ),
        (
            'filegroup(name = "x", srcs = select({":mac": [":g"], "//conditions:default": []}))',
            ("x", "g"),
            ["a platform with @platforms//os:osx"],
            ["not a platform with @platforms//os:osx"],
        ),
    ],
    ids=["two-branches", "forbidden", "another-branch", "always", "group", "constraint"],
)
def test_the_condition_is_that_of_all_paths(
    tmp_path: Path, build: str, names: tuple[str, str], ways: list[str], exceptions: list[str]
) -> None:
    answer = workspace(tmp_path, build).configure([]).when(*names)
    assert said(of(answer).alternatives) == ways
    assert said(of(answer).exceptions) == exceptions


def test_what_bazel_refuses_is_no_exception(tmp_path: Path) -> None:
    answer = workspace(tmp_path, TWO).configure([]).when("two", "g")
    assert said(of(answer).conflicts) == ["--define=a=1 --define=b=1"]
    refused = workspace(tmp_path, TWO).configure(["--define=a=1", "--define=b=1"])
    assert of(refused.when("two", "g")).now is Now.REFUSED


def test_what_rc_files_set_is_told_as_what_holds_now(tmp_path: Path) -> None:
    rc = "build --define=shared=true --define=cuda=true\nbuild:whole --define=shared=false\n"
    answer = workspace(tmp_path, DRIVER, rc).configure([]).when("top", "lib")
    assert of(answer).now is Now.NO
    assert of(answer).making is not None
    assert of(answer).making.words == ("--define=shared=false",)
    assert lines(answer)[:4] == [
        "//:top needs //:lib only with:",
        "--define=cuda=true, unless --define=shared=true BUILD:4",
        "",
        "Not so now: --define=shared=true (.bazelrc:1)",
    ]
    without = workspace(tmp_path, GCS, rc).configure([]).when("top", "lib")
    assert of(without).now is Now.YES
    assert of(without).ending is not None
    assert of(without).ending.words == ("--define=nogcp=true",)


def test_a_config_makes_it_so(tmp_path: Path) -> None:
    rc = "build:fast --define=a=1\nbuild:slow --config=fast\n"
    answer = workspace(tmp_path, TWO, rc).configure([]).when("two", "g")
    assert of(answer).making is not None
    assert of(answer).making.words == ("--config=fast",)
    assert "set by --config=fast, --config=slow .bazelrc:1" in lines(answer)


def test_flags_of_the_line_are_fixed(tmp_path: Path) -> None:
    asked = workspace(tmp_path, DRIVER).configure(["--define=cuda=true"])
    answer = asked.when("top", "lib")
    assert said(of(answer).exceptions) == ["--define=shared=true"]
    assert [need.text for need in of(answer).fixed] == ["--define=cuda=true"]
    always = workspace(tmp_path, TWO).configure(["--define=a=1"]).when("two", "g")
    assert of(always).verdict is Verdict.ALWAYS


@pytest.mark.parametrize(
    ("build", "names", "title", "code"),
    [
        (
            'filegroup(name = "top", srcs = ["@gone//:x"])',
            ["//:top", "@other"],
            "//:top is not known to need @other: no chain of dependencies that is known leads",
            3,
        ),
        (
            (
                'filegroup(name = "top", srcs = ["@gone//:x"])\n'
                'filegroup(name = "end", visibility = ["//visibility:public"])'
            ),
            ["//:top", "//:end"],
            "//:top is not known to need //:end: no chain of dependencies that is known leads",
            3,
        ),
        (
            'filegroup(name = "top", srcs = [":g"])',
            ["//:top", "@other"],
            "//:top never needs @other: no chain of dependencies leads there",
            1,
        ),
        (
            'filegroup(name = "top", srcs = [":g"])',
            ["//:top", "@othre"],
            "error: //:top reaches no target of `@othre`, through any branch: nothing that",
            1,
        ),
    ],
    ids=["repository", "target", "nothing-unknown", "misspelt"],
)
def test_never_is_said_of_what_is_known_alone(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    build: str,
    names: list[str],
    title: str,
    code: int,
) -> None:
    """Seen on TensorStore: 40 unknown targets, and yet it never needed a repository."""
    archive = 'http_archive(name = "{0}", urls = ["https://example.org/{0}.zip"])\n'
    load = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    workspace(tmp_path, build)
    text = load + archive.format("gone") + archive.format("other")
    write_files(tmp_path, {"WORKSPACE": text})
    where = [f"--workspace={tmp_path}", "--no-cache"]
    assert main(["when", *names, *where]) == code
    told = capsys.readouterr()
    assert (told.out + told.err).startswith(title)


def test_never(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = """
filegroup(name = "top", srcs = select({":a": [":mid"], "//conditions:default": []}))
filegroup(name = "mid", srcs = select({":a": [], "//conditions:default": [":lib"]}))
"""
    workspace(tmp_path, build)
    assert main(["when", "//:top", "//:lib", "-w", str(tmp_path), "--no-cache"]) == 1
    out = capsys.readouterr().out
    assert [" ".join(line.split()) for line in out.splitlines()][:6] == [
        "//:top never needs //:lib: it needs branches of select()s that no flags take together:",
        "//:top -> //:mid BUILD:14",
        "if //:a --define=a=1 select() at BUILD:14",
        "//:mid -> //:lib BUILD:15",
        "unless //:a select() at BUILD:15",
        "--define=a=1, which other branches on the way rule out",
    ]
    assert main(["when", "//:lib", "//:top", "-w", str(tmp_path), "--no-cache"]) == 1
    assert "no chain of dependencies" in capsys.readouterr().out
    assert main(["when", "//:lip", "-w", str(tmp_path), "--no-cache"]) == 1
    assert "did you mean" in capsys.readouterr().out


def test_when_a_target_can_be_built(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = [":one", ":mac_only"])
filegroup(name = "one", srcs = select({":a": [], ":b": []}))
cc_library(name = "mac_only", target_compatible_with = ["@platforms//os:macos"])
"""
    answer = workspace(tmp_path, build).configure([]).when("top")
    assert said(of(answer).alternatives) == [
        "--define=a=1 a platform with @platforms//os:osx not --define=b=1",
        "--define=b=1 a platform with @platforms//os:osx not --define=a=1",
    ]


def test_a_repository_is_needed_where_any_of_it_is(tmp_path: Path) -> None:
    build = """
local_repository(name = "never", path = "x") if False else None
filegroup(name = "top", srcs = select({
    ":a": ["//p:one"], ":b": ["//p:two"], "//conditions:default": [],
}))
"""
    write_files(tmp_path, {"p/BUILD": 'filegroup(name = "one")\nfilegroup(name = "two")\n'})
    found = workspace(tmp_path, build.replace("local_repository", "#")).configure([])
    answer = found.when("top", "//p:all")
    assert said(of(answer).alternatives) == ["--define=a=1", "--define=b=1"]
    assert lines(answer)[0] == "//:top needs //p:all only with one of these:"


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace(tmp_path, TWO)
    words = ["when", "//:two", "//:g", "-w", str(tmp_path), "--no-cache", "--format", "json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["condition"]["verdict"] == "sometimes"
    assert [one["words"][0]["need"]["text"] for one in answer["condition"]["alternatives"]] == [
        "--define=a=1",
        "--define=b=1",
    ]


def test_all_paths_share_edges(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = [":left", ":right"])
filegroup(name = "left", srcs = [":waist"])
filegroup(name = "right", srcs = [":waist"])
filegroup(name = "waist", srcs = [":lib"])
"""
    answer = workspace(tmp_path, build).configure([]).when("top", "lib")
    assert [(str(e.source), str(e.target)) for e in answer.shared] == [("//:waist", "//:lib")]
    both = workspace(tmp_path, build).configure([]).when("top", "waist")
    assert not both.shared
    assert {str(edge.source) for edge in both.cut} == {"//:top"}
    assert len(both.cut) == 2


_LABEL_FLAG = """
label_flag(name = "which", build_setting_default = ":lib")
filegroup(name = "top", srcs = [":which"])
"""


def test_a_label_flag_is_a_variable(tmp_path: Path) -> None:
    opened = workspace(tmp_path, _LABEL_FLAG, "build:other --//:which=//:g\n")
    answer = opened.configure().when("//:top", "//:g")
    condition = of(answer)
    assert said(condition.alternatives) == ["--//:which=//:g"]
    assert condition.making is not None
    assert condition.making.words == ("--config=other",)
    assert "Not known: what other values of //:which stand for." in lines(answer)
    lib = of(opened.configure().when("//:top", "//:lib"))
    assert said(lib.alternatives) == ["--//:which=//:lib"]
    assert lib.now is Now.YES
    given = of(opened.configure(["--//:which=//:a"]).when("//:top", "//:a"))
    assert given.verdict is Verdict.ALWAYS


_TRANSITION = """
def _nothing(ctx):
    pass

def _opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

def _same(settings, attr):
    return {"//command_line_option:cpu": settings["//command_line_option:cpu"]}

opt = transition(
    implementation = _opt,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)
same = transition(
    implementation = _same,
    inputs = ["//command_line_option:cpu"],
    outputs = ["//command_line_option:cpu"],
)
_LIST = "@bazel_tools//tools/allowlists/function_transition_allowlist"
thing = rule(implementation = _nothing, attrs = {
    "opt": attr.label_list(cfg = opt),
    "same": attr.label_list(cfg = same),
    "_allowlist_function_transition": attr.label(default = _LIST),
})
"""
_MOVED = """
load(":defs.bzl", "thing")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "fast", srcs = select({":opt": [":g"], "//conditions:default": [":lib"]}))
filegroup(name = "win_only", srcs = select({":win": [":g"], "//conditions:default": []}))
thing(name = "top", opt = [":fast"])
thing(name = "moved", same = [":win_only"])
"""


def test_what_a_transition_always_sets_decides(tmp_path: Path) -> None:
    write_files(tmp_path, {"defs.bzl": _TRANSITION})
    opened = workspace(tmp_path, _MOVED)
    asked = opened.configure()
    assert of(asked.when("//:top", "//:g")).verdict is Verdict.ALWAYS
    assert of(asked.when("//:top", "//:lib")).verdict is Verdict.NEVER
    unknowns = of(asked.when("//:moved", "//:g")).unknowns
    assert [one.detail for one in unknowns] == ["a transition on the way decides it"]


def test_what_transitions_decide_at_several_targets_is_told_once(tmp_path: Path) -> None:
    """At each it is an unknown of its own, and told in the same words."""
    write_files(tmp_path, {"defs.bzl": _TRANSITION})
    refused = """
[filegroup(name = n, srcs = select({":win": []})) for n in ("one", "two")]
thing(name = "each", same = [":one", ":two"])
"""
    opened = workspace(tmp_path, _MOVED + refused)
    condition = of(opened.configure().when("//:each"))
    assert [len(one.words) for one in condition.told] == [1]
    assert condition.told[0].words[0].unknown is not None


def test_a_toolchain_that_is_not_known_has_one_compiler(tmp_path: Path) -> None:
    """Bazel refuses a branch for each of two compilers only where both hold, which is never."""
    told = """
[config_setting(name = n, flag_values = {"@bazel_tools//tools/cpp:compiler": n})
 for n in ("gcc", "clang")]
filegroup(name = "apart", srcs = select({":gcc": [":g"], ":clang": [":lib"],
    "//conditions:default": []}))
"""
    asked = workspace(tmp_path, told).configure()
    assert of(asked.when("//:apart")).verdict is Verdict.ALWAYS
    for _ in range(2):  # Kept, too.
        opened = Workspace.open(tmp_path, environment={}, cache_dir=tmp_path.parent / "cache")
        asked = opened.configure()
        alternatives = of(asked.when("//:apart", "//:lib")).alternatives
        assert [[word.need.text for word in one.words] for one in alternatives] == [
            ["@bazel_tools//tools/cpp:compiler=clang"]
        ]
        asked.save()
