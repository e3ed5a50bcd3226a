"""Targets at the cursor: `//tensor`, `//tensorflow/core:`, `@repo//`, `:x`.

Names of packages come from directories alone. For the targets of a package, and for external
repositories, what earlier runs kept is asked; where that takes too long, names are read off
the text of the BUILD file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.paths import read_file
from bazelscope.cli.completion.candidate import Candidate
from bazelscope.cli.completion.deadline import within_time

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader

_BUILD_FILES = ("BUILD.bazel", "BUILD")
_WORKSPACE_FILES = ("WORKSPACE.bazel", "WORKSPACE", "MODULE.bazel")
_NAME = lazy_pattern(r"""\bname\s*=\s*["']([^"'\n]+)["'](?!\s*[+%.])""")
_ARGUMENT = lazy_pattern(r"^ {4}(\w+)\s*=(?!=)", re.MULTILINE)
_LOADED = lazy_pattern(r"""^load\(\s*["']//([^"':\n]*):([^"'\n]+)["']""", re.MULTILINE)
_MOST_NAMES = 500
"""Short names that are worth being offered at once."""
_MOST_LOOKED_AT = 60
"""Directories that are looked through for a package before one is taken to be there."""


class LabelCandidates:
    """The labels of one workspace. `flags` are the options that stand on the line."""

    def __init__(self, directory: Path, bazel_version: str | None, flags: tuple[str, ...]) -> None:
        self._directory = directory.absolute()
        self._version = bazel_version
        self._flags = flags

    @cached_property
    def _root(self) -> Path:
        for folder in (self._directory, *self._directory.parents):
            if any((folder / name).is_file() for name in (*_WORKSPACE_FILES, "REPO.bazel")):
                return folder
        return self._directory

    def matching(self, text: str) -> list[Candidate]:
        """The labels that begin with `text`."""
        if text in ("", "/"):
            text = "//"
        if text.startswith("@") and "//" not in text:
            return [c for c in self._repository_labels() if c.text.startswith(text)]
        if text.startswith("@"):
            return self._external(text)
        within = self._directory.relative_to(self._root).as_posix()
        if text.startswith("//"):
            packages = self._local(text[2:], "")
            return [Candidate(f"//{c.text}", c.about) for c in packages]
        return self._local(text, "" if within == "." else within)

    def short(self, start: str, only: str = "") -> list[Candidate]:
        """The short names that begin with `start`, as the texts of BUILD files have them, and each
        with the package that it is nearest in; `only`: of that rule. As many as there is time
        for."""
        places: dict[str, str] = {}
        rule = rf"\b{only}\(\s*" if only else r"\b"
        name = rf"""["']({re.escape(start)}[^"'\n/]*)["'](?!\s*[+%.])"""
        pattern = re.compile(rf"{rule}name\s*=\s*{name}")

        def look() -> None:
            for folder, file in _build_files(self._root):
                for target in pattern.findall(self._text(folder / file)):
                    package = folder.relative_to(self._root).as_posix()
                    places.setdefault(target, "//" if package == "." else f"//{package}")
                if len(places) > _MOST_NAMES:
                    return

        within_time(look)
        return [Candidate(name, about) for name, about in sorted(places.items())]

    def attributes(self, label: str) -> list[str]:
        """The attributes of a target that have a select(), or all that were set where none has."""
        names = within_time(lambda: self._attributes(label))
        return names or within_time(lambda: self._written_attributes(label)) or []

    def _attributes(self, text: str) -> list[str]:
        from bazelscope.analysis.names.short_names import resolve_name
        from bazelscope.base.label import Label
        from bazelscope.bazel.attribute_types import SelectorList
        from bazelscope.loading.packages.targets import Rule

        label = resolve_name(self._loader, text)
        target = self._loader.target(label) if isinstance(label, Label) else None
        if not isinstance(target, Rule):
            return []
        every = target.attributes
        chosen = [name for name, one in every.items() if isinstance(one.value, SelectorList)]
        return sorted(chosen or every)

    def _written_attributes(self, text: str) -> list[str]:
        """The arguments of the call that names the target, as its BUILD file has them."""
        package, _, name = text.rpartition(":")
        call = re.compile(
            rf"""name\s*=\s*["']{re.escape(name)}["'](.*?)^\)""", re.DOTALL | re.MULTILINE
        )
        folders = (
            [(self._root / package.removeprefix("//"), file) for file in _BUILD_FILES]
            if package
            else _build_files(self._root)
        )
        for folder, file in folders:
            match = call.search(self._text(folder / file))
            if match is not None:
                return _ARGUMENT.findall(match[1])
        return []

    # ---- The workspace itself ----

    def _local(self, text: str, base: str) -> list[Candidate]:
        package, colon, name = text.partition(":")
        if colon:
            targets = self._targets("/".join(part for part in (base, package) if part))
            return [Candidate(f"{package}:{t}", k) for t, k in targets if t.startswith(name)]
        directory, slash, start = text.rpartition("/")
        lead = f"{directory}{slash}"
        parent = self._root / base / directory
        packages = list(self._packages(parent, lead, start))
        # One directory that nothing but a directory is in is no choice to make.
        while len(packages) == 1 and packages[0].text.endswith("/"):
            lead = packages[0].text
            packages = list(self._packages(self._root / base / lead, lead, ""))
        if "...".startswith(start) and packages:
            packages.append(Candidate(f"{lead}...", "every target below"))
        if not start and lead in ("", "/") and _is_package(parent):
            packages.append(Candidate(":", "package"))
        return packages

    def _packages(self, parent: Path, lead: str, start: str) -> Iterator[Candidate]:
        for entry in _directories(parent):
            name = entry.name
            if not name.startswith(start) or (parent == self._root and name.startswith("bazel-")):
                continue
            if _is_package(Path(entry.path)):
                yield Candidate(f"{lead}{name}:", "package")
            if _has_packages_below(entry.path):
                yield Candidate(f"{lead}{name}/", "directory")

    def _targets(self, package: str) -> Iterator[tuple[str, str]]:
        kinds = dict(within_time(lambda: self._evaluated("", package)) or ())
        if not any(kinds.values()) or self._is_broken(package):
            kinds = dict(self._written(package)) | kinds
        yield from kinds.items()
        if kinds:
            yield "all", "every rule"

    def _evaluated(self, repository: str, package: str) -> list[tuple[str, str]]:
        from bazelscope.base.label import PackageId
        from bazelscope.loading.packages.package import Package

        result = self._loader.package(PackageId(repository, package))
        if not isinstance(result, Package):
            return []
        targets = result.targets
        return [(name, targets.kind(name).removesuffix(" rule")) for name in targets]

    def _is_broken(self, package: str) -> bool:
        from bazelscope.base.label import PackageId
        from bazelscope.loading.packages.package import Package

        result = self._loader.loaded_packages().get(PackageId("", package))
        return isinstance(result, Package) and not result.is_complete

    def _written(self, package: str) -> list[tuple[str, str]]:
        """The names that stand in the text of a BUILD file; macros may add to them."""
        for name in _BUILD_FILES:
            text = self._text(self._root / package / name)
            if text:
                return [(written, "") for written in dict.fromkeys(_NAME.findall(text))]
        return []

    def _text(self, path: Path) -> str:
        """What a file of the workspace holds; nothing where it is none, or leads out of there."""
        try:
            is_inside = path.resolve().is_relative_to(self._root.resolve())
            return read_file(path).decode("utf-8", "surrogateescape") if is_inside else ""
        except (OSError, ValueError, RuntimeError):
            return ""

    # ---- External repositories ----

    def repositories(self) -> list[Candidate]:
        """The names of the external repositories."""
        defined = within_time(lambda: sorted(self._loader.table.definitions))
        names = defined or sorted(self._written_repositories())
        return [Candidate(name, "repository") for name in names]

    def modules(self) -> list[Candidate]:
        """The names of the modules in the build, the root first."""
        modules = self._loader.table.resolved_modules
        if modules is None:
            return []
        keys = modules.resolution.selected
        names = dict.fromkeys(key.name or "<root>" for key in keys)
        return [Candidate(name, "module") for name in names]

    def _repository_labels(self) -> Iterator[Candidate]:
        for repository in self.repositories():
            yield Candidate(f"@{repository.text}//", repository.about)

    def _written_repositories(self) -> set[str]:
        """The names that stand in the WORKSPACE file and in the files that it loads."""
        names: set[str] = set()
        for file in _WORKSPACE_FILES:
            text = self._text(self._root / file)
            names.update(_NAME.findall(text))
            for package, name in _LOADED.findall(text):
                names.update(_NAME.findall(self._text(self._root / package / name)))
        return names

    def _external(self, text: str) -> list[Candidate]:
        repository, _, rest = text.partition("//")
        lead = f"{repository}//"
        name = repository.lstrip("@")
        package, colon, start = rest.partition(":")
        if colon:
            targets = within_time(lambda: self._evaluated(name, package)) or []
            named = [*targets, ("all", "every rule")] if targets else []
            return [Candidate(f"{lead}{package}:{t}", k) for t, k in named if t.startswith(start)]
        # Where there is no time to look, a repository has at least its root.
        packages = within_time(lambda: self._packages_of(name)) or [""]
        candidates = [
            Candidate(f"{lead}{package}:", "package")
            for package in packages
            if package.startswith(rest)
        ]
        if "...".startswith(rest.rpartition("/")[2]):
            base = rest.rpartition("/")[0]
            candidates.append(
                Candidate(f"{lead}{base}{'/' if base else ''}...", "every target below")
            )
        return candidates

    def _packages_of(self, repository: str) -> list[str]:
        return [package.package for package in self._loader.trees.packages(repository)]

    @cached_property
    def _loader(self) -> Loader:
        from bazelscope.api import Workspace
        from bazelscope.cli.session import this_machine
        from bazelscope.kept.kept_files import default_cache_dir

        workspace = Workspace.open(
            self._directory,
            bazel_version=self._version,
            host=this_machine(),
            environment=dict(os.environ),
            cache_dir=Path(default_cache_dir()),
        )
        return workspace.configure(self._flags).loader


def _directories(parent: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(parent) as entries:
            directories = [e for e in entries if not e.name.startswith(".") and e.is_dir()]
    except OSError:
        return []
    return sorted(directories, key=lambda entry: entry.name)


def _is_package(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _BUILD_FILES)


def _has_packages_below(folder: str) -> bool:
    pending = [folder]
    for _ in range(_MOST_LOOKED_AT):
        if not pending:
            return False
        for entry in _directories(Path(pending.pop(0))):
            if _is_package(Path(entry.path)):
                return True
            pending.append(entry.path)
    return bool(pending)


def _build_files(root: Path) -> Iterator[tuple[Path, str]]:
    """The BUILD files below a folder and those that are laid over archives, the nearest to the
    root first."""
    pending = [root]
    while pending:
        below: list[Path] = []
        for folder in pending:
            try:
                with os.scandir(folder) as entries:
                    for entry in sorted(entries, key=lambda entry: entry.name):
                        name = entry.name
                        if entry.is_dir(follow_symlinks=False):
                            if not name.startswith((".", "bazel-")):
                                below.append(Path(entry.path))
                        elif name in _BUILD_FILES or name.endswith((".BUILD", ".BUILD.bazel")):
                            yield folder, name
            except OSError:
                continue
        pending = below
