"""What `cquery` analyses is kept for the next run, in every configuration that it comes to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.cli import main
from tests.support.files import write_files
from tests.support.kept_runs import calls_of, write_settled

FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "gone", urls = ["https://example.org/gone.zip"])
""",
    "BUILD": """
load(":defs.bzl", "slow", "split")
cc_library(name = "top", srcs = ["made.cc"], data = [":split", "@gone//:lib"])
genrule(name = "make", outs = ["made.cc"], cmd = "", tools = [":tool"])
cc_binary(name = "tool", srcs = ["tool.cc"], deps = [":low"])
cc_library(name = "low", deps = select({":is_slow": ["//sub"], "//conditions:default": []}))
split(name = "split", deps = [":low"])
slow(name = "slow", deps = [":low"])
config_setting(name = "is_slow", values = {"compilation_mode": "opt"})
cc_library(name = "lacking", deps = [":not_there", ":top"])
""",
    "defs.bzl": """
def _both(settings, attr):
    return [{_OPTION: "opt"}, {_OPTION: "dbg"}]
def _opt(settings, attr):
    return {_OPTION: "opt"}
_OPTION = "//command_line_option:compilation_mode"
_both_ways = transition(implementation = _both, inputs = [], outputs = [_OPTION])
_slowly = transition(implementation = _opt, inputs = [], outputs = [_OPTION])
_ALLOWED = attr.label(default = "@bazel_tools//tools/whitelists/function_transition_whitelist")
def _rule(ctx):
    return []
split = rule(_rule, attrs = {
    "deps": attr.label_list(cfg = _both_ways),
    "_whitelist_function_transition": _ALLOWED,
})
slow = rule(_rule, cfg = _slowly, attrs = {
    "deps": attr.label_list(),
    "_whitelist_function_transition": _ALLOWED,
})
""",
    "sub/BUILD": 'cc_library(name = "sub", visibility = ["//visibility:public"])\n',
    "tool.cc": "",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_settled(tmp_path / "w", FILES, monkeypatch)


@pytest.fixture
def expanded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The nodes whose edges were worked out."""
    return calls_of(monkeypatch, ConfiguredGraph, "_expand")


Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Exit code and output of a `cquery`: answers are not printed again, but what they were made
    from is kept."""
    questions = count()

    def asked(*words: str, cache: str = f"--cache-dir={root.parent / 'cache'}") -> object:
        monkeypatch.setenv("ANOTHER_QUESTION", str(next(questions)))
        line = ["cquery", "--workspace", str(root), "--bazel-version=4.2.3", "--host=linux"]
        code = main([*line, *words, cache])
        return code, *capsys.readouterr()

    return asked  # type: ignore[return-value]


@pytest.mark.parametrize(
    "words",
    [
        ("deps(//:top)",),
        ("deps(//:top)", "--noimplicit_deps", "--output=transitions", "--transitions=full"),
        ("deps(//:top)", "--notool_deps"),
        ("deps(//:slow) + //:low", "--output=graph"),
        ("config(//:low, target)", "--universe_scope=//:slow,//:top"),
        ("deps(//:lacking)",),
        ("somepath(//:top, //sub)", "-c", "opt"),
    ],
    ids=" ".join,
)
def test_a_kept_closure_answers_as_a_walk_does(ask: Ask, words: tuple[str, ...]) -> None:
    wanted = ask(*words, cache="--no-cache")
    for _ in range(3):
        assert ask(*words) == wanted


def test_a_closure_is_walked_once(ask: Ask, expanded: list[tuple[object, ...]]) -> None:
    wanted = ask("deps(//:top)")
    assert "sub" in wanted[1]
    walked = len(set(expanded))
    expanded.clear()
    assert ask("deps(//:top)") == wanted
    assert len(expanded) < walked / 3  # Those alone at which another configuration begins.


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("BUILD", FILES["BUILD"].replace('"//sub"', '":slow"')),
        ("defs.bzl", FILES["defs.bzl"].replace('"dbg"', '"fastbuild"')),
        ("sub/BUILD", 'alias(name = "sub", actual = "//:tool.cc")\n'),
        ("WORKSPACE", ""),
    ],
)
def test_an_edit_is_seen(ask: Ask, root: Path, path: str, text: str) -> None:
    words = ("deps(//:top)", "--output=jsonproto")
    before = ask(*words)
    write_files(root, {path: text})
    wanted = ask(*words, cache="--no-cache")
    assert wanted != before
    for _ in range(2):
        assert ask(*words) == wanted
    write_files(root, {path: FILES[path]})
    assert ask(*words) == before
