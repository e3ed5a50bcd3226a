"""Workspaces about the choice of toolchains and execution platforms since Bazel 6, each with the
implementations that the target gets, or with what is refused.

What is expected is what Bazel's own tests and sources say of 7 to 9 (`ToolchainResolutionFunction`,
`SingleToolchainResolutionFunction`, `RegisteredToolchainsFunction`,
`RegisteredExecutionPlatformsFunction`); no binary of these was asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LINUX, MAC = ("//c:linux",), ("//c:mac",)
_HEAD = 'package(default_visibility = ["//visibility:public"])\n'
_COMMON = {
    "c/BUILD": """
constraint_setting(name = "os")
constraint_value(name = "linux", constraint_setting = ":os")
constraint_value(name = "mac", constraint_setting = ":os")
config_setting(name = "optimized", values = {"compilation_mode": "opt"})
""",
    "ty/BUILD": """
[toolchain_type(name = one) for one in ("main", "other", "spare")]
toolchain_type(name = "telling", no_match_error = "ask the people of telling")
""",
    "ty/d.bzl": """
def _impl(ctx):
    return [platform_common.ToolchainInfo(name = ctx.label.name)]

tc = rule(_impl)
""",
}
_PLATFORMS = """
platform(name = "linux", constraint_values = ["//c:linux"])
platform(name = "mac", constraint_values = ["//c:mac"])
platform(name = "said", parents = [":linux"], missing_toolchain_error = "see our handbook")
"""


@dataclass(frozen=True)
class Choice:
    """What a target `//t:x`, whose rule asks for `wants`, gets under `flags` in `versions`."""

    name: str
    wants: str
    toolchains: str
    """The BUILD file of `//tc`."""
    gets: tuple[str, ...] = ()
    refused: str = ""
    module: str = ""
    flags: str = "--platforms=//p:linux"
    versions: str = "7.4.1 8.2.0 9.0.0"
    platforms: str = ""
    more: str = ""
    """Further arguments of the call of `rule()`."""
    body: str = "return []"
    files: Mapping[str, str] = field(default_factory=dict)

    def all_files(self) -> dict[str, str]:
        """The workspace, by paths."""
        files = {
            **_COMMON,
            "p/BUILD": _PLATFORMS + self.platforms,
            "tc/BUILD": 'load("//ty:d.bzl", "tc")\n' + self.toolchains,
            "t/r.bzl": f"def _i(ctx):\n    {self.body}\n"
            f"r = rule(_i, toolchains = [{self.wants}]{self.more})\n",
            "t/BUILD": 'load(":r.bzl", "r")\nr(name = "x")\n',
            **self.files,
        }
        files = {
            path: _HEAD + text if path.endswith("BUILD") else text for path, text in files.items()
        }
        return {**files, "MODULE.bazel": self.module}


def toolchain(name: str, type_: str = "main", runs: object = (), builds: object = ()) -> str:
    """The text of a toolchain and of what implements it."""
    return (
        f'toolchain(name = "{name}", toolchain_type = "//ty:{type_}", toolchain = ":{name}_impl",\n'
        f"    exec_compatible_with = {list(runs)!r}, target_compatible_with = {list(builds)!r})\n"  # type: ignore[call-overload]
        f'tc(name = "{name}_impl")\n'
    )


def optional(type_: str) -> str:
    """The text of a requirement that need not be met."""
    return f'config_common.toolchain_type("//ty:{type_}", mandatory = False)'


_ON_MAC = toolchain("m", runs=MAC, builds=LINUX)
_TWO = _ON_MAC + toolchain("l", runs=LINUX, builds=LINUX)
_ALL = 'register_toolchains("//tc:all")\n'
_BOTH = 'register_execution_platforms("//p:linux", "//p:mac")\n'
_MAC_FIRST = 'register_execution_platforms("//p:mac", "//p:linux")\n'
_FREE = toolchain("a") + toolchain("b")
_TARGETS_OWN = """
toolchain(name = "own", toolchain_type = "//ty:main", toolchain = ":own_impl",
    use_target_platform_constraints = True)
tc(name = "own_impl")
"""
_REQUIRES = """
platform(name = "picky", constraint_values = ["//c:mac"], required_settings = ["//c:optimized"])
platform(name = "heir", parents = [":picky"])
"""
_ALLOWS = """
platform(name = "narrow", constraint_values = ["//c:mac"], check_toolchain_types = True,
    allowed_toolchain_types = ["//ty:other"])
platform(name = "wide", constraint_values = ["//c:mac"],
    allowed_toolchain_types = ["//ty:other"])
