"""What cquery shows of aliases, of select keys and of what stands for the C++ toolchain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import query_language_world
from tests.oracle.node_comparison import compare
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

BUILD = """\
load(":rules.bzl", "mine")

package(default_visibility = ["//visibility:public"])

config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "files", srcs = ["a.txt"])
filegroup(name = "native", srcs = select({":opt": ["a.txt"], "//conditions:default": []}))
alias(name = "alias", actual = select({":opt": ":files", "//conditions:default": ":native"}))
mine(name = "starlark", srcs = select({":opt": ["a.txt"], "//conditions:default": []}))
filegroup(name = "everything")

constraint_setting(name = "setting")
constraint_value(name = "value", constraint_setting = ":setting")
platform(name = "platform", constraint_values = [":value"])
"""

RULES = """\
def _impl(ctx):
    return [DefaultInfo()]

mine = rule(implementation = _impl, attrs = {"srcs": attr.label_list(allow_files = True)})
"""

TOOLS = """\
filegroup(name = "toolchain", srcs = ["@bazel_tools//tools/cpp:current_cc_toolchain"])
filegroup(name = "host", srcs = ["@bazel_tools//tools/cpp:current_cc_host_toolchain"])
filegroup(name = "libc", srcs = ["@bazel_tools//tools/cpp:current_libc_top"])
filegroup(name = "bound", srcs = ["//external:bound"])
"""

VERSIONS = ("0.24.1", "0.26.1", "2.1.0", "4.2.3")


def lay_out(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Writes the workspace; returns it and the flags for what Bazel itself would fetch."""
    root = folder / "w"
    _, flags = query_language_world.lay_out(folder)
    for name, text in (
        ("WORKSPACE", 'bind(name = "bound", actual = "//:files")\n'),
        ("BUILD", BUILD),
        ("rules.bzl", RULES),
        ("a.txt", ""),
        ("tools/BUILD", TOOLS),
    ):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root, flags


@pytest.mark.parametrize("version", VERSIONS)
def test_keys(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root, flags = lay_out(warm_path)
    for target in ("//:native", "//:alias", "//:starlark"):
        compare(bazel(version), root, target, *flags)
        compare(bazel(version), root, target, *flags, "--compilation_mode=opt")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_toolchain(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root, flags = lay_out(warm_path)
    real = bazel(version)
    for target in ("//tools:toolchain", "//tools:host", "//tools:libc", "//tools:bound"):
        compare(real, root, target, *flags)
        compare(real, root, target, *flags, "--platforms=//:platform")
    compare(real, root, "//tools:libc", *flags, "--grte_top=//:everything")
