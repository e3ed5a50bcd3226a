"""Who may load a `.bzl` file: what its own `visibility()` says, in Bazel 6 and newer.

Not measured, since no such Bazel is at hand. Bazel: `BzlVisibility`, `BzlLoadFunction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Location
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of
from bazelscope.loading.packages.package_specifications import (
    SpecificationError,
    admits,
    specification,
)

Said = dict[Label, tuple[str, ...]]
"""What files say of who may load them."""


def declare(
    said: Said, value: object, release: Release, mapping_of: Callable[[str], Mapping[str, str]]
) -> None:
    """Adds `visibility(value)` of the running file; what cannot be told lets everybody in. Fails
    where Bazel refuses it: `BzlBuildApiGlobals.visibility`, `PackageSpecification`."""
    owner = starlark.calling_owner()
    if not isinstance(owner, Label):
        return
    if owner in said:
        starlark.fail_with("load visibility may not be set more than once")
    kinds = kinds_of(value)
    if kinds and kinds[0] not in ("list", "string"):
        starlark.fail_with(f"Invalid visibility: got '{kinds[0]}', want string or list of strings")
    entries = (value,) if isinstance(value, str) else value
    if not isinstance(entries, list | tuple):
        return
    for index, entry in enumerate(entries):
        if kinds_of(entry) and not isinstance(entry, str):
            starlark.fail_with(starlark.wrong_element(index, "visibility list", entry, "string"))
    texts = [text for text in entries if type(text) is str]
    mapping = mapping_of(owner.repository)
    meant: list[str] = []
    for text in texts:
        try:
            entry = specification(text, release, owner.package_id, mapping, has_words=True)
        except SpecificationError as error:
            starlark.fail_with(str(error))
        if entry.startswith("-"):
            starlark.fail_with("Cannot use negative package patterns here")
        meant.append(entry)
    if len(texts) == len(entries):
        said[owner] = tuple(meant)


def refused_load(said: Said, file: Label, reader: PackageId, place: Location) -> Diagnostic | None:
    """The error of a load statement, at `place` in a file of the package `reader`, of a file that
    does not let it in."""
    declared = said.get(file)
    if declared is None or file.package_id == reader:
        return None
    if any(admits(text, file.repository, reader) for text in declared):
        return None
    message = (
        f"Starlark file {file} is not visible for loading from package {reader}. Check the file's"
        " `visibility()` declaration."
    )
    return Diagnostic("load-not-visible", message, place.span)
