"""Values of Bazel's own options in config_settings: which a real Bazel takes, and which hold under
lines of random options.

`BAZELSCOPE_OPTION_VALUES` asks of more options than the few of a usual run, `BAZELSCOPE_FLAG_SEED`
for others.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.bazel import flag_catalog, flag_conversion
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.native_options import is_configuration_option
from tests.oracle.select_oracle import OurAnswers, values_of_textproto
from tests.oracle.test_option_values import VALUES
from tests.support.bazel import Bazel

COUNT = int(os.environ.get("BAZELSCOPE_OPTION_VALUES", "60"))
SEED = int(os.environ.get("BAZELSCOPE_FLAG_SEED", "423"))
LINES = 3
_ON_A_LINE = 8
pytestmark = pytest.mark.oracle

_HOST = "@local_config_platform//:host"
_APPLE = ["10.9", "10.10", "10.9.0"]
_WORTH_ASKING = {
    "action_env": ["A", "A=1", "B=2"],
    "auto_cpu_environment_group": [""],
    "apple_platform_type": ["ios", "MACOS", "macos"],
    "compilation_mode": ["opt", "OPT", "dbg"],
    "copt": ["-O2", "-O3 -g", "-g"],
    "cpu": ["k8", "arm", "K8"],
    "features": ["x", "-x", "x,y", "y"],
    "fission": ["yes", "no", "opt", "opt,dbg", "dbg,opt"],
    "grte_top": ["//a", "default"],
    "host_platform": ["//:p", "@bazel_tools//platforms:host_platform", _HOST, ""],
    "instrumentation_filter": ["//a", "-//b", "//a,-//b"],
    "ios_minimum_os": ["8", "8.0", "9.0"],
    "ios_multi_cpus": ["x86_64", "i386", "x86_64,i386", "i386,x86_64"],
    "macos_minimum_os": _APPLE,
    "modify_execution_info": ["A=+x", "B=-y"],
    "platform_mappings": [""],
    "platforms": ["//:p", "//:q", "@bazel_tools//platforms:target_platform", _HOST],
    "plugin": ["//:p", ""],
    "run_under": ["//:r", "echo a", "echo"],
    "stamp": ["true", "0"],
    "strip": ["always", "never", "ALWAYS"],
    "test_timeout": ["10", "-1", "1,2,3,4"],
    "watchos_minimum_os": _APPLE,
    "xbinary_fdo": ["//:p", ""],
}
_NOT_ON_LINES = frozenset(
    {
        *("allow_analysis_failures", "android_sdk", "apple_crosstool_top", "crosstool_top"),
        *("enforce_constraints", "experimental_action_listener", "experimental_dynamic_configs"),
        *("host_crosstool_top", "host_java_toolchain", "host_javabase", "host_platform"),
        *("java_toolchain", "javabase", "platform_mappings", "plugin", "python_version"),
        *("target_environment", "trim_test_configuration", "xcode_version_config"),
    }
)
"""With which nothing can be analysed here, or which need what is not here."""
_NOT_ASKED = frozenset({"config", "define", "runs_per_test"})
"""`runs_per_test` never is what it is by default, since 4."""


def _values(pick: random.Random, option: FlagDefinition) -> list[str]:
    """Values that the option may have on a line."""
    if option.negatable:
        found = ["true", "no", "1", "false", *option.enum_values]
    else:
        found = [*option.enum_values, *([option.default] if option.default else [])]
        found = _WORTH_ASKING.get(option.name) or [*found, *pick.sample(VALUES, 6)]
    return [one for one in found if _takes(option, one)]


def _takes(option: FlagDefinition, text: str) -> bool:
    try:
        flag_conversion.convert(option, text)
    except ValueError:
        return False
    return True


def _is_typed(option: FlagDefinition) -> bool:
    """Whether the table has the type of an option: what a hidden one takes is not told."""
    return option.negatable or option.kind is not FlagKind.UNKNOWN


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_values_that_hold(version: str, bazel: Callable[[str], Bazel], warm_root: Path) -> None:
    root = warm_root
    (root / "WORKSPACE").touch()
    table = flag_catalog.load(version)
    pick = random.Random(SEED)
    known = sorted({d.name: d for d in table.definitions() if _is_typed(d)}.items())
    options = [
        option
        for name, option in known
        if is_configuration_option(option, table.release) and name not in _NOT_ASKED
    ]
    worth = [option for option in options if option.name in _WORTH_ASKING]
    asked: list[tuple[str, str]] = []
    lines = ['platform(name = "p")', 'platform(name = "q")', 'filegroup(name = "r")']
    for option in (*worth, *pick.sample(options, min(COUNT, len(options)))):
        values = [*_values(pick, option), pick.choice(("", "x", "//:p", "1"))]
        for value in pick.sample(values, min(len(values), 3)):
            index, text = len(asked), json.dumps(value)
            asked.append((option.name, value))
            name = f'"n{index}"'
            lines.append(f'config_setting(name = {name}, values = {{"{option.name}": {text}}})')
            branches = f'{{":n{index}": ["yes"], "//conditions:default": ["no"]}}'
            lines.append(f'filegroup(name = "f{index}", srcs = select({branches}))')
    (root / "BUILD").write_text("\n".join(lines))
    labels = {f"//:f{index}": one for index, one in enumerate(asked)}
    differing = []
    of_lines = [option for option in options if option.name not in _NOT_ON_LINES]
    for number in range(LINES):
        flags = []
        for option in pick.sample(of_lines, _ON_A_LINE if number else 0):
            values = [value for value in _values(pick, option) if value]
            flags += [f"--{option.name}={value}" for value in values[:1]]
        said = bazel(version).cquery(root, "deps(//:all)", "--output=textproto", *flags)
        theirs = {
            name: got for name, got in values_of_textproto(said.lines).items() if name in labels
        }
        if not theirs:
            continue  # The line is refused, which other tests ask about.
        ours = OurAnswers(root, version, flags)
        good = [label for label in labels if ours.problem(label) is None]
        for label in labels:
            if (label in good) != (label in theirs):
                differing.append(f"{labels[label]} under {flags}: only one refuses it")
        for label, got in ours.srcs(good).items():
            if label in theirs and got != theirs[label]:
                differing.append(f"{labels[label]} under {flags}: {theirs[label]}, not {got}")
    assert not differing, "\n".join(differing)
