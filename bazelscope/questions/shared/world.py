"""What questions about packages are answered from: the loader under one command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.alias_dependencies import NAMING_OPTIONS
from bazelscope.analysis.configuration import given_settings, platform_mappings
from bazelscope.analysis.configuration.platform_mappings import PlatformMappings
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.value_forms import of_configurations
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.rc_search import RcFiles
from bazelscope.kept.pack import checksum
from bazelscope.loading.packages.targets import Rule

if TYPE_CHECKING:
    from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
    from bazelscope.analysis.conditions.formula_variables import Atoms
    from bazelscope.analysis.conditions.formulas import Formulas
    from bazelscope.analysis.conditions.matcher import Conditions
    from bazelscope.analysis.configuration.configuration import Configuration
    from bazelscope.analysis.configuration.platform_flags import PlatformFlags
    from bazelscope.analysis.graph.configured_graph import CheckGenquery, ConfiguredGraph
    from bazelscope.analysis.paths.edges_of_flags import Closures
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.loading.loader import Loader
    from bazelscope.questions.shared.needs import ConfigIndex
    from bazelscope.questions.shared.select_answers import IncompatibleAnswer


_OF_CONFIGS = ("flags", "analysis", "questions")
"""The packages of bazelscope that say which configs set what."""
ResolveWords = Callable[[tuple[str, ...]], ResolvedFlags]
"""The flags of another command line in the same workspace."""


def with_settings(
    loader: Loader, flags: ResolvedFlags
) -> tuple[ResolvedFlags, tuple[Diagnostic, ...]]:
    """Flags whose build settings are known by label, and what Bazel refuses of them."""
    names = typed_names(loader, flags.starlark_flags)
    says_names = any(text.startswith("@") for text in flags.starlark_flags)
    if says_names and not names and flags.release.one_flag_in_any_spelling:
        names = loader.table.repo_mapping("")  # It has the name of the workspace.
    return given_settings.with_settings(loader, flags, names)


def typed_names(loader: Loader, starlark_flags: Iterable[str]) -> Mapping[str, str]:
    """The names of repositories that a command line says, if one of these labels has any."""
    has_names = any(label.startswith("@") for label in starlark_flags)
    return loader.table.typed_names if has_names else {}


class TypedNames(Mapping[str, str]):
    """The names of repositories that values of options say, typed or made by a transition: they
    are looked for when one does."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getitem__(self, name: str) -> str:
        return self._loader.table.typed_names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loader.table.typed_names)

    def __len__(self) -> int:
        return len(self._loader.table.typed_names)


