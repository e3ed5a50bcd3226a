"""What MODULE.bazel may not say: names, versions, patterns and overrides that Bazel refuses.

Bazel: `ModuleFileGlobals`. Each function raises `StarlarkError` in Bazel's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.module_file_calls import place_of
from bazelscope.loading.modules.module_versions import is_version, version_problem

_MODULE_NAME = lazy_pattern(r"[a-z]([a-z0-9._-]*[a-z0-9])?\Z")
_REPOSITORY_NAME = lazy_pattern(r"[a-zA-Z0-9][-.\w]*\Z")
_COMPATIBILITY = lazy_pattern(r"(>|<|-|<=|>=)(\d+\.){2}\d+\Z")
_COMPATIBILITY_FORM = (
    "valid argument must 1) start with (<,<=,>,>=,-); 2) contain a version number in form of X.X.X"
    " where X is a number"
)
_INCLUDED = ".MODULE.bazel"
_SINGLE = ("version", "registry", "patches", "patch_cmds", "patch_strip")
_TAKES: Mapping[str, tuple[str, ...]] = {
    "local_path_override": ("path",),
    "multiple_version_override": ("versions", "registry"),
    "single_version_override": _SINGLE,
}
"""Overrides of archives and of git take what the repository rules of these take."""
_NEEDS = {"local_path_override": "path", "multiple_version_override": "versions"}


def check_module_name(name: object) -> None:
    if not isinstance(name, str) or not _MODULE_NAME.match(name):
        starlark.fail_with(
            f"invalid module name '{name}': valid names must 1) only contain lowercase letters"
            " (a-z), digits (0-9), dots (.), hyphens (-), and underscores (_); 2) begin with a"
            " lowercase letter; 3) end with a lowercase letter or digit."
        )


def check_version(version: object, where: str) -> None:
    problem = version_problem(str(version))
    if problem is not None:
        starlark.fail_with(f"Invalid version in {where}: {problem}")


def check_repository_name(name: object, release: Release, code: str = starlark.EVALUATION) -> None:
    problem = repository_name_problem(name, release)
    if problem is not None:
        starlark.fail_with(problem, code=code)


def repository_name_problem(name: object, release: Release) -> str | None:
    """Why a repository cannot be called so by a module; None if it can."""
    may_be_digit = release.digits_begin_repository_names
    if (
        isinstance(name, str)
        and _REPOSITORY_NAME.match(name)
        and (may_be_digit or not name[0].isdigit())
    ):
        return None
    return (
        f"invalid user-provided repo name '{name}': valid names may contain only"
        " A-Z, a-z, 0-9, '-', '_', '.', and must start with a letter"
        f"{' or a number' if may_be_digit else ''}"
    )


def check_compatibility(conditions: Iterable[object]) -> None:
    for condition in conditions:
        if not isinstance(condition, str) or not _COMPATIBILITY.match(condition):
            starlark.fail_with(f"invalid version argument '{condition}': {_COMPATIBILITY_FORM}")


def check_patterns(patterns: Iterable[str], where: str) -> None:
    for pattern in patterns:
        if not pattern.startswith(("//", "@")):
            starlark.fail_with(
                "Expected absolute target patterns (must begin with '//' or '@') for"
                f" '{where}' argument, but got '{pattern}' as an argument"
            )


def check_override(kind: str, arguments: Mapping[str, object]) -> None:
    """Checks the arguments of an override besides the module's name."""
    for name in arguments:
        if name not in _TAKES.get(kind, (name,)):
            starlark.fail_with(f"{kind}() got unexpected keyword argument '{name}'")
    needed = _NEEDS.get(kind)
    if needed is not None and needed not in arguments:
        starlark.fail_with(f"{kind}() missing 1 required named argument: {needed}")
    version = arguments.get("version", "")
    if kind == "single_version_override" and not (isinstance(version, str) and is_version(version)):
        starlark.fail_with(f"Invalid version in {kind}(): {version}")
    versions = arguments.get("versions")
    if kind == "multiple_version_override" and isinstance(versions, list | tuple):
        for one in versions:
            check_version(one, f"{kind}()")
        if len(versions) < 2:
            starlark.fail_with(f"{kind}() must specify at least 2 versions")


def check_include(label: str, place: Location, release: Release) -> None:
    """Checks what `include` is called with. Bazel: `ModuleFileFunction.advanceHorizon`."""
    why = ""
    name = label.rpartition(":")[2].rpartition("/")[2]
    if not label.startswith("//"):
        which = "repo-relative" if release.overridden_modules_include else "main repo"
        why = f"include() must be called with {which} labels (starting with double slashes)"
    elif not name.endswith(_INCLUDED):
        why = f"the file to be included must have a name ending in '{_INCLUDED}'"
    elif name.startswith(".") and release.included_names_have_no_dot_first:
        why = "the name of the file to be included must not start with '.'"
    if why:
        starlark.fail_with(f"bad include label '{label}' at {place}: {why}")


def check_patches(patches: object, own: str) -> None:
    """Checks the patches of an override, which are files of the main repository; `own` is what
    the module calls that. Bazel: `ModuleFileGlobals.convertAndValidatePatchLabel`."""
    names = {"": "", own: ""}
    for patch in patches if isinstance(patches, list | tuple) else ():
        if not isinstance(patch, str):
            continue
        try:
            repository = parse_label(patch, PackageId("", ""), names).repository
        except LabelError as error:
            starlark.fail_with(f"invalid label \"{patch}\" in 'patches': {error.reason}")
        if repository and not patch.startswith("@@"):
            starlark.fail_with(
                "invalid label in 'patches': only patches in the main repository can be applied,"
                f" not from '@{repository}'"
            )


class RepositoryNames:
    """Names in use: how and where each was `taken`."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self.taken: dict[str, tuple[str, Location]] = {}

    def take(self, name: str, how: str) -> None:
        """Reserves a repository name. Bazel: `ModuleThreadContext.addRepoNameUsage`."""
        check_repository_name(name, self._release)
        place = place_of(starlark.call_stack())
        if name in self.taken:
            starlark.fail_with(self.collision(name, how, place))
        self.taken[name] = how, place

    def collision(self, name: str, how: str, place: Location) -> str:
        """What Bazel says of a name that is in use already."""
        how_before, before = self.taken[name]
        if not self._release.names_both_uses_of_repository_name:
            return f"The repo name '{name}' is already being used {how_before} at {before}"
        return (
            f"The repo name '{name}' cannot be defined {how} at {place} as it is already"
            f" defined {how_before} at {before}"
        )
