"""The loading phase as its users see it: packages, targets, modules and repositories, target
patterns, names that people say, places that answers show, and how much of it all is known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from bazelscope.base.label import Label, TargetPattern
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.loading import target_patterns
from bazelscope.loading.completeness import Completeness, count
from bazelscope.loading.origins.syntax_pieces import SyntaxPieces
from bazelscope.loading.package_loader import PackageLoader
from bazelscope.loading.packages.package import Package


class Loader(PackageLoader):
    """Loads packages of one workspace under one set of options, and finds things in them."""

    def expand(self, pattern: TargetPattern) -> target_patterns.Expansion:
        """The labels that a target pattern stands for."""
        return target_patterns.expand(self, pattern)

    def expand_all(self, all_patterns: Iterable[TargetPattern]) -> target_patterns.Expansion:
        """The labels that a command line's target patterns stand for, `-x` taken away."""
        return target_patterns.expand_all(self, all_patterns)

    def registered(self, what: str, extra: tuple[str, ...] = ()) -> tuple[Label | Unknown, ...]:
        """What the patterns `extra` and then the calls of `what` name, in order; evaluates
        WORKSPACE."""
        from bazelscope.loading.registrations import registered

        return registered(self, what, extra)

    def find_targets(self, short_name: str) -> tuple[Label, ...]:
        """Every target called `short_name`, in the workspace and in known repositories.

        Packages whose BUILD file quotes the name are loaded; only if none has it, all are.
        """
        from bazelscope.loading.short_name_search import find_targets

        return find_targets(self, short_name)

    def read_source(self, display_path: str) -> SourceFile | None:
        """The text of a file that an answer points into, for excerpts."""
        return self._shown.read(display_path)

    def display_path(self, file: Label) -> str | None:
        """The path under which users know a `.bzl` file; None if it is not there."""
        return self._shown.display_path(file)

    def label_of(self, display_path: str) -> Label | None:
        """The label of a file of the workspace, of `external/NAME/...`, or of a model."""
        return self._shown.label_of(display_path)

    @cached_property
    def syntax_pieces(self) -> SyntaxPieces:
        """Syntax trees of single statements, for looking up where something stands."""
        return SyntaxPieces(self.read_source, self._programs)

    def completeness(self) -> Completeness:
        """How much of what was asked for so far is known."""
        names = {package.repository for package in self._packages}
        for result in self._packages.values():
            if isinstance(result, Package):
                names.update(loaded.label.repository for loaded in result.loads)
        definitions = (self.table.get(name) for name in sorted(names - {""}))
        repositories = [repository for repository in definitions if repository is not None]
        return count(self._packages.values(), repositories, self._missed.values(), self._untold)

    def assumptions(self, repositories: Iterable[str]) -> tuple[Unknown, ...]:
        """What the content of those external repositories was taken for granted for, where a
        repository rule was run dry."""
        placements = (self.table.placement(name) for name in sorted(set(repositories) - {""}))
        runs = (placement.dry_run for placement in placements if placement is not None)
        return tuple(
            assumption for run in runs if run is not None for assumption in run.assumptions
        )