@dataclass(frozen=True)
class World:
    """A loader, and the flags under which its targets are looked at.

    `words` are those of the command line, `resolve_words` gives the flags of another one; `like`
    is a world with a loader beside this one's: other flags, the same packages.
    """

    loader: Loader
    flags: ResolvedFlags
    rc_files: RcFiles
    catalog: Catalog
    words: tuple[str, ...]
    resolve_words: ResolveWords
    like: World | None = None
    setting_errors: tuple[Diagnostic, ...] = ()
    """What Bazel refuses of build settings that are set by label."""
    check_genquery: CheckGenquery | None = None
    """Says what is wrong with the question of a rule."""
    directory: PackageId = MAIN_ROOT
    """The package of the directory that the command line stands in."""

    @cached_property
    def configuration(self) -> Configuration:
        """The top-level configuration of the command line."""
        return self.configure(self.flags)

    def configure(self, flags: ResolvedFlags) -> Configuration:
        """The top-level configuration of other flags in the same workspace."""
        from bazelscope.analysis.configuration.configuration import Configuration

        if flags.settings is None:
            flags = with_settings(self.loader, flags)[0]
        configuration = Configuration.of(flags, self.catalog, TypedNames(self.loader))
        return platform_mappings.apply(configuration, self.mappings_of(configuration))

    def mappings_of(self, configuration: Configuration) -> PlatformMappings:
        """The `platform_mappings` file that a configuration names; empty if it is not there."""
        path = configuration.value("platform_mappings").value or platform_mappings.DEFAULT_PATH
        known = configuration.definition("platform_mappings") is not None
        mappings = platform_mappings.NO_MAPPINGS
        files = self.loader.workspace
        # A default file that is a link out of the workspace is told as one that is not read.
        left_out = path == platform_mappings.DEFAULT_PATH and files.leads_out(path)
        if known and files.is_file(path) and not left_out:
            mappings = platform_mappings.parse(files.read(path))
        if not self.flags.release.platform_flags:
            return mappings
        return replace(mappings, own_flags=self._platform_flags)

    @cached_property
    def _platform_flags(self) -> PlatformFlags:
        from bazelscope.analysis.configuration.platform_flags import PlatformFlags

        return PlatformFlags(self.loader, lambda name: self.loader.table.repo_mapping(name))

    @cached_property
    def graph(self) -> TargetGraph:
        """The graph of every branch. Who may see a target is no dependency here."""
        like = self.like.graph if self.like is not None else None
        return TargetGraph(
            self.loader, self.flags.bazel_version, visibility=False, like=like, keeper=self.loader
        )

    @cached_property
    def configured(self) -> ConfiguredGraph:
        """The graph of the chosen branches."""
        from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
        from bazelscope.analysis.rules.feature_flags import with_feature_flags

        mappings = self.mappings_of(self.configuration)
        graph = with_feature_flags(ConfiguredGraph(self.graph, self.configuration, mappings))
        graph.check_genquery = self.check_genquery
        return graph

    @cached_property
    def conditions(self) -> Conditions:
        """Decides conditions under the command line's configuration."""
        return self.configured.conditions()

    def conditions_under(self, configuration: Configuration) -> Conditions:
        """Decides conditions under another configuration, with the packages of this line."""
        from bazelscope.analysis.conditions.matcher import Conditions

        provided = self.configured.nodes.provided_value
        return Conditions(self.loader, configuration, provided)

    @property
    def assumed(self) -> tuple[Unknown, ...]:
        """What was taken for granted of the machine, where conditions asked for it."""
        return self.configured.nodes.assumed() if "configured" in self.__dict__ else ()

    def refusals_below(
        self, labels: Sequence[Label], named: Sequence[Label] | None = None
    ) -> tuple[Refusal, ...]:
        """What Bazel refuses of `labels` and of all that they come to under the flags. Of those
        that are not `named` by their labels (None: all are), it leaves incompatible ones out in
        silence."""
        if self.refused_line:
            return self.refused_line
        from bazelscope.analysis.refusals.kept_refusals import refusals_below
        from bazelscope.analysis.refusals.of_compatibility import refusals_of_platforms

        refusals = (*self.refused_files, *refusals_below(self.configured, labels))
        return refusals or refusals_of_platforms(
            self.configured, labels if named is None else named
        )

    def refusals_where(
        self, configured: bool, built: Sequence[Label], told: Iterable[Label]
    ) -> tuple[Refusal, ...]:
        """What Bazel refuses of what is `built` under the flags, with all that this comes to; where
        none are given, what it refuses of the targets that are `told`, under any."""
        return self.refusals_below(built) if configured else self.refusals_of_loading(told)

    def refusals_of(self, nodes: Iterable[ConfiguredNode]) -> tuple[Refusal, ...]:
        """What Bazel refuses of configured targets themselves, whatever they depend on."""
        if self.refused_line:
            return self.refused_line
        from bazelscope.analysis.refusals.kept_refusals import refusals_of

        return (*self.refused_files, *refusals_of(self.configured, nodes))

    def refusals_of_packages(self, ids: Iterable[PackageId]) -> tuple[Refusal, ...]:
        """What Bazel refuses of packages that patterns of many targets look into."""
        if self.refused_line:
            return ()
        from bazelscope.analysis.refusals.of_loading import refusals_of_packages

        return tuple(refusals_of_packages(self.loader, ids))

    def refusals_of_loading(self, labels: Iterable[Label]) -> tuple[Refusal, ...]:
        """What Bazel refuses of `labels` under any flags."""
        if self.refused_line:
            return self.refused_line
        from bazelscope.analysis.refusals.of_loading import refusals_of_tops

        return (*self.refused_files, *refusals_of_tops(self.loader, labels))

    @cached_property
    def refused_line(self) -> tuple[Refusal, ...]:
        """What is wrong with the command line, which Bazel reads before any file of a target."""
        from bazelscope.analysis.refusals.of_loading import refusals_of_line

        return tuple(refusals_of_line((*self.flags.diagnostics, *self.errors_of_configuration)))

    @cached_property
    def errors_of_configuration(self) -> tuple[Diagnostic, ...]:
        """What Bazel would refuse where it makes a configuration of the flags; a query makes
        none."""
        given = self.flags.values.keys()
        if self.flags.command == "query":
            return self.setting_errors
        problems = [*self.setting_errors]
        if not of_configurations().isdisjoint(given):
            from bazelscope.analysis.configuration.invalid_options import problems_of_options

            files = self.loader.workspace
            problems += problems_of_options(self.configuration, files.is_file, str(files.root))
        if "platforms" in given and self.flags.release.platform_flags:
            from bazelscope.analysis.configuration.platform_flags import unknown_options

            problems += unknown_options(self._platform_flags, self.configuration)
        default = platform_mappings.DEFAULT_PATH
        if "platform_mappings" in given or self.loader.workspace.is_file(default):
            problems += self.mappings_of(self.configuration).diagnostics
        return tuple(problems)

    @cached_property
    def refused_files(self) -> tuple[Refusal, ...]:
        """What is wrong with WORKSPACE and MODULE.bazel."""
        from bazelscope.analysis.refusals.of_loading import refusals_of_files

        return tuple(refusals_of_files(self.loader.table.diagnostics))

    def incompatible(self, label: Label) -> IncompatibleAnswer | None:
        """Why a target cannot be built under the flags; None if it can."""
        from bazelscope.analysis.graph.compatibility import why_incompatible
        from bazelscope.questions.shared.described_selects import describe_incompatible

        cause = why_incompatible(self.configured, self.configured.top(label))
        target = self.configured.target(cause.chain[-1]) if cause is not None else None
        return describe_incompatible(cause, target.location if isinstance(target, Rule) else None)

    def label_of(self, text: str, targets: Sequence[Label] = ()) -> Label | None:
        """The label that `text` is, seen from the first of `targets` or the workspace's root;
        None where it is none."""
        base = targets[0].package_id if targets and text.startswith(":") else MAIN_ROOT
        try:
            return parse_label(text, base, self.loader.table.repo_mapping(""))
        except LabelError:
            return None

    def formulas(self, atoms: Atoms | None = None) -> Formulas:
        """Makes formulas of conditions in these packages, with variables of others if given."""
        from bazelscope.analysis.conditions.formula_variables import Atoms
        from bazelscope.analysis.conditions.formulas import Formulas

        mappings = self.mappings_of(self.configuration)
        return Formulas(
            self.conditions, atoms or Atoms(), self.label_values, mappings, self.option_values
        )

    def label_values(self, flag: Label) -> tuple[str, ...]:
        """What named configs set a label flag to."""
        return self.configs.values_of_setting(flag)

    def option_values(self, name: str) -> tuple[str, ...]:
        """What named configs set an option to."""
        return tuple(dict.fromkeys(value for _, value in self.configs.setters(name)))

    def named_targets(self) -> tuple[object, ...]:
        """What named configs give to the flags that name targets: label flags among the build
        settings, and options."""
        return (self.configs.settings(), *map(self.option_values, NAMING_OPTIONS))

    def packages_aside(self, *starts: Label) -> frozenset[PackageId]:
        """The packages that are below `starts` for other values of flags alone which name
        targets, such as another C++ toolchain."""
        return frozenset().union(*(self.closures(start).packages_aside() for start in starts))

    @memoized
    def closures(self, start: Label) -> Closures:
        """Everything below `start`, behind edges that flags name, too."""
        from bazelscope.analysis.paths.edges_of_flags import Closures

        return Closures(self.graph, self.formulas(), self.graph.arrivals(start))

    @cached_property
    def configs(self) -> ConfigIndex:
        """Which named config sets what."""
        from bazelscope.flags.config_effects import ConfigEffects
        from bazelscope.questions.shared.needs import ConfigIndex

        rc, command = self.rc_files, self.flags.command
        words = [
            (section, chunk.file, [word.text for word in chunk.words])
            for section, chunks in rc.sections.items()
            for chunk in chunks
        ]
        texts = [(path, source.text) for path, source in rc.sources.items()]
        digest = checksum(repr((words, texts)).encode("utf-8", "surrogatepass")).hex()
        effects = ConfigEffects(rc, self.catalog, command)
        return ConfigIndex(
            effects, self.loader.parts.results.of("configs", *_OF_CONFIGS), (command, digest)
        )
