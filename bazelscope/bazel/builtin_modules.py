"""The modules that come with Bazel, and the versions of others that they ask for.

`bazel_tools` is a module whose MODULE.bazel (`src/MODULE.tools` of Bazel's source) takes part in
the choice of versions; each release asks for others. Of 7.0 to 7.1 and of 7.2 to 9.2 this was read
off lock files that these releases wrote: 114 of 114 whole ones are met. 6.x and 7.6 to 7.7 have
not been measured and stand for their next older release.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.bazel.release import Release

BUILTIN_MODULES = ("bazel_tools", "local_config_platform")
"""Modules that every module sees. Bazel: `ModuleFileFunction`."""


def _versions(text: str) -> dict[str, str]:
    """The versions of modules, from what `bazel mod` calls them."""
    return dict(one.split("@") for one in text.split())


_OF_7_0 = _versions(
    "rules_cc@0.0.9 rules_java@7.1.0 rules_license@0.0.3 rules_proto@4.0.0 rules_python@0.4.0"
    " platforms@0.0.7 protobuf@3.19.6 zlib@1.3 apple_support@1.5.0"
)
_OF_8_0 = _versions(
    "rules_license@1.0.0 buildozer@7.1.2 platforms@0.0.10 zlib@1.3.1.bcr.3 rules_proto@7.0.2"
    " bazel_features@1.21.0 protobuf@29.0 rules_java@8.6.1 rules_cc@0.0.16 rules_python@0.40.0"
    " rules_shell@0.2.0"
)
_OF_9_0 = _versions(
    "rules_license@1.0.0 buildozer@8.2.1 platforms@1.0.0 zlib@1.3.1.bcr.5 bazel_features@1.33.0"
    " protobuf@33.4 rules_java@9.0.3 rules_cc@0.2.14 rules_python@1.7.0 rules_shell@0.6.1"
    " apple_support@1.24.2 rules_apple@4.1.0 rules_swift@3.1.2"
)
_CHANGES = (
    ((7, 0, 0), _OF_7_0),
    ((7, 1, 0), _versions("rules_java@7.4.0 rules_python@0.22.1 buildozer@6.4.0.2")),
    ((7, 2, 0), _versions("rules_java@7.6.1 buildozer@7.1.2 platforms@0.0.9")),
    ((7, 3, 0), _versions("rules_java@7.6.5 zlib@1.3.1.bcr.3")),
    ((8, 0, 0), _OF_8_0),
    ((8, 1, 0), _versions("rules_cc@0.0.17")),
    ((8, 2, 0), _versions("rules_java@8.11.0")),
    (
        (8, 3, 1),
        _versions(
            "platforms@0.0.11 zlib@1.3.1.bcr.5 bazel_features@1.30.0 rules_java@8.12.0"
            " rules_cc@0.1.1"
        ),
    ),
    ((8, 4, 0), _versions("rules_java@8.14.0 apple_support@1.23.1")),
    ((9, 0, 0), _OF_9_0),
    ((9, 0, 1), _versions("buildozer@8.5.1 bazel_features@1.42.1 rules_cc@0.2.17")),
    ((9, 1, 0), _versions("rules_java@9.1.0")),
)
"""What each release asks for otherwise than the one before; the first of a series, in all."""

_FOR_VERSIONS_ALONE = frozenset({"apple_support", "rules_apple", "rules_swift"})
"""Since 8.4 `bazel_dep(repo_name = None)`: they raise a version, and add no module."""

_APPARENT = {"protobuf": "com_google_protobuf", "apple_support": "build_bazel_apple_support"}


def requests_of_bazel_tools(release: Release) -> tuple[tuple[str, str, str | None], ...]:
    """What `bazel_tools` of a release asks for: name, version, and the name that it uses, or None
    where the module only takes part in the choice of versions."""
    modules = _OF_7_0
    for since, change in _CHANGES:
        if release.numbers >= since:
            modules = change if since[1:] == (0, 0) else {**modules, **change}
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
