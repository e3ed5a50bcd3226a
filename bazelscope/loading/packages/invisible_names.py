"""Names of repositories that lead nowhere in the files of a module: what stands for the repository.
Bazel: `RepositoryName.createInvalid`."""

from __future__ import annotations

import re

from bazelscope.bazel.release import Release

_INVISIBLE = re.compile(r"\[unknown repo '([^']*)' requested from @@(.*)\]")


def invisible(name: str, module: str) -> str:
    """Returns what stands for the repository that files of the repository `module` (its canonical
    name) call `name`, where nothing brings it."""
    return f"[unknown repo '{name}' requested from @@{module}]"


def invisible_name(repository: str) -> str | None:
    """The apparent name that led nowhere, of a repository that stands for one."""
    match = _INVISIBLE.fullmatch(repository)
    return match[1] if match is not None else None


def is_asked_by_root(repository: str) -> bool:
    """Whether `repository` stands for a name that led nowhere in files of the main repository."""
    match = _INVISIBLE.fullmatch(repository)
    return match is not None and not match[2]


def unresolved(repository: str, release: Release) -> str:
    """How Bazel says that a repository is none. Bazel: `PackageLookupFunction`."""
    match = _INVISIBLE.fullmatch(repository)
    if match is None:
        shown = f"@@{repository}" if release.at_at_labels else f"@{repository}"
        why = f": Repository '{shown}' is not defined" if release.says_undefined else ""
        return f"The repository '{shown}' could not be resolved{why}"
    user = f"repository '@@{match[2]}'" if match[2] else "main repository"
    return (
        f"The repository '@@{repository}' could not be resolved:"
        f" No repository visible as '@{match[1]}' from {user}"
    )
