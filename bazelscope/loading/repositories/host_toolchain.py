"""`@local_config_cc`, which Bazel itself writes for the machine's C++ compiler.

What it writes on Linux depends on the machine in the toolchain's flags and tool paths alone,
which no label rests on; so the targets are known. Later Bazels than the measured ones, other
systems and other processors write something else.
Bazel: `tools/cpp/cc_configure.bzl`, `unix_cc_configure.bzl`, `BUILD.tpl`.
"""

from __future__ import annotations

from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_content import VirtualContent, VirtualFile
from bazelscope.loading.packages.targets import Provenance

NAME = "local_config_cc"

_CONFIG = """\
def _impl(ctx):
    return []

RULE = rule(
    implementation = _impl,
    attrs = {
        "compiler": attr.string(),
        "cpu": attr.string(),
    },
)
"""

_HEAD = """\
LOADSpackage(default_visibility = ["//visibility:public"])

licenses(["notice"])

cc_library(name = "malloc")

filegroup(name = "empty", srcs = [])

filegroup(
    name = "cc_wrapper",
    srcs = ["cc_wrapper.sh"],
)

cc_toolchain_suite(
    name = "toolchain",
    toolchains = {
        "k8|compiler": ":cc-compiler-k8",
        "k8": ":cc-compiler-k8",
        "armeabi-v7a|compiler": ":cc-compiler-armeabi-v7a",
        "armeabi-v7a": ":cc-compiler-armeabi-v7a",
    },
)

filegroup(
    name = "compiler_deps",
    srcs = ["DEPS"],
)
"""

_TOOLCHAIN = """
cc_toolchain(
    name = "cc-compiler-CPU",
    all_files = ":ALL",
    ar_files = ":TOOLS",
    as_files = ":TOOLS",
    compiler_files = ":ALL",
    dwp_files = ":empty",
    linker_files = ":ALL",
    objcopy_files = ":empty",
    strip_files = ":empty",
    supports_param_files = 1,
    toolchain_config = ":CONFIG",
    toolchain_identifier = "CONFIG",
)

RULE(name = "CONFIG")
"""

_REGISTERED = """
toolchain(
    name = "cc-toolchain-CPU",
    target_compatible_with = CONSTRAINTS,
    toolchain = ":cc-compiler-CPU",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)
"""
_ANDROID_ARM = '["@bazel_tools//platforms:arm", "@bazel_tools//platforms:android"]'

_RULE = "cc_toolchain_config"
_ARM_RULE = "armeabi_cc_toolchain_config"


_MEASURED = Host("linux", "x86_64")


def host_toolchain_content(host: Host, release: Release) -> VirtualContent | None:
    """Returns what Bazel writes on that machine; None where nothing has been measured."""
    if host != _MEASURED or not release.builtin_repositories_measured:
        return None
    is_old = not release.cc_toolchain_lists_directories
    arm_rule = _RULE if is_old else _ARM_RULE
    directories = "builtin_include_directory_paths"
    loads = "".join(f'load(":{rule}.bzl", "{rule}")\n' for rule in dict.fromkeys((_RULE, arm_rule)))
    build = (
        _HEAD.replace("LOADS", f"{loads}\n").replace("DEPS", ":empty" if is_old else directories)
        + _filled(_TOOLCHAIN, "k8", "local", _RULE, "compiler_deps", is_old)
        + _filled(_TOOLCHAIN, "armeabi-v7a", "stub_armeabi-v7a", arm_rule, "empty", is_old)
    )
    if is_old:  # Later they are in a repository of their own.
        for cpu, constraints in (("k8", "[]"), ("armeabi-v7a", _ANDROID_ARM)):
            build += _REGISTERED.replace("CPU", cpu).replace("CONSTRAINTS", constraints)

    def file(name: str, text: str) -> VirtualFile:
        return VirtualFile(text, f"<builtin>/{NAME}/{name}")

    files = {
        "BUILD": file("BUILD", build),
        "cc_wrapper.sh": file("cc_wrapper.sh", ""),
        **{
            f"{rule}.bzl": file(f"{rule}.bzl", _CONFIG.replace("RULE", rule))
            for rule in (_RULE, arm_rule)
        },
    }
    if not is_old:
        files[directories] = file(directories, "")
    return VirtualContent(NAME, Provenance.MODEL, files, {})


def _filled(text: str, cpu: str, config: str, rule: str, files: str, is_old: bool) -> str:
    tools = "empty" if is_old else files
    for word, value in (
        ("CPU", cpu),
        ("CONFIG", config),
        ("RULE", rule),
        ("ALL", files),
        ("TOOLS", tools),
    ):
        text = text.replace(word, value)
    return text
