"""Finds targets by the short name that people say: `build_pip_package`, `mkl_dnn`.

Loading a whole tree to find one name would be slow, so the texts of BUILD files are searched
for the quoted name first. A name that only a macro puts together stands in no text: where no
file quotes the name, every package is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.base.errors import LabelError, LoadingError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import RepositoryDefinition
from bazelscope.loading.target_patterns import PackageFinder
from bazelscope.loading.tree.disk import Disk

# The arguments of repository rules that name or hold a BUILD file.
_OVERLAYS = ("build_file", "build_file_content", "system_build_file")


def find_targets(loader: PackageFinder, short_name: str) -> tuple[Label, ...]:
    """Every target called `short_name`, sorted: the main repository's first.

    Repositories whose BUILD file only a dry run would tell are looked into only if nobody
    else has the name.
    """
    if not short_name or "\0" in short_name:
        return ()
    packages = loader.trees.packages()
    labels = _named(loader, _quoting(loader, packages, short_name), short_name)
    definitions = loader.table.definitions
    overlaid, others = _with_and_without_overlay(loader, definitions)
    labels |= _named(loader, _external(loader, definitions, overlaid, short_name), short_name)
    if not labels:
        labels = _named(loader, _external(loader, definitions, others, short_name), short_name)
    if not labels:
        labels = _named(loader, packages, short_name)
    return tuple(sorted(labels))


def packages_to_search(loader: PackageFinder) -> tuple[PackageId, ...]:
    """The packages whose names may have been meant by one that no target has: the workspace's own,
    and the roots of repositories whose BUILD file is plain to see."""
    overlaid, _ = _with_and_without_overlay(loader, loader.table.definitions)
    return (*loader.trees.packages(), *(PackageId(name, "") for name in overlaid))


def _with_and_without_overlay(
    loader: PackageFinder, definitions: Mapping[str, RepositoryDefinition]
) -> tuple[list[str], list[str]]:
    """The external repositories whose root BUILD file is plain to see, and the others."""
    plain = {*loader.parts.options.override_repositories}
    for name, definition in definitions.items():
        is_local = definition.rule_class in ("local_repository", "new_local_repository")
        if is_local or any(definition.attributes.get(key) for key in _OVERLAYS):
            plain.add(name)
    return sorted(plain), sorted(definitions.keys() - plain)


def _named(loader: PackageFinder, packages: Iterable[PackageId], name: str) -> set[Label]:
    labels: set[Label] = set()
    for package in packages:
        loaded = loader.package(package)
        if isinstance(loaded, Package) and name in loaded.targets:
            labels.add(Label(*package, name))
    return labels


def _quoting(loader: PackageFinder, packages: Iterable[PackageId], name: str) -> list[PackageId]:
    """The packages of the main repository whose BUILD file has the name in quotes."""
    quoting = []
    for package in packages:
        file = loader.parts.tree.last_outline(package.package).build_file
        path = f"{package.package}/{file}" if package.package else file
        if path is not None and loader.parts.tree.quotes(path, name):
            quoting.append(package)
    return quoting


def _external(
    loader: PackageFinder,
    definitions: Mapping[str, RepositoryDefinition],
    repositories: Iterable[str],
    name: str,
) -> list[PackageId]:
    """Root packages of external repositories whose BUILD file has the name in quotes."""
    quoting = []
    quoted = (f'"{name}"', f"'{name}'")
    for repository in repositories:
        if not _may_quote(loader, definitions.get(repository), name):
            continue
        file = loader.table.build_file(repository, "")
        if file is None or isinstance(file, Unknown):
            continue
        content = _text(loader.parts.workspace.disk, file)
        if any(text in content for text in quoted):
            quoting.append(PackageId(repository, ""))
    return quoting


def _may_quote(loader: PackageFinder, definition: RepositoryDefinition | None, name: str) -> bool:
    """Whether a repository's BUILD file may have the name in quotes, as far as its definition
    names or holds that file: no dry run is needed to see that. True where it does not."""
    if definition is None or definition.name in loader.parts.options.override_repositories:
        return True
    is_told = False
    for key in _OVERLAYS:
        value = definition.attributes.get(key)
        if not value:
            continue
        is_told = True
        if key.endswith("content"):
            text = str(value)
            if f'"{name}"' in text or f"'{name}'" in text:
                return True
            continue
        try:
            label = parse_label(str(value), PackageId("", ""), loader.table.repo_mapping(""))
        except LabelError:
            return True
        path = label.path
        if label.repository or loader.parts.tree.quotes(path, name) is not False:
            return True
    return not is_told


def _text(disk: Disk, file: FileFound) -> str:
    if file.text is not None:
        return file.text
    if file.real_path is None:
        return ""
    try:
        return disk.read(file.real_path, file.display_path).decode("utf-8", "replace")
    except LoadingError:
        return ""
