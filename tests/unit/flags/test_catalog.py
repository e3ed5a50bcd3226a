"""The tables of options and pasted command lines."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from bazelscope.bazel import flag_catalog, flag_conversion, option_history
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.bazel.release import known_releases
from bazelscope.flags import commandline

VERSIONS = ("0.24.1", "0.26.1", "2.1.0", "4.2.3", "6.0.0", "6.5.0", "7.7.1", "8.7.0", "9.1.0")


def test_the_releases_of_the_table() -> None:
    releases = known_releases()
    assert set(VERSIONS) < {release.text for release in releases}
    assert len(releases) == 36
    assert list(releases) == sorted(releases)


TABLES = {
    "0.18.0": "0.24.1",
    "0.25.3": "0.25.1",
    "0.28.0": "0.27.0",
    "0.29.1": "0.29.0",
    "1.0.0": "1.0.0",
    "1.2.1": "1.2.0",
    "3.1.0": "2.1.0",
    "4.2.3": "4.2.3",
    "4.2.3rc1": "4.2.3",
    "6.5.0": "6.5.0",
    "6.6.0": "6.5.0",
    "5.4.1": "4.2.3",
    "4.0.0": "4.2.3",
    "7.7.0": "7.6.0",
    "7.1.2": "7.1.0",
    "8.5.1": "8.5.1",
    "8.5.0": "8.4.0",
    "9.0.2": "9.0.0",
    "10.0.0": "9.1.0",
    "12.0.0": "9.1.0",
}


@pytest.mark.parametrize(("version", "table"), TABLES.items())
def test_a_version_takes_the_nearest_table_of_its_major_version_or_an_older_one(
    version: str, table: str
) -> None:
    assert flag_catalog.load(version).table_version == table


@pytest.mark.parametrize("version", [None, "latest", "last_green", ""])
def test_no_version_takes_the_newest_table(version: str | None) -> None:
    assert flag_catalog.load(version).bazel_version == "9.1.0"


@pytest.mark.parametrize("version", VERSIONS)
def test_facts_that_every_version_shares(version: str) -> None:
    table = flag_catalog.load(version)
    mode = table.find("compilation_mode", "build")
    assert mode is not None
    assert (mode.kind, mode.enum_values) == (FlagKind.ENUM, ("fastbuild", "dbg", "opt"))
    assert (mode.default, mode.abbreviation, mode.takes_value) == ("fastbuild", "c", True)
    copt = table.find("copt", "cquery")
    assert copt is not None
    assert copt.repeats
    assert table.find("copt", "version") is None
    assert table.by_abbreviation("k", "build") is table.find("keep_going")
    assert table.by_abbreviation("k", "version") is None
    tristate = table.find("cache_test_results", "test")
    assert tristate is not None
    assert tristate.kind is FlagKind.TRISTATE
    debug = table.find("java_debug", "test")
    assert debug is not None
    assert "--test_output=streamed" in debug.expansion
    assert table.find("output_base", flag_catalog.STARTUP) is not None
    assert table.find("output_base", "build") is None
    assert table.find("config", "query") is not None


@pytest.mark.parametrize("version", VERSIONS)
def test_options_that_no_reference_page_lists(version: str) -> None:
    table = flag_catalog.load(version)
    factored = table.find("graph:factored", "query")
    assert factored is not None and factored.negatable
    assert table.find("starlark:expr", "cquery") is not None or version < "4"
    assert table.find("apple_platform_type", "build") is not None
    assert (table.find("proto:rule_classes", "query") is not None) is (version >= "8")


@pytest.mark.parametrize("version", VERSIONS)
def test_expansions_name_options_of_the_same_version(version: str) -> None:
    table = flag_catalog.load(version)
    for definition in table.definitions():
        for word in (*definition.expansion, *definition.requires):
            name = word.removeprefix("--").partition("=")[0]
            known = table.find(name) or table.find(name.removeprefix("no"))
            assert known is not None, (definition.name, word)


@pytest.mark.parametrize("version", VERSIONS)
def test_defaults_are_values_of_their_type(version: str) -> None:
    table = flag_catalog.load(version)
    kinds = (FlagKind.BOOLEAN, FlagKind.TRISTATE, FlagKind.ENUM)
    for definition in table.definitions():
        if definition.kind in kinds and definition.default and not definition.repeats:
            assert flag_conversion.convert(definition, definition.default) is not None, (
                definition.name
            )


def test_every_name_is_known_elsewhere() -> None:
    for version in VERSIONS:
        table = flag_catalog.load(version)
        other = flag_catalog.load("9.1.0" if version != "9.1.0" else "0.24.1")
        for name in table.names():
            assert version in other.known_elsewhere(name)


def test_former_names() -> None:
    table = flag_catalog.load("2.1.0")
    assert table.find("experimental_platforms") is table.find("platforms")


def test_nearest_names() -> None:
    table = flag_catalog.load("4.2.3")
    assert table.nearest("compilaton_mode", "build") == (
        "compilation_mode",
        "host_compilation_mode",
    )
    assert table.nearest("nostamps", "build")[0] == "nostamp"
    assert table.nearest("copt", "version") == ()
    assert table.nearest("x" * 5000) == ()


def test_the_table_is_small_and_holds_no_help_text() -> None:
    path = Path(flag_catalog.__file__).with_name("options.jsonl")
    assert path.stat().st_size < 250_000
    head = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    for kind, text, _ in head["types"]:
        assert len(text) <= 60 or kind in ("enum", "optional-assignment", "list", "other"), text
        assert ". " not in text or kind == "enum", text


BETWEEN = {
    # an option that both neighbours have is known, one of either perhaps
    ("3.1.0", "copt"): True,
    ("3.1.0", "remote_download_minimal"): True,
    ("3.1.0", "experimental_repo_remote_exec"): True,
    ("3.1.0", "incompatible_restrict_named_params"): False,
    ("3.1.0", "tool_java_language_version"): False,
    ("5.4.0", "enable_bzlmod"): False,
    # of the same major version, what was there stays
    ("6.6.0", "incompatible_disable_native_apple_binary_rule"): True,
    ("7.1.2", "copt"): True,
    ("6.5.1", "enable_bzlmod"): True,
}


@pytest.mark.parametrize(("version", "name"), BETWEEN)
def test_options_between_two_releases(version: str, name: str) -> None:
    found = flag_catalog.load(version).find(name)
    assert found is not None
    assert found.is_certain is BETWEEN[version, name]


LIFETIMES = {
    "copt": "in every known release",
    "enable_bzlmod": "since 6.0.0",
    "distinct_host_configuration": "up to 4.2.3",
    "experimental_ui": "up to 6.5.0",
    "no_such_option": "",
}


@pytest.mark.parametrize("name", LIFETIMES)
def test_lifetimes(name: str) -> None:
    assert option_history.lifetime(name) == LIFETIMES[name]


CHANGES = {
    "experimental_ui": [
        ("0.25.1", "0.24.1", "renamed", "experimental_ui", "ui"),
        ("7.0.0", "6.5.0", "removed", "", ""),
    ],
    "ui": [
        ("0.25.1", "0.24.1", "added", "", ""),
    ],
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_became_of_an_option(name: str) -> None:
    changes = option_history.changes(name)
    found = [(c.release, c.after, c.what, c.before, c.now) for c in changes]
    assert found[: len(CHANGES[name])] == CHANGES[name]


PASTED = {
    "bazel build --config=mkl -s //t:x": ("build", (), ("--config=mkl", "-s", "//t:x")),
    "bazel --output_user_root=x build //t": ("build", ("--output_user_root=x",), ("//t",)),
    "bazel --bazelrc a --batch test -k": ("test", ("--bazelrc", "a", "--batch"), ("-k",)),
    "$ bazelisk query 'deps(//a)'": ("query", (), ("deps(//a)",)),
    "/usr/bin/bazel-4.2.3 info release": ("info", (), ("release",)),
    "C:\\\\tools\\\\bazel.exe build //a": ("build", (), ("//a",)),
    "CC=clang USE_X=1 ./bazelw run //a -- b": ("run", (), ("//a", "--", "b")),
    "sudo bazel mod graph": ("mod", (), ("graph",)),
    "bazel build \\\n  -c opt \\\n  //a": ("build", (), ("-c", "opt", "//a")),
    'bazel build --copt="-g" --define=a="b c"': ("build", (), ("--copt=-g", "--define=a=b c")),
    "--config=mkl --config=opt //t": ("", (), ("--config=mkl", "--config=opt", "//t")),
    "build --config=mkl //t": ("build", (), ("--config=mkl", "//t")),
    "--output_base=/x build //t": ("build", ("--output_base=/x",), ("//t",)),
    "//t:build": ("", (), ("//t:build",)),
    "A=b //t": ("", (), ("A=b", "//t")),
    "bazel": ("", (), ()),
    "": ("", (), ()),
    "bazel //t": ("", (), ("//t",)),
    "bazel-bin/tool --x": ("", (), ("bazel-bin/tool", "--x")),
}


@pytest.mark.parametrize("text", PASTED)
def test_pasted_command_lines(text: str) -> None:
    line = commandline.parse(shlex.split(text.replace("\\\n", "")), flag_catalog.load("9.1.0"))
    assert (line.command, line.startup, line.words) == PASTED[text]


def test_every_command_word_is_understood() -> None:
    for version in VERSIONS:
        table = flag_catalog.load(version)
        for command in table.commands:
            assert commandline.parse(["bazel", command, "x"], table).command == command


def test_assignments_before_the_program_are_its_environment() -> None:
    line = commandline.parse(["A=1", "env", "B=2", "bazel", "build", "//a"], flag_catalog.load())
    assert line.environment == {"A": "1", "B": "2"}


def test_a_command_that_is_none() -> None:
    line = commandline.parse(["bazel", "biuld", "--copt=x", "//a"], flag_catalog.load())
    assert [d.hint for d in line.diagnostics] == ["did you mean `build`?"]
    assert line.words == ("--copt=x", "//a")
