"""`bazelscope query` and `cquery` as commands: output, exit codes, words about bad questions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bazelscope.cli import main

_BUILD = """
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(
    name = "top",
    srcs = ["a.txt"] + select({":opt": [":fast"], "//conditions:default": [":slow"]}),
)
filegroup(name = "fast")
filegroup(name = "slow")
"""


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "BUILD").write_text(_BUILD)
    (tmp_path / "p" / "a.txt").write_text("")
    return str(tmp_path)


def _run(capfd: pytest.CaptureFixture[str], workspace: str, *words: str) -> tuple[int, str, str]:
    capfd.readouterr()
    code = main([words[0], "-w", workspace, "--bazel-version", "4.2.3", "--no-cache", *words[1:]])
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return code, out, err


def test_query(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capfd, workspace, "query", "--noimplicit_deps", "deps(//p:top)")
    assert (code, err) == (0, "")
    assert out.splitlines() == ["//p:top", "//p:slow", "//p:opt", "//p:fast", "//p:a.txt"]


def test_graph(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Nodes and edges are labels; of cquery, with their configuration."""
    _, out, _ = _run(capfd, workspace, "query", "--output=graph", "deps(//p:top)")
    assert set(re.findall('"([^"]+)" ->', out)) == {"//p:top"}
    words = ("cquery", "--output=graph", "--noimplicit_deps", "//p:top")
    assert '  "//p:top (target)"\n' in _run(capfd, workspace, *words)[1]


