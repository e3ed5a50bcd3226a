"""Sections: which lines count for a command, in which order, and since which version."""

from __future__ import annotations

import pytest

from bazelscope.bazel import flag_catalog
from tests.unit.flags.flag_world import (
    errors,
    only,
    place,
    resolve,
    targets,
    texts,
    values,
    warnings,
)

EVERY = "\n".join(
    f"{name} --tool_tag={name}"
    for name in ("query", "coverage", "test", "run", "cquery", "info", "build", "common")
)

CHAINS = {
    ("build", "4.2.3"): ["common", "build"],
    ("test", "4.2.3"): ["common", "build", "test"],
    ("coverage", "4.2.3"): ["common", "build", "test", "coverage"],
    ("run", "4.2.3"): ["common", "build", "run"],
    ("info", "4.2.3"): ["common", "build", "info"],
    ("query", "4.2.3"): ["common", "query"],
    ("cquery", "4.2.3"): ["common", "build", "test", "cquery"],
    ("cquery", "2.1.0"): ["common", "build", "cquery"],
    ("cquery", "0.24.1"): ["common", "build", "cquery"],
    ("canonicalize-flags", "4.2.3"): ["common", "query"],
    ("canonicalize-flags", "7.7.1"): ["common", "build"],
    ("fetch", "4.2.3"): ["common"],
    ("fetch", "7.7.1"): ["common", "build", "test"],
    ("vendor", "9.1.0"): ["common", "build", "test"],
    ("config", "9.1.0"): ["common", "build"],
    ("version", "9.1.0"): ["common"],
}


@pytest.mark.parametrize(("command", "version"), CHAINS)
def test_inherited_sections_least_specific_first(command: str, version: str) -> None:
    resolved = resolve(EVERY, command=command, version=version)
    tag = resolved.values["tool_tag"]
    assert [i.value for i in (*tag.overridden, *tag.instances)] == CHAINS[command, version]


def test_more_specific_sections_win_whatever_the_order_of_files() -> None:
    rc = {".bazelrc": "test --tool_tag=test", "/h/.bazelrc": "build --tool_tag=build"}
    assert values(resolve(rc, command="test"), "tool_tag") == ["test"]


def test_within_one_section_files_and_lines_count_in_order() -> None:
    rc = {
        ".bazelrc": "build --copt=1\nimport a.rc\nbuild --copt=3",
        "a.rc": "build --copt=2",
        "/h/.bazelrc": "build --copt=4\ncommon --tool_tag=0",
    }
    assert texts(resolve(rc)) == [
        "--tool_tag=0",
        "--copt=1",
        "--copt=2",
        "--copt=3",
        "--copt=4",
    ]


def test_rc_targets_in_the_order_of_sections() -> None:
    rc = {".bazelrc": "build a\ntest z\nbuild d e", "/h/.bazelrc": "common c\nbuild h"}
    assert targets(resolve(rc)) == ["c", "a", "d", "e", "h"]


@pytest.mark.parametrize(
    ("version", "expected"), [("2.1.0", ["//typed", "//rc"]), ("4.2.3", ["//rc", "//typed"])]
)
def test_targets_of_rc_lines_and_of_the_command_line(version: str, expected: list[str]) -> None:
    assert targets(resolve("build //rc", "//typed", version=version)) == expected


def test_a_query_has_no_build_lines() -> None:
    assert texts(resolve("build -c opt\nquery -k", command="query")) == ["-k"]


def test_always_since_6_3() -> None:
    rc = "common --tool_tag=common\nalways --tool_tag=always\nalways:a --copt=x"
    new = resolve(rc, "--config=a", version="7.7.1")
    tag = new.values["tool_tag"]
    assert [i.value for i in (*tag.overridden, *tag.instances)] == ["always", "common"]
    assert not errors(new)
    old = resolve(rc)
    assert warnings(old) == ["unknown-command"] * 2
    assert only(resolve("always -k"), "unknown-command").hint == (
        "Bazel knows `always` since 6.3.0; before, `common` does that"
    )


