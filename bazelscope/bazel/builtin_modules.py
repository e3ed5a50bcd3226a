"""The modules that come with Bazel, and the versions of others that they ask for.

`bazel_tools` is a module whose MODULE.bazel takes part in the choice of versions; each release asks
for others, as `builtin_modules.txt` has it.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.bazel.facts.fact import tables
from bazelscope.bazel.release import Release

BUILTIN_MODULES = ("bazel_tools", "local_config_platform")
"""Modules that every module sees. Bazel: `ModuleFileFunction`."""


_FOR_VERSIONS_ALONE = frozenset({"apple_support", "rules_apple", "rules_swift"})
"""Since 8.4 `bazel_dep(repo_name = None)`: they raise a version, and add no module."""

_APPARENT = {"protobuf": "com_google_protobuf", "apple_support": "build_bazel_apple_support"}


def requests_of_bazel_tools(release: Release) -> tuple[tuple[str, str, str | None], ...]:
    """What `bazel_tools` of a release asks for: name, version, and the name that it uses, or None
    where the module only takes part in the choice of versions."""
    modules: dict[str, str] = {}
    for since, asked in tables("builtin_modules")["modules of bazel_tools"].items():
        change = dict(one.split("@") for one in asked)
        if not modules or release.numbers >= Release.of(since).numbers:
            modules = change if since.endswith(".0.0") else {**modules, **change}
    alone = _FOR_VERSIONS_ALONE if release.tools_raise_versions_alone else frozenset()
    if release.tools_use_apple_support:
        alone = alone - {"apple_support"} | {"bazel_features"}
    return tuple(
        (name, wanted, None if name in alone else _APPARENT.get(name, name))
        for name, wanted in modules.items()
    )


_JAVA_TOOLS = (
    *("local_jdk", "remote_java_tools", "remote_java_tools_linux", "remote_java_tools_windows"),
    *("remote_java_tools_darwin_x86_64", "remote_java_tools_darwin_arm64"),
)
_EXTENSIONS = {
    ("//tools/osx:xcode_configure.bzl", "xcode_configure_extension"): ("local_config_xcode",),
    ("@rules_java//java:extensions.bzl", "toolchains"): _JAVA_TOOLS,
    ("//tools/test:extensions.bzl", "remote_coverage_tools_extension"): ("remote_coverage_tools",),
    ("@buildozer//:buildozer_binary.bzl", "buildozer_binary"): ("buildozer_binary",),
}
_EXTENSIONS_UNTIL_8 = {
    ("//tools/cpp:cc_configure.bzl", "cc_configure_extension"): (
        *("local_config_cc", "local_config_cc_toolchains"),
    ),
    ("//tools/sh:sh_configure.bzl", "sh_configure_extension"): ("local_config_sh",),
    ("//tools/android:android_extensions.bzl", "remote_android_tools_extensions"): (
        *("android_gmaven_r8", "android_tools"),
    ),
}
"""Later `rules_cc`, `rules_shell` and `rules_android` have them."""


def extensions_of_bazel_tools(release: Release) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The extensions that `bazel_tools` uses, and which of their repositories it sees."""
    return {**_EXTENSIONS, **(_EXTENSIONS_UNTIL_8 if release.tools_configure_compilers else {})}


def platforms_of_local_config_platform(release: Release) -> tuple[tuple[str, str, str], ...]:
    """What the module `local_config_platform` needs, which Bazel writes itself."""
    return (("platforms", "0.0.7", "platforms"),) if release.platform_module_needs_platforms else ()
