"""What Bazel refuses for the C++ toolchain that --crosstool_top names: 4.2.3, 2.1.0 and 0.24.1
were measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace

_BUILD = """
cc_library(name = "low")
cc_library(name = "high", deps = [":low"])
cc_import(name = "imported")
genrule(name = "made", outs = ["o"], cmd = "$(CC)",
        toolchains = ["@bazel_tools//tools/cpp:current_cc_toolchain"])
genrule(name = "by_tool", outs = ["p"], cmd = "", tools = [":program"])
cc_binary(name = "program")
py_library(name = "none")
cc_toolchain_suite(name = "suite", toolchains = {})
filegroup(name = "group")
"""
_BAZELS = ("implementation-failed", "@local_config_cc//:toolchain")


def _refused(root: Path, target: str, *words: str, version: str = "4.2.3") -> set[tuple[str, str]]:
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text(_BUILD)
    asked = Workspace.open(root, bazel_version=version, host="linux").configure([*words])
    return {(one.kind.value, str(one.target)) for one in asked.refusals(target) if not one.also}


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
@pytest.mark.parametrize(
    ("words", "target", "expected"),
    [
        ("--cpu=arm", "//:high", {_BAZELS}),
        ("--cpu=arm", "//:imported", {_BAZELS}),
        ("--cpu=arm", "//:made", {_BAZELS}),
        ("--cpu=arm", "//:none", set()),
        ("--cpu=arm", "//:by_tool", set()),
        ("--host_cpu=arm", "//:by_tool", {_BAZELS}),
        ("--cpu=armeabi-v7a", "//:high", set()),
        ("--compiler=clang-9", "//:high", {_BAZELS}),
        ("--compiler=compiler", "//:high", set()),
        ("--cpu=arm", "//:suite", {("implementation-failed", "//:suite")}),
        ("--crosstool_top=//:suite", "//:high", {("implementation-failed", "//:suite")}),
        ("--crosstool_top=//:group", "//:high", {("missing-provider", "//:low")}),
        (
            "--crosstool_top=//nowhere:x",
            "//:high",
            {("no-such-package", "//:low"), ("no-such-package", "//:high")},
        ),
        (
            "--crosstool_top=//:gone",
            "//:high",
            {("no-such-target", "//:low"), ("no-such-target", "//:high")},
        ),
    ],
)
def test_toolchains_that_crosstool_top_names(
    tmp_path: Path, version: str, words: str, target: str, expected: set[tuple[str, str]]
) -> None:
    assert _refused(tmp_path, target, words, version=version) == expected


def test_where_toolchains_are_resolved_what_crosstool_top_names_has_to_be_there(
    tmp_path: Path,
) -> None:
    resolved = "--incompatible_enable_cc_toolchain_resolution"
    refused = _refused(tmp_path, "//:high", resolved, "--crosstool_top=//nowhere:x")
    assert refused == {("no-such-package", "//:low"), ("no-such-package", "//:high")}
    refused = _refused(tmp_path, "//:high", resolved, "--crosstool_top=//:group")
    assert refused == {("missing-provider", "//:low")}
    words = (resolved, "--crosstool_top=//nowhere:x")
    assert _refused(tmp_path, "//:high", *words, version="8.0.0") == set()


def test_what_has_set_it_is_told(tmp_path: Path) -> None:
    (tmp_path / ".bazelrc").write_text("build:cross --cpu=arm\n")
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('cc_library(name = "x")\n')
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    (refused,) = workspace.configure(["--config=cross"]).refusals("//:x")
    assert refused.message.endswith("does not contain a toolchain for cpu 'arm'")
    assert [cause.text for cause in refused.causes] == ["--cpu=arm, by --config=cross"]
