"""Every case of `support.starlark_rules` is refused in Bazel's words, or taken, as Bazel does.

`tests/oracle/test_starlark_rules.py` asks real Bazels for their words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import Severity
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from tests.support import ours
from tests.support.files import write_files
from tests.support.starlark_rules import CASES, RuleCase, lay_out

VERSION = "4.2.3"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("starlark_rules") / "workspace"
    lay_out(folder)
    return folder


def _package(root: Path, name: str, version: str = VERSION) -> Package:
    package = _loaded(root, name, version)
    assert isinstance(package, Package)
    return package


def _loaded(root: Path, name: str, version: str = VERSION) -> Package | NoSuchPackage:
    package = ours.open_loader(root, version).package(PackageId("", name))
    assert isinstance(package, Package | NoSuchPackage)
    return package


def _errors(package: Package | NoSuchPackage) -> tuple[str, ...]:
    errors = (item for item in package.diagnostics if item.severity is Severity.ERROR)
    return tuple(sorted(error.message for error in errors))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_words(root: Path, case: RuleCase) -> None:
    package = _loaded(root, case.name)
    assert _errors(package) == case.says
    assert all(error.span is not None for error in package.diagnostics)


def test_a_rule_bears_the_first_name_that_it_was_given(root: Path) -> None:
    target = _package(root, "two_names").targets["t"]
    assert isinstance(target, Rule)
    assert target.rule_class.name == "b"


def test_the_value_of_a_build_setting_stands_last(root: Path) -> None:
    target = _package(root, "setting_attr").targets["t"]
    assert isinstance(target, Rule)
    assert list(target.rule_class.attributes)[-3:] == ["v", "a", "build_setting_default"]


def test_bazels_before_4_check_default_values_too(root: Path) -> None:
    why = "invalid value in 'v' attribute: has to be one of 'a' or 'b' instead of 'c'"
    assert _errors(_package(root, "values_default", "2.1.0")) == (f"//values_default:t: {why}",)


_OPT = """\
def _impl(ctx):
    pass

def _opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

opt = transition(
    implementation = _opt,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)
"""
_FLAG = "--experimental_starlark_config_transitions"
_OF_TOOLS = (
    '"_%s_function_transition": attr.label('
    'default = "@bazel_tools//tools/%ss/function_transition_%s")'
)
_WHITE = _OF_TOOLS.replace("%s", "whitelist")
_ALLOW = _OF_TOOLS.replace("%s", "allowlist")
_OF_MAIN = _WHITE.replace("@bazel_tools", "")


@pytest.mark.parametrize(
    ("version", "flags", "made", "taken"),
    [
        ("0.24.1", (), "cfg = opt", True),
        ("0.26.1", (), "cfg = opt", False),
        ("2.1.0", (), "cfg = opt", False),
        ("6.5.0", (), "cfg = opt", False),
        ("7.0.0", (), "cfg = opt", True),
        ("2.1.0", (), f"cfg = opt, attrs = {{{_WHITE}}}", True),
        ("2.1.0", (), f"cfg = opt, attrs = {{{_ALLOW}}}", False),
        ("2.1.0", (), f"attrs = {{{_ALLOW}}}", True),
        ("7.0.0", (), f"attrs = {{{_ALLOW}}}", False),
        ("9.0.0", (), f"attrs = {{{_ALLOW}}}", False),
        ("7.0.0", (), f"cfg = opt, attrs = {{{_ALLOW}}}", True),
        ("7.0.0", (), f"attrs = {{{_WHITE}}}", True),
        ("0.26.1", (), f"cfg = opt, attrs = {{{_WHITE}}}", False),
        ("0.26.1", (), f"cfg = opt, attrs = {{{_OF_MAIN}}}", True),
        ("0.26.1", (), f'attrs = {{"d": attr.label(cfg = opt), {_OF_MAIN}}}', False),
        ("0.26.1", (_FLAG,), f'attrs = {{"d": attr.label(cfg = opt), {_OF_MAIN}}}', True),
        ("0.26.1", (), 'attrs = {"d": attr.label(cfg = "exec")}', False),
        ("2.1.0", (), 'attrs = {"d": attr.label(cfg = "exec")}', True),
        ("0.24.1", (), "build_setting = config.bool()", False),
        ("0.24.1", ("--experimental_build_setting_api",), "build_setting = config.bool()", True),
    ],
)
def test_which_bazels_take_a_rule_with_a_transition(
    tmp_path: Path, version: str, flags: tuple[str, ...], made: str, taken: bool
) -> None:
    """Measured on 0.24.1, 0.26.1 and 2.1.0; 4.2.3's words stand with the cases above."""
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            "d.bzl": f"{_OPT}r = rule(_impl, {made})\n",
            "BUILD": 'load(":d.bzl", "r")\nfilegroup(name = "x")\n',
        },
    )
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux").configure(flags)
    package = asked.loader.package(PackageId("", ""))
    assert (isinstance(package, Package) and not _errors(package)) is taken


@pytest.mark.parametrize(
    ("version", "option", "taken"),
    [
        ("4.2.3", "incompatible_enable_cc_toolchain_resolution", False),  # measured
        ("5.0.0", "incompatible_enable_cc_toolchain_resolution", True),
        ("9.0.0", "incompatible_enable_apple_toolchain_resolution", True),
        ("5.0.0", "incompatible_merge_genfiles_directory", False),
        ("9.0.0", "incompatible_merge_genfiles_directory", False),
        ("9.0.0", "experimental_enable_cc_toolchain_resolution", False),
    ],
)
def test_which_options_a_transition_may_name(
    tmp_path: Path, version: str, option: str, taken: bool
) -> None:
    """Bazel: `ConfigGlobalLibrary.validOptionName`."""
    bzl = _OPT.replace("command_line_option:compilation_mode", f"command_line_option:{option}")
    files = {"WORKSPACE": "", "d.bzl": bzl, "BUILD": 'load(":d.bzl", "opt")\n'}
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux").configure(())
    package = asked.loader.package(PackageId("", ""))
    words = "Cannot transition on --experimental_* or --incompatible_* options"
    assert taken is not any(words in one.message for one in package.diagnostics)


@pytest.mark.parametrize(
    ("version", "taken"), [("4.2.3", False), ("8.1.1", False), ("8.2.0", True)]
)
@pytest.mark.parametrize("option", ["experimental_cpp_modules", "incompatible_strict_action_env"])
def test_analysis_tests_change_every_option_since_8_2(
    tmp_path: Path, version: str, taken: bool, option: str
) -> None:
    # Measured: 4.2.3 refuses them; 8.2 has Bazel's pull request 25536.
    settings = f'{{"//command_line_option:{option}": True}}'
    bzl = f"t = analysis_test_transition(settings = {settings})\n"
    write_files(tmp_path, {"WORKSPACE": "", "d.bzl": bzl, "BUILD": 'load(":d.bzl", "t")\n'})
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux").configure(())
    package = asked.loader.package(PackageId("", ""))
    words = "Cannot transition on --experimental_* or --incompatible_* options"
    assert taken is not any(words in one.message for one in package.diagnostics)