LENIENT = {
    "4.2.3": ["unknown-option"],
    "6.2.0": ["unknown-option"],
    "6.3.0": [],
    "7.7.1": [],
    "9.1.0": [],
}


@pytest.mark.parametrize(("version", "expected"), LENIENT.items())
def test_common_forgives_options_of_other_commands(version: str, expected: list[str]) -> None:
    resolved = resolve("common --copt=x --copt y", "//a", command="query", version=version)
    assert errors(resolved)[:1] == expected
    if not expected:
        assert targets(resolved) == ["//a"]
        assert texts(resolved) == []


WORDLESS = {"4.2.3": ["unexpected-argument"], "6.3.0": ["unexpected-argument"], "6.4.0": []}


@pytest.mark.parametrize(("version", "expected"), WORDLESS.items())
def test_starlark_flags_for_commands_without_words(version: str, expected: list[str]) -> None:
    resolved = resolve("common --//p:f=v", command="version", version=version)
    assert errors(resolved) == expected


def test_words_for_commands_without_words() -> None:
    assert errors(resolve("", "//a", command="version")) == ["unexpected-argument"]


def test_common_forgives_no_slip() -> None:
    resolved = resolve("common --coptt=x", command="query", version="7.7.1")
    assert errors(resolved) == ["unknown-option"]


def test_common_configs_forgive_too() -> None:
    resolved = resolve(
        "common:a --copt=y --tool_tag=x", "--config=a", command="query", version="8.7.0"
    )
    assert not errors(resolved)
    assert texts(resolved) == ["--config=a", "--tool_tag=x"]


def test_always_and_build_do_not_forgive() -> None:
    assert errors(resolve("always --copt=x", command="query", version="8.7.0")) == [
        "unknown-option"
    ]


def test_what_commands_add_by_themselves() -> None:
    resolved = resolve("", "--test_output=streamed", command="coverage")
    assert texts(resolved) == [
        "--test_timeout=300,600,1200,3600",
        "--test_output=streamed",
        "--test_sharding_strategy=disabled",
        "--test_strategy=exclusive",
        "--collect_code_coverage",
    ]
    (strategy,) = resolved.values["test_strategy"].instances
    assert [step.text for step in strategy.chain] == [
        "--test_output=streamed",
        "--test_strategy=exclusive",
    ]


def test_what_commands_add_below_and_above_the_rest() -> None:
    typed = ("--test_timeout=5", "--nocollect_code_coverage")
    resolved = resolve("", *typed, command="coverage")
    assert values(resolved, "test_timeout") == ["5"]
    assert values(resolved, "collect_code_coverage") == ["1"]
    assert values(resolve("", command="cquery"), "build_manual_tests") == ["1"]


def test_run_has_one_target() -> None:
    assert targets(resolve("", "//a", "--", "x", "y", command="run")) == ["//a"]


ODD = {
    "a command that is none": ("bild --copt=x", "unknown-command", ".bazelrc:1:1"),
    "a config of such": ("bild:a --copt=x", "unknown-command", ".bazelrc:1:1"),
    "only a config": (":a --copt=x", "unknown-command", ".bazelrc:1:1"),
    "an import that is a section": ("import:a b", "unknown-command", ".bazelrc:1:1"),
    "a flag first": ("--copt x", "missing-command", ".bazelrc:1:1"),
    "a flag alone": ("--copt=x", "missing-command", ".bazelrc:1:1"),
    "a command alone": ("build", "empty-line", ".bazelrc:1:1"),
    "a config alone": ("build:a", "empty-line", ".bazelrc:1:1"),
    "a byte order mark": ("\ufeffbuild --copt=x", "byte-order-mark", ".bazelrc:1:1"),
    "a comment that goes on": (
        "build -k\n# old \\\nbuild --copt=x\n",
        "comment-swallows-line",
        ".bazelrc:2:1",
    ),
    "a comment between continued lines": (
        "build -k \\\n  # why \\\n  --copt=x\n",
        "comment-swallows-line",
        ".bazelrc:2:3",
    ),
    "dashes": ("build -- --copt=x", "dashes-swallow-words", ".bazelrc:1:7"),
    "an equals sign in the section": ("build:a=b --copt=x", "equals-in-section", ".bazelrc:1:1"),
}


