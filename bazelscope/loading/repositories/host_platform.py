"""`@local_config_platform`, which Bazel itself writes for the machine that it runs on."""

from __future__ import annotations

from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_content import VirtualContent, VirtualFile
from bazelscope.loading.packages.targets import Provenance

NAME = "local_config_platform"

_SYSTEMS = {"linux": "linux", "macos": "osx", "windows": "windows", "freebsd": "freebsd"}


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
        notes.append(Unknown(Reason.NOT_MODELLED, f"@{NAME}//:host", text))
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
        return VirtualFile(text, f"<builtin>/{NAME}/{name}", tuple(notes))

    files = {
        "BUILD.bazel": file("BUILD.bazel", build),
        "constraints.bzl": file("constraints.bzl", f"HOST_CONSTRAINTS = [\n{listed}]\n"),
    }
    return VirtualContent(NAME, Provenance.MODEL, files, {})
