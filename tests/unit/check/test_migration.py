"""`check --for`: what breaks or changes under another Bazel, what most depends on first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": 'local_repository(name = "a", path = "a")\nbind(name = "b", actual = "//:x")\n',
    ".bazelversion": "4.2.3",
    ".bazelrc": (
        "build --experimental_strict_action_env\n"
        "build:x --distinct_host_configuration\n"
        "build:y --distinct_host_configuration --cpu=k8\n"
    ),
    "BUILD": (
        'load(":defs.bzl", "my_rule")\n'
        'load("@rules_java//java:defs.bzl", "java_library")\n'
        'cc_library(name = "x")\n'
        'cc_library(name = "y")\n'
        "# cc_library, py_library\n"
        'java_library(name = "z")\n'
    ),
    "defs.bzl": (
        'my_rule = rule(lambda ctx: [], attrs = {"tool": attr.label(cfg = "host")})\n'
        "def py_library(name):\n"
        "    native.py_library(name = name)\n"
    ),
}


def _found(tmp_path: Path, target: str) -> list[tuple[str, str, int]]:
    write_files(tmp_path, _FILES)
    asked = Workspace.open(tmp_path).configure()
    found = asked.check(target=target, ignore=["BZS503"]).findings
    return [(one.code, one.subject, one.dependents) for one in found]


def test_what_breaks_under_bazel_9_begins_with_what_most_depends_on(tmp_path: Path) -> None:
    found = _found(tmp_path, "9.1.0")
    assert [count for _, _, count in found] == sorted((c for _, _, c in found), reverse=True)
    assert set(found) == {
        ("BZS510", "cc_library", 2),
        ("BZS510", "py_library", 1),
        ("BZS511", '`cfg = "host"`', 1),
        ("BZS511", "`bind()`", 1),
        ("BZS520", "WORKSPACE", 1),
        ("BZS501", "unrecognized option: `--distinct_host_configuration`", 2),
        ("BZS521", "toolchains", 1),
    }


def test_what_breaks_under_bazel_6(tmp_path: Path) -> None:
    codes = {code for code, _, _ in _found(tmp_path, "6.5.0")}
    assert not codes & {"BZS510", "BZS520", "BZS521"}


def test_nothing_breaks_under_the_own_release(tmp_path: Path) -> None:
    assert _found(tmp_path, "4.2.3") == []


def test_a_default_that_changes_is_told_but_where_a_line_sets_it(tmp_path: Path) -> None:
    write_files(tmp_path, {**_FILES, ".bazelversion": "7.1.0", ".bazelrc": ""})
    asked = Workspace.open(tmp_path).configure()
    found = {one.subject for one in asked.check(target="8.1.0", codes=["BZS503"]).findings}
    assert "--incompatible_disallow_empty_glob" in found
    (tmp_path / ".bazelrc").write_text("build --incompatible_disallow_empty_glob\n")
    again = Workspace.open(tmp_path).configure().check(target="8.1.0", codes=["BZS503"]).findings
    assert found - {one.subject for one in again} == {"--incompatible_disallow_empty_glob"}


def test_workspace_may_be_kept_for_one_release(tmp_path: Path) -> None:
    write_files(tmp_path, {**_FILES, ".bazelversion": "7.1.0", ".bazelrc": ""})
    (found,) = Workspace.open(tmp_path).configure().check(target="8.1.0", codes=["BZS520"]).findings
    assert found.message == "Bazel 8.1.0 does not read WORKSPACE: 1 repositories of it are gone"
    assert found.remedy.endswith("or for now `common --enable_workspace`")


def test_the_command_says_for_which_bazel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, _FILES)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--no-cache", "--for", "9.1.0", "--format", "json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["checked_for"] == "9.1.0"
    assert main(["check", "--no-cache", "--for", "9.1.0"]) == 3
    assert "Under Bazel 9.1.0" in capsys.readouterr().out


def test_a_word_that_is_no_version(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    with pytest.raises(UsageError, match="`nine` is no Bazel version"):
        Workspace.open(tmp_path).configure().check(target="nine")


def test_modules_are_on_by_default_from_bazel_7_on(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", "BUILD": ""})
    asked = Workspace.open(tmp_path).configure()
    (found,) = asked.check(target="7.1.0", codes=["BZS522"]).findings
    assert found.remedy == "write MODULE.bazel, or for now `common --noenable_bzlmod`"
    (tmp_path / ".bazelrc").write_text("common --noenable_bzlmod\n")
    again = Workspace.open(tmp_path).configure()
    assert again.check(target="7.1.0", codes=["BZS522"]).findings == ()


def test_of_what_as_much_depends_on_the_worse_comes_first(tmp_path: Path) -> None:
    """Bazel 8 reads no WORKSPACE, and has other defaults that nobody may ever notice."""
    archive = 'local_repository(name = "a", path = "a")\n'
    write_files(tmp_path, {"WORKSPACE": archive, ".bazelversion": "6.5.0", "BUILD": ""})
    asked = Workspace.open(tmp_path).configure()
    for target, first in (("7.0.0", "BZS522"), ("8.0.0", "BZS520")):
        codes = [one.code for one in asked.check(target=target, codes=["BZS5"]).findings]
        assert codes[0] == first
        assert codes[-1] == "BZS503"
        assert codes == sorted(codes, key="BZS503".__eq__)


def test_a_native_archive_rule_is_gone_unless_it_is_loaded(tmp_path: Path) -> None:
    text = 'git_repository(name = "a", remote = "https://a.example", tag = "v1")\n'
    write_files(tmp_path, {"WORKSPACE": text, ".bazelversion": "0.19.0", "BUILD": ""})
    (found,) = Workspace.open(tmp_path).configure().check(target="0.20.0").findings[:1]
    assert (found.code, found.span and found.span.line) == ("BZS511", 1)
    head = 'load("@bazel_tools//tools/build_defs/repo:git.bzl", "git_repository")\n'
    (tmp_path / "WORKSPACE").write_text(head + text)
    again = Workspace.open(tmp_path).configure().check(target="0.20.0", codes=["BZS511"])
    assert again.findings == ()


_ARCHIVE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "io_bazel_rules_go", sha256 = "0", urls = ["https://e.example/%s"])
"""


