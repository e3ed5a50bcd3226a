"""`@local_config_platform`, which Bazel itself writes for the machine that it runs on."""

from __future__ import annotations

from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_content import VirtualContent, VirtualFile
from bazelscope.loading.packages.targets import Provenance

NAME = "local_config_platform"

_SYSTEMS = {"linux": "linux", "macos": "osx", "windows": "windows", "freebsd": "freebsd"}


def host_platform_content(host: str, release: Release) -> VirtualContent:
    """The repository for a host system; its processor is taken for x86_64, and that is noted."""
    assumed = Unknown(
        Reason.DEPENDS_ON_UNKNOWN, f"@{NAME}//:host", "the host's processor is taken for x86_64"
    )
    constraints = []
    if not release.platforms_repository:
        constraints.append("@bazel_tools//platforms:x86_64")
        prefix = "@bazel_tools//platforms:"
    else:
        constraints.append("@platforms//cpu:x86_64")
        prefix = "@platforms//os:"
    if host in _SYSTEMS:
        constraints.append(prefix + _SYSTEMS[host])
    listed = "".join(f'    "{constraint}",\n' for constraint in constraints)
    build = (
        'load(":constraints.bzl", "HOST_CONSTRAINTS")\n\n'
        'package(default_visibility = ["//visibility:public"])\n\n'
        'platform(\n    name = "host",\n    constraint_values = HOST_CONSTRAINTS,\n)\n'
    )

    def file(name: str, text: str) -> VirtualFile:
        return VirtualFile(text, f"<builtin>/{NAME}/{name}", (assumed,))

    files = {
        "BUILD.bazel": file("BUILD.bazel", build),
        "constraints.bzl": file("constraints.bzl", f"HOST_CONSTRAINTS = [\n{listed}]\n"),
    }
    return VirtualContent(NAME, Provenance.MODEL, files, {})
