"""Which definition of a repository counts: each case as measured on real Bazel.

`FIRST`, `SECOND`: the content of `@r` is that of the first or second definition; `REFUSED`:
"Cannot redefine repository after any load statement"; `NONE`: `@r` cannot be resolved.
All cases came out alike on 0.24.1, 2.1.0 and 4.2.3, unless a table says otherwise.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.bazel.builtin_repositories import builtin_repositories
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.repositories.repository_table import RepositoryTable
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, text_of

VERSIONS = ("0.24.1", "2.1.0", "4.2.3")

FILES = {
    "one/WORKSPACE": "",
    "one/BUILD": "",
    "two/WORKSPACE": "",
    "two/BUILD": "",
    "BUILD": "",
    "other.bzl": "y = 1\n",
    "lib.bzl": """
def define(path):
    native.local_repository(name = "r", path = path)

def guarded(path):
    if "r" not in native.existing_rules():
        native.local_repository(name = "r", path = path)
""",
    "rule.bzl": """
def _impl(ctx):
    ctx.file("BUILD", "filegroup(name = '%s')" % ctx.attr.tag)

rr = repository_rule(implementation = _impl, attrs = {"tag": attr.string()})
""",
}

ONE = 'local_repository(name = "r", path = "one")\n'
TWO = 'local_repository(name = "r", path = "two")\n'
RULE_ONE = 'rr(name = "r", tag = "one")\n'
RULE_TWO = 'rr(name = "r", tag = "two")\n'
BIND = 'bind(name = "r", actual = "//one")\n'
LOAD = 'load("//:other.bzl", "y")\n'
LOAD_LIB = 'load("//:lib.bzl", "define", "guarded")\n'
LOAD_RULE = 'load("//:rule.bzl", "rr")\n'

FIRST, SECOND, REFUSED, NONE = "one", "two", "refused", "none"

CASES = {
    "twice in the first chunk": (ONE + TWO, SECOND),
    "a load between": (ONE + LOAD + TWO, REFUSED),
    "a load before both, same chunk": (LOAD + ONE + TWO, REFUSED),
    "by a macro, a load between": (ONE + LOAD_LIB + 'define("two")\n', REFUSED),
    "by macros, same chunk": (LOAD_LIB + 'define("one")\ndefine("two")\n', REFUSED),
    "guarded by existing_rules": (ONE + LOAD_LIB + 'guarded("two")\n', FIRST),
    "both guarded": (LOAD_LIB + 'guarded("one")\nguarded("two")\n', FIRST),
    "Starlark rule twice, same chunk": (LOAD_RULE + RULE_ONE + RULE_TWO, SECOND),
    "Starlark rule twice, a load between": (LOAD_RULE + RULE_ONE + LOAD + RULE_TWO, FIRST),
    "Starlark rule, then native": (LOAD_RULE + RULE_ONE + LOAD + TWO, REFUSED),
    "Starlark rule, then native, same chunk": (LOAD_RULE + RULE_ONE + TWO, REFUSED),
    "native, load, Starlark rule": (ONE + LOAD_RULE + RULE_TWO, FIRST),
    "native, Starlark rule, same chunk": (LOAD_RULE + ONE + RULE_TWO, SECOND),
    "a bind, then a repository": (BIND + ONE, FIRST),
    "a repository, then a bind": (ONE + BIND, NONE),
    "a bind, a load, then a repository": (BIND + LOAD + ONE, NONE),
    "a repository, a load, then a bind": (ONE + LOAD + BIND, FIRST),
    "a bind, a load, then a Starlark rule": (BIND + LOAD_RULE + RULE_ONE, NONE),
}


def outcome(table: RepositoryTable) -> str:
    if any("Cannot redefine repository" in item.message for item in table.diagnostics):
        return REFUSED
    repository = table.get("r")
    if repository is None:
        return NONE
    assert repository.definition is not None
    attributes = repository.definition.attributes
    return str(attributes.get("path") or attributes.get("tag"))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES)
def test_winner(tmp_path: Path, case: str, version: str) -> None:
    text, expected = CASES[case]
    root = lay_out(tmp_path, {**FILES, "WORKSPACE": text})
    assert outcome(evaluate(root, Options(version))) == expected


def test_a_refused_redefinition_names_place_and_repository(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": ONE + LOAD + TWO}))
    (problem,) = table.diagnostics
    assert problem.message == (
        "Cannot redefine repository after any load statement in the WORKSPACE file"
        " (for repository 'r')"
    )
    assert problem.span is not None
    assert (problem.span.path, problem.span.line) == ("WORKSPACE", 3)


def test_definitions_that_lost_are_kept_in_order(tmp_path: Path) -> None:
    text = LOAD_RULE + RULE_ONE + LOAD + RULE_TWO
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}))
    winner = table.definitions["r"]
    assert winner.location.line == 2
    assert [item.location.line for item in winner.shadowed] == [4]


@pytest.mark.parametrize("between", ["", LOAD])
def test_of_two_binds_the_later_wins(tmp_path: Path, between: str) -> None:
    text = BIND + between + 'bind(name = "r", actual = "//two")\n'
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}))
    assert str(table.bindings["r"]) == "//two:two"


@pytest.mark.parametrize(
    ("version", "name", "is_refused"),
    [
        # Bazel 0.24.1 defines local_config_platform before the file, later ones after it.
        ("0.24.1", "local_config_platform", True),
        ("2.1.0", "local_config_platform", False),
        ("4.2.3", "local_config_platform", False),
        ("0.24.1", "local_config_cc", False),
        ("2.1.0", "platforms", False),
        ("4.2.3", "rules_cc", False),
        ("0.24.1", "bazel_tools", True),
    ],
)
def test_a_users_repository_beats_bazels_suffix(
    tmp_path: Path, version: str, name: str, is_refused: bool
) -> None:
    text = LOAD + f'local_repository(name = "{name}", path = "one")\n'
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}), Options(version))
    assert bool(table.diagnostics) == is_refused
    if not is_refused:
        repository = table.get(name)
        assert repository is not None and repository.provenance is Provenance.LOCAL


@pytest.mark.parametrize(
    ("version", "accepted"), [("0.24.1", False), ("2.1.0", False), ("4.2.3", True)]
)
def test_names_of_native_repositories(tmp_path: Path, version: str, accepted: bool) -> None:
    text = 'local_repository(name = "x-y.z", path = "one")\n'
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}), Options(version))
    assert ("x-y.z" in table.definitions) == accepted
    assert bool(table.diagnostics) != accepted


@pytest.mark.parametrize(
    ("version", "winner"), [("0.24.1", "one"), ("2.1.0", "two"), ("4.2.3", "two")]
)
def test_workspace_bazel_goes_first_in_newer_bazels(
    tmp_path: Path, version: str, winner: str
) -> None:
    root = lay_out(tmp_path, {**FILES, "WORKSPACE": ONE, "WORKSPACE.bazel": TWO})
    assert outcome(evaluate(root, Options(version))) == winner


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('rr(tag = "x")', "rr rule has no 'name' attribute"),
        ('rr(name = "r", zork = "x")', "//external:r: no such attribute 'zork' in 'rr' rule"),
        (
            'rr(name = "r", tag = 1)',
            (
                "//external:r: expected value of type 'string' for attribute 'tag' in 'rr' rule,"
                " but got 1 (int)"
            ),
        ),
    ],
)
def test_wrong_calls_are_worded_as_bazel_does(tmp_path: Path, call: str, message: str) -> None:
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": LOAD_RULE + call + "\n"}))
    assert [item.message for item in table.diagnostics] == [message]


def test_a_late_workspace_call_is_an_error(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": LOAD + 'workspace(name = "me")\n'}))
    assert [item.message for item in table.diagnostics] == [
        "workspace() function should be used only at the top of the WORKSPACE file"
    ]


@pytest.mark.parametrize(("version", "canonical"), [("0.24.1", None), ("2.1.0", ""), ("4.2.3", "")])
def test_the_workspaces_own_name(tmp_path: Path, version: str, canonical: str | None) -> None:
    text = 'workspace(name = "me")\n'
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}), Options(version))
    assert table.workspace_name == "me"
    assert table.repo_mapping("").get("me") == canonical
    repository = table.get("me")
    assert repository is not None and repository.provenance is Provenance.WORKSPACE


def test_an_error_costs_its_statement_only(tmp_path: Path) -> None:
    text = 'fail("stop")\n' + ONE
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": text}))
    assert len(table.diagnostics) == 1
    assert outcome(table) == FIRST


_ANDROID = [
    "android/crosstool",
    "android/dx_jar_import",
    "android/sdk",
    "android_ndk_for_testing",
    "android_sdk_for_testing",
    "databinding_annotation_processor",
    "has_androidsdk",
]


@pytest.mark.parametrize(
    ("version", "before"),
    [
        ("0.24.1", [*_ANDROID, "bazel_tools", "cc_toolchain", "local_config_platform"]),
        ("2.1.0", [*_ANDROID, "android/d8_jar_import", "bazel_tools", "cc_toolchain"]),
        # Its source says so; a Debian's leaves Android out.
        ("4.2.3", [*_ANDROID, "android/d8_jar_import", "bazel_tools", "cc_toolchain"]),
    ],
)
def test_existing_rules_show_binds_and_bazels_own_prefix(
    tmp_path: Path, version: str, before: list[str]
) -> None:
    library = "def keys():\n    fail(','.join(sorted(native.existing_rules().keys())))\n"
    text = ONE + 'load("//:keys.bzl", "keys")\nbind(name = "q", actual = "//one")\nkeys()\n'
    root = lay_out(tmp_path, {**FILES, "keys.bzl": library, "WORKSPACE": text})
    (problem,) = evaluate(root, Options(version)).diagnostics
    assert problem.message.strip().split(",") == sorted([*before, "q", "r"])


@pytest.mark.parametrize(
    ("version", "constraints"),
    [
        ("0.24.1", ["@bazel_tools//platforms:x86_64", "@bazel_tools//platforms:linux"]),
        ("2.1.0", ["@platforms//cpu:x86_64", "@platforms//os:linux"]),
        ("4.2.3", ["@platforms//cpu:x86_64", "@platforms//os:linux"]),
        ("4.2.3 on aarch64", ["@platforms//cpu:aarch64", "@platforms//os:linux"]),
        ("4.2.3 on sparc", ["@platforms//os:linux"]),
    ],
)
def test_the_host_platform_of_a_linux_machine(
    tmp_path: Path, version: str, constraints: list[str]
) -> None:
    bazel, _, cpu = version.partition(" on ")
    options = Options(bazel, host_cpu=cpu or "x86_64")
    table = evaluate(lay_out(tmp_path, FILES), options)
    text = text_of(table, "local_config_platform", "constraints.bzl")
    assert [part for part in text.split('"') if part.startswith("@")] == constraints


UNREAD = (
    'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    'load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")\n'
    'http_archive(name = "raw", url = "https://x.example/raw.zip", build_file_content = "")\n'
    'load("@raw//:configure.bzl", "configure")\n'
)


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        pytest.param('configure(name = "r")\n', "configure", 5, id="called by the file"),
        pytest.param('maybe(configure, name = "r")\n', "configure", 5, id="called by a macro"),
        pytest.param(
            f'configure(name = "r")\n{ONE}', "local_repository", 6, id="a sure definition wins"
        ),
        pytest.param(
            f'{LOAD_RULE}{RULE_ONE}configure(name = "r")\n', "rr", 6, id="an earlier one, too"
        ),
    ],
)
def test_a_call_of_what_cannot_be_read_defines_the_name_that_it_is_given(
    tmp_path: Path, text: str, rule: str, line: int
) -> None:
    table = evaluate(lay_out(tmp_path, {**FILES, "WORKSPACE": UNREAD + text}), Options("6.5.0"))
    definition = table.definitions["r"]
    assert (definition.rule_class, definition.location.line) == (rule, line)


def test_what_a_call_that_cannot_be_read_defines_has_no_known_content(tmp_path: Path) -> None:
    mapping = 'repo_mapping = {"@theirs": "@ours"}'
    text = f'{UNREAD}configure(name = "r", {mapping})\n'
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": text}), Options("6.5.0"))
    repository = table.get("r")
    assert repository is not None and repository.unknown is not None
    assert repository.provenance is Provenance.UNKNOWN
    assert repository.unknown.detail == (
        "made by configure() of @raw//:configure.bzl: not downloaded"
    )
    assert table.repo_mapping("r")["theirs"] == "ours"


@pytest.mark.parametrize(
    ("name", "since", "until"),
    [
        # From the releases' sources; an official 4.2.3 has them, a Debian's not.
        ("android_tools", "0.25.0", "8.0.0"),
        ("remotejdk14_linux", "4.2.3", "5.0.0"),
        ("remotejdk17_linux", "5.0.0", None),
        ("remotejdk17_linux_toolchain_config_repo", "5.0.0", None),
        ("remotejdk21_win_arm64", "7.2.0", None),
        ("remote_jdk8_windows", "7.2.0", None),
        ("remote_java_tools_darwin", "0.25.0", "6.0.0"),
        ("remote_java_tools_darwin_arm64", "7.0.0", None),
        ("rules_java_builtin", "7.0.0", None),
        ("rules_python", "7.0.0", None),
    ],
)
def test_what_bazel_defines_by_itself(name: str, since: str, until: str | None) -> None:
    def defined(version: str) -> bool:
        return name in builtin_repositories(Release.of(version)).suffix_repositories

    releases = ["0.24.1", "0.25.0", "2.1.0", "4.2.3", "5.0.0", "6.0.0", "7.0.0", "7.2.0", "8.0.0"]
    first = releases.index(since)
    end = len(releases) if until is None else releases.index(until)
    assert [one for one in releases if defined(one)] == releases[first:end]


@pytest.mark.parametrize(
    ("version", "name", "is_refused"),
    [
        ("2.1.0", "remotejdk14_linux", True),
        ("3.7.2", "remotejdk14_linux", False),
        ("4.2.3", "remotejdk17_linux", True),
        ("6.5.0", "remotejdk20_linux", False),
        ("6.5.0", "remotejdk20_linux_toolchain_config_repo", False),
        ("6.5.0", "no_such_thing", True),
    ],
)
def test_a_name_like_those_of_bazels_jdks_is_refused_only_where_they_were_measured(
    tmp_path: Path, version: str, name: str, is_refused: bool
) -> None:
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": ""}), Options(version))
    assert (table.get(name) is None) == is_refused
