"""`path` and `rdeps` for a whole repository or a target pattern."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
http_archive(name = "idle", urls = ["https://example.com/idle.zip"])
""",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:far --define=far=true\n",
    "app/BUILD": """
config_setting(name = "is_far", define_values = {"far": "true"})
filegroup(name = "app", srcs = [":mid"])
filegroup(name = "mid", srcs = select({
    ":is_far": ["@far//b:near"],
    "//conditions:default": ["//lib/a:one"],
}))
""",
    "lib/BUILD": 'filegroup(name = "root", srcs = ["//lib/a:one"])\n',
    "lib/a/BUILD": 'filegroup(name = "one", srcs = ["@far//c:deep"])\n',
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_files(tmp_path, _FILES)
    return Workspace.open(tmp_path, environment={}, cache_dir=None)


@pytest.mark.parametrize(
    ("words", "target", "labels"),
    [
        ([], "@far", ["//app:app", "//app:mid", "@far//b:near"]),
        ([], "@far//...", ["//app:app", "//app:mid", "@far//b:near"]),
        ([], "@far//c:all", ["//app:app", "//app:mid", "//lib/a:one", "@far//c:deep"]),
        ([], "//lib/...", ["//app:app", "//app:mid", "//lib/a:one"]),
        # Under flags, the nearest behind the branches that they choose.
        (["--copt=-g"], "@far", ["//app:app", "//app:mid", "//lib/a:one", "@far//c:deep"]),
        (["--config=far"], "@far", ["//app:app", "//app:mid", "@far//b:near"]),
    ],
)
def test_a_path_leads_to_what_is_met_first(
    workspace: Workspace, words: list[str], target: str, labels: list[str]
) -> None:
    answer = workspace.configure(words).path("//app:app", target)
    assert [str(step.node.label) for step in answer.steps] == labels
    assert answer.target.asked == target


def test_of_several_starts_the_one_that_leads_there_is_meant(workspace: Workspace) -> None:
    files = {"BUILD": "", "p/q/BUILD": "", "p/r/BUILD": ""}
    rule = 'filegroup(name = "start", srcs = ["{}"])\n'
    here, there = rule.format("//lib:none"), rule.format("//lib/a:one")
    write_files(workspace.root, files | {"BUILD": here, "p/q/BUILD": there})
    answer = workspace.configure([]).path("start", "@far")
    assert [str(step.node.label) for step in answer.steps] == [
        "//p/q:start",
        "//lib/a:one",
        "@far//c:deep",
    ]
    assert list(map(str, answer.source.candidates)) == ["//:start"]
    write_files(workspace.root, {"p/r/BUILD": there})
    opened = Workspace.open(workspace.root, environment={}, cache_dir=None)
    answer = opened.configure([]).path("start", "@far")
    assert answer.source.why == "`start` is the name of 2 targets; say which"
    assert list(map(str, answer.source.candidates)) == ["//p/q:start", "//p/r:start"]


def test_a_repository_that_nothing_needs(workspace: Workspace) -> None:
    answer = workspace.configure([]).path("//app:app", "@idle")
    assert answer.target.why == "no target of `@idle` is known to be below //app:app"
    assert answer.unknown_below is not None
    labels = [str(dependency.label) for dependency in answer.unknown_below.first]
    assert labels == ["@far//b:near", "@far//c:deep"]
    answer = workspace.configure([]).path("//lib:root", "//app/...")
    assert answer.target.why == "no target of `//app/...` is known to be below //lib:root"
    answer = workspace.configure([]).path("//app:is_far", "@idle")
    assert answer.target.why == "//app:is_far reaches no target of `@idle`, through any branch"
    assert answer.unknown_below is None
    answer = workspace.configure([]).path("//app:app", "nosuch")
    assert answer.target.why == "no target is named `nosuch`"
    answer = workspace.configure([]).path("//app:app", "far")
    assert answer.target.label is not None  # The name alone means its repository, too.
    answer = workspace.configure([]).path("//app:app", "idle")
    assert answer.target.why == "no target is named `idle`; of the repository, ask for `@idle`"
    rdeps = workspace.configure([]).rdeps("@idle")
    assert rdeps.target.why == "nothing depends on a target of `@idle`"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("lib_of", ("//lib/a:one_lib_of_two",)), ("absl", ("@com_google_absl",))],
)
def test_a_part_of_a_name_finds_what_may_be_meant(
    workspace: Workspace, name: str, meant: tuple[str, ...]
) -> None:
    archive = _FILES["WORKSPACE"] + 'http_archive(name = "com_google_absl")\n'
    package = _FILES["lib/a/BUILD"] + 'filegroup(name = "one_lib_of_two")\n'
    write_files(workspace.root, {"WORKSPACE": archive, "lib/a/BUILD": package})
    opened = Workspace.open(workspace.root, environment={}, cache_dir=None).configure([])
    assert opened.path("//app:app", name).target.suggestions == meant
    avoiding = opened.path("//app:app", "//lib/a:one", avoid=[name])
    assert [problem.suggestions for problem in avoiding.route.problems] == [meant]


