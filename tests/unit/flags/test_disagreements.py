"""Each case in which a random test found us and a real Bazel to differ, by name.

The answers are Bazel 4.2.3's unless a version is given.
"""

from __future__ import annotations

import pytest

from tests.unit.flags.flag_world import errors, only, resolve, targets, texts, values, warnings


def test_an_import_of_a_folder_is_no_crash() -> None:
    from pathlib import Path

    from bazelscope.flags.rc_file_reading import DiskFiles, ReadFailure

    folder = str(Path(__file__).parent)
    files = DiskFiles()
    assert files.read(folder) is ReadFailure.NOT_A_FILE


def test_a_switch_that_is_also_an_enum_takes_the_spellings_of_both() -> None:
    for word in ("-s", "--subcommands=1", "--subcommands=pretty_print", "--nosubcommands"):
        assert not errors(resolve("", word))


def test_streamed_output_makes_test_add_options_above_all_others() -> None:
    rc = "test:a --test_output=streamed"
    resolved = resolve(rc, "--config=a", "--test_strategy=local", command="test")
    assert texts(resolved)[-2:] == [
        "--test_sharding_strategy=disabled",
        "--test_strategy=exclusive",
    ]
    assert values(resolved, "test_strategy") == ["exclusive"]


def test_runs_per_test_has_a_least_value() -> None:
    assert errors(resolve("build --runs_per_test=0")) == ["invalid-value"]


def test_a_line_of_two_words_that_begins_with_a_flag_warns_by_the_flags_name() -> None:
    assert warnings(resolve("--copt=x --define=y=1")) == ["equals-in-section", "missing-command"]


def test_a_try_import_forgives_an_import_that_fails_inside_it() -> None:
    rc = {
        ".bazelrc": "try-import %workspace%/x.rc\nbuild --copt=1",
        "x.rc": "try-import y.rc\nbuild --copt=2\nimport none.rc\nbuild --copt=lost",
        "y.rc": "build --copt=3",
    }
    resolved = resolve(rc)
    assert not errors(resolved)
    assert values(resolved, "copt") == ["3", "2", "1"]


def test_after_a_forgiven_import_the_stack_of_imports_is_off_by_one() -> None:
    rc = {
        ".bazelrc": "try-import x.rc\ntry-import x.rc",
        "x.rc": "build --copt=2\nimport none.rc",
    }
    assert errors(resolve(rc)) == ["import-loop"]


def test_a_value_that_is_beaten_already_is_never_looked_at() -> None:
    rc = "build:a --jobs --noenable_platform_specific_config"
    resolved = resolve(rc, "--config=a", "-j", "7")
    assert not errors(resolved)
    assert values(resolved, "jobs") == ["7"]
    assert "invalid-value" in warnings(resolved)
    assert errors(resolve(rc, "-j", "7", "--config=a")) == ["invalid-value"]


def test_a_starlark_flag_that_also_stands_after_dashes_is_a_target_only() -> None:
    rc = "build --//p:f=x\nbuild:linux -- --//p:f=x"
    resolved = resolve(rc, "--config=linux")
    assert not resolved.starlark_flags
    assert targets(resolved) == ["--//p:f=x"]


def test_targets_after_dashes_come_last_wherever_they_stand() -> None:
    assert targets(resolve("build //a -- //b", "//c")) == ["//a", "//c", "//b"]


def test_run_takes_targets_of_rc_files_first() -> None:
    assert targets(resolve("run //rc", "//typed", command="run")) == ["//rc"]
    assert targets(resolve("run //rc", "//typed", command="run", version="2.1.0")) == ["//typed"]


def expanded(version: str, command: str) -> int:
    resolved = resolve("", "--all_incompatible_changes", command=command, version=version)
    assert not errors(resolved)
    return len(resolved.instances)


def test_what_all_incompatible_changes_expands_to_depends_on_the_command() -> None:
    # counted in what `canonicalize-flags` prints
    assert [expanded("4.2.3", c) for c in ("build", "query", "version")] == [94, 31, 24]
    assert [expanded("2.1.0", c) for c in ("run", "test", "fetch")] == [94, 93, 33]
    assert [expanded("0.24.1", c) for c in ("build", "query")] == [74, 27]


