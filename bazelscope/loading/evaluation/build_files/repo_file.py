"""`REPO.bazel`: what a repository says of all its packages (Bazel 7 and newer).

Bazel: `RepoFileFunction`, `RepoFileGlobals`, `RepoThreadContext`. `repo()` takes what `package()`
takes; a package's own word wins, and its features are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LoadingError, StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release
from bazelscope.loading.tree.workspace_files import IGNORE_FILE, FileTree

REPO_FILE = "REPO.bazel"


@dataclass(slots=True)
class RepoFile:
    """An evaluated REPO.bazel: the arguments of `repo()`, directories to ignore, errors."""

    arguments: Mapping[str, object] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    """The patterns of `ignore_directories()`, as `glob` understands them."""
    diagnostics: list[Diagnostic] = field(default_factory=list)


def evaluate_repo_file(source: SourceFile, release: Release, limits: starlark.Limits) -> RepoFile:
    """What a REPO.bazel says; whatever is wrong with it is in its diagnostics."""
    repo_file = RepoFile()
    called: list[str] = []

    def repo(**arguments: object) -> None:
        if called:
            starlark.fail_with(
                "if repo() is called, it must be called before any other functions"
                if called[0] != "repo"
                else "'repo' can only be called once in the REPO.bazel file"
            )
        if not arguments:
            starlark.fail_with("at least one argument must be given to the 'repo' function")
        called.append("repo")
        repo_file.arguments = dict(arguments)

    def ignore_directories(dirs: object) -> None:
        if "ignore_directories" in called:
            starlark.fail_with("'ignored_directories()' can only be called once")
        called.append("ignore_directories")
        if not isinstance(dirs, list | tuple):
            starlark.fail_with(starlark.wrong_type("ignore_directories", "dirs", dirs, "sequence"))
        for number, folder in enumerate(dirs):
            if not isinstance(folder, str):
                starlark.fail_with(starlark.wrong_element(number, "dirs", folder, "string"))
        repo_file.ignored = tuple(dirs)

    functions = {"repo": starlark.Builtin("repo", repo)}
    if release.repo_file_ignores:
        name = "ignore_directories"
        functions[name] = starlark.Builtin(name, ignore_directories)
    predeclared: dict[str, object] = {**starlark.universe(), **functions}

    def load(statement: starlark.LoadStatement) -> starlark.Module:
        starlark.fail_with("`load` statements may not be used in REPO.bazel files")

    try:
        program = starlark.load_program(
            source, starlark.FileKind.REPO, frozenset(predeclared), None
        )
        starlark.execute(program, predeclared, load, starlark.Thread(limits))
    except StarlarkError as error:
        repo_file.diagnostics.append(error.diagnostic)
    return repo_file


def ignored_patterns(tree: FileTree, release: Release) -> tuple[str, ...]:
    """The directories that a repository's REPO.bazel hides, as `glob` patterns."""
    if not release.repo_file_ignores or not tree.is_file(REPO_FILE):
        return ()
    try:
        source = tree.read(REPO_FILE)
    except LoadingError:
        return ()  # each package reports it
    return evaluate_repo_file(source, release, starlark.Limits()).ignored


def problems_of_ignores(tree: FileTree, release: Release) -> list[Diagnostic]:
    """What Bazel refuses of a repository's `.bazelignore`, by which none of its packages loads."""
    if not release.refuses_absolute_ignores:
        return []
    return [
        Diagnostic(
            "invalid-ignore", f"{tree.display(IGNORE_FILE)}: '{path}': cannot be an absolute path"
        )
        for path in tree.ignored_directories()
        if path.startswith("/")
    ][:1]
