"""Who may load a `.bzl` file: what its own `visibility()` says, in Bazel 6 and newer.

Not measured, since no such Bazel is at hand. Bazel: `BzlVisibility`, `BzlLoadFunction`.
"""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Location
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of

Said = dict[Label, tuple[str, ...]]
"""What files say of who may load them."""


def declare(said: Said, value: object) -> None:
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
            got = starlark.type_of(entry)
            starlark.fail_with(
                f"at index {index} of visibility list, got element of type {got}, want string"
            )
    texts = tuple(text for text in entries if type(text) is str)
    for text in texts:
        if text.startswith("-"):
            starlark.fail_with("Cannot use negative package patterns here")
        if not text.startswith(("//", "@")) and text not in ("public", "private"):
            starlark.fail_with(
                f"invalid package name '{text}': must start with '//' or be 'public' or 'private'"
            )
    if len(texts) == len(entries):
        said[owner] = texts


def refused_load(said: Said, file: Label, reader: PackageId, place: Location) -> Diagnostic | None:
    """The error of a load statement, at `place` in a file of the package `reader`, of a file that
    does not let it in."""
    declared = said.get(file)
    if declared is None or file.package_id == reader:
        return None
    if any(_covers(text, file.repository, reader) for text in declared):
        return None
    message = (
        f"Starlark file {file} is not visible for loading from package {reader}. Check the file's"
        " `visibility()` declaration."
    )
    return Diagnostic("load-not-visible", message, place.span)


def _covers(text: str, repository: str, reader: PackageId) -> bool:
    if text in ("public", "private"):
        return text == "public"
    if not text.startswith("//"):
        return True  # of another repository, by a name that is not looked up here
    if reader.repository != repository:
        return False
    package = text[2:].removesuffix(":__pkg__")
    if package in ("...", ":__subpackages__"):
        return True
    above = package.removesuffix("/...").removesuffix(":__subpackages__")
    if above != package:
        return reader.package == above or reader.package.startswith(f"{above}/")
    return reader.package == package
