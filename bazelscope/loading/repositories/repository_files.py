"""Finds what is in each repository: builds its content from the first source that has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.run_result import DryRunResult
from bazelscope.loading.packages.repository_access import NO_REPOSITORY, FileFound
from bazelscope.loading.packages.repository_content import (
    Content,
    DirectoryContent,
    LayeredContent,
    UnknownContent,
    VirtualContent,
    as_label,
)
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition
from bazelscope.loading.repositories.model_content import ModelContent
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.disk import Disk, is_directory
from bazelscope.loading.tree.workspace_files import FileTree

_REPLACED = frozenset({"local_repository", "new_local_repository"})
"""Native rules of repositories that `local.bzl` of `@bazel_tools` has, too."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a repository's content was found, and what a dry run told about it."""

    content: Content
    provenance: Provenance
    root: str | None = None
    build_file: Label | None = None
    unknown: Unknown | None = None
    dry_run: DryRunResult | None = None
    failure: Diagnostic | None = None
    """Why Bazel cannot make it, where that is sure and no rule's own `fail()`."""


def directory_placement(
    path: Path,
    repository: str,
    provenance: Provenance,
    workspace: FileTree,
    overlay: Mapping[str, FileFound] | None = None,
    linked: tuple[str, ...] = (),
) -> Placement | None:
    """The content of a directory; None where there is no such directory.

    A directory within the workspace keeps the paths of the workspace's files. `linked` are
    the real paths of further directories that its symbolic links may lead into.
    """
    disk = workspace.disk
    if not is_directory(disk, path):
        return None
    prefix = f"external/{repository}/"
    real, top = disk.real_path(str(path)), workspace.real_root
    if real == top:
        prefix = ""
    elif real.startswith(f"{top}/"):
        prefix = f"{real[len(top) + 1 :]}/"
    tree = FileTree(path, prefix, (top, *workspace.also, *linked), disk, real)
    content = DirectoryContent(tree, provenance, overlay or {})
    return Placement(content, provenance, root=str(path))


def dry_run_placement(
    repository: str,
    result: DryRunResult,
    labels: Mapping[str, Label],
    model: ModelContent | None,
    may_lack: Unknown | None = None,
) -> Placement:
    """The content that a dry run wrote, before a model of the same repository.

    `labels` are the labels among the rule's arguments, by the path that users know: an
    overlay is recognised by the path of the file that it was made from. `may_lack` is why the
    rule, which a model stands for, may write more.
    """
    build_file: Label | None = None
    for name in reversed(BUILD_FILE_NAMES):
        file = result.files.get(name)
        if file is not None:
            build_file = labels.get(file.display_path, build_file)
    is_overlay = bool(result.downloads) and any(name in result.files for name in BUILD_FILE_NAMES)
    provenance = Provenance.OVERLAY if is_overlay else Provenance.DRY_RUN
    virtual = VirtualContent(repository, provenance, result.files, result.open_below, may_lack)
    unknown = next(iter(result.open_below.values()), None)
    content: Content = virtual
    if not result.files:
        provenance = Provenance.UNKNOWN if result.open_below else provenance
        if model is not None:
            return Placement(model, Provenance.MODEL, unknown=unknown, dry_run=result)
    elif model is not None:
        content = LayeredContent(virtual, model)
    return Placement(content, provenance, None, build_file, unknown, result)


def unknown_placement(repository: str, unknown: Unknown, model: ModelContent | None) -> Placement:
    """A repository of which only a model, or nothing, is known."""
    if model is not None:
        return Placement(model, Provenance.MODEL, unknown=unknown)

    def at(path: str) -> Unknown:
        shown = as_label(repository, path)
        return Unknown(unknown.reason, shown, unknown.detail, unknown.location)

    return Placement(UnknownContent(at), Provenance.UNKNOWN, unknown=unknown)


def failed_placement(
    repository: str, failure: Diagnostic, reason: Reason, place: Location | None
) -> Placement:
    """A repository that Bazel cannot make, of which nothing is known."""
    why = Unknown(reason, at_sign(repository), failure.message, place)
    return replace(unknown_placement(repository, why, None), failure=failure)


def refused_native_rule(definition: RepositoryDefinition) -> Placement | None:
    """The repository of a native rule that is not to be used any more; None of other rules.
    Bazel: `RepositoryDelegatorFunction.ensureNativeRepoRuleEnabled`."""
    rule = definition.rule_class
    if rule not in _REPLACED:
        return None
    load = f'load("@bazel_tools//tools/build_defs/repo:local.bzl", "{rule}")'
    message = (
        f"Native repo rule {rule} is disabled since the flag"
        " --incompatible_disable_native_repo_rules is set."
    )
    failure = Diagnostic(
        NO_REPOSITORY, message, definition.location.span, hint=f"write `{load}` above it"
    )
    return failed_placement(definition.name, failure, Reason.FAILED, definition.location)


DELETED = "Package is considered deleted due to --deleted_packages"
"""How Bazel says that a package is left out, whatever says so (measured: 0.24.1 to 4.2.3)."""


def nowhere_looked(package: PackageId, repository: str) -> str:
    """How Bazel says where it has looked for the BUILD file of a package of `repository`, as it
    calls it (measured: 2.1.0, 4.2.3).
    Bazel: `PackageLookupFunction.explainNoBuildFileValue`."""
    where = "any of the following directories"
    if package.repository:
        where = f"directory '{package.package}' of external repository {repository}"
    text = (
        f"BUILD file not found in {where}. Add a BUILD file to a directory to mark it as a package."
    )
    return text if package.repository else f"{text}\n - {package.package}"


def read_text(disk: Disk, file: FileFound) -> str | Unknown:
    """The text of a file that was found."""
    if file.text is not None:
        return file.text
    if file.real_path is None:
        return Unknown(Reason.FILE_MISSING, file.display_path)
    from bazelscope.base.errors import LoadingError

    try:
        content = disk.read(file.real_path, file.display_path)
    except LoadingError as error:
        return Unknown(Reason.FILE_MISSING, file.display_path, error.diagnostic.message)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
