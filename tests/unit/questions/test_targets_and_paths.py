"""`explain`, `path` and `graph` on a small workspace, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.support.files import write_files
from tests.unit.questions.golden import rows
from tests.unit.questions.json_schema import violations

FILES = {
    "WORKSPACE": """\
workspace(name = "demo")
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "dnn",
    build_file = "//third_party:dnn.BUILD",
    sha256 = "11aa",
    urls = ["https://example.org/dnn.tgz"],
)
""",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": """\
build:fast --define=with_dnn=true
build:faster --config=fast
build:slow --define=with_dnn=false
""",
    "app/BUILD": """\
COMMON = ["//core"]

sh_binary(
    name = "package",
    srcs = ["package.sh"],
    data = COMMON + select({
        "//third_party:windows": ["win.txt"],
        "//conditions:default": ["unix.txt"],
    }),
)
""",
    "core/BUILD": """\
load("//third_party:defs.bzl", "dnn_deps", "fast_library")
package(default_visibility = ["//visibility:public"])
fast_library(
    name = "core",
    srcs = ["core.cc"],
    deps = dnn_deps(),
)

cc_library(name = "dnn_free")
cc_library(name = "twin")
""",
    "tools/old/BUILD": 'cc_library(name = "core")\ncc_library(name = "lonely")\n',
    "misc/BUILD": 'cc_library(name = "twin")\n',
    "third_party/BUILD": """\
config_setting(
    name = "with_dnn",
    define_values = {"with_dnn": "true"},
    visibility = ["//visibility:public"],
)

config_setting(name = "windows", values = {"cpu": "x64_windows"})
""",
    "third_party/defs.bzl": """\
def dnn_deps():
    return select({
        "//third_party:with_dnn": ["@dnn//:dnn"],
        "//conditions:default": [],
    })

def fast_library(name, **kwargs):
    native.cc_library(name = name, copts = ["-O3"], **kwargs)
