"""Targets that macros of rules_js declare, as releases 2.0.0, 2.5.0, 2.9.2, 3.0.1, 3.2.1 and 3.4.0
themselves do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_BUILD = """
load("@aspect_rules_js//js:defs.bzl", "js_binary", "js_run_binary")
js_binary(name = "t", chdir = "", entry_point = "t.js")
js_run_binary(
    name = "a",
    args = ["--x"],
    chdir = "p",
    env = {"X": "1"},
    log_level = "error",
    srcs = ["i"],
    stdout = "o",
    tool = ":t",
)
"""
_OF_BAZEL = (
    '"BAZEL_BINDIR": "$(BINDIR)", "BAZEL_BUILD_FILE_PATH": "$(BUILD_FILE_PATH)",'
    ' "BAZEL_COMPILATION_MODE": "$(COMPILATION_MODE)", '
)
_OWN = '"BAZEL_PACKAGE": "p", '
_BEFORE = _OWN + (
    '"BAZEL_TARGET_CPU": "$(TARGET_CPU)", "BAZEL_TARGET_NAME": "a", "BAZEL_TARGET": "$(TARGET)",'
    ' "BAZEL_WORKSPACE": "$(WORKSPACE)", '
)
_SINCE = (
    '"BAZEL_TARGET_CPU": "$(TARGET_CPU)", "BAZEL_TARGET": "$(TARGET)", "BAZEL_WORKSPACE":'
    ' "$(WORKSPACE)", "BAZEL_PACKAGE": "p", "BAZEL_TARGET_NAME": "a"'
)
_LEVELS = (
    ', "JS_BINARY__SILENT_ON_SUCCESS": "1", "JS_BINARY__PATCH_NODE_FS": "1",'
    ' "JS_BINARY__LOG_FATAL": "1", "JS_BINARY__LOG_ERROR": "1"'
)
_FLAG = 'select({"@aspect_rules_js//js:_%s_true": %s, "//conditions:default": %s})'
_ENTRY = '"JS_BINARY__USE_EXECROOT_ENTRY_POINT": "1"'
_BY_FLAG = _FLAG % ("use_execroot_entry_point", f"{{{_ENTRY}}}", "{}")
_OUTPUT = '"JS_BINARY__CHDIR": "p", "JS_BINARY__STDOUT_OUTPUT_FILE": '
_SRCS = '"//p:i", "//p:a_js_info_files", "//p:a_copy_srcs_to_bin"'
_OLD_OUTPUT = _OUTPUT + '"$(execpath o)"'
_X = '{"X": "1"}'
_RUNFILES = _FLAG % ("use_execroot_entry_point", '["//p:a_runfiles"]', "[]")


def shown(folder: Path, capsys: pytest.CaptureFixture[str], release: str, label: str) -> str:
    module = f'bazel_dep(name = "aspect_rules_js", version = "{release}")\n'
    write_files(folder, {"MODULE.bazel": module, "p/BUILD": _BUILD})
    main(["query", "-w", str(folder), "--bazel-version=8.4.0", "--output=build", label])
    return capsys.readouterr()[0]


@pytest.mark.parametrize(
    ("release", "env", "srcs", "args"),
    [
        (
            "2.9.2",
            f'{{{_OF_BAZEL}{_BEFORE}{_OUTPUT}"$(execpath o)"{_LEVELS}, {_ENTRY}, "X": "1"}}',
            f'[{_SRCS}, "//p:a_runfiles"]',
            '["--x"]',
        ),
        (
            "3.2.1",
            f"{{{_OF_BAZEL}{_BEFORE}{_OLD_OUTPUT}{_LEVELS}}} + {_BY_FLAG} + {_X}",
            f"[{_SRCS}] + {_RUNFILES}",
            '["--x"]',
        ),
        (
            "3.4.0",
            f'{{{_OUTPUT}"p/o"{_LEVELS}}} + '
            + _FLAG % ("set_legacy_environment_variables", f"{{{_OF_BAZEL}{_SINCE}}}", "{}")
            + f' + {_BY_FLAG} + {{"X": "1"}}',
            f"[{_SRCS}] + {_RUNFILES}",
            '["--bazel-bindir", "$(BINDIR)", "--x"]',
        ),
    ],
)
def test_what_js_run_binary_runs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    release: str,
    env: str,
    srcs: str,
    args: str,
) -> None:
    text = shown(tmp_path, capsys, release, "//p:a")
    assert f"  env = {env},\n" in text
    assert f"  srcs = {srcs},\n" in text
    assert f"  args = {args},\n" in text


def test_the_runfiles_of_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = shown(tmp_path, capsys, "3.2.1", "//p:a_runfiles + //p:a_runfiles_lib")
    assert 'srcs = ["//p:a_runfiles_lib"]' in old and 'output_group = "runfiles"' in old
    assert 'js_library(\n  name = "a_runfiles_lib"' in old
    new = shown(tmp_path, capsys, "3.4.0", "//p:a_runfiles")
    assert 'srcs = ["//p:t"]' in new and 'output_group = "execroot_data_files"' in new


@pytest.mark.parametrize(("release", "chdir"), [("3.0.3", ""), ("3.1.0", ".")])
def test_an_empty_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: str, chdir: str
) -> None:
    assert f'  chdir = "{chdir}",\n' in shown(tmp_path, capsys, release, "//p:t")
