"""Labels and target patterns: parse, resolve, format.

Bazel: `Label`, `LabelParser`, `TargetPattern`. A label names one target; its package is
named by a `PackageId`. Both are named tuples: graphs hold hundreds of thousands of them,
and they sort as Bazel sorts them (repository, package, name).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple

MAIN_REPOSITORY = ""

_NO_MAPPING: Mapping[str, str] = {}

# These names mean the main repository's package, from whichever repository they are
# written without one (Bazel: Label.ABSOLUTE_PACKAGE_NAMES).
_ABSOLUTE_PACKAGES = frozenset({"conditions", "visibility", "external"})


def at_sign(repository: str) -> str:
    """A repository's name as labels show it: `@name`, or `@@name+` where the main repository has
    no name of its own for it. Only canonical names have `+` or `~` in them, and only those that
    lead nowhere begin with a bracket."""
    is_canonical = "+" in repository or "~" in repository or repository.startswith("[")
    return f"@@{repository}" if is_canonical else f"@{repository}"


_new = tuple.__new__
"""Graphs make hundreds of thousands of named tuples: made so, they take half the time."""


class PackageId(NamedTuple):
    """A package: repository (empty for the main one) and slash-separated path."""

    repository: str
    package: str

    def __str__(self) -> str:
        return (
            f"{at_sign(self.repository)}//{self.package}"
            if self.repository
            else f"//{self.package}"
        )

    @property
    def shown(self) -> str:
        """As Bazel's messages name it: without slashes in the main repository."""
        return str(self) if self.repository else self.package

    @property
    def source_folder(self) -> str:
        """Where its source files lie in the execution root; empty for those of that itself."""
        below = f"/{self.package}" if self.package else ""
        return f"external/{self.repository}{below}" if self.repository else self.package


MAIN_ROOT = PackageId("", "")
"""The package at the root of the workspace."""


class Label(NamedTuple):
    """The name of one target. `repository` is empty for the main repository."""

    repository: str
    package: str
    name: str

    def __str__(self) -> str:
        prefix = f"{at_sign(self.repository)}//" if self.repository else "//"
        return f"{prefix}{self.package}:{self.name}"

    @property
    def package_id(self) -> PackageId:
        return _new(PackageId, self[:2])

    @property
    def path(self) -> str:
        """Where a file of that name lies in its repository. Bazel: `Label.toPathFragment`."""
        return f"{self.package}/{self.name}" if self.package else self.name

    @property
    def source_path(self) -> str:
        """Where a source file of that name lies in the execution root."""
        return f"external/{self.repository}/{self.path}" if self.repository else self.path

    def sibling(self, name: str) -> Label:
        """The label of `name` in the same package."""
        return Label(self.repository, self.package, name)


def parse_label(
    text: str, context: PackageId, repo_mapping: Mapping[str, str] = _NO_MAPPING
) -> Label:
    """The label that `text` means when written in package `context`.

    `repo_mapping` maps the apparent repository names of `context`'s repository to those used
    here, and canonical names, with an `@` before each; a name that is not in it stands for
    itself. Raises `LabelError`.
    Bazel: `Label.parseWithPackageContext`.
    """
    repository = context.repository
    rest = text
    if text.startswith("@"):
        apparent, slashes, tail = text.partition("//")
        canonical = apparent.startswith("@@")
        apparent = apparent[2:] if canonical else apparent[1:]
        if not slashes:
            if ":" in apparent:
                raise _invalid(text, bad_repository(f"{apparent}"))
            tail = f":{apparent}"
        _check_repository(text, apparent)
        key = f"@{apparent}" if canonical else apparent
        repository = repo_mapping.get(key, apparent)
        rest = tail
    elif text.startswith("//"):
        rest = text[2:]
        if rest.partition(":")[0].partition("/")[0] in _ABSOLUTE_PACKAGES:
            repository = MAIN_REPOSITORY
    else:
        name = text.removeprefix(":")
        if not name:
            lone = "':' is not a valid package-relative label"
            raise _invalid(text, lone if text else "empty package-relative label")
        return _new(Label, (repository, context.package, checked_name(text, name)))

    package, colon, name = rest.partition(":")
    if not colon:
        # `@r//` names nothing, unlike `@r`.
        name = package.rpartition("/")[2]
        if not name and text.startswith("@") and rest != "":
            name = repository
    _check_package(text, package)
    return _new(Label, (repository, package, checked_name(text, name)))


def full_option_label(text: str) -> str:
    """Returns the text of a label that an option names: `a/b:c` stands for `//a/b:c`, and `a` for
    `//a`. Bazel: `CoreOptionConverters.convertOptionsLabel`."""
    return text if not text or text.startswith(("/", "@")) else f"//{text}"


def parse_option_label(text: str, repo_mapping: Mapping[str, str] = _NO_MAPPING) -> Label:
    """Returns the label that an option names, as the main repository does. Raises `LabelError`."""
    return parse_label(full_option_label(text), MAIN_ROOT, repo_mapping)


_FORBIDDEN_IN_NAME = frozenset(["\\", "\x7f", *map(chr, range(32))])


