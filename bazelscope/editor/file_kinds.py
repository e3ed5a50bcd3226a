"""What kind of file a path is, which decides how it is read and what can be asked about it."""

from __future__ import annotations

import enum

from bazelscope.starlark.syntax.file_kind import FileKind


class TextKind(enum.Enum):
    """What stands in a file."""

    RC = "rc"
    BUILD = "BUILD"
    BZL = "bzl"
    WORKSPACE = "WORKSPACE"
    MODULE = "MODULE"
    SCRIPT = "script"
    OTHER = "other"

    @property
    def starlark(self) -> FileKind | None:
        """The kind of Starlark that it is; None if it is none."""
        return _STARLARK.get(self)

    @property
    def is_read_by_bazel(self) -> bool:
        """Whether an unsaved text of it stands in place of the file."""
        return self is TextKind.RC or self in _STARLARK


_STARLARK = {
    TextKind.BUILD: FileKind.BUILD,
    TextKind.BZL: FileKind.BZL,
    TextKind.WORKSPACE: FileKind.WORKSPACE,
    TextKind.MODULE: FileKind.MODULE,
}
_SCRIPTS = (".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd", ".yml", ".yaml", ".md", ".mk", ".py")
_SCRIPT_NAMES = frozenset({"Dockerfile", "Makefile", "configure", "Jenkinsfile", "justfile"})


def kind_of(path: str) -> TextKind:
    """The kind of the file at `path`, by its name alone."""
    name = path.rpartition("/")[2]
    if name.endswith(("bazelrc", ".bazelrc")) or name == "bazel.rc":
        return TextKind.RC
    if name in ("BUILD", "BUILD.bazel") or name.endswith((".BUILD", ".BUILD.bazel")):
        return TextKind.BUILD
    if name.endswith((".bzl", ".scl")):
        return TextKind.BZL
    if name in ("WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod"):
        return TextKind.WORKSPACE
    if name.endswith("MODULE.bazel"):
        return TextKind.MODULE
    if name.endswith(_SCRIPTS) or name in _SCRIPT_NAMES:
        return TextKind.SCRIPT
    return TextKind.OTHER
