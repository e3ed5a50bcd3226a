"""Startup options, on the command line and on `startup` lines of rc files."""

from __future__ import annotations

import pytest

from bazelscope.flags.commandline import is_program
from tests.unit.flags.flag_world import errors, only, place, resolve

ORDER = {
    "one line": ("startup --max_idle_secs=5", (), ["--max_idle_secs=5"]),
    "several lines": (
        "startup --max_idle_secs=42\nstartup --io_nice_level=6",
        (),
        ["--max_idle_secs=42", "--io_nice_level=6"],
    ),
    "a value in the next word": ("startup --max_idle_secs 5", (), ["--max_idle_secs=5"]),
    "a value on the next line": (
        "startup --max_idle_secs\nstartup 5",
        (),
        ["--max_idle_secs=5"],
    ),
    "switches": ("startup --batch --noblock_for_lock", (), ["--batch", "--noblock_for_lock"]),
    "the command line comes last": (
        "startup --max_idle_secs=5",
        ("--max_idle_secs", "7"),
        ["--max_idle_secs=5", "--max_idle_secs=7"],
    ),
    "an import in between": (
        "startup --max_idle_secs=1\nimport a.rc\nstartup --io_nice_level=3",
        (),
        ["--max_idle_secs=1", "--io_nice_level=2", "--io_nice_level=3"],
    ),
    "a try-import in between": (
        "startup --max_idle_secs=1\ntry-import a.rc\nstartup --io_nice_level=3",
        (),
        ["--max_idle_secs=1", "--io_nice_level=2", "--io_nice_level=3"],
    ),
    "an earlier switch is undone": (
        "startup --max_idle_secs=1",
        ("--noworkspace_rc", "--workspace_rc"),
        ["--max_idle_secs=1", "--noworkspace_rc", "--workspace_rc"],
    ),
    "a given file after the workspace's": (
        "startup --max_idle_secs=1",
        ("--bazelrc=/w/a.rc",),
        ["--max_idle_secs=1", "--io_nice_level=2", "--bazelrc=/w/a.rc"],
    ),
    "what stands for others takes no value": (
        "startup --host_jvm_debug --batch",
        (),
        ["--host_jvm_debug", "--batch"],
    ),
    "a missing value takes the command line's first option": (
        "startup --max_idle_secs",
        ("--batch",),
        ["--max_idle_secs=--batch"],
    ),
}


@pytest.mark.parametrize(("rc", "startup", "expected"), ORDER.values(), ids=ORDER.keys())
def test_startup_options_in_order(rc: str, startup: tuple[str, ...], expected: list[str]) -> None:
    files = {".bazelrc": rc, "a.rc": "startup --io_nice_level=2"}
    assert list(resolve(files, startup=startup).startup_options) == expected


REFUSED = {
    "unknown in an rc file": ("startup --foo", (), "unknown-startup-option"),
    "a word in an rc file": ("startup foo", (), "unknown-startup-option"),
    "unknown in a given file": ("", ("--bazelrc=/w/bad.rc",), "unknown-startup-option"),
    "unknown on the command line": ("", ("--foo",), "unknown-startup-option"),
    "a command's option": ("", ("--copt=x",), "unknown-startup-option"),
    "no value left": ("", ("--output_base",), "startup-option-value"),
    "a switch with a value": ("", ("--batch=1",), "startup-option-value"),
    "a switch with a value in an rc file": ("startup --nobatch=0", (), "startup-option-value"),
    "no number": ("", ("--max_idle_secs=x",), "startup-option-value"),
    "no number in the next word": ("", ("--max_idle_secs", "x"), "startup-option-value"),
    "no number in an rc file": ("startup --max_idle_secs=x", (), "startup-option-value"),
    "no number in an rc file's next word": (
        "startup --max_idle_secs x",
        (),
        "startup-option-value",
    ),
    "ignoring rc files in an rc file": (
        "startup --ignore_all_rc_files",
        (),
        "startup-option-in-rc",
    ),
    "the workspace's file in an rc file": (
        "startup --noworkspace_rc",
        (),
        "startup-option-in-rc",
    ),
    "another file in an rc file": ("startup --bazelrc=x", (), "startup-option-in-rc"),
}


@pytest.mark.parametrize(("rc", "startup", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_startup_options(rc: str, startup: tuple[str, ...], code: str) -> None:
    files = {".bazelrc": rc, "bad.rc": "startup --foo"}
    assert errors(resolve(files, startup=startup)) == [code]


IGNORED = {
    "all files": ("--ignore_all_rc_files",),
    "all files, one given": ("--ignore_all_rc_files", "--bazelrc=/w/.bazelrc"),
    "the workspace's": ("--noworkspace_rc",),
}


@pytest.mark.parametrize("startup", IGNORED.values(), ids=IGNORED.keys())
def test_mistakes_in_files_that_are_not_read(startup: tuple[str, ...]) -> None:
    resolved = resolve("startup --foo", startup=startup)
    assert not resolved.diagnostics
    assert list(resolved.startup_options) == list(startup)


def test_the_last_switch_reads_the_files_after_all() -> None:
    resolved = resolve(
        "startup --foo", startup=("--ignore_all_rc_files", "--noignore_all_rc_files")
    )
    assert errors(resolved) == ["unknown-startup-option"]


def test_problems_of_startup_lines_have_places() -> None:
    problem = only(resolve("\nstartup --batch --foo"), "unknown-startup-option")
    assert place(problem) == ".bazelrc:2:17"


def test_startup_lines_do_not_reach_the_command() -> None:
    resolved = resolve("startup --max_idle_secs=1\nbuild -c opt")
    assert set(resolved.values) == {"compilation_mode"}


def test_a_hint_for_an_option_on_the_wrong_side() -> None:
    assert only(resolve("", startup=("--copt=x",)), "unknown-startup-option").hint == (
        "`--copt` is an option of commands; it goes after the command"
    )


def test_a_hint_for_a_slip() -> None:
    assert only(resolve("", startup=("--output_bas=x",)), "unknown-startup-option").hint == (
        "did you mean `--output_base`?"
    )


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("bazel", True),
        ("./bazelisk", True),
        ("--vendor_dir=vendor/bazel-remote", False),
        (r"C:\tools\bazel.exe", True),
        (r".\bazelisk.exe", True),
        (r"\\server\share\bazel-4.2.3.exe", True),
        (r"C:\bazel\other.exe", False),
        ("//bazel", False),
        ("@bazel", False),
    ],
)
def test_programs_are_named_as_on_either_system(word: str, is_one: bool) -> None:
    assert is_program(word) == is_one
