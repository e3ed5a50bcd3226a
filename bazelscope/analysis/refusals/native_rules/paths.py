"""Paths as `PathFragment` has them: without `.`, and with `..` at the beginning alone."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bazelscope.analysis.refusals.native_rules.configured_rule import ConfiguredRule, Problem


def joined(folder: str, path: str) -> str:
    """Returns `path` as seen from `folder`; "" for the root of both. Bazel: `getRelative`."""
    normal = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    return "" if normal == "." else normal


def leads_above(folder: str, path: str) -> bool:
    """Whether a path from `folder` leads above the root."""
    return joined(folder, path).split("/", 1)[0] == ".."


def of_stripped(rule: ConfiguredRule, name: str, what: str, folder: str) -> Iterator[Problem]:
    """What is wrong with files of an attribute of which the path of a folder is taken away: they
    are not below it."""
    for file in rule.files(name) or ():
        if folder and not f"{file.inside}/".startswith(f"{folder}/"):
            message = f"is not under the specified strip prefix '{folder}'"
            yield Problem(f"{what} '{file.below_root}' {message}")


def is_normal(path: str) -> bool:
    """Whether no segment of a path is `.` or `..`. Bazel: `PathFragment.isNormalized`."""
    return {".", ".."}.isdisjoint(path.split("/"))
