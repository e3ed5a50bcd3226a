"""Finds targets by the short name that people say: `build_pip_package`, `mkl_dnn`.

Loading a whole tree to find one name would be slow, so the texts of BUILD files are searched
for the quoted name first. A name that only a macro puts together stands in no text: where no
file quotes the name, every package is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bazelscope.errors import LoadingError
from bazelscope.label import Label, PackageId
from bazelscope.loading.repository_access import FileFound
from bazelscope.loading.targets import Package
from bazelscope.loading.workspace import read_regular_file
from bazelscope.unknown import Unknown

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader


def find_targets(loader: Loader, short_name: str) -> tuple[Label, ...]:
    """Every target called `short_name`, sorted: the main repository's first."""
    if not short_name or "\0" in short_name:
        return ()
    packages = loader.packages()
    candidates = [*_quoting(loader, packages, short_name), *_external(loader, short_name)]
    found = _named(loader, candidates, short_name)
    if not found:
        found = _named(loader, packages, short_name)
    return tuple(sorted(found))


def _named(loader: Loader, packages: Iterable[PackageId], name: str) -> set[Label]:
    found: set[Label] = set()
    for package in packages:
        loaded = loader.package(package)
        if isinstance(loaded, Package) and name in loaded.targets:
            found.add(Label(*package, name))
    return found


def _quoting(loader: Loader, packages: Iterable[PackageId], name: str) -> list[PackageId]:
    """The packages of the main repository whose BUILD file has the name in quotes."""
    wanted = (f'"{name}"'.encode(), f"'{name}'".encode())
    found = []
    for package in packages:
        listing = loader.workspace.listing(package.package)
        file = listing.build_file
        if file is None:
            continue
        path = f"{package.package}/{file}" if package.package else file
        try:
            content = loader.workspace.read_bytes(path)
        except LoadingError:
            continue
        if any(quoted in content for quoted in wanted):
            found.append(package)
    return found


def _external(loader: Loader, name: str) -> list[PackageId]:
    """Root packages of external repositories whose BUILD file has the name in quotes."""
    found = []
    for repository in loader.repositories():
        file = loader.table.build_file(repository, "")
        if file is None or isinstance(file, Unknown):
            continue
        text = _text(file)
        if f'"{name}"' in text or f"'{name}'" in text:
            found.append(PackageId(repository, ""))
    return found


def _text(file: FileFound) -> str:
    if file.text is not None:
        return file.text
    if file.real_path is None:
        return ""
    try:
        return read_regular_file(file.real_path, file.display_path).decode("utf-8", "replace")
    except LoadingError:
        return ""