def checked_name(text: str, name: str) -> str:
    """The target name of the label `text`, normalised as Bazel does it; raises `LabelError`."""
    if name.endswith("/."):
        # Bazel: LabelValidator takes `b/.` for `b`, while a lone `.` stays.
        name = name[:-2]
    if not name:
        raise _bad_name(text, name, "empty target name")
    if name.startswith("/"):
        raise _bad_name(text, name, "target names may not start with '/'")
    if name.endswith("/"):
        raise _bad_name(text, name, "target names may not end with '/'")
    if not _FORBIDDEN_IN_NAME.isdisjoint(name):
        for char in name:
            if char == "\\":
                raise _bad_name(text, name, "target names may not contain '\\'")
            if char < " " or char == "\x7f":
                shown = name.replace(char, "<?>")
                code = f"non-printable characters: '\\x{ord(char):02X}'"
                raise _bad_name(text, shown, f"target names may not contain {code}")
    if "//" in name:
        raise _bad_name(text, name, "target names may not contain '//' path separators")
    if ":" in name:
        raise _bad_name(text, name, "target names may not contain ':'")
    if "." in name:
        segments = name.split("/")
        if ".." in segments:
            raise _bad_name(text, name, "target names may not contain up-level references '..'")
        if "." in segments and name != ".":
            raise _bad_name(text, name, "target names may not contain '.' as a path segment")
    return name


def _check_package(text: str, package: str) -> None:
    if not package:
        return
    if package.startswith("/"):
        raise _bad_package(text, package, "package names may not start with '/'")
    if package.endswith("/"):
        raise _bad_package(text, package, "package names may not end with '/'")
    segments = package.split("/")
    if "" in segments:
        raise _bad_package(text, package, "package names may not contain '//' path separators")
    for segment in segments:
        if not segment.strip("."):
            why = "package name component contains only '.' characters"
            raise _bad_package(text, package, why)
    if not _FORBIDDEN_IN_NAME.isdisjoint(package):
        raise _bad_package(text, package, PACKAGE_ALPHABET)


def _check_repository(text: str, name: str) -> None:
    if name in (".", ".."):
        why = f"workspace names are not allowed to be '@{name}'"
        raise _invalid(text, f"invalid repository name '@{name}': {why}")
    if not all(c.isalnum() or c in "-_.+~" for c in name):
        raise _invalid(text, bad_repository(name))


# The reasons are Bazel's own (`LabelValidator`, `RepositoryName`).
PACKAGE_ALPHABET = (
    "package names may contain A-Z, a-z, 0-9, or any of ' !\"#$%&'()*+,-./;<=>?[]^_`{|}~' (most"
    " 7-bit ascii characters except 0-31, 127, ':', or '\\')"
)


def bad_repository(name: str) -> str:
    """What Bazel says of a name of a repository that has other signs in it."""
    only = "workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"
    return f"invalid repository name '@{name}': {only}"


def _bad_name(text: str, name: str, why: str) -> LabelError:
    return _invalid(text, f"invalid target name '{name}': {why}")


def _bad_package(text: str, package: str, why: str) -> LabelError:
    return _invalid(text, f"invalid package name '{package}': {why}")


def _invalid(text: str, why: str) -> LabelError:
    return LabelError(Diagnostic("invalid-label", f"invalid label '{text}': {why}"), why)


class PatternKind(enum.Enum):
    """What a target pattern selects below its package."""

    TARGET = "target"
    ALL_RULES = "all-rules"
    """`:all`, `...`, `...:all`: rules only."""
    ALL_TARGETS = "all-targets"
    """`:*`, `:all-targets`, `...:*`: files too."""


@dataclass(frozen=True, slots=True)
class TargetPattern:
    """One target pattern as Bazel's command line takes it.

    `recursive` means the package and all packages below it; then `label.name` is empty,
    as it is for every kind but `TARGET`. `excluded` is a leading `-`.
    """

    text: str
    label: Label
    kind: PatternKind
    recursive: bool = False
    excluded: bool = False

    @property
    def is_label(self) -> bool:
        """Whether it asks for one target by its label, and not by a path that a package or a
        target may have. Bazel: `TargetPattern.Type.SINGLE_TARGET`."""
        is_path = ":" not in self.text and not self.text.startswith(("//", "@"))
        return self.kind is PatternKind.TARGET and not self.excluded and not is_path


_WILDCARDS = {
    "all": PatternKind.ALL_RULES,
    "*": PatternKind.ALL_TARGETS,
    "all-targets": PatternKind.ALL_TARGETS,
}


def parse_pattern(
    text: str, context: PackageId, repo_mapping: Mapping[str, str] = _NO_MAPPING
) -> TargetPattern:
    """The target pattern `text`, relative to `context` (the working directory's package).

    A relative pattern without a colon (`foo/bar`) may mean `//foo/bar` or `//foo:bar`;
    that takes the file system to decide, so it is returned as the label `foo/bar` of
    `context` and the loading phase settles it. Raises `LabelError`. Bazel: `TargetPattern.Parser`.
    """
    excluded = text.startswith("-")
    body = text[1:] if excluded else text
    package_part, colon, name = body.partition(":")
    if not body.startswith(("//", "@")) and (colon or package_part.endswith("...")):
        # `foo:bar` and `foo/...` are relative to the working directory's package.
        package_part = "/".join(part for part in (context.package, package_part) if part)
        body = f"{PackageId(context.repository, '')}{package_part}" + (colon + name)
        package_part = body.partition(":")[0]

    if package_part.endswith("/...") or package_part == "...":
        kind = _WILDCARDS.get(name, PatternKind.TARGET) if colon else PatternKind.ALL_RULES
        if kind is PatternKind.TARGET:
            raise _invalid(text, "'...' is followed by ':all' or ':*' only")
        prefix = package_part.removesuffix("...")
        package = prefix if prefix.endswith("//") else prefix.removesuffix("/")
        base = parse_label(f"{package}:all", context, repo_mapping)
        return TargetPattern(text, base._replace(name=""), kind, True, excluded)
    if colon and name in _WILDCARDS:
        base = parse_label(f"{package_part}:all", context, repo_mapping)
        return TargetPattern(text, base._replace(name=""), _WILDCARDS[name], False, excluded)
    return TargetPattern(
        text, parse_label(body, context, repo_mapping), PatternKind.TARGET, False, excluded
    )
