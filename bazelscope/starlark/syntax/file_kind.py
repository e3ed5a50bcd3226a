"""What kinds of files of Starlark there are: told apart without the syntax tree, whose many classes
only who parses a file needs."""

from __future__ import annotations

import enum


class FileKind(enum.Enum):
    """What kind of file a program is: they differ in which statements they may hold."""

    BUILD = "BUILD"
    BZL = "bzl"
    WORKSPACE = "WORKSPACE"
    MODULE = "MODULE"
    REPO = "REPO"
    PLAIN = "star"
