"""`@local_config_cc`, which Bazel itself writes for the machine's C++ compiler.

What it writes on Linux depends on the machine in the toolchain's flags and tool paths alone,
which no label rests on; so the targets are known: they are in `local_config_cc`, for toolchains
that list the compiler's directories and for those before. Later Bazels than the measured ones,
other systems and other processors write something else.
Bazel: `tools/cpp/cc_configure.bzl`, `unix_cc_configure.bzl`, `BUILD.tpl`.
"""

from __future__ import annotations

from pathlib import Path

from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_content import VirtualContent, VirtualFile
from bazelscope.loading.packages.targets import Provenance

NAME = "local_config_cc"

_MEASURED = Host("linux", "x86_64")


def host_toolchain_content(host: Host, release: Release) -> VirtualContent | None:
    """Returns what Bazel writes on that machine; None where nothing has been measured."""
    if host != _MEASURED or not release.builtin_repositories_measured:
        return None
    is_late = release.cc_toolchain_lists_directories
    folder = Path(__file__).parent / NAME / f"{'with' if is_late else 'without'}_directories"
    texts = {
        path.name.removesuffix(".model"): path.read_text("utf-8")
        for path in sorted(folder.iterdir())
    }
    files = {name: VirtualFile(text, f"<builtin>/{NAME}/{name}") for name, text in texts.items()}
    return VirtualContent(NAME, Provenance.MODEL, files, {})