@pytest.mark.parametrize(
    ("written", "target", "expected"),
    [
        ("rules_go-0.18.4.tar.gz", "0.26.0", "needs rules_go 0.18.5 or newer, this is 0.18.4"),
        ("archive/v0.18.4.zip", "1.0.0", "needs rules_go 0.18.5 or newer, this is 0.18.4"),
        ("v0.48.0/rules_go-v0.48.0.zip", "9.0.0", ""),  # does not read WORKSPACE
        ("rules_go-0.18.4.tar.gz", "0.25.0", ""),
        ("rules_go-0.12.1.tar.gz", "0.24.1", "needs rules_go 0.15.8 or newer, this is 0.12.1"),
        ("rules_go-0.18.5.tar.gz", "0.26.0", ""),
        ("rules_go-0.100.1.tar.gz", "4.2.3", ""),
        (
            "archive/7d46d1b.zip",
            "4.2.3",
            "needs rules_go 0.21.0 or newer; the address of this one bears no version",
        ),
    ],
)
def test_a_rule_set_that_is_too_old_is_told(
    tmp_path: Path, written: str, target: str, expected: str
) -> None:
    files = {"WORKSPACE": _ARCHIVE % written, ".bazelversion": "0.24.1", "BUILD": ""}
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path).configure()
    found = asked.check(target=target, codes=["BZS523"]).findings
    assert [one.message for one in found] == ([f"Bazel {target} {expected}"] if expected else [])


def test_a_module_that_others_ask_for_may_be_too_old(tmp_path: Path) -> None:
    module = 'module(name = "{0}", version = "1.0")\nbazel_dep(name = "{1}", version = "{2}")\n'
    files = {
        "MODULE.bazel": 'bazel_dep(name = "oci", version = "1.0")\n'
        'local_path_override(module_name = "oci", path = "oci")\n',
        ".bazelversion": "8.1.0",
        "BUILD": "",
        "oci/MODULE.bazel": module.format("oci", "aspect_bazel_lib", "2.7.2"),
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path).configure()
    (found,) = (
        one
        for one in asked.check(target="9.0.0", codes=["BZS523"]).findings
        if one.subject == "aspect_bazel_lib"
    )
    assert found.message == "Bazel 9.0.0 needs aspect_bazel_lib 2.21.2 or newer, this is 2.7.2"
    assert found.causes[0].message == "oci@_ asks for it"
    assert found.remedy == 'write `bazel_dep(name = "aspect_bazel_lib", version = "2.21.2")`'


