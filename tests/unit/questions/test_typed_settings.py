"""Build settings by the names that the root module gives their repositories.

Bazel: `StarlarkOptionsParser`, which parses `--@name//p:flag` in the main repository's context.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from tests.support.files import write_files

DEFS = """\
def _nothing(ctx):
    pass

flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
"""
BUILD = """\
load("//p:defs.bzl", "flag")
flag(name = "f", build_setting_default = "a", visibility = ["//visibility:public"])
"""
FILES = {
    "MODULE.bazel": """\
module(name = "me", repo_name = "us")
bazel_dep(name = "lib", version = "1", repo_name = "short")
local_path_override(module_name = "lib", path = "lib")
""",
    "p/BUILD": BUILD,
    "p/defs.bzl": DEFS,
    "lib/MODULE.bazel": 'module(name = "lib", version = "1")\n',
    "lib/p/BUILD": BUILD,
    "lib/p/defs.bzl": DEFS,
    "BUILD": """\
config_setting(name = "mine", flag_values = {"//p:f": "b"})
config_setting(name = "theirs", flag_values = {"@short//p:f": "b"})
""",
}
NAMES = [
    # flags, which settings match
    (["--//p:f=b"], ["mine"]),
    (["--@//p:f=b"], ["mine"]),
    (["--@@//p:f=b"], ["mine"]),
    (["--@us//p:f=b"], ["mine"]),
    (["--@short//p:f=b"], ["theirs"]),
    (["--@us//p:f=b", "--//p:f=a"], []),
    (["--//p:f=a", "--@us//p:f=b"], ["mine"]),
]


@pytest.mark.parametrize(("flags", "expected"), NAMES)
@pytest.mark.parametrize("version", ["7.7.1", "9.1.0"])
def test_names_of_repositories(
    tmp_path: Path, version: str, flags: list[str], expected: list[str]
) -> None:
    write_files(tmp_path, FILES)
    line = Workspace.open(tmp_path, bazel_version=version).configure(flags)
    assert not line.errors_of_configuration
    conditions = line.world.conditions
    found = [
        name
        for name in ("mine", "theirs")
        if type(conditions.match(parse_label(f"//:{name}", PackageId("", "")))).__name__ == "Match"
    ]
    assert found == expected
