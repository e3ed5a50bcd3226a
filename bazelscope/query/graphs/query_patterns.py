"""The target patterns of a query, as the loader expands them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from bazelscope.analysis.names.short_names import of_name
from bazelscope.base.errors import Diagnostic, LabelError, Severity
from bazelscope.base.label import Label, PackageId, PatternKind, TargetPattern, parse_pattern
from bazelscope.base.nearest import did_you_mean, meaning, nearest
from bazelscope.base.source import Span
from bazelscope.bazel.release import Release
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.target_patterns import built
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Literal

_NO_PACKAGE = frozenset({"no-such-package", "no-targets"})
_NO_ANSWER = frozenset({"no-such-package", "no-such-target", "no-targets", "undeclared-target"})


Named = tuple[TargetPattern, Sequence[Label]]
"""A pattern and what it names."""


class Patterns:
    """Expands each pattern once."""

    def __init__(
        self,
        loader: Loader,
        settings: QuerySettings,
        diagnostics: list[Diagnostic],
        is_cquery: bool = False,
    ) -> None:
        """Of cquery, releases differ in whether a pattern that stands for nothing ends it even if
        it is to go on (what a recursive one lacks does not), and whether what is manual is analysed
        for a pattern of many targets."""
        self._loader = loader
        self._settings = settings
        self._diagnostics = diagnostics
        release = settings.release
        self._wants_every = is_cquery and release.cquery_wants_every_pattern
        leaves_manual = is_cquery and release.cquery_leaves_out_manual
        self._leaves_manual = leaves_manual and not settings.takes_manual
        takes_own_name = is_cquery or release.query_takes_own_name
        self._names = loader.table.pattern_names if takes_own_name else loader.table.typed_names
        self._known: dict[str, tuple[Label, ...]] = {}
        self._universe: Universe | None = None
        """What is known at all, once it has been opened."""
        self._opens_universe = False
        self.passed: set[PackageId] = set()
        """The packages in which targets were looked for."""
        self.opened: dict[PackageId, None] = {}
        """The packages of which a pattern wanted every target."""

    def expand(self, literal: Literal) -> tuple[Label, ...]:
        """The labels of a pattern. Raises `QueryError` for one that matches nothing, unless
        the question says to keep going."""
        return self.expand_text(literal.text, literal.span)

    def analysed(self, literal: Literal) -> Sequence[Label]:
        """The labels of a pattern that cquery analyses for it."""
        labels = self.expand(literal)
        pattern = self._parsed(literal.text) if self._leaves_manual else None
        return labels if pattern is None else built(self._loader, pattern, labels)

    def named(self, text: str, labels: Sequence[Label]) -> Iterator[Named]:
        """A pattern with its labels, as a command line of a build has it: what it excludes, too."""
        pattern = self._parsed(text)
        if pattern is not None:
            yield pattern, self._loader.expand(pattern).labels if pattern.excluded else labels

    def expand_text(self, text: str, span: Span | None = None) -> tuple[Label, ...]:
        """The labels of a pattern, which stands outside of the query if it has no `span`."""
        labels = self._known.get(text)
        if labels is None:
            labels = self._known[text] = self._look_up(text, span)
        return labels

    def open_universe(self, load: Callable[[list[Label]], Collection[Label]]) -> Collection[Label]:
        """Looks up the patterns of the universe, past which no other goes from then on; returns all
        that `load` says they come to."""
        texts = {self._parsed(text): text for text in self._settings.universe}
        universe = Universe(pattern for pattern in texts if pattern is not None)
        starts: list[Label] = []
        self._opens_universe = True
        for pattern in universe.patterns:
            text = texts[pattern]
            found = self.expand_text(text)
            known = tuple(label for label in found if universe.has(pattern, label))
            self.passed.update([label.package_id for label in found])
            self._known[text] = known
            starts += known
            # A package counts even if a recursive pattern takes no target of it.
            for id in self.packages_of(text):
                if universe.has(pattern, id):
                    universe.packages.add(id)
                else:
                    self.opened.pop(id, None)
        self._opens_universe = False
        loaded = load(starts)
        universe.packages.update([label.package_id for label in loaded])
        self._universe = universe
        return loaded

    def in_universe(self) -> Iterable[PackageId]:
        """The packages that the universe comes to."""
        return self._universe.packages if self._universe is not None else ()

    def packages_of(self, text: str) -> tuple[PackageId, ...]:
        """The packages that a pattern looks through."""
        pattern = self._parsed(text)
        if pattern is None:
            return ()
        id = pattern.label.package_id
        return tuple(self._loader.trees.packages_below(id)) if pattern.recursive else (id,)

    def _parsed(self, text: str) -> TargetPattern | None:
        try:
            return parse_pattern(text, self._settings.directory, self._names)
        except LabelError:
            return None

    def expanded(self) -> Iterator[Label]:
        """The labels of all patterns so far."""
        return chain.from_iterable(self._known.values())

    def _look_up(self, text: str, span: Span | None) -> tuple[Label, ...]:
        is_repository = text.startswith("@") and "//" not in text
        if is_repository and not self._settings.release.repository_as_pattern:
            message = f"couldn't find a package in the target pattern `{text}`"
            since = Release.repository_as_pattern.series
            written = f"write `{text}//:{text.lstrip('@')}`: `@repo` alone came with Bazel {since}"
            self._report(Diagnostic("invalid-label", message, span, hint=written))
            return ()
        try:
            pattern = parse_pattern(text, self._settings.directory, self._names)
        except LabelError as error:
            told = error.diagnostic
            self._report(Diagnostic(told.code, told.message, span, hint=told.hint))
            return ()
        if pattern.recursive and self._universe and not self._universe.looks_through(pattern.label):
            message = f"no targets found beneath '{pattern.label.package}'"
            where = "`--universe_scope` does not have all of that folder"
            self._report(Diagnostic("no-targets", message, span, hint=where))
            return ()
        expansion = self._loader.expand(pattern)
        if self._universe and not pattern.recursive:
            outside = {label.package_id for label in expansion.labels} - self._universe.packages
            if outside:
                absent = f"no such package '{outside.pop()}': BUILD file not found on package path"
                where = "`--universe_scope` does not come to it"
                self._report(Diagnostic("no-such-package", absent, span, hint=where))
                return ()
        if pattern.kind is not PatternKind.TARGET:
            # Of a repository that is not here no package is listed: its root stands for them.
            root = (pattern.label.package_id,) if not expansion.labels else ()
            self.opened.update(dict.fromkeys((*self.packages_of(text), *root)))
        for told in expansion.diagnostics:
            hint = told.hint or self._nearest_repository(pattern.label.repository)
            if hint is None and told.code in _NO_PACKAGE and not expansion.labels:
                hint = self._nearest_package(pattern)
            if hint is None and told.code == "no-such-target":
                hint = self._nearest_elsewhere(text, pattern.label)
            problem = replace(told, span=span, hint=hint)
            if told.code in _NO_ANSWER:
                self._report(problem, lacks_some=pattern.recursive and bool(expansion.labels))
            else:
                # What cannot be told is told, and counts as being there.
                self._diagnostics.append(replace(problem, severity=Severity.WARNING))
        return () if pattern.excluded else expansion.labels

    def _nearest_elsewhere(self, text: str, label: Label) -> str | None:
        """What a target that its package has not may mean: the package, or one of that name."""
        package = label.package
        if label.name != package.rpartition("/")[2]:
            package = label.path  # `a/b` is a target of the root, or a package.
        id = PackageId(label.repository, package)
        if ":" not in text and isinstance(self._loader.package(id), Package):
            return f"`{id}:all` stands for all targets of that package"
        return meaning(of_name(self._loader, label.name))

    def _nearest_repository(self, name: str) -> str | None:
        """What an undefined repository may be a slip of the pen for."""
        known = self._loader.table.definitions
        there = self._loader.table.get(name) if name else None
        if not name or name in known or (there and there.provenance is not Provenance.UNKNOWN):
            return None
        return did_you_mean(name, known, "`@{}`", most=2)

    def _nearest_package(self, pattern: TargetPattern) -> str | None:
        """What a package that is not there may be a slip of the pen for. Below a recursive
        pattern any folder with packages in it will do."""
        wanted = pattern.label.package_id
        known = {id.package for id in self._loader.trees.packages(wanted.repository)}
        if wanted.package in known:
            return None
        if pattern.recursive:
            known |= {"/".join(parts) for name in known for parts in _beginnings(name)}
        near = nearest(wanted.package, sorted(known - {""}), 2)
        end = "/..." if pattern.recursive else ""
        return meaning(f"{PackageId(wanted.repository, name)}{end}" for name in near)

    def _report(self, diagnostic: Diagnostic, lacks_some: bool = False) -> None:
        if self._opens_universe:
            # Bazel goes on past it, and past a folder without packages says nothing.
            if diagnostic.code != "no-targets":
                self._diagnostics.append(diagnostic)
            return
        if not self._settings.keep_going or (self._wants_every and not lacks_some):
            raise QueryError(diagnostic)
        self._diagnostics.append(diagnostic)


def _beginnings(package: str) -> list[list[str]]:
    """The folders that a package lies in, each as its parts."""
    parts = package.split("/")
    return [parts[:end] for end in range(1, len(parts))]


class Universe:
    """The patterns of a universe, and the packages that it comes to."""

    def __init__(self, patterns: Iterable[TargetPattern]) -> None:
        """What follows a pattern and begins with `-` takes folders from it, if they lie below;
        single targets and packages it leaves there."""
        given = list(patterns)
        self.packages: set[PackageId] = set()
        self.patterns: dict[TargetPattern, list[PackageId]] = {
            pattern: [
                late.label.package_id
                for late in given[index + 1 :]
                if late.excluded and late.recursive and _is_below(late.label, pattern.label)
            ]
            for index, pattern in enumerate(given)
            if not pattern.excluded
        }

    def has(self, pattern: TargetPattern, label: Label | PackageId) -> bool:
        """Whether the targets that one of the universe's patterns matches have `label`."""
        return not any(_is_below(label, folder) for folder in self.patterns[pattern])

    def looks_through(self, folder: Label) -> bool:
        """Whether every package below a folder is part of a pattern. Bazel:
        `TargetPattern.containsAllTransitiveSubdirectoriesForTBD`."""
        return any(
            pattern.recursive
            and _is_below(folder, pattern.label)
            and not any(_is_below(out, folder) or _is_below(folder, out) for out in excluded)
            for pattern, excluded in self.patterns.items()
        )


def _is_below(inner: Label | PackageId, outer: Label | PackageId) -> bool:
    """Whether a package is another, or lies below it."""
    if inner.repository != outer.repository:
        return False
    return not outer.package or f"{inner.package}/".startswith(f"{outer.package}/")
