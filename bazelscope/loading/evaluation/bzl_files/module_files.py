"""Where the file is that a `load()` names, or why it cannot be had.

Bazel: `BzlLoadFunction`, `BzlLoadFailedException`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.errors import Diagnostic, LabelError, LoadingError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_access import FileFound, RepositoryAccess
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

"""Bazel: `--incompatible_disallow_load_labels_to_cross_package_boundaries`."""

NO_FILE = "no such file"
_NO_PACKAGE = (
    "Every .bzl file must have a corresponding package, but '{}' does not have one. Please create"
    " a BUILD file in the same or any parent directory. Note that this BUILD file does not need to"
    " do anything except exist."
)


class ModuleFiles:
    """The `.bzl` files that can be had: of the workspace, and of repositories."""

    def __init__(self, workspace: Workspace, release: Release) -> None:
        self._workspace = workspace
        self._release = release

    def find(self, label: Label, access: RepositoryAccess | None) -> FileFound | Unknown:
        """The file `label`, or why there is none; `access` knows the repositories so far."""
        path = label.path
        if not label.repository:
            crossing = self._crossing(label)
            if crossing is not None:
                return Unknown(Reason.FILE_MISSING, str(label), crossing)
            if self._workspace.is_file(path) and not self._is_of_package_above(label):
                real = str(self._workspace.root / path)
                return FileFound(path, Provenance.WORKSPACE, real_path=real)
            return Unknown(Reason.FILE_MISSING, str(label), self._why_missing(label))
        file = access.find_file(label.repository, path) if access is not None else None
        if file is None:
            defined = access is not None and access.get(label.repository) is not None
            why = NO_FILE if defined else _no_repository(label)
            return Unknown(Reason.FILE_MISSING, str(label), why)
        return file

    def _crossing(self, label: Label) -> str | None:
        """Bazel's error about a label that reaches into a subpackage, for Bazels that mind."""
        directory = label.package
        if "/" not in label.name or not self._release.refuses_loads_across_packages:
            return None
        for part in label.name.split("/")[:-1]:
            directory = f"{directory}/{part}" if directory else part
            if self._workspace.listing(directory).build_file is not None:
                rest = f"{label.package}/{label.name}".removeprefix("/")[len(directory) + 1 :]
                return crosses(label, directory, rest)
        return None

    def _is_of_package_above(self, label: Label) -> bool:
        """Whether a label names a folder without a BUILD file, below a package."""
        directory = label.package
        if self._workspace.listing(directory).build_file is not None:
            return False
        while directory:
            directory = directory.rpartition("/")[0]
            if self._workspace.listing(directory).build_file is not None:
                return True
        return False

    def _why_missing(self, label: Label) -> str:
        """Bazel: `BzlLoadFailedException`, `PackageLookupValue`."""
        for name, what in self._workspace.listing(label.package).loops:
            if name == label.name:
                file = f"{label.package}/{name}" if label.package else name
                kind = what.partition(":")[0]
                return f"Encountered error while reading extension file '{file}': {kind}"
        directory = label.package
        while self._workspace.listing(directory).build_file is None:
            if not directory:
                return _NO_PACKAGE.format(label)
            directory = directory.rpartition("/")[0]
        if directory == label.package:
            return NO_FILE
        below = f"{label.package}/{label.name}"[len(directory) + 1 if directory else 0 :]
        return (
            f"Label '{label}' is invalid because '{label.package}' is not a package; perhaps you"
            f" meant to put the colon here: '{Label('', directory, below)}'?"
        )


def load_label(text: str, base: PackageId, mapping: Mapping[str, str]) -> Label:
    """The label of a load statement in a file of package `base`. Raises `LoadingError`."""
    try:
        label = parse_label(text, base, mapping)
    except LabelError as error:
        raise LoadingError(error.diagnostic) from error
    if not label.name.endswith((".bzl", ".scl")):
        why = "The label must reference a file with extension '.bzl'"
        raise LoadingError(Diagnostic("invalid-load", f"in load statement: {why}"))
    if not is_clean(label.name):
        raise LoadingError(Diagnostic("invalid-load", f"invalid load label `{text}`"))
    return label


def read_found(workspace: Workspace, label: Label, file: FileFound) -> SourceFile:
    """The text of a file that was found. Raises `LoadingError`."""
    if file.text is not None:
        return SourceFile(file.display_path, file.text)
    if not label.repository and file.provenance is Provenance.WORKSPACE:
        return workspace.read(file.display_path)
    assert file.real_path is not None
    content = workspace.disk.read(file.real_path, file.display_path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return SourceFile(file.display_path, text)


def crosses(label: Label, subpackage: str, rest: str) -> str:
    """Bazel's words for a label whose name reaches into a package below its own."""
    better = Label(label.repository, subpackage, rest)
    return (
        f"Label '{label}' is invalid because '{subpackage}' is a subpackage; perhaps you meant to"
        f" put the colon here: '{better}'?"
    )


def _no_repository(label: Label) -> str:
    return (
        f"Unable to find package for {label}: The repository '@{label.repository}' could not be"
        " resolved."
    )
