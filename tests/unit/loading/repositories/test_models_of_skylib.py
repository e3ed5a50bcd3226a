"""The model of bazel_skylib by release, beside what the releases themselves make of such calls.

Each was compared with its own tree: 46 calls of its rules and macros, 1.0.3 to 1.9.1.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.unit.loading.repositories.workspaces import loader

_ARCHIVE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "bazel_skylib", urls = ["https://example.org/bazel-skylib-{}.tar.gz"])
"""


def _made(folder: Path, release: str, load: str, call: str) -> dict[str, Rule]:
    files = {"WORKSPACE": _ARCHIVE.format(release)}
    files["BUILD"] = f'load("@bazel_skylib//{load})\n{call}\n'
    package = loader(folder, files).package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics, package
    return {name: target for name, target in package.targets.items() if isinstance(target, Rule)}


def _value(rule: Rule, name: str) -> object:
    attribute = rule.attribute(name)
    value = attribute.value if attribute is not None else None
    is_list = isinstance(value, tuple) and not isinstance(value, Label)
    return [str(one) for one in value] if is_list else value


_COPY = ('rules:copy_file.bzl", "copy_file"', 'copy_file(name = "x", src = "f", out = "o")')
_NATIVE = (
    'rules:native_binary.bzl", "native_binary"',
    'native_binary(name = "x", src = "f", out = "o")',
)
_BZL = (':bzl_library.bzl", "bzl_library"', 'bzl_library(name = "x", features = ["a"])')
_TEST = (
    'rules:build_test.bzl", "build_test"',
    'build_test(name = "x", targets = [":f", ":g", ":f"], target_compatible_with = [])',
)


@pytest.mark.parametrize(
    ("release", "call", "kind", "attribute", "value"),
    [
        ("1.7.1", _COPY, "_copy_file", "allow_symlink", False),
        ("1.8.2", _COPY, "_copy_file", "allow_symlink", False),
        ("1.9.0", _COPY, "_copy_file", "allow_symlink", True),
        ("1.9.1", _COPY, "_copy_file", "allow_symlink", False),
        ("1.2.1", _NATIVE, "_native_binary", "out", "o"),
        ("1.3.0", _NATIVE, "native_binary", "out", "o"),
        ("1.7.1", _BZL, "bzl_library", "features", ["a"]),
        ("1.8.2", _BZL, "bzl_library", "features", []),
        ("1.3.0", _TEST, "_empty_test", "data", ["//:x_0__deps", "//:x_1__deps"]),
        ("1.9.1", _TEST, "_empty_test", "data", ["//:x_0__deps", "//:x_1__deps"]),
        ("1.0.3", _TEST, "sh_test", "data", ["//:x_0__deps", "//:x_1__deps"]),
    ],
)
def test_what_a_release_makes(
    tmp_path: Path, release: str, call: tuple[str, str], kind: str, attribute: str, value: object
) -> None:
    made = _made(tmp_path, release, *call)["x"]
    assert (made.rule_class.name, _value(made, attribute)) == (kind, value)


@pytest.mark.parametrize(
    ("release", "kind", "is_windows"),
    [("1.7.1", "_diff_test", True), ("1.8.2", "diff_test", False)],
)
def test_rules_ask_for_windows_until_1_8(
    tmp_path: Path, release: str, kind: str, is_windows: bool
) -> None:
    call = 'diff_test(name = "x", file1 = "f", file2 = "g")'
    made = _made(tmp_path, release, 'rules:diff_test.bzl", "diff_test"', call)["x"]
    assert (made.rule_class.name, made.attribute("is_windows") is not None) == (kind, is_windows)


@pytest.mark.parametrize(("release", "tags"), [("1.3.0", ["a"]), ("1.4.2", ["a", "manual"])])
def test_genrules_of_a_build_test_are_manual_since_1_4(
    tmp_path: Path, release: str, tags: list[str]
) -> None:
    call = 'build_test(name = "x", targets = [":f"], tags = ["a"])'
    made = _made(tmp_path, release, _TEST[0], call)["x_0__deps"]
    assert (_value(made, "tags"), _value(made, "cmd_bat")) == (tags, "type nul > $@")


def test_a_build_test_makes_some_hundred_genrules(tmp_path: Path) -> None:
    call = 'build_test(name = "x", targets = [":t%d" % i for i in range(450)])'
    made = _made(tmp_path, "1.9.1", _TEST[0], call)
    assert len([name for name in made if name.endswith("__deps")]) == 113
    assert _value(made["x_112__deps"], "srcs") == ["//:t448", "//:t449"]


@pytest.mark.parametrize(
    ("release", "names"),
    [
        ("1.9.0", {"x", "x_stamp_binary_on_check", "x_stamp_binary_off_check"}),
        ("1.9.1", {"x"}),
    ],
)
def test_a_group_of_the_default_condition(tmp_path: Path, release: str, names: set[str]) -> None:
    call = 'selects.config_setting_group(name = "x", match_any = ["//conditions:default"])'
    made = _made(tmp_path, release, 'lib:selects.bzl", "selects"', call)
    assert set(made) == names
    if release == "1.9.1":
        assert str(_value(made["x"], "actual")) == "@bazel_skylib//lib:always_true"