def test_newer_versions_sort(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["query", "-w", workspace, "--bazel-version", "6.5.0", "--no-cache", "//p:all"]
    assert main(words) == 0
    assert capfd.readouterr().out.splitlines() == ["//p:fast", "//p:opt", "//p:slow", "//p:top"]


@pytest.mark.parametrize(
    ("flags", "chosen"), [((), "//p:slow"), (("-c", "opt"), "//p:fast")], ids=["fastbuild", "opt"]
)
def test_cquery(
    flags: tuple[str, ...], chosen: str, workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = _run(capfd, workspace, "cquery", *flags, "--noimplicit_deps", "deps(//p:top)")
    assert code == 0
    expected = {"//p:top (target)", "//p:a.txt (null)", "//p:opt (target)", f"{chosen} (target)"}
    assert set(out.splitlines()) == expected


def test_json(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capfd, workspace, "query", "--format", "json", "deps(//p:slow)")
    answer = json.loads(out)
    assert code == 0
    assert (answer["answer"], answer["expression"]) == ("query", "deps(//p:slow)")
    assert [target["label"] for target in answer["targets"]] == ["//p:slow"]


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--output=starlark", "--starlark:expr=target.label.name"),
        ("--output=files",),
        ("--transitions=lite",),
        ("--output=jsonproto",),
        ("--output=textproto",),
    ],
    ids=" ".join,
)
def test_json_tells_the_targets_whatever_the_output(
    flags: tuple[str, ...], workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("cquery", "--format", "json", "--noimplicit_deps", *flags, "//p:fast + //p:slow")
    code, out, _ = _run(capfd, workspace, *words)
    found = [(item["label"], item["configuration"]) for item in json.loads(out)["targets"]]
    assert (code, found) == (0, [("//p:fast", "target"), ("//p:slow", "target")])


def test_query_file(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    (Path(workspace) / "question").write_text("//p:fast +\n//p:slow\n")
    code, out, _ = _run(capfd, workspace, "query", "--query_file=question")
    assert (code, out) == (0, "//p:slow\n//p:fast\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["query", "deps(//p:top"], 2, "expected `)` or `,`"),
        (["query", "depz(//p:top)"], 2, "did you mean `deps`"),
        (["query", "--output=labl", "//p:top"], 2, "did you mean `label`"),
        (["query", "--output=location", "buildfiles(//p:top)"], 2, "cannot be used with"),
        (
            ["cquery", "--output=xml", "//p:top"],
            2,
            "`cquery` of Bazel 4.2.3 has no output format `xml`",
        ),
        (["query", "//p:tap"], 7, "did you mean `top`?"),
        (["query", "//q:x"], 7, "no such package"),
        (["query", "@bazel_toolz//:x"], 7, "did you mean `@bazel_tools`"),
        (["query", "//q/..."], 7, "no targets found"),
        (["query", "//pp:top"], 7, "did you mean `//p`?"),
        (["query", "//pp/..."], 7, "did you mean `//p/...`?"),
        (["query", "deps(//pp:all)"], 7, "did you mean `//p`?"),
        (["cquery", "--output=starlark", "--starlark:expr=1 +", "//p:top"], 1, "--starlark:expr"),
        (["cquery", "--output=starlark", "--starlark:expr=1)+(2", "//p:top"], 1, "invalid"),
        (
            ["cquery", "--output=starlark", "--starlark:expr=Label", "//p:top"],
            1,
            "name 'Label' is not defined",
        ),
        (["cquery", "--output=starlark", "--starlark:file=no", "//p:top"], 1, "cannot read `no`"),
        (
            ["cquery", "--output=starlark", "--starlark:expr=providers(target)", "//p:top"],
            3,
            "what filegroup rules provide is computed by Bazel",
        ),
        (["cquery", "--output=transitions", "//p:top"], 2, "`lite`"),
        (["cquery", "--output=fils", "//p:top"], 2, "did you mean `files`"),
        (["query", "some(set())"], 7, "nothing to choose from"),
        (["query", "$x"], 7, "undefined variable `x`"),
        (["query", "let 1x = //p:top in //p:top"], 7, "no name of a variable"),
        (["query", "filter('[', //p:all)"], 7, "no regular expression"),
        (["query", "--nosuch_flag", "//p:top"], 2, "--nosuch_flag"),
        (["query"], 2, "give an expression"),
        (["cquery", "buildfiles(//p:top)"], 1, "cannot be asked of configured targets"),
        (["cquery", "config(//p:top, abc)"], 1, "no configuration `abc`"),
        (["query", "--query_file=nosuch"], 2, "cannot read `nosuch`"),
        (["query", "--output=graph", "--graph:node_limit=x", "//p:top"], 2, "is no value of"),
        (
            ["query", "--output=proto", "--proto:include_synthetic_attribute_hash", "//p:top"],
            2,
            "is not known here",
        ),
        (["cquery", "visible(//p:top, //p:all)"], 1, "cannot be asked of configured targets"),
        (["query", "@bazel_tools"], 7, "came with Bazel 6.2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_questions(
    words: list[str], code: int, said: str, workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found, out, err = _run(capfd, workspace, *words)
    assert (found, out) == (code, "")
    assert said in err


def test_starlark_output(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    program = "def format(target):\n    return target.label.name * 2\n"
    (Path(workspace) / "twice.cquery").write_text(program)
    words = ("--output=starlark", "--starlark:file=twice.cquery", "//p:fast")
    assert _run(capfd, workspace, "cquery", *words) == (0, "fastfast\n", "")


def test_a_failing_target_leaves_the_others(
    workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    program = "{'fast': 1}[target.label.name]"
    words = ("--output=starlark", f"--starlark:expr={program}", "//p:fast + //p:slow")
    code, out, err = _run(capfd, workspace, "cquery", *words)
    assert (code, out) == (3, "1\n")
    assert "Starlark evaluation error for //p:slow: key" in err


def test_files(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    (Path(workspace) / "p" / "BUILD").write_text(
        _BUILD
        + 'genrule(name = "made", srcs = [":top"], outs = ["x", "d/y"], cmd = "")\n'
        + 'filegroup(name = "both", srcs = [":made", ":top"])\n'
        + 'cc_library(name = "cc", srcs = ["cc.cc"])\n'
    )
    flags = ("--cpu=k8", "--output=files")
    code, out, err = _run(capfd, workspace, "cquery", *flags, "//p:both")
    made = "bazel-out/k8-fastbuild/bin/p"
    assert (code, out) == (0, f"{made}/x\n{made}/d/y\np/a.txt\n")
    assert err == "warning: `--output=files` came with Bazel 5.3: before, Bazel refuses it\n"
    code, out, err = _run(capfd, workspace, "cquery", *flags, "//p:top + //p:cc")
    assert (code, out) == (3, "p/a.txt\n")
    assert "the files of //p:cc (target) are not known" in err


def test_transitions(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--transitions=lite", "--noimplicit_deps", "//p:top + //p:slow")
    code, out, _ = _run(capfd, workspace, "cquery", *words)
    trimming = "(TestTrimmingTransition + ConfigFeatureFlagTaggedTrimmingTransition)"
    line = f"  srcs#//p:slow#{trimming} -> target\n"
    assert (code, out) == (0, f"//p:top (target)\n{line}//p:slow (target)\n")


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("2.1.0", "(TestTrimmingTransition + ConfigFeatureFlagTaggedTrimmingTransition)"),
        ("0.24.1", "AsPatchTransition"),
    ],
)
def test_transitions_of_older_releases(
    version: str, name: str, workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("--transitions=lite", "--noimplicit_deps", "--bazel-version", version)
    code, out, _ = _run(capfd, workspace, "cquery", *words, "//p:top + //p:slow")
    line = f"  srcs#//p:slow#{name} ( -> target)\n"
    assert (code, out) == (0, f"//p:top (target)\n{line}//p:slow (target)\n")


def test_options_that_transitions_change(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    """As 4.2.3 prints them; what we cannot write as Bazel does is said."""
    build = Path(workspace) / "p" / "BUILD"
    rule = 'genrule(name = "made", outs = ["x"], cmd = "", tools = [":top"])'
    build.write_text(f"{build.read_text()}\n{rule}\n")
    flags = ("-c", "dbg", "--copt=-O3", "--host_copt=-g", "--stamp", "--per_file_copt=a@-x")
    words = (*flags, "--transitions=full", "//p:made + config(//p:top, host)")
    code, out, err = _run(capfd, workspace, "cquery", *words)
    assert (code, out.splitlines()) == (
        3,
        [
            "//p:made (target)",
            "  tools#//p:top#HostTransition -> host",
            "    platforms:[@local_config_platform//:host] -> [[]]",
            "    compilation_mode:dbg -> [opt]",
            "    is host configuration:false -> [true]",
            "    output directory name:null -> [host]",
            "    stamp:true -> [false]",
            "    copt:[-O3] -> [[-g0, -g]]",
            "    cxxopt:[] -> [[-g0]]",
            "    per_file_copt:unknown -> [[]]",
            "    strip:sometimes -> [always]",
            "    javabase:@bazel_tools//tools/jdk:jdk -> [@bazel_tools//tools/jdk:remote_jdk11]",
            "    jvmopt:[] -> [[-XX:ErrorFile=/dev/stderr]]",
            "//p:top (host)",
        ],
    )
    assert "how Bazel writes `a@-x` there is not known" in err


def test_options_of_other_bazels(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-w", workspace, "--bazel-version", "7.7.1", "--transitions=full", "//p:top"]
    assert main(["cquery", *words]) == 2
    assert "known of Bazel 4 alone" in capfd.readouterr().err


def test_keep_going(workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capfd, workspace, "query", "--keep_going", "//p:tap + //p:fast")
    assert (code, out) == (3, "//p:fast\n")
    assert "no such target '//p:tap'" in err


@pytest.mark.parametrize("command", ["query", "cquery"])
@pytest.mark.parametrize(
    ("version", "flags", "is_shown"),
    [
        ("2.1.0", (), True),
        ("4.2.3", (), False),
        ("4.2.3", ("--incompatible_enforce_config_setting_visibility",), True),
        ("7.4.0", (), True),
    ],
)
def test_package_groups_of_a_condition(
    command: str,
    version: str,
    flags: tuple[str, ...],
    is_shown: bool,
    workspace: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A config_setting depends on the groups of its `visibility` where that is looked at."""
    (Path(workspace) / "p" / "BUILD").write_text(
        'package_group(name = "group", packages = ["//p"])\n'
        'config_setting(name = "c", values = {"cpu": "k8"}, visibility = [":group"])\n'
    )
    words = [command, "-w", workspace, "--bazel-version", version, "--no-cache", *flags]
    assert main([*words, "--noimplicit_deps", "deps(//p:c)"]) == 0
    assert ("//p:group" in capfd.readouterr().out) == is_shown


def test_tools_may_not_ask_what_is_private(
    workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Which conditions are visible is no matter of a tool's own configuration."""
    for package, text in {
        "p": 'config_setting(name = "c", values = {"cpu": "k8"},'
        ' visibility = ["//visibility:private"])\n',
        "q": 'filegroup(name = "f", srcs = select({"//p:c": [], "//conditions:default": []}))\n'
        'genrule(name = "g", outs = ["o"], cmd = "", exec_tools = [":f"])\n',
    }.items():
        folder = Path(workspace) / package
        folder.mkdir(exist_ok=True)
        (folder / "BUILD").write_text(text)
    words = ["deps", "-w", workspace, "--bazel-version", "4.2.3", "--no-cache", "//q:g"]
    assert main([*words, "--cpu=k8"]) == 0
    capfd.readouterr()
    code = main([*words, "--incompatible_enforce_config_setting_visibility"])
    out, err = capfd.readouterr()
    assert code == 3
    assert "target '//p:c' is not visible from target '//q:f'" in out + err


def test_a_package_in_error_is_told_with_what_is_wrong_in_it(
    workspace: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = Path(workspace) / "q"
    folder.mkdir()
    (folder / "d.bzl").write_text("x = absent\n")
    (folder / "BUILD").write_text('load("d.bzl", "x")\nfilegroup(name = "g")\n')
    for words in (["query", "//q:g"], ["cquery", "//q:all"], ["explain", "--//q:g=1"]):
        _, _, err = _run(capfd, workspace, *words)
        assert "note: name 'absent' is not defined" in err, words
        assert "q/d.bzl:1:5" in err, words
    _, out, _ = _run(capfd, workspace, "explain", "//q:g")
    assert "did you mean" not in out