@pytest.mark.parametrize(
    ("words", "target", "members", "direct", "total"),
    [
        ([], "@far", ["@far//b:near", "@far//c:deep"], {"//app:mid", "//lib/a:one"}, 4),
        ([], "//lib/...", ["//lib:root", "//lib/a:one"], {"//app:mid"}, 2),
        (["--config=far"], "@far//b/...", ["@far//b:near"], {"//app:mid"}, 2),
        (["--config=far"], "@far//c:all", ["@far//c:deep"], {"//lib/a:one"}, 2),
    ],
)
def test_who_uses_any_of_it(
    workspace: Workspace,
    words: list[str],
    target: str,
    members: list[str],
    direct: set[str],
    total: int,
) -> None:
    answer = workspace.configure(words).rdeps(target)
    assert [str(label) for label in answer.target.members if label.name != "BUILD"] == members
    assert {str(found.node.label) for found in answer.dependencies if found.distance == 1} == direct
    assert answer.total == total


def test_a_repository_that_is_misspelt(workspace: Workspace) -> None:
    told = "nothing that is known defines a repository `@idl`"
    path = workspace.configure([]).path("//app:app", "@idl")
    assert path.target.why == f"//app:app reaches no target of `@idl`, through any branch: {told}"
    assert path.target.suggestions == ("@idle",)
    rdeps = workspace.configure([]).rdeps("@idl//...")
    assert rdeps.target.why == f"nothing depends on a target of `@idl//...`: {told}"


def test_from_a_target_that_is_unknown(workspace: Workspace) -> None:
    answer = workspace.configure([]).path("@far//:x", "@idle")
    assert answer.target.why.startswith("what @far//:x is cannot be told: @far//:BUILD")


def test_a_repository_that_no_module_brings(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "rules_cc", version = "0.1.1")')
    (tmp_path / "BUILD").write_text('filegroup(name = "x")')
    workspace = Workspace.open(tmp_path, environment={}, cache_dir=None)
    answer = workspace.configure([]).path("//:x", "@nosuch")
    assert answer.target.why.endswith("nothing that is known defines a repository `@nosuch`")


def test_labels_of_a_workspace_inside_of_this_one(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        "cc/WORKSPACE": "",
        "cc/sub/BUILD": 'filegroup(name = "x", srcs = ["//util:a", "//more:b"])',
        "cc/util/BUILD": 'filegroup(name = "a")',
        "plain/BUILD": 'filegroup(name = "x", srcs = ["//util:a"])',
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, environment={}, cache_dir=None).configure([])
    hints = [found.hint for found in asked.deps("//cc/sub:x").envelope.diagnostics]
    assert hints == ["`cc` is a workspace of its own, too; `-w cc` asks there", None]
    assert [found.hint for found in asked.deps("//plain:x").envelope.diagnostics] == [None]


def test_a_repository_that_only_something_unknown_may_define(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "fetched", urls = ["https://example.org/a.zip"])
load("@fetched//:deps.bzl", "deps")
deps()
""",
        "BUILD": 'filegroup(name = "a", srcs = ["@fetched//:x"])\n',
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="6.5.0", environment={}, cache_dir=None)
    answer = workspace.configure([]).path("//:a", "@fetchde")
    assert answer.target.why == (
        "no target of `@fetchde` is known to be below //:a:"
        " nothing that is known defines a repository `@fetchde`"
    )
    assert answer.target.suggestions == ("@fetched",)
    assert answer.unknown_below is not None
