"""The Python API: the same answers as values, and cheap to import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.query.language.query_parser import QueryError
from bazelscope.questions.shared.endpoint_answers import PathOutcome


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / ".bazelrc").write_text("build:fast --define=fast=true\n")
    (tmp_path / "BUILD").write_text(
        'config_setting(name = "is_fast", define_values = {"fast": "true"})\n'
        'cc_library(name = "a", deps = select({":is_fast": [":b"], '
        '"//conditions:default": []}))\n'
        'cc_library(name = "b")\n'
    )
    return Workspace.open(tmp_path, bazel_version="4.2.3")


def test_flags(workspace: Workspace) -> None:
    answer = workspace.configure(["--config=fast", "-c", "opt"]).flag("compilation_mode")
    assert answer.values == ("opt",)
    assert answer.settings[0].setting.typed_word == 1


def test_folders_may_be_given_as_text(workspace: Workspace, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    asked = Workspace.open(str(workspace.root), cache_dir=str(kept)).configure()
    assert asked.path("a", "b").outcome is PathOutcome.FOUND
    assert any(kept.iterdir())


def test_a_typed_rc_file_may_lie_anywhere(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "a.bazelrc").write_text("import " + str(elsewhere / "b.bazelrc") + "\n")
    (elsewhere / "b.bazelrc").write_text("build:typed --copt=-typed\n")
    line = ["bazel", f"--bazelrc={elsewhere / 'a.bazelrc'}", "build", "--config=typed"]
    flags = workspace.configure_line(line).flags
    assert flags.values["copt"].values == ("-typed",)
    assert not flags.undefined_configs


def test_path_is_configured_once_there_are_flags(workspace: Workspace) -> None:
    every_branch = workspace.configure().path("a", "b")
    assert not every_branch.configured
    assert [need.text for need in every_branch.needs] == ["--define=fast=true"]
    fast = workspace.configure(["--config=fast"]).path("a", "b")
    assert fast.configured
    assert fast.outcome is PathOutcome.FOUND
    slow = workspace.configure(["-c", "opt"]).path("a", "b")
    assert slow.outcome is PathOutcome.CUT
    assert [need.configs[0].config for need in slow.cuts[0].fixes] == ["fast"]


def test_explanation_of_a_target(workspace: Workspace) -> None:
    answer = workspace.configure(["--config=fast", "//:a"]).explain()
    (target,) = answer.targets
    (select,) = target.selects
    assert select.chosen is not None
    assert select.chosen.values == ("//:b",)


def test_graph(workspace: Workspace) -> None:
    answer = workspace.configure().graph_between("a")
    assert [str(node.label) for node in answer.nodes] == ["//:a", "//:b"]
    (edge,) = answer.edges
    assert edge.branch is not None
    assert str(edge.branch.condition) == "//:is_fast"


def test_networkx_graph_of_every_branch(workspace: Workspace) -> None:
    graph = workspace.configure().graph("//:a")
    assert dict(graph.nodes(data=True)) == {
        "//:a": {
            "label": "//:a",
            "kind": "cc_library rule",
            "package": "",
            "repository": "",
            "configuration": None,
            "location": "BUILD:2",
            "macro": None,
            "unknown": None,
        },
        "//:b": {**graph.nodes["//:b"], "label": "//:b", "location": "BUILD:3"},
        "//:is_fast": {**graph.nodes["//:is_fast"], "kind": "config_setting rule"},
    }
    assert list(graph.edges(data=True)) == [
        ("//:a", "//:b", edge(attribute="deps", condition="//:is_fast")),
        ("//:a", "//:is_fast", edge(attribute="deps", kind="condition")),
    ]


def edge(**held: object) -> dict[str, object]:
    plain = {"kind": "attribute", "condition": None, "is_tool": False, "uncertain": None}
    return {**plain, **held}


def test_networkx_graph_under_flags(workspace: Workspace) -> None:
    fast = workspace.configure(["--config=fast", "//:a"]).graph()
    assert fast.nodes["//:b"]["configuration"] == "target"
    slow = workspace.configure(["-c", "opt", "//:a"]).graph()
    assert sorted(slow.nodes) == ["//:a", "//:is_fast"]


def test_a_target_that_is_a_tool_too_has_two_nodes(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(
        'cc_binary(name = "b")\n'
        'genrule(name = "g", srcs = [":b"], tools = [":b"], outs = ["o"], cmd = "x")\n'
    )
    graph = (
        Workspace.open(tmp_path, bazel_version="4.2.3")
        .configure(["-s"])
        .graph("//:g", configured=True)
    )
    assert {"//:b", "//:b (host)"} < set(graph.nodes)
    assert graph.nodes["//:b (host)"]["configuration"] == "host"
    assert [held["attribute"] for held in graph["//:g"]["//:b (host)"].values()] == ["tools"]


def test_a_graph_of_what_is_no_target(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as error:
        workspace.configure().graph("//:aa")
    assert error.value.diagnostic.hint == "did you mean //:a?"


def test_why(workspace: Workspace) -> None:
    (fact,) = workspace.configure(["--config=fast", "//:a"]).why("//:is_fast").facts
    assert (fact.name, fact.value) == ("//:is_fast", "holds")


def test_query_and_cquery(workspace: Workspace) -> None:
    plain = workspace.configure(["--noimplicit_deps"], command="query")
    found = plain.query("deps(//:a)").targets
    assert {str(target.label) for target in found} == {"//:a", "//:b", "//:is_fast"}
    configured = workspace.configure(["--config=fast"]).cquery("kind(cc_library, deps(//:a))")
    assert {(str(t.label), t.configuration) for t in configured.targets} >= {
        ("//:a", "target"),
        ("//:b", "target"),
    }
    with pytest.raises(QueryError):
        plain.query("deps(")


def test_repos(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text('local_repository(name = "here", path = "sub")\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "WORKSPACE").write_text("")
    (tmp_path / "sub" / "BUILD").write_text('filegroup(name = "f")\n')
    (tmp_path / "BUILD").write_text('filegroup(name = "a", srcs = ["@here//:f"])\n')
    build = Workspace.open(tmp_path, bazel_version="4.2.3").configure()
    (found,) = build.repos("here", "//:a").repositories
    assert found.facts.location is not None
    assert (found.facts.rule_class, found.facts.location.short) == (
        "local_repository",
        "WORKSPACE:1",
    )
    assert found.reach is not None
    assert found.reach.targets == 1
    assert build.repos("hear").suggestions == ("here",)


@pytest.mark.parametrize(
    ("files", "version", "source"),
    [
        ({"WORKSPACE": "", ".bazelversion": "6.5.0\n"}, "6.5.0", ".bazelversion"),
        ({"WORKSPACE": ""}, "7.7.1", "assumed: the newest that reads WORKSPACE"),
        ({"MODULE.bazel": ""}, "9.1.0", "assumed: the newest"),
        (
            {"MODULE.bazel": "", ".bazelrc": "# a\ncommon --noexperimental_enable_bzlmod # b\n"},
            "7.7.1",
            "assumed: the newest that reads WORKSPACE, for .bazelrc:2 turns modules off",
        ),
        (
            {"MODULE.bazel": "", ".bazelrc": "build -c opt --enable_bzlmod=false\n"},
            "7.7.1",
            "assumed: the newest that reads WORKSPACE, for .bazelrc:1 turns modules off",
        ),
        (
            {"MODULE.bazel": "", ".bazelrc": "common --noenable_bzlmod\nbuild --enable_bzlmod\n"},
            "9.1.0",
            "assumed: the newest",
        ),
        (
            {"MODULE.bazel": "", ".bazelrc": "common:old --noenable_bzlmod\n# --noenable_bzlmod\n"},
            "9.1.0",
            "assumed: the newest",
        ),
        (
            {"MODULE.bazel": "", "MODULE.bazel.lock": '{"lockFileVersion": 13}'},
            "7.7.1",
            "assumed: the newest release that writes version 13 of MODULE.bazel.lock",
        ),
        ({"WORKSPACE": "", ".bazelversion": "v6.5.0 # pin\n"}, "v6.5.0", ".bazelversion"),
        # Bazelisk: its own file goes before `.bazelversion`.
        (
            {
                "WORKSPACE": "",
                ".bazelversion": "7.7.1\n",
                ".bazeliskrc": "# for all\nUSE_BAZEL_VERSION = 6.1.0\n",
            },
            "6.1.0",
            ".bazeliskrc",
        ),
        (
            {"WORKSPACE": "", ".bazelversion": "6.5.0\n", ".bazeliskrc": "BAZELISK_BASE_URL=a\n"},
            "6.5.0",
            ".bazelversion",
        ),
        ({"MODULE.bazel": 'module(bazel_compatibility = ["<8.0.0"])'}, "7.7.1", "assumed"),
        (
            {"MODULE.bazel": 'module(bazel_compatibility = [">=7.0.0"])'},
            "9.1.0",
            "assumed: the newest",
        ),
        (
            {"WORKSPACE": "", ".bazelversion": "latest\n"},
            "9.1.0",
            ".bazelversion: `latest`, taken for the newest release known here",
        ),
        (
            {"MODULE.bazel": "", ".bazelversion": "7.x\n"},
            "7.7.1",
            ".bazelversion: `7.x`, taken for the newest release of Bazel 7 known here",
        ),
        (
            {"MODULE.bazel": "", ".bazelversion": "nightly\n"},
            "9.1.0",
            "assumed: the newest, for .bazelversion says `nightly`, which names no Bazel",
        ),
    ],
)
def test_bazel_version(tmp_path: Path, files: dict[str, str], version: str, source: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = Workspace.open(tmp_path).version
    assert found[0] == version
    assert found[1] == source


@pytest.mark.parametrize(
    ("value", "version", "source"),
    [
        ("6.1.0", "6.1.0", "USE_BAZEL_VERSION"),
        (
            "7.x",
            "7.7.1",
            "USE_BAZEL_VERSION: `7.x`, taken for the newest release of Bazel 7 known here",
        ),
        ("./bazel-dev", "6.5.0", ".bazelversion"),
        ("", "6.5.0", ".bazelversion"),
    ],
)
def test_the_environment_goes_before_files(
    tmp_path: Path, value: str, version: str, source: str
) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / ".bazelversion").write_text("6.5.0\n")
    environment = {"USE_BAZEL_VERSION": value}
    assert Workspace.open(tmp_path, environment=environment).version == (version, source)


def test_who_asks_for_the_bazel_that_is_assumed(tmp_path: Path) -> None:
    text = 'module(\n    name = "m",\n    bazel_compatibility = [">=7.0.0", "<9.0.0"],\n)\n'
    (tmp_path / "MODULE.bazel").write_text(text)
    workspace = Workspace.open(tmp_path)
    assert workspace.version == ("8.7.0", "assumed")
    assert workspace.version_hint == ("this tree asks for Bazel >=7.0.0, <9.0.0 (MODULE.bazel:3)")


def test_workspace_is_found_upwards(workspace: Workspace) -> None:
    inner = workspace.root / "x" / "y"
    inner.mkdir(parents=True)
    found = Workspace.open(inner)
    assert found.root == workspace.root
    assert found.configure().directory_package.package == "x/y"


def test_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Workspace.open(tmp_path / "nowhere")


def test_import_is_cheap() -> None:
    program = (
        "import sys; import bazelscope.api;"
        "print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('bazelscope.')}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['api', 'base']"