"""
_MAIN = '"//ty:main"'

CHOICES = (
    Choice("first_platform", _MAIN, _TWO, ("m",), module=_ALL + _MAC_FIRST),
    Choice("constrained", _MAIN, _TWO, ("l",), module=_ALL + _MAC_FIRST,
           more=', exec_compatible_with = ["//c:linux"]'),
    Choice("optional_on_second_platform", optional("main"), _ON_MAC, ("m",), module=_ALL + _BOTH),
    Choice("most_optional", f'{optional("main")}, {optional("spare")}', _ON_MAC, ("m",),
           module=_ALL + _BOTH),
    Choice("mandatory_decides", f'{_MAIN}, {optional("other")}',
           toolchain("l", runs=LINUX) + toolchain("o", "other", runs=MAC), ("l",),
           module=_ALL + _BOTH),
    Choice("optional_decides", f'{_MAIN}, {optional("other")}',
           _TWO + toolchain("o", "other", runs=MAC), ("m", "o"), module=_ALL + _BOTH),
    Choice("last_flag", _MAIN, _FREE, ("b",),
           flags="--extra_toolchains=//tc:a --extra_toolchains=//tc:b"),
    Choice("last_of_a_list", _MAIN, _FREE, ("b",), flags="--extra_toolchains=//tc:a,//tc:b"),
    Choice("first_flag", _MAIN, _FREE, ("a",), flags="--extra_toolchains=//tc:a,//tc:b",
           versions="6.5.0"),
    Choice("within_a_pattern", _MAIN, _FREE, ("a",), flags="--extra_toolchains=//tc:all"),
    Choice("twice", _MAIN, _FREE, ("b",), flags="--extra_toolchains=//tc:b,//tc:a,//tc:b"),
    Choice("twice_before", _MAIN, _FREE, ("a",), flags="--extra_toolchains=//tc:b,//tc:a,//tc:b",
           versions="7.3.1"),
    Choice("flag_first", _MAIN, _FREE, ("b",), module='register_toolchains("//tc:a")',
           flags="--extra_toolchains=//tc:b"),
    Choice("target_platforms_constraints", _MAIN, _TARGETS_OWN, ("own",), module=_ALL + _MAC_FIRST,
           versions="8.2.0 9.0.0"),
    Choice("not_that_of_the_target", _MAIN, _TARGETS_OWN, module=_ALL,
           refused="no matching toolchains found for types //ty:main",
           flags="--platforms=//p:linux --host_platform=//p:mac", versions="8.2.0 9.0.0"),
    Choice("constraints_twice", _MAIN,
           _TARGETS_OWN.replace("True", 'True, exec_compatible_with = ["//c:linux"]'),
           module=_ALL + _MAC_FIRST,
           refused="Cannot set use_target_platform_constraints to True", versions="9.0.0"),
    Choice("requires", _MAIN, _TWO, ("l",), platforms=_REQUIRES, versions="8.2.0 9.0.0",
           module=_ALL + 'register_execution_platforms("//p:picky", "//p:heir", "//p:linux")'),
    Choice("requirement_met", _MAIN, _TWO, ("m",), platforms=_REQUIRES, versions="8.2.0 9.0.0",
           flags="--platforms=//p:linux -c opt",
           module=_ALL + 'register_execution_platforms("//p:heir", "//p:linux")'),
    Choice("not_allowed", _MAIN, _TWO, ("l",), platforms=_ALLOWS, versions="8.2.0 9.0.0",
           module=_ALL + 'register_execution_platforms("//p:narrow", "//p:linux")'),
    Choice("allowed", _MAIN, _TWO, ("m",), platforms=_ALLOWS.replace("other", "main"),
           module=_ALL + 'register_execution_platforms("//p:narrow", "//p:linux")',
           versions="8.2.0 9.0.0"),
    Choice("not_checked", _MAIN, _TWO, ("m",), platforms=_ALLOWS, versions="8.2.0 9.0.0",
           module=_ALL + 'register_execution_platforms("//p:wide", "//p:linux")'),
    Choice("nothing", _MAIN, "", refused="no matching toolchains found for types //ty:main"),
    Choice("type_says", '"//ty:telling"', "", versions="8.2.0 9.0.0",
           refused="for types //ty:telling: ask the people of telling"),
    Choice("platform_says", _MAIN, "", flags="--platforms=//p:said", refused="see our handbook",
           versions="8.2.0 9.0.0"),
    Choice("no_platform_has_both", f'{_MAIN}, "//ty:other"',
           toolchain("l", runs=LINUX) + toolchain("o", "other", runs=MAC), module=_ALL + _BOTH,
           refused="Unable to find an execution platform for toolchains [//ty:main, //ty:other] and"
           " target platform //p:linux"),
    Choice("undeclared", _MAIN, _FREE, module=_ALL, body='ctx.toolchains["//ty:other"]',
           refused="toolchain type @@//ty:other was requested but only types [@@//ty:main] are"),
    Choice("no_type", _MAIN, _FREE, module=_ALL, body="ctx.toolchains[1]",
           refused="Toolchains only supports indexing by toolchain type, got int instead"),
)  # fmt: skip
