"""What the rules about a workspace look at, each worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.refusals.kept_refusals import refusals_below
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.label import MAIN_ROOT, Label, parse_pattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.bazel.release import Release
from bazelscope.check.rc_files.rc_facts import RcFacts
from bazelscope.check.tree_texts import TreeTexts
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import NoSuchPackage, Provenance, Rule
from bazelscope.loading.target_patterns import is_manual
from bazelscope.loading.tree.workspace_files import ROOT_MARKERS
from bazelscope.questions.shared.built_targets import LineTargets, Named, which_are_built
from bazelscope.questions.shared.world import World

NOT_HERE = (Provenance.OVERLAY, Provenance.UNKNOWN)
"""Where the content of a repository that is not on this machine comes from."""
_EVERYTHING = parse_pattern("//...", MAIN_ROOT)


@dataclass(frozen=True)
class WorkspaceFacts:
    """A workspace under a command line, with the targets of this `line`; None for the whole."""

    world: World
    rc: RcFacts
    line: LineTargets | None

    @property
    def release(self) -> Release:
        return self.world.flags.release

    @cached_property
    def texts(self) -> TreeTexts:
        """The texts of the workspace that people and machines read besides Bazel."""
        return TreeTexts(self.world.loader.workspace)

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of all conditions."""
        return self.world.formulas()

    @cached_property
    def packages(self) -> tuple[Package, ...]:
        """The packages of the workspace that can be loaded, but for those of workspaces that lie
        inside of it and those whose BUILD file is made for a repository: their labels mean
        something there alone."""
        return tuple(package for package in self._loaded if isinstance(package, Package))

    @cached_property
    def unreadable(self) -> tuple[NoSuchPackage, ...]:
        """The packages of these folders whose BUILD file is there and cannot be read."""
        return tuple(package for package in self._loaded if isinstance(package, NoSuchPackage))

    @cached_property
    def _loaded(self) -> tuple[PackageResult, ...]:
        loader = self.world.loader
        ids = tuple(
            one
            for one in loader.trees.packages()
            if not self._is_of_another(one.package) and not self._is_overlay(one.package)
        )
        loader.prepare(ids)
        return tuple(loader.package(one) for one in ids)

    def _is_of_another(self, directory: str) -> bool:
        files = self.world.loader.workspace
        while directory:
            if any(files.is_file(f"{directory}/{name}") for name in ROOT_MARKERS):
                return True
            directory = directory.rpartition("/")[0]
        return False

    def _is_overlay(self, directory: str) -> bool:
        name = self.world.loader.workspace.listing(directory).build_file
        return f"{directory}/{name}" in self._overlays

    @cached_property
    def has_unread_repositories(self) -> bool:
        """Whether a repository that the workspace brings in is not on this machine."""
        table = self.world.loader.table
        return any(
            repository is None or repository.provenance in NOT_HERE
            for name, definition in table.definitions.items()
            if not definition.location.path.startswith("<")
            for repository in (table.get(name),)
        )

    @cached_property
    def _overlays(self) -> frozenset[str]:
        """The files of the workspace that repositories take as BUILD files, by an attribute such as
        `build_file` or `additional_build_files = {"//mlir:BUILD": "mlir/BUILD"}`."""
        table = self.world.loader.table
        own = ("", "@", "@@", f"@{table.workspace_name}")
        overlays: set[str] = set()
        for definition in table.definitions.values():
            for name, value in definition.attributes.items():
                files = value if isinstance(value, Mapping) else (value,)
                for text in map(str, files) if "build_file" in name else ():
                    repository, _, path = text.partition("//")
                    if repository in own:
                        overlays.add(path.replace(":", "/"))
        return frozenset(overlays)

    @cached_property
    def built(self) -> tuple[Label, ...]:
        """What the line builds: its targets, or every rule that is not `manual`; none that its
        filters leave out."""
        if self.line is not None:
            return self.line.labels
        everything = [rule.label for rule in self.rules() if not is_manual(rule)]
        return which_are_built(self.world, [Named(_EVERYTHING, everything)]).labels

    @cached_property
    def refused(self) -> tuple[Refusal, ...]:
        """What Bazel refuses of what is built, and of all below it."""
        return refusals_below(self.world.configured, self.built)

    def rules(self) -> Iterator[Rule]:
        """Every rule of the workspace's own packages."""
        for package in self.packages:
            for name in package.targets:
                if package.targets.is_rule(name):
                    target = package.targets[name]
                    assert isinstance(target, Rule)
                    yield target

    @cached_property
    def uses(self) -> dict[Label, list[Label]]:
        """By condition, the targets of the workspace whose select()s name it."""
        graph = self.world.graph
        users: dict[Label, list[Label]] = {}
        for package in self.packages:
            for name in package.targets:
                label = Label(package.id.repository, package.id.package, name)
                seen: set[Label] = set()
                for keys in graph.select_keys(label):
                    for text in keys:
                        condition = decode_label(text)
                        if condition != DEFAULT_CONDITION and condition not in seen:
                            seen.add(condition)
                            users.setdefault(condition, []).append(label)
        return users

    @cached_property
    def used_conditions(self) -> frozenset[Label]:
        """The conditions that select()s of the workspace name, and what these stand for."""
        conditions = dict.fromkeys(self.uses)
        for condition in tuple(conditions):
            actual = follow_aliases(self.world.graph.source, condition)
            if not isinstance(actual, Unknown):
                conditions[actual] = None
        return frozenset(conditions)

    def read(self, path: str) -> SourceFile | None:
        """The text behind a path that users see."""
        rc_file = self.rc.rc_files.sources.get(path)
        return rc_file or self.world.loader.read_source(path)

    def globals_of(self, path: str) -> Mapping[str, object]:
        """What a `.bzl` file of the workspace defines; nothing where it cannot be loaded."""
        label = self._label_of(path)
        module = self.world.loader.module(label) if label is not None else None
        return {} if module is None or isinstance(module, Unknown) else module.globals

    def _label_of(self, path: str) -> Label | None:
        """The label of a file of the workspace; None where no package has it."""
        directory, _, name = path.rpartition("/")
        while self.world.loader.workspace.listing(directory).build_file is None:
            if not directory:
                return None
            directory, _, last = directory.rpartition("/")
            name = f"{last}/{name}"
        return Label("", directory, name)

    def span(self, place: Location | None) -> Span | None:
        """A place as a span: up to the end of its line, where that can be read."""
        if place is None:
            return None
        source = self.read(place.path)
        end = len(source.line(place.line)) + 1 if source is not None else place.column + 1
        return Span(place.path, place.line, place.column, place.line, max(end, place.column + 1))
