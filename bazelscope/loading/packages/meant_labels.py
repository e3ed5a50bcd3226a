"""What a label that names nothing was probably meant to be: a slip of the pen has one near it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from bazelscope.base.label import Label, PackageId
from bazelscope.base.nearest import nearest
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.workspace_files import Workspace


class Packages(Protocol):
    """The packages of a workspace, and its files."""

    @property
    def workspace(self) -> Workspace: ...
    def package(self, id: PackageId, /) -> PackageResult: ...


def target_meant(package: PackageResult, name: str) -> str | None:
    """Returns the name in a package that is most like `name`, source files left aside; None where
    none is near."""
    if not isinstance(package, Package):
        return None
    targets = package.targets
    return _alike(name, (one for one in targets if targets.kind(one) != "source file"))


def _alike(name: str, known: Iterable[str]) -> str | None:
    """Returns the name that is most like `name`, of those with the same ending, which counts for
    nothing more, and in the same folder or with the same last part."""
    folder, _, last = name.rpartition("/")
    stem, dot, ending = last.rpartition(".")
    stems: dict[str, str] = {}
    for other in known:
        its_folder, _, its_last = other.rpartition("/")
        its_stem, its_dot, its_ending = its_last.rpartition(".")
        if (its_dot, its_dot and its_ending) == (dot, dot and ending):
            if its_folder == folder:
                stems.setdefault(its_stem if dot else its_last, other)
            elif its_last == last:
                stems.setdefault(other, other)
    near = nearest(stem if dot else last, stems, 1)
    if not near and folder:  # The same file of another folder stands there as a whole.
        near = nearest(name, stems, 1)
    return stems[near[0]] if near else None


def package_meant(files: Workspace, package: str) -> str | None:
    """Returns the package of the workspace that one without a BUILD file is most like: with
    another name in the place of the first folder that is not there; None where none is near."""
    parts = package.split("/")
    for place, name in enumerate(parts):
        above = "/".join(parts[:place])
        listing = files.listing(above)
        if listing.entries.get(name) is EntryKind.DIRECTORY:
            continue
        folders = (one for one, kind in listing.entries.items() if kind is EntryKind.DIRECTORY)
        for near in nearest(name, folders):
            meant = "/".join([*parts[:place], near, *parts[place + 1 :]])
            if any(files.is_file(f"{meant}/{file}") for file in BUILD_FILE_NAMES):
                return meant
        return None
    return None


def label_meant(packages: Packages, label: Label) -> Label | None:
    """Returns what a label of the workspace's own that names nothing is most like: a target of its
    package, a file beside the one that it would be, or the same target of a package that is called
    almost so; None where nothing is near."""
    package = packages.package(label.package_id)
    if isinstance(package, Package):
        near = target_meant(package, label.name) or _file_meant(packages.workspace, label)
        return label.sibling(near) if near is not None else None
    other = package_meant(packages.workspace, label.package) if not label.repository else None
    if other is None:
        return None
    is_short = label.name == label.package.rpartition("/")[2]
    meant = Label("", other, other.rpartition("/")[2] if is_short else label.name)
    there = packages.package(meant.package_id)
    return meant if isinstance(there, Package) and meant.name in there.targets else None


def _file_meant(files: Workspace, label: Label) -> str | None:
    """Returns the name of the file beside that of a label which is most like it, or is it but for
    its ending; None where none is near."""
    folder, slash, last = label.name.rpartition("/")
    if label.repository or "." not in last:
        return None
    listing = files.listing(f"{label.package}/{folder}".strip("/"))
    known = [one for one, kind in listing.entries.items() if kind is not EntryKind.DIRECTORY]
    stem = last.rpartition(".")[0]
    same = (one for one in known if one.rpartition(".")[0] == stem)
    near = _alike(last, known) or next(iter(nearest(last, same, 1)), None)
    return f"{folder}{slash}{near}" if near is not None else None
