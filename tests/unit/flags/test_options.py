"""Single options: names, abbreviations, values, arity, expansion, and what is no option."""

from __future__ import annotations

import pytest

from bazelscope.bazel import flag_conversion
from tests.unit.flags.flag_world import errors, only, resolve, targets, texts, values, warnings

ACCEPTED = {
    "value after equals": (("--copt=x",), "copt", ["x"]),
    "value in the next word": (("--copt", "x"), "copt", ["x"]),
    "a value that looks like an option": (("--copt", "--config=a"), "copt", ["--config=a"]),
    "a value with equals": (("--define=a=b=c",), "define", ["a=b=c"]),
    "an empty value": (("--test_tag_filters=",), "test_tag_filters", [""]),
    "an empty word as value": (("--copt", ""), "copt", [""]),
    "abbreviation": (("-c", "opt"), "compilation_mode", ["opt"]),
    "abbreviated switch": (("-k",), "keep_going", ["1"]),
    "abbreviated switch off": (("-k-",), "keep_going", ["0"]),
    "switch": (("--keep_going",), "keep_going", ["1"]),
    "switch off": (("--nokeep_going",), "keep_going", ["0"]),
    "switch with a value": (("--keep_going=yes",), "keep_going", ["yes"]),
    "switch with an odd spelling": (("--keep_going=T",), "keep_going", ["T"]),
    "tristate": (("--cache_test_results=auto",), "cache_test_results", ["auto"]),
    "tristate on": (("-t",), "cache_test_results", ["1"]),
    "tristate off": (("--nocache_test_results",), "cache_test_results", ["0"]),
    "enum in another case": (("--compilation_mode=OPT",), "compilation_mode", ["OPT"]),
    "an enum that is also a switch": (("-s",), "subcommands", ["1"]),
    "such an enum with its value": (
        ("--subcommands=pretty_print",),
        "subcommands",
        ["pretty_print"],
    ),
    "repeats accumulate": (("--copt=a", "--copt", "b", "--copt=a"), "copt", ["a", "b", "a"]),
    "the last single value counts": (("-c", "opt", "-c", "dbg"), "compilation_mode", ["dbg"]),
    "off after on": (("-k", "--nokeep_going"), "keep_going", ["0"]),
    "a former name": (("--experimental_platforms=//a",), "platforms", ["//a"]),
    "a former switch off": (("--noexperimental_enable_runfiles",), "enable_runfiles", ["0"]),
    "a number of jobs": (("-j", "8"), "jobs", ["8"]),
    "jobs by formula": (("--jobs=HOST_CPUS*.5",), "jobs", ["HOST_CPUS*.5"]),
    "runs per test": (("--runs_per_test=//a@3",), "runs_per_test", ["//a@3"]),
    "an environment variable": (("--action_env=PATH",), "action_env", ["PATH"]),
    "an octal integer": (("--nested_set_depth_limit=010",), "nested_set_depth_limit", ["010"]),
    "a minus for a switch that takes values": (("-c-", "opt"), "compilation_mode", ["opt"]),
}


