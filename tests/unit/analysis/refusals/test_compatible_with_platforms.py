"""Which targets are incompatible with a platform of Bazel 7 to 9, as Bazel's own tests of
`target_compatible_with` have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_CONSTRAINTS = """
package(default_visibility = ["//visibility:public"])
[constraint_setting(name = one) for one in ("fruit", "colour")]
[constraint_value(name = one, constraint_setting = ":fruit") for one in ("apple", "pear")]
[constraint_value(name = one, constraint_setting = ":colour") for one in ("red", "green")]
constraint_setting(name = "size", default_constraint_value = ":small")
[constraint_value(name = one, constraint_setting = ":size") for one in ("small", "large")]
platform(name = "red_apple", constraint_values = [":apple", ":red"])
platform(name = "large_pear", constraint_values = [":pear", ":large"])
config_setting(name = "if_apple", constraint_values = [":apple"])
"""
_RULES = """
def _i(ctx):
    return []
r = rule(_i, attrs = {"deps": attr.label_list(), "tool": attr.label(cfg = "exec")})
def _f(ctx):
    fail("never")
fails = rule(_f)
wants = rule(_i, toolchains = ["//t:type"])
"""
_PEAR = 'target_compatible_with = ["//c:pear"]'
_COMPATIBLE = (
    'filegroup(name = "x", target_compatible_with = ["//c:apple", "//c:red"])',
    'filegroup(name = "x", target_compatible_with = ["//c:small"])',
    (
        'filegroup(name = "x", target_compatible_with = select({"//c:if_apple": [],'
        ' "//conditions:default": ["//c:pear"]}))'
    ),
    (
        'alias(name = "a", actual = "//c:apple")\n'
        'filegroup(name = "x", target_compatible_with = [":a"])'
    ),
    (
        f'filegroup(name = "y", {_PEAR})\n'
        'filegroup(name = "x", srcs = select({"//c:pear": [":y"], "//conditions:default": []}))'
    ),
    f'filegroup(name = "y", {_PEAR})\nr(name = "x", tool = ":y")',
)
_INCOMPATIBLE = (
    f'filegroup(name = "x", {_PEAR})',
    'filegroup(name = "x", target_compatible_with = ["//c:apple", "//c:green"])',
    'filegroup(name = "x", target_compatible_with = ["//c:apple", "//c:pear"])',
    'filegroup(name = "x", target_compatible_with = ["//c:large"])',
    (
        'filegroup(name = "x", target_compatible_with = ["//c:red"] + select({"//c:apple":'
        ' ["//c:pear"], "//conditions:default": []}))'
    ),
    f'filegroup(name = "y", {_PEAR})\nfilegroup(name = "x", srcs = [":y"])',
    f'fails(name = "z")\nr(name = "y", deps = [":z"], {_PEAR})\nr(name = "x", deps = [":y"])',
    f'filegroup(name = "y", {_PEAR})\nalias(name = "x", actual = ":y")',
    f'filegroup(name = "y")\nalias(name = "x", actual = ":y", {_PEAR})',
    (
        f'filegroup(name = "z")\nalias(name = "y", actual = ":z", {_PEAR})\n'
        'filegroup(name = "x", srcs = [":y"])'
    ),
    (
        'alias(name = "a", actual = "//c:pear")\n'
        'filegroup(name = "x", target_compatible_with = [":a"])'
    ),
    'r(name = "x", tool = ":y")\nfilegroup(name = "y", target_compatible_with = ["//c:apple"])',
    f'genrule(name = "g", outs = ["o"], cmd = "x", {_PEAR})\nfilegroup(name = "x", srcs = ["o"])',
    f'filegroup(name = "x", srcs = ["//nope:z"], {_PEAR})',
    f'toolchain_type(name = "type")\nwants(name = "x", {_PEAR})',
)


@pytest.mark.parametrize("version", ["7.4.1", "8.2.0", "9.0.0"])
def test_worlds(version: str, tmp_path: Path) -> None:
    """Tools run on a large pear, everything else is for a red apple."""
    for number, build in enumerate((*_COMPATIBLE, *_INCOMPATIBLE)):
        root = tmp_path / str(number)
        head = 'load(":r.bzl", "fails", "r", "wants")\n'
        write_files(
            root,
            {
                "MODULE.bazel": "",
                "c/BUILD": _CONSTRAINTS,
                "t/r.bzl": _RULES,
                "t/BUILD": head + build,
            },
        )
        asked = Workspace.open(root, bazel_version=version, host="linux").configure(
            ["--platforms=//c:red_apple", "--host_platform=//c:large_pear"]
        )
        kinds = {one.kind.value for one in asked.refusals("//t:x") if not one.also}
        assert kinds == (set() if build in _COMPATIBLE else {"incompatible-target"}), build
