"""What JSON says of a question of which Bazel refuses something, and what Bazel then prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli.entry import main
from tests.support.files import write_files

_DEFS = """
def _impl(ctx):
    return []
def _aspect_impl(target, ctx):
    return []
_aspect = aspect(
    implementation = _aspect_impl,
    attrs = {"_tool": attr.label(default = Label("//:ambiguous"))},
)
with_aspect = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(allow_files = True, aspects = [_aspect])},
)
implies_gone = rule(
    implementation = _impl,
    attrs = {"_tool": attr.label(default = Label("//lib:gone"))},
)
offers_gone = rule(
    implementation = _impl,
    attrs = {"it": attr.label(default = Label("//lib:gone"))},
)
"""
_BUILD = """
load(":d.bzl", "implies_gone", "offers_gone", "with_aspect")
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
filegroup(name = "ambiguous", srcs = select({":a": [], ":b": []}))
filegroup(name = "sound")
with_aspect(name = "of_file", deps = ["f.txt"])
with_aspect(name = "of_rule", deps = [":sound"])
implies_gone(name = "lacks")
offers_gone(name = "lacks_it")
offers_gone(name = "has_it", it = ":sound")
package_group(name = "group")
alias(name = "for_group", actual = ":group")
filegroup(name = "seen_by_it", visibility = [":for_group"])
test_suite(name = "untested", tests = [":sound"])
"""
_FLAGS = ("--define=a=1", "--define=b=1")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(
        tmp_path, {"WORKSPACE": "", "BUILD": _BUILD, "d.bzl": _DEFS, "f.txt": "", "lib/BUILD": ""}
    )
    return tmp_path


def _ask(root: Path, version: str, *words: str) -> int:
    return main([words[0], "-w", str(root), "--bazel-version", version, "--no-cache", *words[1:]])


def test_json_has_the_refusals_and_the_code_of_the_program(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, code in (
        (("cquery", "//:ambiguous", *_FLAGS), 1),
        (("cquery", "//:sound", *_FLAGS), 0),
        (("query", "--noimplicit_deps", "deps(//:lacks)"), 7),
    ):
        assert _ask(root, "4.2.3", *words, "--format", "json") == code
        document = json.loads(capsys.readouterr().out)
        assert document["exit_code"] == code
        refused = [one["target"] for one in document["refusals"]]
        assert refused == (["//:ambiguous"] if code == 1 else [])
    asked = Workspace.open(root, bazel_version="4.2.3").configure([*_FLAGS])
    assert [str(one.target) for one in asked.cquery("//:ambiguous").envelope.refusals] == [
        "//:ambiguous"
    ]


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_an_aspect_that_meets_no_rule_needs_nothing(
    version: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target, code in (("//:of_file", 0), ("//:of_rule", 1)):
        assert _ask(root, version, "cquery", "--keep_going", target, *_FLAGS) == code
        assert capsys.readouterr().out.count(target) == (code == 0)


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_a_default_that_is_not_there_is_told(version: str, root: Path) -> None:
    for target, code in (("//:lacks", 7), ("//:lacks_it", 7), ("//:has_it", 0)):
        assert _ask(root, version, "query", "--noimplicit_deps", f"deps({target})") == code


def test_what_is_refused_is_told_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ask(root, "4.2.3", "cquery", "deps(//:ambiguous)", *_FLAGS) == 1
    told = capsys.readouterr().err
    assert told.startswith("Bazel refuses this: 1 error.\n")
    assert told.count("//:a holds") == 1


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_a_suite_of_no_tests(version: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ask(root, version, "cquery", "--keep_going", "//:sound + //:untested") == 1
    assert "//:sound" in capsys.readouterr().out


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_an_alias_for_a_group_is_an_answer_where_a_visibility_names_it(
    version: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for asked, answer in (
        ("deps(//:for_group)", set()),
        ("deps(//:for_group + //:sound)", {"//:sound (target)"}),
        (
            "deps(//:for_group + //:seen_by_it + //:sound)",
            {"//:for_group (null)", "//:sound (target)"},
        ),
    ):
        assert _ask(root, version, "cquery", "--noimplicit_deps", "--keep_going", asked) == 1
        assert set(capsys.readouterr().out.splitlines()) == answer


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["query"], 7),
        (["query", "--keep_going"], 3),
        (["cquery"], 1),
        (["cquery", "--keep_going"], 1),
    ],
)
@pytest.mark.parametrize(
    "workspace", ['fail("no")', "x = 1 / 0", 'load("//p:no.bzl", "x")', "nonsense("]
)
def test_where_workspace_fails(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    workspace: str,
    words: list[str],
    code: int,
    form: str,
) -> None:
    # Measured: 0.24.1, 0.26.1, 2.1.0 and 4.2.3 (cquery --keep_going of 2.1.0 ends with 37).
    write_files(tmp_path, {"WORKSPACE": f"{workspace}\n", "p/BUILD": 'filegroup(name = "x")\n'})
    assert _ask(tmp_path, "4.2.3", *words, f"--format={form}", "//p:x") == code
    out = capsys.readouterr().out
    assert f'"exit_code": {code}' in out if form == "json" else not out


_UNKNOWN_MACRO = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
load("@far//:x.bzl", "declare")
declare()
register_toolchains("//:one")
""",
    "r.bzl": """
def _impl(ctx):
    return [platform_common.ToolchainInfo()]
tc = rule(_impl)
r = rule(_impl, toolchains = ["//:tt"])
""",
    "BUILD": """
load(":r.bzl", "r", "tc")
toolchain_type(name = "tt")
tc(name = "tc_one")
toolchain(name = "one", toolchain = ":tc_one", toolchain_type = ":tt")
r(name = "top")
""",
}


def test_a_toolchain_that_may_be_another_is_told_with_what_would_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, _UNKNOWN_MACRO)
    assert _ask(tmp_path, "4.2.3", "cquery", "//:top") == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "other toolchains than known may be registered, and taken: @far not downloaded" in told
    assert "--override_repository=far=DIR" in told
