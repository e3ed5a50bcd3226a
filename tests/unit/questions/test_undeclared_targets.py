"""Targets that nothing known declares, where something unknown may have: a slip is told as one,
with what was meant and what may have made it; and what is unknown of a query's answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.shared.envelope import ExitCode
from tests.support.files import write_files

FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "foo", urls = ["https://nowhere.example/foo.zip"])
""",
    "a/BUILD": """
load("@foo//x:unknown.bzl", "MyInfo", "mac")
mac(name = "p", srcs = ["p.proto"], outs = ["made.h"])
filegroup(name = "lib", srcs = ["x.txt"])
filegroup(name = "uses", srcs = ["//anything:maybe"])
""",
    "a/x.txt": "",
    "providers/BUILD": """
load(":defs.bzl", "VALUE")
filegroup(name = "lib", srcs = VALUE)
""",
    "providers/defs.bzl": """
load("@foo//x:unknown.bzl", "MyInfo", "make")
OtherInfo = make(fields = ["a"])
VALUE = ["x.txt"]
""",
    "anything/BUILD": 'load("@foo//x:unknown.bzl", "mac")\nmac("x")\n',
    "branch/BUILD": 'load(":m.bzl", "mac")\nmac(name = "x")\n',
    "branch/m.bzl": """
load("@foo//x:unknown.bzl", "use_it")
def mac(name):
    if use_it():
        native.filegroup(name = name + "_other")
        return
    native.filegroup(name = name)
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


Capture = pytest.CaptureFixture[str]


def ask(capfd: Capture, root: Path, *words: str) -> tuple[int, str, str]:
    options = ["-w", str(root), "--bazel-version", "4.2.3", "--host", "linux", "--no-cache"]
    code = main([words[0], *options, *words[1:]])
    shown = capfd.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize("question", ["deps", "explain", "select", "rdeps"])
def test_a_slip_beside_an_unknown_macro_is_told_as_one(
    capfd: Capture, root: Path, question: str
) -> None:
    code, text, _ = ask(capfd, root, question, "//a:libb")
    assert code == 3
    assert "'libb' is not declared by anything known in a/BUILD" in text
    assert "did you mean //a:lib?" in text
    assert '`mac(name = "p")` at a/BUILD:3' in text


@pytest.mark.parametrize("question", ["query", "cquery"])
def test_a_query_does_not_answer_a_slip(capfd: Capture, root: Path, question: str) -> None:
    code, text, errors = ask(capfd, root, question, "//a:libb")
    assert (code, text) == (3, "")
    assert "did you mean `lib`?" in errors


@pytest.mark.parametrize("name", ["p_x", "libp.so", "_p_gen", "made.h"])
def test_a_call_may_declare_what_bears_its_name_or_it_names(
    capfd: Capture, root: Path, name: str
) -> None:
    code, text, _ = ask(capfd, root, "deps", f"//a:{name}")
    assert code == 3
    assert f"What //a:{name} depends on cannot be told." in text
    assert '`mac(name = "p")` may declare it' in text


def test_a_file_that_gives_providers_declares_nothing(capfd: Capture, root: Path) -> None:
    code, text, _ = ask(capfd, root, "deps", "//providers:libb")
    assert code == 1
    assert "no such target '//providers:libb'" in text
    assert "did you mean //providers:lib?" in text


def test_the_branch_that_was_taken_for_granted_is_named(capfd: Capture, root: Path) -> None:
    code, text, _ = ask(capfd, root, "deps", "//branch:x", "--full")
    assert code == 0
    assert "use_it(): taken as false" in " ".join(text.split())
    assert "branch/m.bzl:4" in text


def test_who_names_an_undeclared_target_knows_better(capfd: Capture, root: Path) -> None:
    code, text, _ = ask(capfd, root, "rdeps", "//anything:maybe")
    assert code == 0
    assert "//a:uses" in text
    code, text, _ = ask(capfd, root, "path", "//a:uses", "//anything:maybe")
    assert code == 0


def test_a_query_says_what_is_unknown_of_its_answer(capfd: Capture, root: Path) -> None:
    code, text, errors = ask(capfd, root, "query", "deps(//a:uses)")
    assert (code, text.split()) == (3, ["//a:uses", "//anything:maybe"])
    assert "unknown targets: 1 of 2: @foo would tell" in errors
    code, text, errors = ask(capfd, root, "cquery", "deps(//a:uses)")
    assert code == 3
    assert "unknown targets: 1 of " in errors
    code, text, errors = ask(capfd, root, "query", "//anything:all")
    assert (code, text) == (3, "")
    assert "the answer may lack something" in errors
    code, text, errors = ask(capfd, root, "query", "somepath(//a:uses, //a:lib)")
    assert (code, text) == (3, "")
    assert "the answer may lack something" in errors
    code, text, errors = ask(capfd, root, "query", "deps(//a:lib)")
    assert (code, errors) == (0, "")


def test_all_packages_of_what_is_not_downloaded_are_unknown_not_none(
    capfd: Capture, root: Path
) -> None:
    code, text, errors = ask(capfd, root, "query", "@foo//...")
    assert (code, text) == (3, "")
    assert "no targets found" not in errors and "@foo" in errors


def test_nobody_downloads_what_is_bazels_own(capfd: Capture, root: Path) -> None:
    names = 'srcs = ["@bazel_tools//tools/nothing:modelled"]'
    write_files(root, {"own/BUILD": f'filegroup(name = "x", {names})\n'})
    code, _, errors = ask(capfd, root, "query", "deps(//own:x)", "--bazel-version=8.1.0")
    assert (code, errors) == (3, "warning: unknown targets: 1 of 2 (all Bazel's own)\n")
    code, _, errors = ask(capfd, root, "query", "deps(//own:x) + deps(//a:uses)")
    assert "unknown targets: 2 of 4 (1 of them Bazel's own): @foo would tell" in errors


def test_unknown_targets_and_guessed_classes_are_marked(capfd: Capture, root: Path) -> None:
    asked = "//a:p + //a:p_x"
    _, xml, _ = ask(capfd, root, "query", asked, "--output=xml")
    assert '<unknown reason="the class `mac` is assumed: its file is not there"/>' in xml
    assert '<unknown-target name="//a:p_x" unknown="//a:p_x: `mac(name = ' in xml
    form = ("--output=streamed_jsonproto", "--bazel-version=6.5.0")
    _, proto, _ = ask(capfd, root, "query", asked, *form)
    assert proto.count('"name":"$bazelscope_unknown"') == 2
    _, text, _ = ask(capfd, root, "query", asked, "--format=json")
    known, unknown = sorted(json.loads(text)["targets"], key=lambda target: target["label"])
    assert known["is_assumed"] is True
    assert known["unknown"] is None
    assert unknown["kind"] is None
    assert unknown["unknown"]["reason"] == "repository-not-fetched"


def test_an_unread_workspace_macro_may_bind(capfd: Capture, tmp_path: Path) -> None:
    workspace = FILES["WORKSPACE"] + 'load("@foo//x:deps.bzl", "deps")\n'
    files = {"a/BUILD": 'filegroup(name = "x", srcs = ["//external:bound"])\n'}
    write_files(tmp_path, {"WORKSPACE": workspace + "deps()\n", **files})
    code, text, errors = ask(capfd, tmp_path, "query", "deps(//a:x)")
    assert (code, text.split()) == (3, ["//a:x", "//external:bound"])
    assert "no such target" not in errors
    write_files(tmp_path, {"WORKSPACE": FILES["WORKSPACE"]})
    code, text, errors = ask(capfd, tmp_path, "query", "deps(//a:x)")
    assert "no such target '//external:bound'" in errors


def test_what_a_rule_names_is_a_source_file_only_where_it_lies_there(
    root: Path, capfd: Capture
) -> None:
    files = {
        "c/BUILD": """
