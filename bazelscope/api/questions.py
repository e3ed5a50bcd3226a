"""A workspace under a Bazel command line, and the questions about its targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from bazelscope.api.check_questions import CheckQuestions
from bazelscope.api.within_limits import within_limits

if TYPE_CHECKING:
    import networkx

    from bazelscope.base.label import Label
    from bazelscope.query.language.environment import QuerySettings
    from bazelscope.query.query_answer import QueryAnswer
    from bazelscope.query.query_options import QueryOptions
    from bazelscope.questions.affected.answer import AffectedAnswer
    from bazelscope.questions.compile.answer import CompileAnswer
    from bazelscope.questions.deps.answer import DependenciesAnswer
    from bazelscope.questions.diff.answer import DifferenceAnswer
    from bazelscope.questions.diff.find import Side
    from bazelscope.questions.effects.answer import EffectsAnswer
    from bazelscope.questions.explain.answer import Explanation
    from bazelscope.questions.graph.answer import GraphAnswer
    from bazelscope.questions.mod.answer import ModulesAnswer
    from bazelscope.questions.page.answer import PageAnswer
    from bazelscope.questions.page.model import PageModel
    from bazelscope.questions.path.answer import PathAnswer, PathsAnswer
    from bazelscope.questions.repos.answer import RepositoriesAnswer
    from bazelscope.questions.select.answer import SelectsAnswer
    from bazelscope.questions.settings.answer import SettingsAnswer
    from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
    from bazelscope.questions.shared.endpoint_answers import NameAnswer
    from bazelscope.questions.shared.sections import Section
    from bazelscope.questions.when.answer import RepositoryConditionsAnswer, WhenAnswer
    from bazelscope.questions.why.answer import WhyAnswer

_T = TypeVar("_T")


class ConfiguredWorkspace(CheckQuestions):
    """A workspace under one Bazel command line: what questions are put to.

    Get one from `Workspace.configure` or `Workspace.configure_line`.
    """

    @within_limits
    def explain(
        self, sections: Iterable[Section] | None = None, *, flags_only: bool = False
    ) -> Explanation:
        """What the command line amounts to: all of it, or the `sections` of it.

        Without targets among the words, the conditions of the whole workspace. Packages are
        loaded only for sections that are about targets, and never if `flags_only`.
        """
        from bazelscope.questions.explain.find import explain_build, explain_flags
        from bazelscope.questions.shared.sections import EVERY_SECTION, OF_FLAGS, Section

        wanted = EVERY_SECTION if sections is None else frozenset(sections)
        effects = self.compiler_effects() if Section.LINE in wanted else ()
        texts = self.target_patterns
        needs_packages = wanted - OF_FLAGS or (Section.LINE in wanted and texts)
        if flags_only or texts is None or not needs_packages:
            return explain_flags(self.envelope_of_flags, self.flags, wanted & OF_FLAGS, effects)
        if effects:
            effects = self._effects_of_own_toolchain()
        return explain_build(
            self.envelope_of_all, self.world, texts, self.directory_package, wanted, effects
        )

    @within_limits
    def why(self, name: str) -> WhyAnswer:
        """The whole chain of causes of what `explain` says of `name`: a flag, a `--define`,
        a config, a condition, an attribute, a dependency, a repository (`@name`), an rc
        file, or a line of the text answer. Without such a fact, the nearest names."""
        from bazelscope.questions.why.find import why_of_build, why_of_flags

        texts = self.target_patterns
        if not texts and not name.lstrip().startswith(("@", "//")):
            of_flags = why_of_flags(
                self.envelope_of_flags,
                name,
                self.flags,
                self.rc_files,
                self.workspace.catalog,
                None if texts is None else lambda: self.loader,
            )
            # A misspelt flag has its nearest ones; another word may be in the workspace's files.
            is_flag = name.lstrip().startswith("-") and of_flags.suggestions
            if of_flags.facts or is_flag or texts is None:
                return of_flags
        return why_of_build(
            self.envelope_of_all, name, self.world, texts or (), self.directory_package
        )

    @within_limits
    def path(
        self,
        source: str,
        target: str,
        *,
        configured: bool | None = None,
        avoid: Sequence[str] = (),
        via: Sequence[str] = (),
        through: Sequence[str] = (),
    ) -> PathAnswer:
        """Why `source` depends on `target`: labels, or names as people say them.

        `configured` counts only the branches that the flags choose; by default so if the
        command line has a flag that targets are built under. `avoid` are targets and
        patterns that the path may not come by, `via` targets that it must come by in this
        order, `through` the attributes that its edges may take (none: all).
        """
        from bazelscope.questions.path.answer import ANY_ROUTE
        from bazelscope.questions.path.find import PathQuestion, find_path
        from bazelscope.questions.shared.endpoint_answers import PathOutcome

        chosen = self._counts_chosen(configured)
        asked = PathQuestion((source, target), chosen, tuple(avoid), tuple(via), tuple(through))
        answer = find_path(self.world, self.envelope, asked)
        if answer.outcome is not PathOutcome.NO_PATH or answer.route != ANY_ROUTE:
            return answer
        return replace(answer, resolved_path=self._resolved_path(answer.source, answer.target))

    @within_limits
    def paths(
        self,
        source: str,
        target: str,
        *,
        most: int = 10,
        configured: bool | None = None,
        avoid: Sequence[str] = (),
        via: Sequence[str] = (),
        through: Sequence[str] = (),
    ) -> PathsAnswer:
        """Every path from `source` to `target`, shortest first, at most `most` of them;
        without flags, only those that some flags make. The rest is as for `path`."""
        from bazelscope.questions.path.find import PathQuestion, list_paths

        chosen = self._counts_chosen(configured)
        asked = PathQuestion((source, target), chosen, tuple(avoid), tuple(via), tuple(through))
        return list_paths(self.world, self.envelope, asked, most)

    def _counts_chosen(self, configured: bool | None) -> bool:
        """Whether only the branches count that the flags choose: as asked for, or by default if the
        line has a flag that targets are built under."""
        return self.has_build_flags if configured is None else configured

    @within_limits
    def when(
        self, source: str, target: str | None = None, *, most_loads: int | None = None
    ) -> WhenAnswer:
        """Under which flags `source` depends on `target`, over all paths; without a target,
        under which it can be built. Flags of the command line are taken as they are, all others
        are free; what rc files set is only told as what holds now. It holds for the packages that
        configs of the rc files load, too: at most `most_loads` sets (None: all)."""
        from bazelscope.questions.when.find import when_built, when_needed

        load = self._loaded_sets(most_loads)
        if target is None:
            return when_built(self.world, self.envelope, source, load)
        answer = when_needed(self.world, self.envelope, (source, target), load)
        if answer.has_chain or not answer.is_negative:
            return answer
        return replace(answer, resolved_path=self._resolved_path(answer.source, answer.target))

    @within_limits
    def when_repositories(
        self, source: str, *, most_loads: int | None = None
    ) -> RepositoryConditionsAnswer:
        """Under which flags `source` depends on each external repository, as `when` says it."""
        from bazelscope.questions.when.find import when_repositories

        return when_repositories(self.world, self.envelope, source, self._loaded_sets(most_loads))

    def _loaded_sets(self, most: int | None) -> Callable[[], LoadedSets]:
        """What loads the packages that configs lead to, at most so many sets (None: all)."""
        from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets

        return lambda: LoadedSets(self.workspace.host, self._beside, self._options, most, self)

    @property
    def _options(self) -> tuple[str, ...]:
        """The words of the line that name no target."""
        names = set(self.names)
        return tuple(word for word in self.line.words if word not in names)

    @within_limits
    def effects(self, name: str, target: str | None = None) -> EffectsAnswer:
        """What turns on `name`, a flag, config, define, variable or setting: which conditions
        look at it, in which select()s, which repository rules read it, and, below `target`,
        which targets each of its values brings and takes. Without a target, in the workspace."""
        from bazelscope.questions.effects.find import what_turns_on

        def with_words(words: tuple[str, ...]) -> ConfiguredWorkspace:
            return self._beside(self.workspace.host, (*self._options, *words))

        return what_turns_on(self.world, self.envelope, name, target, self, with_words)

    @within_limits
    def graph(self, *targets: str, configured: bool | None = None) -> networkx.MultiDiGraph[str]:
        """Everything that `targets` depend on (by default: those of the command line) as a
        networkx graph, under the flags or, without flags, through every branch.

        Nodes are named by their labels. `explain.networks.NodeAttributes` and
        `EdgeAttributes` say what nodes and edges hold. Raises `UsageError` for a name that
        is no target.
        """
        from bazelscope.questions.graph.networkx_graph import to_network

        labels = [self._label(text) for text in targets or self.target_patterns or ()]
        return to_network(self.world, labels, self._counts_chosen(configured))

    @within_limits
    def graph_between(
        self,
        source: str,
        target: str | None = None,
        *,
        configured: bool | None = None,
        max_nodes: int = 60,
        levels: int | None = None,
        collapse: str | None = None,
    ) -> GraphAnswer:
        """What lies between two targets, or below one; at most `max_nodes` nodes, no further
        from `source` than `levels`. `collapse` is `package` or `repository`: these are the
        nodes then, as they are by themselves where targets are more than `max_nodes`, unless it is
        `nothing`. Raises `ValueError` for another."""
        from bazelscope.questions.graph.answer import Collapse
        from bazelscope.questions.graph.find import GraphQuestion, graph_between

        chosen = self._counts_chosen(configured)
        word = "target" if collapse == "nothing" else collapse
        grouping = Collapse(word) if word is not None else None
        asked = GraphQuestion(source, target, chosen, max_nodes, levels, grouping)
        return graph_between(self.world, self.envelope, asked)

    @within_limits
    def select(self, target: str) -> SelectsAnswer:
        """Which branch each select() of `target` (or of `target.attribute`) takes, why, and
        what would take each other one."""
        from bazelscope.questions.select.find import why_selects

        return why_selects(self.world, self.envelope, target)

    @within_limits
    def compile(
        self, target: str, source: str | None = None, *, word: str | None = None
    ) -> CompileAnswer:
        """What the compiler and the linker get for `target`, or for one `source` of it, word by
        word: who put each there, and what it does to earlier ones. With `word`, only that one."""
        from bazelscope.questions.compile.find import what_is_compiled

        return what_is_compiled(self.world, self.envelope, target, self.environment, source, word)

    @within_limits
    def compile_commands(self, target: str) -> str:
        """The text of a `compile_commands.json` for `target` and the C++ rules below it, with paths
        relative to the workspace. Raises `UsageError` for a name that is no target."""
        from bazelscope.questions.compile.commands import compile_commands

        root = str(self.workspace.root)
        return compile_commands(self.world, self._label(target), self.environment, root)

    @within_limits
    def settings(self, pattern: str | None = None) -> SettingsAnswer:
        """Every config_setting of the workspace, or those that `pattern` is about."""
        from bazelscope.questions.settings.find import why_settings

        return why_settings(self.world, self.envelope, pattern, self.directory_package)

    @within_limits
    def deps(
        self,
        target: str,
        *,
        configured: bool | None = None,
        levels: int | None = None,
        tree: bool = False,
    ) -> DependenciesAnswer:
        """What `target` depends on; what is further away than `levels` is counted only. `tree`:
        as a tree, too."""
        from bazelscope.questions.deps.find import depends_on
        from bazelscope.questions.deps.find_tree import with_tree

        chosen = self._counts_chosen(configured)
        answer = depends_on(self.world, self.envelope, target, chosen, levels)
        return with_tree(self.world, answer, levels) if tree else answer

    @within_limits
    def rdeps(
        self,
        target: str,
        within: str | None = None,
        *,
        configured: bool | None = None,
        levels: int | None = None,
        tree: bool = False,
    ) -> DependenciesAnswer:
        """What depends on `target`, of what `within` depends on (by default: everything in
        the workspace). `tree`: as a tree, too."""
        from bazelscope.questions.deps.find import dependents_of
        from bazelscope.questions.deps.find_tree import with_tree

        chosen = self._counts_chosen(configured)
        answer = dependents_of(self.world, self.envelope, target, within, chosen, levels)
        return with_tree(self.world, answer, levels) if tree else answer

    @within_limits
    def differences(self, before: ConfiguredWorkspace) -> DifferenceAnswer:
        """What this command line changes, compared with `before`: options, and for the targets
        among its words conditions, branches, dependencies and repositories."""
        from bazelscope.questions.diff.find import what_differs

        if self.names:
            self.load_like(before)
        envelope = replace(
            self.envelope,
            undefined_configs=_both(before.undefined_configs, self.undefined_configs),
            line_diagnostics=_both(before.errors, self.errors),
        )
        return what_differs(envelope, before.side, self.side, self.names)

    @property
    def side(self) -> Side:
        """This command line as one of two to compare."""
        from bazelscope.questions.diff.find import Side

        return Side(self.world, self._options, self.environment)

    @within_limits
    def page(
        self,
        against: Sequence[str] | None = None,
        *,
        hosts: Sequence[str] = (),
        most_loads: int = 4,
    ) -> tuple[PageAnswer, PageModel | None]:
        """Everything that the explorer page shows of the targets of the command line and all
        below them; `bazelscope.questions.page.packing` and `bazelscope.render.page` make a file
        of it. The page compares the line with the options `against`; flags can be turned as on
        any of `hosts`. `most_loads` sets of packages are loaded. None: a name is no target."""
        from bazelscope.questions.page.find import PageQuestion, make_page

        words = self._options
        beside = None if against is None else tuple(against)
        all_hosts = tuple(dict.fromkeys((self.workspace.host, *hosts)))
        asked = PageQuestion(self.names, words, beside, all_hosts, most_loads)
        given = self._beside(self.workspace.host, words)
        return make_page(given, self._beside, self.envelope, asked, self.configs().configs)

    def _beside(self, host: str, words: tuple[str, ...]) -> ConfiguredWorkspace:
        """Another line of the same workspace, which shares its packages where it can."""
        from bazelscope.flags.commandline import CommandLine

        line = CommandLine(self.line.command, words, self.line.startup)
        workspace = self.workspace.on_host(host)
        other = ConfiguredWorkspace(workspace, replace(line, environment=self.line.environment))
        if host == self.workspace.host:
            other.rc_files = self.rc_files
        if "loader" in self.__dict__ or host == self.workspace.host:
            other.load_like(self)
        return other

    @within_limits
    def repos(
        self, name: str | None = None, target: str | None = None, *, configured: bool | None = None
    ) -> RepositoriesAnswer:
        """Every external repository, or the one called `name`: what defines it, what that
        shadows, where its content is found; with a `target`, whether that depends on it.
        A name that nothing defines is an answer with a `problem`."""
        from bazelscope.questions.repos.find import describe_repositories

        chosen = self._counts_chosen(configured)
        return describe_repositories(self.world, self.envelope, name, target, chosen)

    @within_limits
    def mod(self, subcommand: str, *names: str) -> ModulesAnswer:
        """What `bazel mod SUBCOMMAND NAMES` shows of the module graph: `graph`, `deps`, `path`,
        `all_paths`, `explain`, `show_repo`, `show_extension` or `dump_repo_mapping`.

        Options such as `--depth=1` are words of a command line that was configured with
        `command="mod"`. A name that means nothing is an answer with a `problem`.
        """
        from bazelscope.questions.mod.find import describe_modules
        from bazelscope.questions.mod.options import ModOptions

        options = ModOptions.of(subcommand, self.flags.values, self.workspace.release)
        return describe_modules(self.world, self.envelope_of_flags, subcommand, names, options)

    def affected(
        self, since: str = "HEAD", until: str = ":worktree", *, tests: bool = False
    ) -> AffectedAnswer:
        """The targets whose configured inputs differ between two states of the git repository
        that the workspace is in: revisions, `:index`, `:worktree`; of those that the line
        names, by default of all. `tests`: of the tests alone. Needs pygit2. Raises `UsageError`
        where there is no repository or no such revision."""
        return self.affected_and_line(since, until, tests=tests)[0]

    @within_limits
    def affected_and_line(
        self,
        since: str = "HEAD",
        until: str = ":worktree",
        *,
        tests: bool = False,
        causes: bool = True,
    ) -> tuple[AffectedAnswer, ConfiguredWorkspace]:
        """Answers `affected`, and returns this line in the state `until`, too. Without `causes` it
        is faster."""
        from bazelscope.api.affected_question import affected

        return affected(self, since, until, tests, causes)

    @within_limits
    def query(self, expression: str) -> QueryAnswer:
        """The targets that `bazel query` would list for `expression`, in its order.

        Options such as `--noimplicit_deps` are words of a command line that was configured
        with `command="query"`. Raises `QueryError` for what Bazel would refuse.
        """
        from bazelscope.query.query_answer import answer, query

        options, settings = self._query_options()
        result = query(self.world, expression, settings, options.order())
        return answer(self.world, self.envelope_of_flags, expression, result)

    @within_limits
    def cquery(self, expression: str) -> QueryAnswer:
        """The configured targets that `bazel cquery` would list for `expression` under the
        flags. Raises `QueryError`."""
        from bazelscope.query.query_answer import answer, cquery

        _, settings = self._query_options()
        result = cquery(self.world, expression, settings)
        return answer(self.world, self.envelope_of_flags, expression, result)

    def _resolved_path(self, source: NameAnswer, target: NameAnswer | None) -> tuple[Label, ...]:
        from bazelscope.query.query_answer import resolved_path

        if source.label is None or target is None or target.label is None:
            return ()
        return resolved_path(self.world, source.label, target.label, self._query_options()[1])

    def _query_options(self) -> tuple[QueryOptions, QuerySettings]:
        """The options of queries that the line has, and what they make of the graph."""
        from bazelscope.query.query_options import QueryOptions

        options = QueryOptions(self.flags.values)
        return options, options.settings(self.workspace.version[0], self.directory_package)


def _both(before: tuple[_T, ...], after: tuple[_T, ...]) -> tuple[_T, ...]:
    """What two command lines have, each once."""
    return tuple(dict.fromkeys((*before, *after)))
