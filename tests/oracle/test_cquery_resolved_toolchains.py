"""What toolchain resolution chooses, beside the toolchains that real Bazels list as
dependencies: two execution platforms, several registrations, patterns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import query_language_world
from tests.oracle.node_comparison import compare
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_output import differences

pytestmark = pytest.mark.oracle

WORKSPACE = """\
register_toolchains("//tc:first", "//tc:second")
register_toolchains("//tc/more:all")
register_execution_platforms("//:exec_red", "//:exec_blue")
"""

BUILD = """\
load(":rules.bzl", "both", "lib", "one")

package(default_visibility = ["//visibility:public"])

constraint_setting(name = "color")
constraint_value(name = "red", constraint_setting = ":color")
constraint_value(name = "blue", constraint_setting = ":color")
platform(name = "exec_red", constraint_values = [":red"])
platform(name = "exec_blue", constraint_values = [":blue"])
platform(name = "for_red", constraint_values = [":red"])
platform(name = "for_blue", constraint_values = [":blue"])
alias(name = "red_alias", actual = ":for_red")
alias(name = "blue_alias", actual = ":exec_blue")
lib(name = "lib")
one(name = "one")
both(name = "both", deps = [":lib"])
"""

RULES = """\
def _impl(ctx):
    return []

def _toolchain(ctx):
    return [platform_common.ToolchainInfo(name = ctx.label.name)]

_ATTRS = {"deps": attr.label_list()}

lib = rule(implementation = _impl, attrs = _ATTRS, toolchains = ["//tc:type"])
one = rule(implementation = _impl, attrs = _ATTRS, toolchains = ["//tc:only_blue"])
both = rule(implementation = _impl, attrs = _ATTRS, toolchains = ["//tc:type", "//tc:only_blue"])
tool = rule(implementation = _toolchain, attrs = {"data": attr.label(allow_files = True)})
"""

TOOLS = """\
load("//:rules.bzl", "tool")

package(default_visibility = ["//visibility:public"])

toolchain_type(name = "type")
toolchain_type(name = "only_blue")
tool(name = "first_impl", data = "first.txt")
tool(name = "second_impl", data = "second.txt")
toolchain(
    name = "first",
    target_compatible_with = ["//:red"],
    toolchain = ":first_impl",
    toolchain_type = ":type",
)
toolchain(
    name = "second",
    exec_compatible_with = ["//:blue"],
    target_compatible_with = ["//:blue"],
    toolchain = ":second_impl",
    toolchain_type = ":type",
)
"""

MORE = """\
load("//:rules.bzl", "tool")

package(default_visibility = ["//visibility:public"])

tool(name = "z_impl")
tool(name = "a_impl")
tool(name = "blue_impl")
toolchain(name = "z", toolchain = ":z_impl", toolchain_type = "//tc:type")
toolchain(name = "a", toolchain = ":a_impl", toolchain_type = "//tc:type")
toolchain(
    name = "blue",
    exec_compatible_with = ["//:blue"],
    toolchain = ":blue_impl",
    toolchain_type = "//tc:only_blue",
)
"""

FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--platforms=//:for_red",),
    ("--platforms=//:for_blue",),
    ("--platforms=//:for_blue", "--extra_execution_platforms=//:exec_blue"),
    ("--platforms=//:for_red", "--extra_toolchains=//tc/more:z"),
    ("--extra_toolchains=//tc/more:all", "--host_platform=//:for_blue"),
    ("--platforms=//:red_alias",),
    ("--extra_execution_platforms=//:blue_alias", "--platforms=//:for_blue"),
    ("--platforms=//:red_alias", "--host_platform=//:blue_alias"),
)
TARGETS = ("//:lib", "//:one", "//:both")


def lay_out(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Writes the workspace; returns it and the flags for what Bazel itself would fetch."""
    root = folder / "w"
    _, flags = query_language_world.lay_out(folder)
    for name, text in (
        ("WORKSPACE", WORKSPACE),
        ("BUILD", BUILD),
        ("rules.bzl", RULES),
        ("tc/BUILD", TOOLS),
        ("tc/more/BUILD", MORE),
        ("tc/first.txt", ""),
        ("tc/second.txt", ""),
    ):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root, flags


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0"])
def test_without_implicit_dependencies(
    version: str, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    """4.2.3 hides toolchains and platforms, 2.1.0 shows some."""
    root, flags = lay_out(warm_path)
    for target in TARGETS:
        for chosen in FLAGS:
            compare(bazel(version), root, target, *flags, *chosen)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0"])
def test_with_implicit_dependencies(
    version: str, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    """`--implicit_deps` lists what resolution chose, and the platforms of every rule."""
    root, flags = lay_out(warm_path)
    real = bazel(version)
    for target in TARGETS:
        for chosen in FLAGS:
            words = (*flags, *chosen)
            said = real.cquery(root, f"deps({target})", *words).checked()
            bazels = query_output.configured_nodes(said.lines)
            found = ours.configured_nodes(root, version, (*words, target), implicit=True)
            difference = differences(found, bazels)
            assert not difference, (target, chosen, difference)