HIDDEN_OVERRIDES = {
    "by both": ("build:a --tool_tag=a\nbuild:b --tool_tag=b\nbuild --config=a --config=b", (),
                "option-expanded-twice"),
    "inside one": ("build:a --tool_tag=a --config=b\nbuild:b --tool_tag=b", ("--config=a",),
                   "option-expanded-twice"),
    "typed": ("", ("--test_output=all", "--java_debug"), "explicit-option-overridden"),
    "implied": ("build --nocheck_up_to_date --check_tests_up_to_date", (), "option-implied"),
    "over implied": ("", ("--check_tests_up_to_date", "--nocheck_up_to_date"), "option-implied"),
    "later implied": ("build --check_tests_up_to_date\nbuild:a --nocheck_up_to_date",
                      ("--config=a",), "option-implied"),
    "written in rc files": ("build --tool_tag=x\nbuild --config=a\nbuild:a --tool_tag=a", (), None),
    "of another category": ("build --nocheck_up_to_date", ("--check_tests_up_to_date",), None),
    "to the same value": ("build:a -k\nbuild:b --keep_going", ("--config=a", "--config=b"), None),
}  # fmt: skip


@pytest.mark.parametrize(("rc", "words", "code"), HIDDEN_OVERRIDES.values(), ids=HIDDEN_OVERRIDES)
@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_options_that_beat_others_unseen(
    version: str, rc: str, words: tuple[str, ...], code: str | None
) -> None:
    assert warnings(resolve(rc, *words, version=version)) == ([code] if code else [])


def test_deprecated_options_are_told_once() -> None:
    resolved = resolve("build --announce\nbuild --noannounce --glibc=x")
    assert warnings(resolved) == ["deprecated-option", "deprecated-option"]
    assert "deprecated-option" in warnings(resolve("", "--experimental_ui", version="2.1.0"))
    assert not warnings(resolve("", "--experimental_ui", version="0.26.1"))


def test_a_value_that_bazel_refuses_is_kept() -> None:
    resolved = resolve("build --jobs=many --copt=-g")
    assert errors(resolved) == ["invalid-value"]
    assert values(resolved, "jobs") == ["many"]


@pytest.mark.parametrize("version", ["6.3.0", "7.7.1", "9.1.0"])
def test_the_value_of_a_forgiven_option_is_forgiven_too(version: str) -> None:
    # bazel since 6.3.0: `common` lines may have options that the command lacks
    resolved = resolve("common --copt -DX --tool_tag=a\n", command="version", version=version)
    assert not errors(resolved)
    assert texts(resolved) == ["--tool_tag=a"]


def test_an_option_of_another_command_in_a_config() -> None:
    # bazel#22980: skipped from 6.3.0 to 7.3, refused before and after
    rc = "build:a --order_output=no --tool_tag=a\n"
    for version in ("6.3.0", "7.3.0"):
        assert texts(resolve(rc, "--config=a", version=version)) == ["--config=a", "--tool_tag=a"]
    for version in ("6.2.0", "7.4.0", "9.1.0"):
        assert errors(resolve(rc, "--config=a", version=version)) == ["unknown-option"]


def test_a_config_of_nearly_that_name_goes_before_a_script() -> None:
    files = {
        ".bazelrc": "build:mkl --copt=-g\ntry-import made.rc\n",
        "configure": "echo build:opt > made.rc",
    }
    found = only(resolve(files, "--config=mlk"), "undefined-config")
    assert found.hint == "did you mean `--config=mkl`?"
    found = only(resolve(files, "--config=opt"), "undefined-config")
    assert found.hint is not None and "configure" in found.hint


TWICE = {
    "import y.rc": 1,
    "import y.rc\nbuild:z --copt=z": 1,
    "import y.rc\nquery --tool_tag=z": 1,
    "build:z --copt=z\nimport y.rc": 2,
    "query --tool_tag=z\nimport y.rc": 2,
    "import y.rc\nbuild --copt=z": 2,
}


@pytest.mark.parametrize("rc", TWICE)
@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_dashes_of_a_file_that_is_read_twice(version: str, rc: str) -> None:
    """The second reading goes on where the first ended, if its words come next."""
    files = {".bazelrc": rc, "y.rc": "build --copt=a --\nbuild --copt=b"}
    resolved = resolve(files, startup=("--bazelrc=/w/y.rc",), version=version)
    assert texts(resolved).count("--copt=a") == TWICE[rc]
    assert ("--" in targets(resolved)) == (TWICE[rc] == 1)