@pytest.mark.parametrize(("rc", "code", "where"), ODD.values(), ids=ODD.keys())
def test_silent_traps(rc: str, code: str, where: str) -> None:
    resolved = resolve(rc)
    assert not errors(resolved)
    problem = only(resolved, code)
    assert place(problem) == where
    assert "copt" not in resolved.values


QUIET = {
    "a comment after a continued line": "build -k \\\n  --copt=x  # why\nbuild --copt=y\n",
    "a comment with a backslash before nothing": "build -k\n# old \\\n\nbuild --copt=x\n",
    "commented lines that go on": "# build \\\n#   --copt=y\nbuild --copt=x\n",
    "a hash in quotes before a continuation": "build '#x' \\\n --copt=x\n",
    "dashes without anything after": "build --copt=x --\n",
}


@pytest.mark.parametrize("rc", QUIET.values(), ids=QUIET.keys())
def test_no_false_alarm(rc: str) -> None:
    resolved = resolve(rc)
    assert not resolved.diagnostics
    assert "copt" in resolved.values


def test_a_slip_in_a_command_word_has_a_hint() -> None:
    assert only(resolve("biuld:a -k"), "unknown-command").hint == "did you mean `build:a`?"


def test_an_equals_sign_moves_into_the_options() -> None:
    assert targets(resolve("build:a=b x", "--config=a")) == ["b=x"]
    assert values(resolve("build=--copt x"), "copt") == ["x"]
    assert errors(resolve("=a x")) == ["invalid-section"]


def test_a_define_set_twice_warns_with_both_places() -> None:
    rc = "build --define=a=1 --define=b=1\nbuild:c --define a=2"
    resolved = resolve(rc, "--config=c", "--define=b=1")
    problem = only(resolved, "define-conflict")
    assert place(problem) == ".bazelrc:2:9"
    assert [(note.message, str(note.span)) for note in problem.notes] == [
        ("`1` here", ".bazelrc:1:7")
    ]
    define = resolved.defines["a"]
    assert (define.value, [i.value for i in define.overridden]) == ("2", ["a=1"])
    assert resolved.defines["b"].value == "1"


def test_a_define_with_a_comma_is_one_value() -> None:
    assert resolve("", "--define=a=1,b=2").defines["a"].value == "1,b=2"


def test_diagnostics_stand_in_the_order_of_the_files() -> None:
    rc = {".bazelrc": "build\nimport a.rc\nbild -k", "a.rc": "build --x_y\nbuild"}
    places = [place(d) for d in resolve(rc).diagnostics]
    assert places == [".bazelrc:1:1", ".bazelrc:3:1", "a.rc:1:7", "a.rc:2:1"]


def test_a_version_between_two_releases_says_so_where_they_differ() -> None:
    resolved = resolve("", "--copt=-g", "--build_tag_filters=a", version="3.1.0")
    assert not resolved.diagnostics
    resolved = resolve("", "--copt=-g", "--all_incompatible_changes", version="3.1.0")
    assert "Bazel 2.1.0 and 4.2.3 do not read" in only(resolved, "version-table").message
    table = flag_catalog.load("5.1.0")
    assert (table.bazel_version, table.table_version, table.is_exact) == ("5.1.0", "4.2.3", False)


def test_startup_options_have_no_configs() -> None:
    told = only(resolve("startup:windows --windows_enable_symlinks"), "unknown-command")
    assert told.hint == "startup options have no configs: write `startup OPTION`"