load("@foo//x:unknown.bzl", "mac")
mac(name = "p")
cc_library(name = "l", srcs = ["here.cc"], deps = [":p_cc", ":other"])
""",
        "c/here.cc": "",
        "known/BUILD": 'cc_library(name = "l", srcs = ["gone.cc"])\n',
    }
    write_files(root, files)
    query = "labels(srcs, //c:l) + labels(deps, //c:l) + labels(srcs, //known:l)"
    _, out, errors = ask(capfd, root, "query", "--output=label_kind", query)
    assert "unknown targets: 2 of 4" in errors
    assert sorted(out.splitlines()) == [
        "source file //c:here.cc",
        "source file //known:gone.cc",
        "unknown target //c:other",
        "unknown target //c:p_cc",
    ]
    # Nothing is refused for a rule that may well be there.
    code, out, _ = ask(capfd, root, "explain", "//c:l")
    assert code == 0
    assert '`mac(name = "p")` may declare it' in out


def test_a_file_that_may_be_a_rule_is_not_misplaced(root: Path, capfd: Capture) -> None:
    library = 'cc_library(name = "l", deps = ["p.md"])\n'
    call = 'load("@foo//x:unknown.bzl", "mac")\nmac(name = "p")\n'
    write_files(root, {"d/BUILD": call + library, "d/p.md": ""})
    assert ask(capfd, root, "explain", "//d:l")[0] == 0
    write_files(root, {"d/BUILD": library})
    code, out, _ = ask(capfd, root, "explain", "//d:l")
    assert code == 3
    assert "'//d:p.md' is misplaced here" in out


def test_a_package_with_a_warning_is_not_in_error(tmp_path: Path) -> None:
    build = 'cc_library(name = "lib", hdrs_check = "strict")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    opened = Workspace.open(tmp_path, environment={}, cache_dir=None, bazel_version="7.7.1")
    answer = opened.when("//:lib", "//:lob")
    assert answer.target is not None
    assert answer.target.why.startswith("no such target '//:lob'")
    assert opened.configure([]).path("//:lib", "//:lib").exit_code is ExitCode.ANSWERED


def test_a_class_whose_file_is_not_here_is_said_to_be_assumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = 'load("@foo//:x.bzl", "odd")\nodd(name = "p")\nfilegroup(name = "f")\n'
    write_files(tmp_path, {"WORKSPACE": FILES["WORKSPACE"], "BUILD": build})
    for query, says in (("kind(cc_library, //:all)", 1), ("//:p", 1), ("//:f", 0)):
        main(["query", "-w", str(tmp_path), "--no-cache", query])
        told = capsys.readouterr().err
        assert told.count("warning: `odd` is taken for a rule, and may be a macro") == says


def test_a_command_without_its_program_is_a_target_that_is_not_there(
    capfd: Capture, root: Path
) -> None:
    (root / "BUILD").write_text('filegroup(name = "test")\n')
    assert "did you mean bazel build ...?" in ask(capfd, root, "explain", "build", "//a:lib")[1]
    assert "did you mean" not in ask(capfd, root, "explain", "test", "//a:lib")[1]
