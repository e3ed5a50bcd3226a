"""Where the file is that a `load()` names, or why it cannot be had.

Bazel: `BzlLoadFunction`, `BzlLoadFailedException`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.base.errors import Diagnostic, LabelError, LoadingError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.invisible_names import unresolved
from bazelscope.loading.packages.repository_access import FileFound, RepositoryAccess
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

PRELUDE_PACKAGE = "tools/build_rules"
_PRELUDE = "prelude_bazel"
NO_FILE = "no such file"
_NO_PACKAGE = (
    "Every .bzl file must have a corresponding package, but '{}' does not have one. Please create"
    " a BUILD file in the same or any parent directory. Note that this BUILD file does not need to"
    " do anything except exist."
)
_NO_BUILD_FILE = "Unable to load package for '{}': BUILD file not found on package path"
"""Where labels of loads may reach into other packages."""


class ModuleFiles:
    """The `.bzl` files that can be had: of the workspace, and of repositories."""

    def __init__(
        self, workspace: Workspace, release: Release, is_package: Callable[[str], bool]
    ) -> None:
        self._workspace = workspace
        self._release = release
        self._is_package = is_package
        """Whether a directory of the main repository is one."""

    def find(self, label: Label, access: RepositoryAccess | None) -> FileFound | Unknown:
        """The file `label`, or why there is none; `access` knows the repositories so far."""
        path = label.path
        file: FileFound | Unknown | None = None
        if not label.repository:
            if self._workspace.is_file(path):
                real = str(self._workspace.root / path)
                file = FileFound(path, Provenance.WORKSPACE, real_path=real)
        else:
            failure = access.failure_of(label.repository) if access is not None else None
            if failure is not None:
                return Unknown(
                    Reason.FILE_MISSING,
                    str(label),
                    f"Encountered error while reading extension file '{path}': no such package"
                    f" '{PackageId(label.repository, label.package)}': {failure.message}",
                )
            file = access.find_file(label.repository, path) if access is not None else None
            if file is None and (access is None or access.get(label.repository) is None):
                return Unknown(
                    Reason.FILE_MISSING,
                    str(label),
                    f"Unable to find package for {label}:"
                    f" {unresolved(label.repository, self._release)}.",
                )
        if isinstance(file, Unknown) or (file and file.provenance is Provenance.MODEL):
            return file
        if file is None and not label.repository:
            link = self._workspace.link_outside(label.package)
            if link is not None:
                return Unknown(Reason.OUTSIDE, str(label), leads_out(link))
        why = self._why_no_package(label, access)
        if file is not None and not why:
            return file
        return Unknown(Reason.FILE_MISSING, str(label), why or self._why_missing(label))

    def _why_no_package(self, label: Label, access: RepositoryAccess | None) -> str:
        """Bazel's words where the package of `label` is certainly none, or not the one that its
        file is in. Bazel: `ContainingPackageLookupFunction`."""

        def may_be_package(directory: str) -> bool:
            if not label.repository:
                return self._is_package(directory)
            file = access.build_file(label.repository, directory) if access else None
            if isinstance(file, Unknown) and len(directory) > len(label.package):
                return False  # the file may be in it: whatever it is in otherwise, nobody refuses
            return access is None or file is not None

        if not self._release.refuses_loads_across_packages:
            return "" if may_be_package(label.package) else _NO_BUILD_FILE.format(label)
        directory = label.path.rpartition("/")[0]
        while not may_be_package(directory):
            if not directory:
                return _NO_PACKAGE.format(label)
            directory = directory.rpartition("/")[0]
        if directory == label.package:
            return ""
        rest = label.path[len(directory) + 1 if directory else 0 :]
        if len(directory) > len(label.package):
            return crosses(label, directory, rest, self._release)
        return (
            f"Label '{label}' is invalid because '{label.package}' is not a package; perhaps you"
            f" meant to put the colon here: '{Label(label.repository, directory, rest)}'?"
        )

    def _why_missing(self, label: Label) -> str:
        """Bazel's words for a file that is not in its package: there may be an endless link."""
        loops = () if label.repository else self._workspace.listing(label.package).loops
        for name, what in loops:
            if name == label.name:
                kind = what.partition(":")[0]
                return f"Encountered error while reading extension file '{label.path}': {kind}"
        is_new = self._release.says_cannot_load
        if not label.repository and self._workspace.is_directory(label.path):
            if is_new:
                return f"cannot load '{label}': is a directory"
            return f"Unable to load file '{label}': it isn't a regular file"
        return NO_FILE if is_new else f"Unable to load file '{label}': file doesn't exist"


def load_label(
    text: str, base: PackageId, mapping: Mapping[str, str], release: Release | None = None
) -> Label:
    """The label of a load statement in a file of package `base`. Raises `LoadingError`."""
    if release and not release.loads_by_plain_names and not text.startswith(("//", ":", "@")):
        what = "First argument of 'load' must be a label and start with either '//', ':', or '@'"
        raise LoadingError(Diagnostic("invalid-load", what))
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


def prelude_label(repository: str) -> Label:
    """The file whose names each BUILD file of a repository finds predeclared, if it is there.
    Bazel: `BazelRuleClassProvider`."""
    return Label(repository, PRELUDE_PACKAGE, _PRELUDE)


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


def leads_out(link: str) -> str:
    """Why nobody can tell what is in a directory of the main repository."""
    return f"`{link}` is a symbolic link out of the workspace (--links-to DIR follows)"


def crosses(label: Label, subpackage: str, rest: str, release: Release) -> str:
    """Bazel's words for a label whose name reaches into a package below its own."""
    better = Label(label.repository, subpackage, rest)
    below = PackageId(label.repository, subpackage).shown
    advice = f"perhaps you meant to put the colon here: '{better}'?"
    if release.says_crosses_boundary:
        return f"Label '{label}' crosses boundary of subpackage '{below}' ({advice})"
    return f"Label '{label}' is invalid because '{below}' is a subpackage; {advice}"
