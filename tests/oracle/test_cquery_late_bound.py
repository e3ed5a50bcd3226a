"""Labels that options name for rules, such as `--run_under`, beside `bazel cquery`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import query_language_world
from tests.oracle.test_cquery_native_toolchains import BAZELS_OWN
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.query_output import differences

pytestmark = pytest.mark.oracle

BUILD = """\
cc_library(name = "m", srcs = ["a.cc"])
cc_library(name = "m2", srcs = ["a.cc"])
cc_binary(name = "bin", srcs = ["a.cc"])
cc_binary(name = "own", srcs = ["a.cc"], malloc = ":m2")
cc_library(name = "lib", srcs = ["a.cc"])
sh_binary(name = "u", srcs = ["u.sh"])
sh_test(name = "t", srcs = ["u.sh"])
fdo_profile(name = "fdo", profile = "a.profdata")
fdo_prefetch_hints(name = "hints", profile = "b.afdo")
action_listener(name = "listener", mnemonics = ["CppCompile"], extra_actions = [":extra"])
extra_action(name = "extra", cmd = "true")
filegroup(name = "plain")
"""
LINES = (
    "//p:bin --custom_malloc=//p:m",
    "//p:own --custom_malloc=//p:m",
    "//p:lib --custom_malloc=//p:m",
    "//p:u --run_under=//p:bin",
    "//p:t --run_under=//p:u",
    "//p:t --run_under=//p:bin",
    "//p:t --run_under=/usr/bin/nice",
    "//p:plain --experimental_action_listener=//p:listener",
    "//p:bin --experimental_action_listener=//p:listener",
    "//p:lib --fdo_prefetch_hints=//p:hints",
    "//p:bin --cs_fdo_profile=//p:fdo",
    "//p:bin --xbinary_fdo=//p:fdo",
)


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_what_options_name(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    files = dict.fromkeys(["p/a.cc", "p/u.sh", "p/a.profdata", "p/b.afdo"], "")
    write_files(root, {"WORKSPACE": "", "p/BUILD": BUILD, **files})
    _, stubs = query_language_world.lay_out(warm_path / "stubs")
    real = bazel(version)
    base = real.run(root, "info", "output_base").checked().lines[-1]
    owns = [f"--override_repository={name}={base}/external/{name}" for name in BAZELS_OWN]
    different = {}
    for line in LINES:
        target, flag = line.split()
        if version == "2.1.0" and "cs_fdo" in flag:
            continue  # It has no such option.
        said = real.cquery(root, f"deps({target})", *stubs, flag).checked()
        bazels = query_output.configured_nodes(said.lines)
        found = ours.configured_nodes(root, version, (*stubs, *owns, flag, target), implicit=True)
        difference = differences(found, bazels)
        if difference:
            different[line] = difference
    assert not different
