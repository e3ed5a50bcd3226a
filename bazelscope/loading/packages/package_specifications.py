"""Which packages a text means, in a `package_group` and in `visibility()` of a `.bzl` file:
`//a`, `//a/...`, `-//b`, `@repo//a`, `public`.

Bazel: `PackageSpecification`. Measured: 2.1.0 and 4.2.3; what later ones refuse is by the source.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.errors import LabelError
from bazelscope.base.label import PACKAGE_ALPHABET, PackageId, parse_label
from bazelscope.bazel.facts.fact import between, since
from bazelscope.bazel.release import Release

_WORDS = ("public", "private")
_HAS_WORDS = since(6)
_MAY_BE_OF_ANOTHER_REPOSITORY = between((8, 7), (9,)) | since(9, 0, 1)
"""The entry may begin with a repository, and end as a label of a `visibility` does."""
_CHECKED_AS_LABELS = since(5)


class SpecificationError(Exception):
    """What Bazel finds wrong with an entry."""


def specification(
    text: str, release: Release, base: PackageId, mapping: Mapping[str, str], *, has_words: bool
) -> str:
    """An entry of a file of the package `base` as it is compared: repositories by their canonical
    names, `//a/...` for `//a:__subpackages__`. `has_words`: it may be `public` or `private`.
    Raises `SpecificationError`."""
    if text in _WORDS and not has_words and _HAS_WORDS.holds(release):
        raise SpecificationError(
            f'Use of "{text}" package specification requires enabling'
            " --incompatible_package_group_has_public_syntax"
        )
    sign, body = ("-", text[1:]) if text.startswith("-") else ("", text)
    if body in _WORDS and _HAS_WORDS.holds(release):
        if sign:
            raise SpecificationError(f'Cannot negate "{body}" package specification')
        return body
    has_repositories = _MAY_BE_OF_ANOTHER_REPOSITORY.holds(release)
    if not body.startswith(("//", "@") if has_repositories else "//"):
        begins = "must start with '//'"
        if _HAS_WORDS.holds(release):
            begins += ", '@'," if has_repositories else ""
            begins += " or be 'public' or 'private'"
        raise SpecificationError(f"invalid package name '{body}': {begins}")
    package, below = _cut(body, has_repositories)
    if ":" in package:
        raise SpecificationError(f"invalid package name '{body}': {_of_colon(package, release)}")
    try:
        label = parse_label(f"{package}:__pkg__", base, mapping)
    except LabelError as error:
        why = error.reason
        if not _CHECKED_AS_LABELS.holds(release):
            why = why.removeprefix(f"invalid package name '{package[2:]}': ")
        raise SpecificationError(f"invalid package name '{body}': {why}") from error
    repository = base.repository if body.startswith("//") else label.repository
    scope = "//" if repository == base.repository else f"@@{repository}//"
    return f"{sign}{scope}{label.package}" + _end(label.package, below)


def _cut(body: str, has_repositories: bool) -> tuple[str, bool]:
    """The package of an entry, and whether what is below it is meant, too."""
    package, _, name = body.rpartition(":")
    if has_repositories and name in ("__pkg__", "__subpackages__"):
        return package, name == "__subpackages__"
    if not body.endswith("/..."):
        return body, False
    package = body.removesuffix("/...")
    return (f"{package}/", True) if package.endswith("/") else (package, True)


def _end(package: str, below: bool) -> str:
    if not below:
        return ""
    return "/..." if package else "..."


def _of_colon(package: str, release: Release) -> str:
    if _MAY_BE_OF_ANOTHER_REPOSITORY.holds(release):
        name = f"{package.partition(':')[2]}:__pkg__"
        return f"invalid target name '{name}': target names may not contain ':'"
    if _CHECKED_AS_LABELS.holds(release):
        return f"invalid package identifier '{package}': contains ':'"
    return PACKAGE_ALPHABET


def admits(text: str, repository: str, reader: PackageId, everywhere: bool = False) -> bool:
    """Whether an entry of a file of `repository` means the package `reader`; `everywhere`: `//...`
    is every package of every repository."""
    if text == "//..." and everywhere:
        return True
    if text in _WORDS:
        return text == "public"
    if text.startswith("@"):
        named, _, path = text.partition("//")
        repository = named.lstrip("@")
    else:
        path = text.removeprefix("//")
    if path == "...":
        return reader.repository == repository
    if path.endswith("/..."):
        return is_below(reader, repository, path.removesuffix("/..."))
    return reader == (repository, path)


def is_below(reader: PackageId, repository: str, package: str) -> bool:
    """Whether `reader` is a package, or below it."""
    if reader.repository != repository:
        return False
    return not package or reader.package == package or reader.package.startswith(f"{package}/")
