"""`when`: under which flags one target depends on another, over all paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagCondition,
    Now,
    Verdict,
)
from bazelscope.questions.when.answer import WhenAnswer
from bazelscope.questions.when.text import when_document
from bazelscope.render.console import to_text
from tests.support.files import write_files

_SETTINGS = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
config_setting(name = "cuda", define_values = {"cuda": "true"})
config_setting(name = "shared", define_values = {"shared": "true"})
config_setting(name = "both", define_values = {"cuda": "true", "shared": "true"})
config_setting(name = "win", values = {"cpu": "x64_windows"})
config_setting(name = "nogcp", define_values = {"nogcp": "true"})
config_setting(name = "mac", constraint_values = ["@platforms//os:macos"])
alias(name = "a_or_b", actual = select({":a": ":a", "//conditions:default": ":b"}))
filegroup(name = "g")
filegroup(name = "lib")
"""


def workspace(folder: Path, build: str, rc: str = "") -> Workspace:
    files = {"WORKSPACE": "", ".bazelversion": "4.2.3\n", ".bazelrc": rc}
    write_files(folder, {**files, "BUILD": _SETTINGS + build})
    return Workspace.open(folder, environment={}, cache_dir=None)


def said(alternatives: tuple[FlagCombination, ...]) -> list[str]:
    return [
        " ".join(("" if word.is_so else "not ") + word.need.text for word in one.words)
        for one in alternatives
    ]


def of(answer: WhenAnswer) -> FlagCondition:
    assert answer.condition is not None
    return answer.condition


def lines(answer: WhenAnswer) -> list[str]:
    text = to_text(when_document(answer), None, False)
    return [" ".join(line.split()) for line in text.splitlines()]


TWO = """
filegroup(name = "two", srcs = select({":a": [":g"], ":b": [":g"], "//conditions:default": []}))
"""
DRIVER = """
filegroup(name = "top", srcs = select({":cuda": [":driver"], "//conditions:default": []}))
filegroup(name = "driver", srcs = select({":both": [], "//conditions:default": [":lib"]}))
"""
GCS = """
filegroup(name = "top", srcs = select({
    ":win": [":lib"], ":nogcp": [], "//conditions:default": [":lib"],
}))
"""
BOTH = """
filegroup(name = "x", srcs = select({":a": [":g", ":lib"], "//conditions:default": [":g"]}))
"""
GROUP = """
filegroup(name = "z", srcs = select({":a_or_b": [":g"], "//conditions:default": []}))
"""
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