def test_an_option_that_is_called_otherwise_under_another_bazel(tmp_path: Path) -> None:
    rc = "build --experimental_worker_multiplex\n"
    write_files(tmp_path, {**_FILES, ".bazelrc": rc})
    asked = Workspace.open(tmp_path).configure()
    (found,) = asked.check(target="7.1.0", codes=["BZS502"]).findings
    assert found.message == "`--experimental_worker_multiplex` is called `--worker_multiplex`"
    assert found.remedy == "write `--worker_multiplex`"
    assert not asked.check(target="4.2.3", codes=["BZS502"]).findings


def test_an_option_that_is_deprecated_under_another_bazel(tmp_path: Path) -> None:
    rc = (
        "build --remote_local_fallback_strategy=local\n"
        "build --remote_default_platform_properties=x\n"
        "test --remote_local_fallback_strategy=local\n"
    )
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "0.24.1", ".bazelrc": rc})
    asked = Workspace.open(tmp_path).configure()
    found = asked.check(target="5.4.0", codes=["BZS502"]).findings
    assert [(one.message, one.remedy, len(one.causes)) for one in found] == [
        ("`--remote_local_fallback_strategy` is deprecated", "delete it", 1),
        (
            "`--remote_default_platform_properties` is deprecated",
            "use `--remote_default_exec_properties`",
            0,
        ),
    ]
    assert not asked.check(target="0.24.1", codes=["BZS502"]).findings


def test_options_that_another_bazel_ignores(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelversion": "4.2.3",
            ".bazelrc": "build --javabase=@jdk//:jdk\nbuild --distinct_host_configuration=false\n",
        },
    )
    asked = Workspace.open(tmp_path).configure()
    found = asked.check(target="5.4.0", codes=["BZS502"]).findings
    assert [(one.subject, one.remedy) for one in found] == [
        ("javabase", "write `--java_runtime_version`")
    ]
    found = asked.check(target="6.5.0", codes=["BZS502"]).findings
    assert {one.subject for one in found} == {"javabase", "distinct_host_configuration"}
    (tmp_path / ".bazelversion").write_text("6.0.0")
    again = Workspace.open(tmp_path).configure().check(target="6.5.0", codes=["BZS502"])
    assert again.findings == ()


def test_constraints_that_bazel_6_took_away(tmp_path: Path) -> None:
    texts = '"@bazel_tools//platforms:linux", "@bazel_tools//platforms:host_platform"'
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": f"x = [{texts}]\n", "defs.bzl": "x = ctx.host_configuration\n"},
    )
    asked = Workspace.open(tmp_path, bazel_version="4.2.3").configure()
    six = {one.subject: one for one in asked.check(target="6.0.0", codes=["BZS511"]).findings}
    assert six.keys() == {"constraints in `@bazel_tools//platforms`"}
    assert [one.dependents for one in six.values()] == [1]
    seven = {one.subject for one in asked.check(target="7.0.0", codes=["BZS511"]).findings}
    assert seven == {*six, "`ctx.host_configuration`"}


def test_rule_sets_that_no_release_helps(tmp_path: Path) -> None:
    archive = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    for name, version in (("io_bazel_rules_docker", "0.25.0"), ("build_bazel_rules_swift", "1.0")):
        archive += f'http_archive(name = "{name}", urls = ["https://x.org/v{version}.tar.gz"])\n'
    write_files(tmp_path, {"WORKSPACE": archive})
    asked = Workspace.open(tmp_path, bazel_version="6.5.0").configure()
    found = asked.check(target="7.0.0", codes=["BZS523"]).findings
    assert {one.subject: (one.message, one.remedy) for one in found} == {
        "rules_docker": (
            "no release of rules_docker works with Bazel 7.0.0, this is 0.25.0",
            "take rules_oci",
        ),
        "rules_swift": (
            "Bazel 7.0.0 needs rules_swift 1.8.0 or newer, this is 1.0",
            "take rules_swift 1.8.0 or newer",
        ),
    }
    assert not asked.check(target="6.5.0", codes=["BZS523"]).findings


def test_a_rule_set_without_a_version_may_be_too_old(tmp_path: Path) -> None:
    archive = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    for name in ("io_bazel_rules_docker", "io_bazel_rules_go"):
        archive += f'http_archive(name = "{name}", urls = ["https://x.org/48ad6d6d.tar.gz"])\n'
    write_files(tmp_path, {"WORKSPACE": archive})
    asked = Workspace.open(tmp_path, bazel_version="6.5.0").configure()
    found = asked.check(target="7.0.0", codes=["BZS523"]).findings
    assert [(one.severity.value, one.message) for one in found] == [
        ("error", "no release of rules_docker works with Bazel 7.0.0"),
        (
            "note",
            "Bazel 7.0.0 needs rules_go 0.38.0 or newer; the address of this one bears no version",
        ),
    ]


