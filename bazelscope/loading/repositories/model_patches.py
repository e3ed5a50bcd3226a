"""Which files of a repository its definition changes: those are not what a model has of them.

Bazel: `patch()` of `@bazel_tools//tools/build_defs/repo:utils.bzl`, `patches` of the overrides
in MODULE.bazel. TensorFlow's `tf_http_archive` strips one part of each path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.loading.dry_run.unified_diff import file_diffs
from bazelscope.loading.evaluation.workspace.repository_definitions import external_label

EVERYWHERE = ""
"""Stands among the changed files for all of them: what a patch is may not be known."""
_SHOWN = 60
_STRIP = lazy_pattern(r"(?:-p|--strip=)([0-9]+)\Z")
_FILE_NAME = lazy_pattern(r"[\w.+-]*[A-Za-z][\w.+-]*")


def changed_files(
    attributes: Mapping[str, object],
    mapping: Mapping[str, str],
    read: Callable[[Label], str | None],
) -> dict[str, str]:
    """Returns the files that the patches in a definition change, each with what changes it:
    paths, of those that commands name just the last part. `read` gives the text of a patch."""
    changed: dict[str, str] = {}
    for label in _patches(attributes, mapping):
        shown = str(label) if label.repository else label.path
        text = read(label)
        if text is None:
            changed.setdefault(EVERYWHERE, f"patched by {shown}")
            continue
        for diff in file_diffs(text, _stripped(attributes)):
            if diff.path:
                changed.setdefault(diff.path, f"patched by {shown}")
    for address in _texts(attributes.get("remote_patches")):
        changed.setdefault(EVERYWHERE, f"patched by {address}")
    for command in _texts(attributes.get("patch_cmds")):
        for name in _FILE_NAME.findall(command):
            changed.setdefault(f"*/{name}", f"changed by patch_cmds ({command[:_SHOWN]})")
    return changed


def what_changes(path: str, changed: Mapping[str, str]) -> str | None:
    """Returns what changes the file at `path`; None if nothing does. A package has one BUILD
    file for two names."""
    directory, slash, name = path.rpartition("/")
    for one in ("BUILD", "BUILD.bazel") if name == "BUILD" else (name,):
        for entry in (f"{directory}{slash}{one}", f"*/{one}", EVERYWHERE):
            if entry in changed:
                return changed[entry]
    return None


def _patches(attributes: Mapping[str, object], mapping: Mapping[str, str]) -> Iterator[Label]:
    for attribute in ("patches", "patch_file", "patch_files"):
        given = attributes.get(attribute)
        for patch in given if isinstance(given, tuple | list) else (given,):
            if isinstance(patch, Label):
                yield patch
            elif isinstance(patch, str) and patch:
                try:
                    yield external_label(patch, mapping)
                except LabelError:
                    continue


def _stripped(attributes: Mapping[str, object]) -> int:
    """How many parts of each path do not count."""
    given = attributes.get("patch_strip")
    words = (_STRIP.search(word) for word in _texts(attributes.get("patch_args")))
    numbers = [int(word[1]) for word in words if word is not None]
    if numbers:
        return numbers[-1]
    if isinstance(given, int):
        return given
    return 0 if "patches" in attributes else 1


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple | list | dict):
        yield from (text for text in value if isinstance(text, str))
