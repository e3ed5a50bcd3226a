"""What the files of links are called: libraries, programs, links to shared libraries.

Bazel: `SolibSymlinkAction`, `CppHelper`.
"""

from __future__ import annotations

import posixpath

from bazelscope.analysis.compile.setting import Setting
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.release import Release

_BELOW_OUTPUT = lazy_pattern(r"^bazel-out/[^/]+/(?:bin|genfiles)/?")


def library_path(setting: Setting, prefix: str) -> str:
    """`pkg/libx`, without ending. The folder of a name like `d/x` comes twice, as in Bazel:
    `CcLinkingHelper.getLinkedArtifact`."""
    folder = posixpath.dirname(setting.objects)
    head, slash, last = setting.rule.label.name.rpartition("/")
    return f"{folder}/{head}{slash}{head}{slash}{prefix}{last}"


def program_path(setting: Setting) -> str:
    """The file that a `cc_binary` or `cc_test` makes."""
    folder = posixpath.dirname(setting.objects)
    name, names = setting.rule.label.name, setting.toolchain.names
    if not setting.words.flag("linkshared"):
        return f"{folder}/{name}{names.program}"
    if name.endswith((".so", ".dylib", ".dll")) or ".so." in name:
        return f"{folder}/{name}"
    head, slash, last = name.rpartition("/")
    return f"{folder}/{head}{slash}{names.library_prefix}{last}{names.library}"


def solib_directory(label: Label, path: str, release: Release) -> str:
    """The folder of the link to a shared library that was made before, which a target has: named
    by the target, and by the folder of the file in its repository or among outputs."""
    folder = below_root(path, release).rpartition("/")[0]
    at = "@@" if release.at_at_labels else "@"
    repository = f"{at}{label.repository}" if label.repository else ""
    name = mangled(f"_{repository}//{label.package}:{label.name}")
    if release.cc_mangles_at:
        name = name.replace("@", "_A")
    return f"{name}__{mangled(f'_{folder}')}"


def below_root(path: str, release: Release) -> str:
    """The path of a file below its root: the directory of outputs, or the folder of sources, which
    since 4 is that of the repository."""
    if _BELOW_OUTPUT.match(path):
        return _BELOW_OUTPUT.sub("", path)
    if release.cc_roots_are_repositories and path.startswith("external/"):
        return path.removeprefix("external/").partition("/")[2]
    return path


def mangled(path: str) -> str:
    """The name of the link to a shared library. Bazel: `SolibSymlinkAction`."""
    for char, text in (("_", "_U"), ("/", "_S"), (":", "_C"), ("\\", "_B")):
        path = path.replace(char, text)
    return path