_PATCH = """--- a/old/BUILD
+++ b/old/BUILD
@@ -1,2 +1,3 @@
 load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
+cc_binary(name = "kept")
--- /dev/null
+++ b/new/BUILD.bazel
@@ -0,0 +1,3 @@
+load("@rules_cc//cc:cc_test.bzl", "cc_test")
+cc_library(name = "x")
+cc_test(name = "y")
"""
_DEFINED_BY_TEXT = '''
_FAR = """
objc_library(name = "o")
"""
def far(http_archive):
    """Not `java_library(name = "z")`."""
    http_archive(name = "a", build_file_content = """
load("@rules_cc//cc:cc_import.bzl", "cc_import")
cc_import(name = "i")
py_library(name = "p")
""")
    http_archive(name = "b", build_file_content = _FAR)
'''


def test_build_files_that_patches_and_strings_hold_are_read(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": "",
        "BUILD": "",
        "far.bzl": _DEFINED_BY_TEXT,
        "patches/far.patch": _PATCH,
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="8.1.0").configure()
    found = asked.check(target="9.0.0", codes=["BZS510"]).findings
    places = {one.subject: f"{one.span.path}:{one.span.line}" for one in found if one.span}
    assert places == {
        "cc_library": "patches/far.patch:10",
        "objc_library": "far.bzl:3",
        "py_library": "far.bzl:10",
    }


def test_rule_sets_of_a_workspace_that_bazel_8_has_to_be_asked_to_read(tmp_path: Path) -> None:
    archive = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    archive += (
        'http_archive(name = "build_bazel_rules_swift", urls = ["https://x.org/v1.0.tar.gz"])'
    )
    write_files(tmp_path, {"WORKSPACE": archive})

    def told(target: str) -> list[str]:
        asked = Workspace.open(tmp_path, bazel_version="7.4.0").configure()
        return [one.subject for one in asked.check(target=target, codes=["BZS523"]).findings]

    assert told("8.0.0") == ["rules_swift"]
    assert told("9.0.0") == []
    # Bazel 8 asks for newer rules_cc and protobuf by itself.
    write_files(tmp_path, {"MODULE.bazel": ""})
    assert told("8.0.0") == []
    write_files(tmp_path, {".bazelrc": "common --enable_workspace\n"})
    assert told("8.0.0") == ["rules_swift"]


def test_python_2_and_its_toolchains_end_with_bazel_7_and_8(tmp_path: Path) -> None:
    toolchain = 'load("@bazel_tools//tools/python:toolchain.bzl", "py_runtime_pair")\n'
    binary = 'py_binary(name = "a", srcs = ["a.py"], python_version = "PY2")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": toolchain + binary, "a.py": ""})
    asked = Workspace.open(tmp_path, bazel_version="6.4.0").configure()

    def told(target: str) -> set[str]:
        return {one.subject for one in asked.check(target=target, codes=["BZS511"]).findings}

    assert told("7.0.0") == {'`python_version = "PY2"`'}
    assert told("8.0.0") == {
        '`python_version = "PY2"`',
        "`@bazel_tools//tools/python:toolchain.bzl`",
    }


def test_a_workspace_file_that_says_nothing_is_not_missed(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "# The root.\n\n"})
    asked = Workspace.open(tmp_path, bazel_version="6.5.0").configure()
    assert not asked.check(target="9.0.0", codes=["BZS520"]).findings
    write_files(tmp_path, {"WORKSPACE": 'register_toolchains("//:a")\n'})
    asked = Workspace.open(tmp_path, bazel_version="6.5.0").configure()
    assert asked.check(target="9.0.0", codes=["BZS520"]).findings


def test_a_bazel_without_a_table_is_said_to_have_anothers_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0"})
    main(["check", "--no-cache", "--for", "30.0.0", "-w", str(tmp_path)])
    assert "Under Bazel 30.0.0 (with the options of Bazel " in capsys.readouterr().out
    main(["check", "--no-cache", "--for", "7.4.0", "-w", str(tmp_path)])
    assert "Under Bazel 7.4.0, what" in capsys.readouterr().out
