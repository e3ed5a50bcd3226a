"""Paths as `PathFragment` has them: without `.`, and with `..` at the beginning alone."""

from __future__ import annotations

import posixpath


def joined(folder: str, path: str) -> str:
    """Returns `path` as seen from `folder`; "" for the root of both. Bazel: `getRelative`."""
    normal = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    return "" if normal == "." else normal


def leads_above(folder: str, path: str) -> bool:
    """Whether a path from `folder` leads above the root."""
    return joined(folder, path).split("/", 1)[0] == ".."


def is_below(path: str, folder: str) -> bool:
    """Whether a path is `folder`, or lies below it."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def is_normal(path: str) -> bool:
    """Whether no segment of a path is `.` or `..`. Bazel: `PathFragment.isNormalized`."""
    return {".", ".."}.isdisjoint(path.split("/"))