@pytest.mark.parametrize(
    ("build", "names", "words", "said_so"),
    [
        # FINDINGS P1 to P3 and P5: what is said of a path is true of the dependency.
        (DRIVER, ("top", "lib"), [], "Only with --define=cuda=true, unless --define=shared=true:"),
        (DRIVER, ("top", "lib"), [], "Not so now: --define=shared=true (.bazelrc:1)"),
        (TWO, ("two", "g"), [], "Only with one of these:"),
        (GCS, ("top", "lib"), ["--define=nogcp=true"], "Always, unless --define=nogcp=true:"),
        (
            GCS,
            ("top", "lib"),
            ["--define=nogcp=true"],
            "Not so now: --define=nogcp=true (command line)",
        ),
        (BOTH, ("x", "g"), [], "Always, whatever the flags, this way or another."),
        (GROUP, ("z", "g"), [], "Only with one of these:"),
    ],
)
def test_path_says_what_is_true_of_all_paths(
    tmp_path: Path,
    build: str,
    names: tuple[str, str],
    words: list[str],
    said_so: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace(tmp_path, build, "build --define=shared=true --define=cuda=true\n")
    main(["path", *names, *words, "-w", str(tmp_path), "--no-cache"])
    assert said_so in [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


GROUPS = """
alias(name = "any", actual = select({":a": ":a", "//conditions:default": ":b"}))
alias(name = "all", actual = select({":a": ":b", "//conditions:default": ":a"}))
alias(name = "also_a", actual = "//p:a")
filegroup(name = "with_any", srcs = select({":any": [":g"], "//conditions:default": []}))
filegroup(name = "with_all", srcs = select({":all": [":g"], "//conditions:default": []}))
filegroup(name = "first", srcs = select({":a": [":lib"], "//conditions:default": []}))
filegroup(name = "aliased", srcs = select({":also_a": [":g"], "//conditions:default": [":first"]}))
filegroup(name = "only_default", srcs = select({"//conditions:default": [":g"]}))
"""


@pytest.mark.parametrize(
    ("source", "branch"),
    [
        # FINDINGS P4: groups of both kinds say what they ask for, in one form.
        ("with_any", "if //:any --define=a=1 or --define=b=1 select() at BUILD:17"),
        ("with_all", "if //:all --define=a=1 --define=b=1 select() at BUILD:18"),
        ("only_default", "always: the select() has no other branch select() at BUILD:21"),
    ],
)
def test_a_branch_says_what_it_asks_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, branch: str
) -> None:
    workspace(tmp_path, GROUPS)
    write_files(tmp_path, {"p/BUILD": _PUBLIC})
    assert main(["path", source, "g", "-w", str(tmp_path), "--no-cache", "--full"]) == 0
    out = capsys.readouterr().out
    assert branch in [" ".join(line.split()) for line in out.splitlines()]
    assert "unless :" not in out


_PUBLIC = """
package(default_visibility = ["//visibility:public"])

config_setting(name = "a", define_values = {"a": "1"})
"""


def test_a_condition_behind_an_alias_has_its_own_place(tmp_path: Path) -> None:
    asked = workspace(tmp_path, GROUPS)
    write_files(tmp_path, {"p/BUILD": _PUBLIC})
    configured = asked.configure([])
    (need,) = configured.path("first", "lib").needs
    assert need.location is not None
    assert (need.location.path, need.location.line) == ("BUILD", 2)
    answer = configured.path("aliased", "g")
    assert answer.steps[0].edge is not None
    assert answer.steps[0].edge.branch is not None
    (need,) = answer.steps[0].edge.branch.needs
    assert need.location is not None
    assert (need.location.path, need.location.line) == ("p/BUILD", 4)


def test_edges_of_two_branches_that_are_always_taken_are_no_dashes(tmp_path: Path) -> None:
    configured = workspace(tmp_path, BOTH + TWO).configure([])
    both = configured.graph_between("x", "g", configured=False)
    assert [edge.is_always for edge in both.edges] == [True, True]
    two = configured.graph_between("two", "g", configured=False)
    assert [edge.is_always for edge in two.edges] == [False, False]
    needed = [edge.branch.needs[0].text for edge in two.edges if edge.branch is not None]
    assert needed == ["--define=a=1", "--define=b=1"]


def test_what_is_proposed_was_tried(tmp_path: Path) -> None:
    """FINDINGS P5: the configured graph under a proposed line takes the edge, and under a line
    that ends it, it does not."""
    asked = workspace(tmp_path, TWO + DRIVER + GCS.replace("top", "gcs") + GROUPS)
    write_files(tmp_path, {"p/BUILD": _PUBLIC})
    tried = 0
    for names in (
        ("two", "g"),
        ("top", "lib"),
        ("gcs", "lib"),
        ("with_any", "g"),
        ("first", "lib"),
    ):
        condition = of(asked.configure([]).when(*names))
        for line, expected in ((condition.making, True), (condition.ending, False)):
            if line is not None:
                tried += 1
                found = asked.configure(line.words).path(*names, configured=True)
                assert found.is_negative is not expected, (names, line)
        for listed, expected in ((condition.alternatives, True), (condition.exceptions, False)):
            for one in listed:
                words = [word.need.text for word in one.words if word.is_so]
                against = [word.need.text for word in one.words if not word.is_so]
                if any(text.startswith("--define=") for text in words) or not words:
                    under = asked.configure(words)
                    found = under.path(*names, configured=True)
                    assert found.is_negative is not expected, (names, words, against)
                    tried += 1
    assert tried > 10


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


def test_the_flags_of_a_path_make_the_steps_that_are_shown(tmp_path: Path) -> None:
    """Two branches of one select() lead on, and a later one is told apart by both."""
    settings = {"clang": "clang", "nvcc": "nvcc"}
    build = "".join(
        f'config_setting(name = "{name}", define_values = {{"{name}": "1"}})\n'
        f'config_setting(name = "{name}_dyn", define_values = {{"{name}": "1", "shared": "1"}})\n'
        for name in settings
    )
    build += """
filegroup(
    name = "mid",
    srcs = select({":nvcc_dyn": [], ":clang_dyn": [], "//conditions:default": [":lib"]}),
)
"""
    for first, second in (("clang", "nvcc"), ("nvcc", "clang")):
        branches = f'":{first}": [":mid"], ":{second}": [":mid"], "//conditions:default": []'
        top = f'filegroup(name = "top", srcs = select({{{branches}}}))\n'
        root = tmp_path / first
        asked = workspace(root, build + top, "build --define=shared=1\n").configure([])
        answer = asked.path("top", "lib")
        edge = answer.steps[0].edge
        assert edge is not None and edge.branch is not None
        shown = edge.branch.condition.name
        assert [need.text for need in answer.needs] == [f"--define={shown}=1"]
        assert answer.flags is not None
        assert f"--define={shown}=1" in answer.flags.options


def test_of_a_long_condition_what_single_flags_change_is_told(tmp_path: Path) -> None:
    settings = "".join(
        f'config_setting(name = "c{n}", values = {{"cpu": "c{n}"}})\n' for n in range(8)
    )
    cpus = "".join(f'":c{n}": [], ' for n in range(8))
    build = f"""
{settings}
filegroup(name = "top", srcs = select({{":a": [":g"], {cpus}"//conditions:default": [":mid"]}}))
filegroup(name = "mid", srcs = select({{":nogcp": [], "//conditions:default": [":g"]}}))
"""
    line = workspace(tmp_path, build, "build:plain --define=nogcp=true\n").configure([])
    answer = line.when("top", "g")
    condition = of(answer)
    assert condition.is_long
    assert condition.now is Now.YES
    changed = [("" if word.is_so else "not ") + word.need.text for word in condition.changes]
    assert changed == [*(f"--cpu=c{n}" for n in range(8)), "--define=nogcp=true"]
    for word in condition.changes:
        beside = Workspace.open(tmp_path, environment={}, cache_dir=None)
        assert of(beside.configure([word.need.text]).when("top", "g")).now is not Now.YES
    assert lines(answer)[:6] == [
        "//:top needs //:g under some flags only:",
        "2 combinations of up to 9 flags (--full lists them)",
        "",
        "So now; each of these ends it:",
        "--cpu is c0, c1, c2, c3, c4 or c5 and 2 other values",
        "--define=nogcp=true set by --config=plain",
    ]
    full = to_text(when_document(answer, full=True), None, False)
    assert "--cpu other than c0, c1, c2, c3, c4, c5, c6 or c7" in " ".join(full.split())


def test_all_that_holds_it_back_is_told(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = select({":cuda": [":mid"], "//conditions:default": []}))
filegroup(name = "mid", srcs = select({":shared": [], "//conditions:default": [":lib"]}))
"""
    answer = workspace(tmp_path, build, "build --define=shared=true\n").configure([])
    text = " ".join(lines(answer.when("top", "lib")))
    assert (
        "Not so now: --define=shared=true (.bazelrc:1); besides, --define=cuda is not set" in text
    )


def test_what_is_told_has_been_tried(tmp_path: Path) -> None:
    """Each alternative under a line that makes it so, each exception under one that ends it."""
    build = """
filegroup(name = "some", srcs = select({":a": [":g"], ":win": [":g"], "//conditions:default": []}))
filegroup(name = "most", srcs = select({":a": [], "//conditions:default": [":g"]}))
"""
    asked = workspace(tmp_path, build, "build:one --define=a=1 --define=other=1\n")
    tried = {
        said((one,))[0]: one.line and one.line.words
        for one in of(asked.when("//:some", "//:g")).told
    }
    assert tried == {
        "--define=a=1": ("--config=one",),
        "--cpu=x64_windows": ("--cpu=x64_windows",),
    }
    (exception,) = of(asked.when("//:most", "//:g")).told
    assert exception.line is not None and exception.line.words == ("--config=one",)


def test_all_of_a_long_list_have_been_tried(tmp_path: Path) -> None:
    settings = "".join(
        f'config_setting(name = "s{n}", define_values = {{"s{n}": "1"}})\n' for n in range(40)
    )
    parts = (f'select({{":s{n}": [":g"], "//conditions:default": []}})' for n in range(40))
    build = f'{settings}filegroup(name = "top", srcs = {" + ".join(parts)})\n'
    told = of(workspace(tmp_path, build).when("//:top", "//:g")).told
    assert len(told) == 40
    assert all(one.line and one.line.words == (one.words[0].need.text,) for one in told)


def test_a_combination_that_no_line_makes_so_is_told_as_untried(tmp_path: Path) -> None:
    build = """
filegroup(name = "top", srcs = select({":a": [":g"], ":mac": [":g"], "//conditions:default": []}))
"""
    answer = workspace(tmp_path, build).when("//:top", "//:g")
    assert said(of(answer).untried) == ["a platform with @platforms//os:osx"]
    assert "1 of them not tried: no command line was found for it" in lines(answer)
