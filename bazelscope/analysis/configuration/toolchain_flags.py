"""Flags whose value is what the C++ toolchain says of itself, as far as that can be told.

`@bazel_tools//tools/cpp:compiler` is the compiler's name in the toolchain that Bazel
resolves. The toolchain that Bazel configures by itself has few possible names on each
system; any other toolchain is unknown. Bazel: `compiler_flag.bzl`, `cc_configure.bzl`.
"""

from __future__ import annotations

from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown

_COMPILER_FLAGS = frozenset(
    {
        Label("bazel_tools", "tools/cpp", "compiler"),
        Label("rules_cc", "cc/private/toolchain", "compiler"),
        Label("rules_cc", "cc/toolchains", "compiler"),
    }
)
_DEFAULT_TOOLCHAINS = frozenset({"@bazel_tools//tools/cpp:toolchain", "", None})


def is_toolchain_flag(flag: Label) -> bool:
    return flag in _COMPILER_FLAGS


def possible_values(configuration: Configuration, flag: Label) -> tuple[str, ...] | Unknown:
    """The values that the toolchain's flag may have under a configuration."""
    named = configuration.value("compiler")
    top = configuration.value("crosstool_top")
    if named.instances or top.value not in _DEFAULT_TOOLCHAINS:
        decided = (*named.instances, *top.instances)
        detail = f"the C++ toolchain is chosen by {decided[-1].text}" if decided else ""
        return Unknown(Reason.NEEDS_ANALYSIS, str(flag), detail or "the toolchain's own value")
    built_for = configuration.value("cpu").value
    host_cpu = configuration.host.default_cpu(configuration.release)
    if built_for != host_cpu and configuration.kind is ConfigurationKind.TARGET:
        detail = f"the C++ toolchain for --cpu={built_for}"
        return Unknown(Reason.NEEDS_ANALYSIS, str(flag), detail)
    return _automatic(configuration)


def _automatic(configuration: Configuration) -> tuple[str, ...]:
    """Names in the toolchain that Bazel configures from the machine's compilers."""
    release = configuration.release
    if configuration.host.os == "windows":
        return ("msvc-cl",)
    if configuration.host.os == "macos":
        return ("clang",) if release.clang_on_macos else ("compiler", "clang")
    return ("gcc", "clang") if release.gcc_by_name else ("compiler",)