@pytest.mark.parametrize(("words", "name", "expected"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(words: tuple[str, ...], name: str, expected: list[str]) -> None:
    resolved = resolve("", *words)
    assert not errors(resolved)
    assert values(resolved, name) == expected


REFUSED = {
    "unknown": (("--no_such_thing",), "unknown-option"),
    "unknown abbreviation": (("-z",), "unknown-option"),
    "single dash": (("-copt=x",), "invalid-option"),
    "a compiler's option": (("-Wall",), "invalid-option"),
    "abbreviation and value in one word": (("-j8",), "invalid-option"),
    "a dash alone": (("-",), "invalid-option"),
    "three dashes": (("---",), "unknown-option"),
    "no name": (("--=x",), "invalid-option"),
    "only space for a name": (("--  =x",), "invalid-option"),
    "no with a value": (("--nokeep_going=1",), "invalid-option"),
    "no on a string": (("--nocopt",), "invalid-option"),
    "no on an expansion": (("--nojava_debug",), "invalid-option"),
    "no value left": (("--copt",), "missing-value"),
    "no value left for an abbreviation": (("-c",), "missing-value"),
    "not a boolean": (("--keep_going=perhaps",), "invalid-value"),
    "an empty boolean": (("--keep_going=",), "invalid-value"),
    "not in the enum": (("-c", "fast"), "invalid-value"),
    "no assignment": (("--define=x",), "invalid-value"),
    "an assignment without a name": (("--define==x",), "invalid-value"),
    "not an integer": (("--nested_set_depth_limit=x",), "invalid-value"),
    "not an octal integer": (("--nested_set_depth_limit=08",), "invalid-value"),
    "too large an integer": (("--nested_set_depth_limit=2147483648",), "invalid-value"),
    "not a number of jobs": (("--jobs=many",), "invalid-value"),
    "too few runs": (("--runs_per_test=0",), "invalid-value"),
    "too many attempts": (("--flaky_test_attempts=11",), "invalid-value"),
    "no length of time": (("--bes_timeout=5",), "invalid-value"),
    "out of range": (("--progress_report_interval=3601",), "invalid-value"),
    "a startup option": (("--output_base=/x",), "unknown-option"),
    "another command's option": (("--gnu_format",), "unknown-option"),
}


@pytest.mark.parametrize(("words", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(words: tuple[str, ...], code: str) -> None:
    assert errors(resolve("", *words)) == [code]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        # 4.2.3: "Invalid options syntax: -//:b"; behind `--` it takes the word.
        ("-//:b", "targets that are to be left out stand behind `--`: `-- ... -//:b`"),
        ("-:b", "targets that are to be left out stand behind `--`: `-- ... -:b`"),
        ("-b/...", "targets that are to be left out stand behind `--`: `-- ... -b/...`"),
        ("-copt=-g", "long options have two dashes: `--copt=-g`"),
    ],
)
def test_what_is_to_be_written_for_a_word_of_one_dash(word: str, hint: str) -> None:
    (found,) = resolve("", "//:all", word).diagnostics
    assert found.code == "invalid-option" and found.hint == hint


def test_refused_words_do_not_stop_the_rest() -> None:
    resolved = resolve("", "--no_such_thing", "-c", "dbg", "//a")
    assert texts(resolved) == ["-c dbg"]
    assert targets(resolved) == ["//a"]


def test_words_that_are_no_options_are_targets() -> None:
    resolved = resolve("", "//a", "--keep_going", "false", "b:c")
    assert targets(resolved) == ["//a", "false", "b:c"]


def test_dashes_end_the_options() -> None:
    resolved = resolve("", "//a", "--", "-//b", "--copt=x", "--", "//c")
    assert targets(resolved) == ["//a", "-//b", "--copt=x", "--", "//c"]
    assert texts(resolved) == []


def test_dashes_as_a_value() -> None:
    assert values(resolve("", "--copt", "--", "//a"), "copt") == ["--"]


def test_an_option_that_expands() -> None:
    resolved = resolve("", "--java_debug", "--test_output=all")
    assert texts(resolved) == [
        "--test_arg=--wrapper_script_flag=--debug",
        "--test_strategy=exclusive",
        "--test_timeout=9999",
        "--nocache_test_results",
        "--test_output=all",
    ]
    (loser,) = resolved.values["test_output"].overridden
    assert [step.text for step in loser.chain] == ["--java_debug", "--test_output=streamed"]


def test_an_expansion_stands_where_its_option_stands() -> None:
    assert values(resolve("", "--test_output=all", "--java_debug"), "test_output") == ["streamed"]


def test_a_value_for_an_option_that_expands_is_ignored() -> None:
    resolved = resolve("", "--java_debug=no")
    assert warnings(resolved)[0] == "value-ignored"
    assert values(resolved, "test_output") == ["streamed"]


def test_what_an_option_implies_counts_but_is_not_listed() -> None:
    resolved = resolve("", "--fdo_instrument=x", "--copt=y")
    assert values(resolved, "copt") == ["-Wno-error", "y"]
    assert texts(resolved) == ["--fdo_instrument=x", "--copt=y"]


def test_instances_know_their_rank_place_and_text() -> None:
    resolved = resolve("build -c \\\n opt\nbuild  --copt 'a b'", "-c", "dbg")
    mode = resolved.values["compilation_mode"]
    (loser,) = mode.overridden
    assert mode.instances[0].location is None
    assert loser.location is not None
    assert str(loser.location) == ".bazelrc:1:7"
    (copt,) = resolved.values["copt"].instances
    assert copt.text == "--copt a b"
    assert copt.origin.span[1:] == (3, 8, 3, 20)  # type: ignore[union-attr]


def test_rc_files_lose_to_the_command_line_and_each_other() -> None:
    rc = {
        ".bazelrc": "build --test_output=all\ncommon --tool_tag=late",
        "/h/.bazelrc": "build --test_output=errors\nbuild --tool_tag=build",
    }
    resolved = resolve(rc, "--test_output=summary")
    output = resolved.values["test_output"]
    assert [i.value for i in output.overridden] == ["all", "errors"]
    assert output.value == "summary"
    assert values(resolved, "tool_tag") == ["build"]


STARLARK = {
    "value": (("--//p:f=v",), {"//p:f": "v"}),
    "empty value": (("--//p:f=",), {"//p:f": ""}),
    "in a repository": (("--@r//p:f=v",), {"@r//p:f": "v"}),
    "on": (("--//p:f",), {"//p:f": "true"}),
    "off": (("--no//p:f",), {"//p:f": "false"}),
    "off in a repository": (("--no@r//p:f",), {"@r//p:f": "false"}),
    "the last counts": (("--//p:f=a", "--//p:f=b"), {"//p:f": "b"}),
    "labels as written": (("--//p:f=a", "--@r//p:f=b"), {"//p:f": "a", "@r//p:f": "b"}),
}


@pytest.mark.parametrize(("words", "expected"), STARLARK.values(), ids=STARLARK.keys())
def test_starlark_flags(words: tuple[str, ...], expected: dict[str, str]) -> None:
    resolved = resolve("", *words)
    assert {label: value.value for label, value in resolved.starlark_flags.items()} == expected
    assert not errors(resolved)


RANKS = {
    "2.1.0": "rc",
    "4.2.3": "config",
    "5.2.0": "config",
    "5.3.0": "typed",
    "9.1.0": "typed",
}
"""Which of three settings of a Starlark flag counts: typed after a config, the config's own,
or a plain rc line's."""


@pytest.mark.parametrize("version", RANKS)
def test_which_setting_of_a_starlark_flag_counts(version: str) -> None:
    rc = "build --//p:f=rc\nbuild:a --//p:f=config"
    expected = {"rc": "config", "config": "config", "typed": "typed"}[RANKS[version]]
    resolved = resolve(rc, "--config=a", "--//p:f=typed", version=version)
    assert resolved.starlark_flags["//p:f"].value == expected


@pytest.mark.parametrize(("version", "expected"), [("2.1.0", "rc"), ("4.2.3", "typed")])
def test_plain_rc_lines_and_typed_starlark_flags(version: str, expected: str) -> None:
    resolved = resolve("build --//p:f=rc", "--//p:f=typed", version=version)
    assert resolved.starlark_flags["//p:f"].value == expected


def test_starlark_flags_in_old_bazels() -> None:
    assert errors(resolve("", "--no//p:f", version="2.1.0")) == ["unknown-option"]
    resolved = resolve("", "--//p:f", "v", "//t", version="2.1.0")
    assert resolved.starlark_flags["//p:f"].value == "v"
    assert targets(resolved) == ["//t"]


def test_starlark_flags_are_words_for_commands_that_do_not_build() -> None:
    old = resolve("", "//a", "--//p:f=v", command="query")
    assert targets(old) == ["//a", "--//p:f=v"]
    new = resolve("", "//a", "--//p:f=v", command="query", version="8.7.0")
    assert targets(new) == ["//a"]


def test_flag_aliases() -> None:
    resolved = resolve("", "--flag_alias=f=//p:f", "--f=v")
    assert resolved.starlark_flags["//p:f"].value == "v"
    assert errors(resolve("", "--f=v")) == ["unknown-option"]


UNKNOWN = {
    "a slip": ("--cop=x", "4.2.3", "did you mean `--copt`?"),
    "a slip after no": ("--nokeep_goin", "4.2.3", "did you mean `--nokeep_going`?"),
    "gone": ("--experimental_ui", "7.7.1", "Bazel has it up to 6.5.0"),
    "not yet": ("--enable_bzlmod", "4.2.3", "Bazel has it since 6.0.0"),
    "a startup option": ("--host_jvm_args=x", "4.2.3", "it goes before the command"),
    "another command": ("--gnu_format", "4.2.3", "it is an option of `version`"),
}


@pytest.mark.parametrize(("word", "version", "hint"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_hints_about_unknown_options(word: str, version: str, hint: str) -> None:
    found = only(resolve("", word, version=version), "unknown-option").hint
    assert found is not None
    assert hint in found


def test_the_value_of_an_option_known_elsewhere_is_no_target() -> None:
    resolved = resolve("", "--experimental_ui_actions_shown", "3", "//a", version="9.1.0")
    assert targets(resolved) == ["//a"]


def test_an_option_that_came_and_went_between_two_tables_is_not_called_unknown() -> None:
    resolved = resolve("", "--experimental_came_and_went=x", version="6.5.0")
    assert not errors(resolved)
    assert "unverified-option" in warnings(resolved)
    assert values(resolved, "experimental_came_and_went") == ["x"]
    negative = resolve("", "--noincompatible_came_and_went", version="6.5.0")
    assert values(negative, "incompatible_came_and_went") == ["0"]
    assert errors(resolve("", "--experimental_came_and_went=x")) == ["unknown-option"]


def test_an_option_of_the_next_table_may_be_there_already() -> None:
    resolved = resolve("", "--enable_bzlmod", version="6.5.0")
    assert not errors(resolved)
    assert values(resolved, "enable_bzlmod") == ["1"]


INTEGERS = {
    "7": 7,
    "+7": 7,
    "-7": -7,
    "0x1F": 31,
    "#f": 15,
    "010": 8,
    "0": 0,
    "08": None,
    "": None,
    " 7": None,
    "7.0": None,
}


@pytest.mark.parametrize(("text", "expected"), INTEGERS.items())
def test_integers_as_java_decodes_them(text: str, expected: int | None) -> None:
    assert flag_conversion.integer(text) == expected


@pytest.mark.parametrize(
    ("word", "name", "value"),
    [
        # Experimental options come and go undocumented; documentation is all there is of 9.1.0.
        ("--experimental_nobody_knows=x", "experimental_nobody_knows", "x"),
        ("--noincompatible_nobody_knows", "incompatible_nobody_knows", "0"),
        # Bazel 4.2.3 has it, and hides it.
        ("--client_env=CC=clang", "client_env", "CC=clang"),
    ],
)
def test_documentation_lacks_what_is_hidden(word: str, name: str, value: str) -> None:
    resolved = resolve("", word, version="9.1.0")
    assert not errors(resolved)
    assert "unverified-option" in warnings(resolved)
    assert values(resolved, name) == [value]


def test_documentation_would_name_the_others() -> None:
    assert errors(resolve("", "--nobody_knows=x", version="9.1.0")) == ["unknown-option"]
    # Gone since 4.2.3, where it was documented.
    assert errors(resolve("", "--incompatible_disallow_dict_plus", version="9.1.0")) == [
        "unknown-option"
    ]