""",
    "third_party/dnn.BUILD": 'package(default_visibility = ["//visibility:public"])\n'
    'cc_library(name = "dnn", srcs = glob(["src/*.cc"]))\n',
    "core/core.cc": "",
    "app/package.sh": "",
    "app/win.txt": "",
    "app/unix.txt": "",
}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


@pytest.fixture
def run(root: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def run(command: str, *words: str, within: str = "") -> tuple[int, str, str]:
        capfd.readouterr()
        where = ["-w", str(root / within), "--host=linux", "--no-cache"]
        code = main([command, *where, *words])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def test_path_through_every_branch_says_what_it_needs(run: Run) -> None:
    code, out, _ = run("path", "package", "dnn")
    assert code == 0
    lines = rows(out)
    assert [line for line in lines if line.startswith(("//", "@dnn//"))] == [
        "//app:package sh_binary, app/BUILD:3",
        "//core:core cc_library, fast_library() at core/BUILD:3",
        "@dnn//:dnn cc_library, third_party/dnn.BUILD:2",
    ]
    assert "data <- COMMON app/BUILD:6" in lines
    assert "if //third_party:with_dnn --define=with_dnn=true" in lines
    start = lines.index("Only with --define=with_dnn=true:")
    assert lines[start + 1 : start + 3] == [
        "--config=fast .bazelrc:1",
        "--config=faster, through fast .bazelrc:1",
    ]


@pytest.mark.parametrize("name", ["package", "app:package"])
def test_a_short_name_is_taken_by_explain_and_why_as_by_path(run: Run, name: str) -> None:
    _, out, _ = run("explain", name, "--sections", "targets")
    assert "//app:package sh_binary" in rows(out)
    code, out, _ = run("why", "dnn", name, "--define=with_dnn=true")
    assert code == 0
    assert any(line.startswith("@dnn//:dnn dependency") for line in rows(out))


def test_of_several_targets_of_a_name_explain_takes_the_one_that_path_takes(
    run: Run, root: Path
) -> None:
    (root / "app/old").mkdir()
    (root / "app/old/BUILD").write_text('sh_binary(name = "package", srcs = ["package.sh"])')
    for words in (
        ["path", "package", "dnn"],
        ["explain", "package", "--sections", "targets"],
        ["why", "core", "package"],
    ):
        code, out, _ = run(*words)
        assert code == 0
        assert "using //app:package (also called `package`: //app/old:package)" in out
    code, out, _ = run("explain", "twin")
    assert code == 1
    assert "did you mean //core:twin, //misc:twin?" in out


def test_path_ends_with_the_facts_of_its_repository(run: Run) -> None:
    _, out, _ = run("path", "package", "dnn")
    lines = rows(out)
    what = "BUILD file from the workspace; archive not downloaded"
    start = lines.index(f"@dnn is http_archive(), content: {what} WORKSPACE:3")
    assert lines[start + 1 : start + 3] == [
        "urls https://example.org/dnn.tgz",
        "build_file //third_party:dnn.BUILD",
    ]


def test_path_in_full_has_every_place_on_the_way(run: Run) -> None:
    _, out, _ = run("path", "package", "dnn", "--full")
    lines = rows(out)
    made = "cc_library, fast_library() at core/BUILD:3 > third_party/defs.bzl:8"
    assert f"//core:core {made}" in lines
    assert "data <- COMMON (app/BUILD:1) app/BUILD:6" in lines
    at = "select() at third_party/defs.bzl:2"
    assert f"if //third_party:with_dnn --define=with_dnn=true {at}" in lines
    assert "sha256 11aa" in lines


def test_path_under_flags(run: Run) -> None:
    code, out, _ = run("path", "package", "dnn", "--config=faster")
    assert code == 0
    assert "--define=with_dnn=true is in force .bazelrc:1, --config=fast" in rows(out)


def test_path_that_flags_cut(run: Run) -> None:
    code, out, _ = run("path", "package", "dnn", "--config=slow")
    assert code == 1
    lines = rows(out)
    assert "No path from //app:package to @dnn//:dnn under these flags." in lines
    assert "these flags take //conditions:default instead" in lines
    assert "Only with --define=with_dnn=true:" in lines
    assert any(line.startswith("--config=fast ") for line in lines)
    assert "Not so now: --define=with_dnn is false (.bazelrc:3, --config=slow)" in lines


def test_of_two_cut_branches_the_one_that_misses_less_is_told(root: Path, run: Run) -> None:
    (root / "third_party/BUILD").write_text(
        'config_setting(name = "a_both", define_values = {"with_dnn": "true", "more": "1"})\n'
        'config_setting(name = "with_dnn", define_values = {"with_dnn": "true"})\n'
        'config_setting(name = "windows", values = {"cpu": "x64_windows"})\n'
    )
    text = FILES["third_party/defs.bzl"]
    branch = '        "//third_party:a_both": ["@dnn//:dnn"],\n'
    (root / "third_party/defs.bzl").write_text(text.replace("select({\n", "select({\n" + branch))
    _, out, _ = run("path", "package", "dnn", "--config=slow")
    assert "Only with --define=with_dnn=true:" in rows(out)
    assert "a_both" not in out


def test_flags_that_only_say_where_files_are_leave_every_branch_open(run: Run) -> None:
    code, out, _ = run("path", "package", "dnn", "--override_repository=other=/nowhere")
    assert code == 0
    assert "Only with --define=with_dnn=true:" in rows(out)
    code, _, _ = run("path", "package", "dnn", "--configured")
    assert code == 1
    code, _, _ = run("path", "package", "dnn", "--config=slow", "--all-branches")
    assert code == 0


def test_no_path_at_all(run: Run) -> None:
    code, out, _ = run("path", "//core:dnn_free", "//app:package")
    assert code == 1
    assert "No path from //core:dnn_free to //app:package, through any branch." in rows(out)


def test_namesake_that_a_path_joins_is_taken(run: Run) -> None:
    code, out, _ = run("path", "package", "core")
    assert code == 0
    assert "//core:core cc_library, fast_library() at core/BUILD:3" in rows(out)
    assert "@dnn//" not in out


def test_ambiguous_name_lists_its_candidates(run: Run) -> None:
    code, out, _ = run("path", "twin", "package")
    assert code == 1
    assert rows(out)[:3] == [
        "error: `twin` is the name of 2 targets; say which",
        "//core:twin",
        "//misc:twin",
    ]


@pytest.mark.parametrize(
    ("name", "near"),
    [("pakage", "//app:package"), ("//app:pakage", "//app:package"), ("//ap:x", "//app")],
)
def test_unknown_name_has_near_ones(run: Run, name: str, near: str) -> None:
    code, out, _ = run("path", name, "dnn")
    assert code == 1
    assert f"did you mean {near}" in out


def test_explain_resolves_every_select_of_a_target(run: Run) -> None:
    code, out, _ = run("explain", "--config=fast", "//core", "//app:package")
    assert code == 0
    lines = rows(out)
    start = lines.index("deps = dnn_deps() core/BUILD:6, select() at third_party/defs.bzl:2")
    assert lines[start + 1 : start + 4] == [
        "takes //third_party:with_dnn",
        "@dnn//:dnn",
        "--define=with_dnn=true .bazelrc:1, --config=fast",
    ]
    assert "not //third_party:windows: wants --cpu=x64_windows, is k8 (default)" in lines
    assert any(line.startswith("Conditions that hold: 1 of 2 that") for line in lines)


def test_explain_without_targets_decides_the_conditions_of_the_workspace(run: Run) -> None:
    code, out, _ = run("explain", "--cpu=x64_windows")
    assert code == 0
    lines = rows(out)
    start = lines.index("Conditions that hold: 1 of 2 of the workspace")
    assert lines[start + 1 : start + 3] == [
        "//third_party:windows third_party/BUILD:7",
        "--cpu=x64_windows command line",
    ]


def test_explain_takes_relative_targets_and_patterns(run: Run) -> None:
    code, out, _ = run("explain", ":dnn_free", "//tools/...", within="core")
    assert code == 0
    start = rows(out).index("//core:dnn_free cc_library")
    assert rows(out)[start + 1] == 'cc_library(name = "dnn_free") core/BUILD:9'
    assert "//tools/... stands for 2 targets" in rows(out)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("//core:cor", "did you mean //core:core"),
        ("//cor", "did you mean //core"),
        ("//core:a b//", "target names may not end with '/'"),
    ],
)
def test_explain_unknown_target(run: Run, target: str, said: str) -> None:
    code, out, _ = run("explain", target)
    assert code == 1
    assert said in out
    assert len(rows(out)) <= 4  # Told once, and nothing besides.


def test_syntax_error_in_a_build_file(root: Path, run: Run) -> None:
    (root / "core/BUILD").write_text('cc_library(\n    name = "core",\n    deps = ),\n)\n')
    code, out, err = run("explain", "//core")
    assert code == 3
    assert "error: package `//core` is in error, so //core:core cannot be told" in rows(out)
    assert "--> core/BUILD:3:12" in rows(err)
    assert "3 | deps = )," in rows(err)


def test_load_cycle(root: Path, run: Run) -> None:
    (root / "core/BUILD").write_text('load("//core:a.bzl", "a")\ncc_library(name = "core")\n')
    (root / "core/a.bzl").write_text('load("//core:b.bzl", "b")\na = b\n')
    (root / "core/b.bzl").write_text('load("//core:a.bzl", "a")\nb = a\n')
    code, _, err = run("explain", "//core")
    assert code in (1, 3)
    assert "cycle" in err


def test_missing_bzl_file_costs_its_package_only(root: Path, run: Run) -> None:
    (root / "tools/old/BUILD").write_text('load("//gone:x.bzl", "x")\ncc_library(name = "a")\n')
    code, out, _ = run("path", "package", "dnn")
    assert code in (0, 3)
    assert "Only with --define=with_dnn=true:" in rows(out)
    code, _, err = run("explain", "//tools/old:a")
    assert code in (1, 3)
    assert "gone" in err


@pytest.mark.parametrize("command", ["explain", "path", "graph"])
def test_json_keeps_to_its_schema(run: Run, command: str) -> None:
    words = ["package", "dnn"] if command != "explain" else ["//core", "--config=fast"]
    _, out, _ = run(command, *words, "--format=json")
    schema = json.loads(shipped_schema())
    assert violations(json.loads(out), schema, schema) == []


def test_graph_has_the_targets_and_edges_between(run: Run) -> None:
    code, out, _ = run("graph", "package", "dnn", "--format=json")
    assert code == 0
    answer = json.loads(out)
    assert [node["label"] for node in answer["nodes"]] == [
        "//app:package",
        "//core:core",
        "@dnn//:dnn",
    ]
    assert [(edge["source"], edge["attribute"], edge["target"]) for edge in answer["edges"]] == [
        ("//app:package", "data", "//core:core"),
        ("//core:core", "deps", "@dnn//:dnn"),
    ]
    assert answer["edges"][1]["branch"]["condition"] == "//third_party:with_dnn"


def test_graph_below_one_target_is_bounded(run: Run) -> None:
    line = ("graph", "package", "--max-nodes=3", "--collapse", "nothing", "--format=json")
    _, out, _ = run(*line)
    answer = json.loads(out)
    assert len(answer["nodes"]) == 3
    assert answer["hidden_nodes"] == 4


def test_more_targets_than_there_may_be_boxes_are_folded(run: Run, root: Path) -> None:
    _, out, _ = run("graph", "package", "--max-nodes=3", "--format=json")
    answer = json.loads(out)
    assert answer["collapse"] == "package"
    assert answer["folded"] == 7
    assert [group["name"] for group in answer["groups"]] == ["//app", "//core", "@dnn//"]
    _, out, _ = run("graph", "package", "--max-nodes=3", "-o", str(root / "x.svg"))
    assert "7 targets are too many to read, so packages stand for them" in out
    assert "7 targets folded (--collapse nothing)" in (root / "x.svg").read_text()


def test_boxes_lead_to_their_places(run: Run, root: Path) -> None:
    for pattern, link in (
        ("https://x.org/w/{path}#L{line}", "https://x.org/w/app/BUILD#L"),
        ("vscode://file/{path}:{line}", f"vscode://file{root}/app/BUILD:"),
    ):
        code, _, _ = run("graph", "package", "-o", str(root / "x.svg"), "--link", pattern)
        assert code == 0
        assert f'href="{link}' in (root / "x.svg").read_text()
    code, _, err = run("graph", "package", "--link", "javascript:alert('{path}')")
    assert code == 2
    assert "is no pattern for links" in err


def test_graph_as_a_file_or_as_text(run: Run, root: Path) -> None:
    code, out, _ = run("graph", "package", "dnn", "-o", str(root / "x.svg"))
    assert code == 0
    assert "3 targets, 2 edges" in out
    assert "if //third_party:with_dnn" in (root / "x.svg").read_text()
    code, out, err = run("graph", "package", "dnn")
    assert out.startswith("digraph bazelscope {")
    assert "3 targets, 2 edges" in err


def test_graph_under_flags_that_cut_it(run: Run) -> None:
    code, out, _ = run("graph", "package", "dnn", "--config=slow")
    assert code == 1
    assert "No path from //app:package to @dnn//:dnn under these flags." in rows(out)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        # FINDINGS R4: what the right spelling would have taken comes first.
        (("packag", "dnn"), "//app:package"),
        (("package", "dn"), "@dnn//:dnn"),
    ],
)
def test_of_slips_the_target_that_is_meant_comes_first(
    root: Path, run: Run, words: tuple[str, str], meant: str
) -> None:
    (root / "aaa").mkdir()
    (root / "aaa/BUILD").write_text('filegroup(name = "packages")\nfilegroup(name = "dm")\n')
    code, out, _ = run("path", *words)
    assert code == 1
    assert f"did you mean {meant}" in out


def test_why_is_short_for_explain_why(run: Run) -> None:
    code, out, _ = run("why", "with_dnn", "--config=fast")
    assert code == 0
    assert out == run("explain", "--why", "with_dnn", "--config=fast")[1]


def test_a_path_of_a_file_is_no_name_to_look_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Packages in error that nobody has to look into make no answer doubtful."""
    files = {"WORKSPACE": "", "a/BUILD": 'exports_files(["x.cc"])', "b/BUILD": "fail()\n"}
    write_files(tmp_path, {**files, "a/x.cc": "", "b/x.cc": ""})
    assert main(["deps", "a/x.cc", "-w", str(tmp_path), "--no-cache"]) == 0
    assert "in error" not in capfd.readouterr().out
