"""`@local_config_platform` and `@local_config_cc`, which Bazel itself writes for the machine that
it runs on, and for its C++ compiler."""

from __future__ import annotations

from pathlib import Path

from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_content import VirtualContent, VirtualFile
from bazelscope.loading.packages.targets import Provenance

PLATFORM = "local_config_platform"
TOOLCHAIN = "local_config_cc"

_SYSTEMS = {"linux": "linux", "macos": "osx", "windows": "windows", "freebsd": "freebsd"}
_MEASURED = Host("linux", "x86_64")


def host_platform_content(host: Host, release: Release, reads_modules: bool) -> VirtualContent:
    """Returns what Bazel writes on that machine; a processor that not every release has a
    constraint value for gets none, and that is noted. Bazel: `LocalConfigPlatformFunction`."""
    cpus, systems = "@bazel_tools//platforms:", "@bazel_tools//platforms:"
    if release.platforms_repository:
        cpus, systems = "@platforms//cpu:", "@platforms//os:"
    constraints, notes = [], []
    if host.has_cpu_constraint:
        constraints.append(cpus + host.cpu)
    else:
        text = f"whether this Bazel has a constraint value for {host.cpu} is not known: taken as no"
        notes.append(Unknown(Reason.NOT_MODELLED, f"@{PLATFORM}//:host", text))
    if host.os in _SYSTEMS:
        constraints.append(systems + _SYSTEMS[host.os])
    listed = "".join(f'    "{constraint}",\n' for constraint in constraints)
    build = (
        'load(":constraints.bzl", "HOST_CONSTRAINTS")\n\n'
        'package(default_visibility = ["//visibility:public"])\n\n'
        'platform(\n    name = "host",\n    constraint_values = HOST_CONSTRAINTS,\n)\n'
    )
    if release.host_platform_is_alias and reads_modules:
        # With WORKSPACE, it leads to a copy of `@platforms` that Bazel has for itself.
        build = 'package(default_visibility = ["//visibility:public"])\n\n'
        build += 'alias(\n    name = "host",\n    actual = "@platforms//host",\n)\n'

    if release.host_constraints_are_exported:
        build += '\nexports_files(["constraints.bzl"])\n'

    def file(name: str, text: str) -> VirtualFile:
        return VirtualFile(text, f"<builtin>/{PLATFORM}/{name}", tuple(notes))

    files = {
        "BUILD.bazel": file("BUILD.bazel", build),
        "constraints.bzl": file("constraints.bzl", f"HOST_CONSTRAINTS = [\n{listed}]\n"),
    }
    return VirtualContent(PLATFORM, Provenance.MODEL, files, {})


def host_toolchain_content(host: Host, release: Release) -> VirtualContent | None:
    """Returns what Bazel writes on that machine; None where nothing has been measured.

    On Linux it depends on the machine in the toolchain's flags and tool paths alone, which no
    label rests on; so the targets are known: they are in `local_config_cc`, for toolchains that
    list the compiler's directories and for those before. Later Bazels than the measured ones,
    other systems and other processors write something else.
    Bazel: `tools/cpp/cc_configure.bzl`, `unix_cc_configure.bzl`, `BUILD.tpl`.
    """
    if host != _MEASURED or not release.builtin_repositories_measured:
        return None
    is_late = release.cc_toolchain_lists_directories
    folder = Path(__file__).parent / TOOLCHAIN / f"{'with' if is_late else 'without'}_directories"
    texts = {
        path.name.removesuffix(".model"): path.read_text("utf-8")
        for path in sorted(folder.iterdir())
    }
    files = {
        name: VirtualFile(text, f"<builtin>/{TOOLCHAIN}/{name}") for name, text in texts.items()
    }
    return VirtualContent(TOOLCHAIN, Provenance.MODEL, files, {})
