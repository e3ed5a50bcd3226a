"""The Python API: open a workspace, give it a Bazel command line, ask.

    workspace = Workspace.open("tensorflow")
    build = workspace.configure(["--config=mkl"])
    answer = build.path("build_pip_package", "mkl_dnn")

Every answer is a frozen value of `bazelscope.explain`; `bazelscope.render` words it.
Importing this module is cheap: each question imports what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx

    from bazelscope.errors import UsageError
    from bazelscope.explain.causes import WhyAnswer
    from bazelscope.explain.configs import UndefinedConfig
    from bazelscope.explain.dependency_answers import DependenciesAnswer
    from bazelscope.explain.explanation import Explanation, Setup
    from bazelscope.explain.flag_answers import ConfigsAnswer, FlagAnswer
    from bazelscope.explain.path_answers import GraphAnswer, PathAnswer, PathsAnswer
    from bazelscope.explain.paths import PathQuestion
    from bazelscope.explain.queries import QueryAnswer
    from bazelscope.explain.repository_answers import RepositoriesAnswer
    from bazelscope.explain.sections import Section
    from bazelscope.explain.select_answers import SelectsAnswer, SettingsAnswer
    from bazelscope.explain.world import World
    from bazelscope.flags import Catalog, FlagRequest, RcFiles, ResolvedFlags
    from bazelscope.flags.commandline import CommandLine
    from bazelscope.flags.files import DiskFiles
    from bazelscope.flags.startup import StartupOptions
    from bazelscope.label import Label, PackageId
    from bazelscope.loading.loader import Loader
    from bazelscope.loading.workspace import Workspace as Files
    from bazelscope.source import SourceFile

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is through, and of how much (0: not known)."""

_LARGEST_SCRIPT = 1 << 20
_SYSTEM_RC_FOLDER = "/etc"

_COMMANDS_WITH_TARGETS = frozenset(
    {"build", "coverage", "mobile-install", "print_action", "run", "test"}
)
"""Commands whose words are target patterns; those of queries are expressions."""

_MODULES_ONLY = (8,)
"""From this version on, Bazel reads no WORKSPACE file unless a flag says so."""


class Workspace:
    """A Bazel workspace on disk. Get one from `open`."""

    def __init__(
        self,
        files: Files,
        directory: Path,
        bazel_version: str | None,
        host: str,
        environment: Mapping[str, str],
        cache_dir: Path | None,
        progress: Progress | None,
    ) -> None:
        self.files = files
        self.directory = directory
        self.host = host
        self.environment = environment
        self.cache_dir = cache_dir
        self.progress = progress
        self._given_version = bazel_version
        self.rc_sources: dict[str, SourceFile] = {}

    @classmethod
    def open(
        cls,
        path: Path | str = ".",
        *,
        bazel_version: str | None = None,
        host: str | None = None,
        environment: Mapping[str, str] | None = None,
        cache_dir: Path | None = None,
        progress: Progress | None = None,
    ) -> Workspace:
        """The workspace at or above `path`.

        `bazel_version` defaults to what `.bazelversion` asks for, else the newest that is
        known; `host` (`OS` or `OS-CPU`) to Linux on x86_64. `environment` stands for the
        user's (`HOME` finds the user's rc file); by default it is empty. Parsed files are
        kept in `cache_dir`, by default nowhere. Raises `UsageError` if there is none.
        """
        from bazelscope.loading.workspace import Workspace as Files

        directory = Path(path).absolute()
        return cls(
            Files.open(directory),
            directory,
            bazel_version,
            host or "linux",
            environment or {},
            cache_dir,
            progress,
        )

    @property
    def root(self) -> Path:
        return self.files.root

    @cached_property
    def version(self) -> tuple[str, str]:
        """The Bazel version that questions are about, and where it is from: given, the
        workspace's `.bazelversion`, or the newest that can be meant. Raises `UsageError`
        for a given text that is none."""
        from bazelscope.flags import catalog
        from bazelscope.flags.versions import Version, from_bazelversion

        given = self._given_version
        if given is not None:
            if Version.parse(given) is None:
                raise _no_version(given)
            return given, "--bazel-version"
        text = self.files.bazel_version()
        version = from_bazelversion(text) if text else None
        if version is not None:
            return version, ".bazelversion"
        versions = catalog.table_versions()
        if self.files.is_file("MODULE.bazel"):
            return versions[-1], "assumed: the newest"
        older = [text for text in versions if (Version.parse(text) or ()) < _MODULES_ONLY]
        return older[-1], "assumed: the newest that reads WORKSPACE"

    @cached_property
    def catalog(self) -> Catalog:
        """The options of that Bazel version."""
        from bazelscope.flags import catalog

        return catalog.load(self.version[0])

    def configure(
        self,
        words: Sequence[str] = (),
        *,
        command: str = "build",
        startup: Sequence[str] = (),
    ) -> ConfiguredWorkspace:
        """The workspace under `bazel <startup> <command> <words>`."""
        from bazelscope.flags.commandline import CommandLine

        return ConfiguredWorkspace(self, CommandLine(command, tuple(words), tuple(startup)))

    def configure_line(self, words: Sequence[str]) -> ConfiguredWorkspace:
        """The workspace under a pasted command line: the words behind `bazel build`, or a
        whole line from `bazel` on. Raises `UsageError`."""
        from bazelscope.explain.command_line import split_command_line

        return ConfiguredWorkspace(self, split_command_line(tuple(words), self.catalog))

    def configs(self, name: str | None = None) -> ConfigsAnswer:
        """Every named config of the rc files, or the one named and those it names."""
        return self.configure().configs(name)

    def read_source(self, path: str) -> SourceFile | None:
        """The text behind a path that answers show; None where it cannot be had."""
        from bazelscope.errors import LoadingError

        found = self.rc_sources.get(path)
        if found is not None:
            return found
        try:
            return self.files.read(path)
        except LoadingError:
            return None

    def root_files(self) -> tuple[SourceFile, ...]:
        """The small text files of the workspace's root: scripts that may write rc files."""
        from bazelscope.errors import LoadingError
        from bazelscope.loading.workspace import EntryKind

        found = []
        for name, kind in self.files.listing("").entries.items():
            if kind is not EntryKind.FILE or name.startswith(".") or _is_document(name):
                continue
            try:
                content = self.files.read_bytes(name)
            except LoadingError:
                continue
            if len(content) <= _LARGEST_SCRIPT and b"\0" not in content[:1024]:
                found.append(self.files.read(name))
        return tuple(found)


def _no_version(text: str) -> UsageError:
    from bazelscope.errors import Diagnostic, UsageError

    return UsageError(
        Diagnostic("no-version", f"`{text}` is no Bazel version", hint="write it like `6.5.0`")
    )


def _is_document(name: str) -> bool:
    return name.isupper() or name.lower().endswith((".md", ".rst", ".txt", ".lock", ".json"))


class ConfiguredWorkspace:
    """A workspace under one Bazel command line: what questions are put to."""

    def __init__(self, workspace: Workspace, line: CommandLine) -> None:
        self.workspace = workspace
        self.line = line
        self.environment = {**workspace.environment, **line.environment}

    @cached_property
    def _request(self) -> FlagRequest:
        from bazelscope.flags import FlagRequest

        workspace = self.workspace
        return FlagRequest(
            workspace_root=str(workspace.root),
            words=self.line.words,
            command=self.line.command,
            startup=self.line.startup,
            bazel_version=workspace.version[0],
            host=workspace.host,
            home=workspace.environment.get("HOME"),
            environment=self.environment,
            working_directory=str(workspace.directory),
        )

    @cached_property
    def _startup(self) -> StartupOptions:
        from bazelscope.flags import startup

        return startup.parse(self.line.startup, self.workspace.catalog)

    @cached_property
    def _rc_disk(self) -> DiskFiles:
        """The files that rc lines may name: the workspace's, the system's, the user's, and
        those beside an rc file that the user typed."""
        from bazelscope.flags.files import DiskFiles

        workspace = self.workspace
        typed = [workspace.directory / path for path in self._startup.values("bazelrc")]
        roots = [workspace.root, Path(_SYSTEM_RC_FOLDER), *(path.parent for path in typed)]
        home = workspace.environment.get("HOME")
        if home:
            roots.append(Path(home))
        return DiskFiles([str(root) for root in roots])

    @cached_property
    def rc_files(self) -> RcFiles:
        """The rc files that Bazel would read, section by section."""
        from bazelscope.flags.imports import read_rc_files

        workspace = self.workspace
        found = read_rc_files(self._request, self._rc_disk, workspace.catalog, self._startup)
        workspace.rc_sources.update(found.sources)
        return found

    @cached_property
    def flags(self) -> ResolvedFlags:
        """The flags in force, each with its cause."""
        from bazelscope.flags import resolve

        workspace = self.workspace
        return resolve(
            self._request, self._rc_disk, catalog=workspace.catalog, rc_files=self.rc_files
        )

    @cached_property
    def setup(self) -> Setup:
        """What answers say about the question itself."""
        from bazelscope.explain.explanation import Setup

        version, source = self.workspace.version
        return Setup(
            workspace=str(self.workspace.root),
            command=self.line.command,
            bazel_version=version,
            version_source=source,
            table_version=self.workspace.catalog.table_version,
            host=self.workspace.host,
        )

    @cached_property
    def undefined_configs(self) -> tuple[UndefinedConfig, ...]:
        from bazelscope.explain.configs import undefined_configs

        return undefined_configs(self.flags, self.rc_files, self.workspace.root_files)

    @property
    def names(self) -> tuple[str, ...]:
        """The words of the command line that are no options: targets, as Bazel sees them."""
        from bazelscope.flags import FromCommandLine

        found = [t for t in self.flags.targets if isinstance(t.origin, FromCommandLine)]
        ordered = sorted(found, key=lambda target: _index(target.origin))
        return tuple(target.text for target in ordered)

    @property
    def wants_color(self) -> bool | None:
        """What Bazel's `--color` says; None for `auto`, or where it is not set."""
        value = self.flags.values.get("color")
        return {"yes": True, "no": False}.get(value.value or "") if value else None

    def flag(self, name: str) -> FlagAnswer:
        """Who set the flag `name`, and what that beat."""
        from bazelscope.explain.flags import why_flag

        return why_flag(
            self.setup, name, self.flags, self.workspace.catalog, self.undefined_configs
        )

    def configs(self, name: str | None = None) -> ConfigsAnswer:
        """Every named config of the rc files, or the one named and those it names."""
        from bazelscope.explain.named_configs import describe_configs

        workspace = self.workspace
        return describe_configs(
            self.setup, name, self.rc_files, workspace.catalog, self.flags, workspace.root_files
        )

    def explain(
        self, sections: Iterable[Section] | None = None, *, flags_only: bool = False
    ) -> Explanation:
        """What the command line amounts to: all of it, or the `sections` of it.

        Without targets among the words, the conditions of the whole workspace. Packages are
        loaded only for sections that are about targets, and never if `flags_only`.
        """
        from bazelscope.explain.build import explain_build, explain_flags
        from bazelscope.explain.sections import EVERY_SECTION, OF_FLAGS, Section

        wanted = EVERY_SECTION if sections is None else frozenset(sections)
        texts = self.target_patterns
        needs_packages = wanted - OF_FLAGS or (Section.LINE in wanted and texts)
        if flags_only or texts is None or not needs_packages:
            return explain_flags(self.setup, self.flags, self.undefined_configs, wanted & OF_FLAGS)
        return explain_build(
            self.setup, self.world, self.undefined_configs, texts, self.directory_package, wanted
        )

    def why(self, name: str) -> WhyAnswer:
        """The whole chain of causes of what `explain` says of `name`: a flag, a `--define`,
        a config, a condition, an attribute, a dependency, a repository (`@name`), an rc
        file, or a line of the text answer. Without such a fact, the nearest names."""
        from bazelscope.explain.why import why_of_build, why_of_flags

        texts = self.target_patterns
        if not texts and not name.lstrip().startswith(("@", "//")):
            return why_of_flags(
                self.setup,
                name,
                self.flags,
                self.rc_files,
                self.workspace.catalog,
                self.undefined_configs,
            )
        return why_of_build(
            self.setup,
            name,
            self.world,
            self.undefined_configs,
            texts or (),
            self.directory_package,
        )

    @property
    def target_patterns(self) -> tuple[str, ...] | None:
        """The target patterns that the command would build, those of rc files included; None
        for a command that builds none."""
        if self.line.command not in _COMMANDS_WITH_TARGETS:
            return None
        texts = tuple(target.text for target in self.flags.targets)
        # `run` builds one target; the rest are arguments of the program.
        return texts[:1] if self.line.command == "run" else texts

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
        from bazelscope.explain.paths import find_path

        asked = self._path_question(source, target, configured, avoid, via, through)
        return find_path(self.world, self.setup, self.undefined_configs, asked, self._flags_of)

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
        from bazelscope.explain.paths import list_paths

        asked = self._path_question(source, target, configured, avoid, via, through)
        setup, resolve = self.setup, self._flags_of
        return list_paths(self.world, setup, self.undefined_configs, asked, resolve, most)

    def _path_question(
        self,
        source: str,
        target: str,
        configured: bool | None,
        avoid: Sequence[str],
        via: Sequence[str],
        through: Sequence[str],
    ) -> PathQuestion:
        from bazelscope.explain.paths import PathQuestion

        chosen = self.has_build_flags if configured is None else configured
        return PathQuestion(
            (source, target), chosen, tuple(avoid), tuple(via), tuple(through), self.line.words
        )

    def graph(self, *targets: str, configured: bool | None = None) -> networkx.MultiDiGraph[str]:
        """Everything that `targets` depend on (by default: those of the command line) as a
        networkx graph, under the flags or, without flags, through every branch.

        Nodes are named by their labels. `explain.networks.NodeAttributes` and
        `EdgeAttributes` say what nodes and edges hold. Raises `UsageError` for a name that
        is no target.
        """
        from bazelscope.explain.networks import to_network

        chosen = self.has_build_flags if configured is None else configured
        labels = [self._label(text) for text in targets or self.target_patterns or ()]
        return to_network(self.world, labels, chosen)

    def _label(self, text: str) -> Label:
        """The one target that `text` means. Raises `UsageError`."""
        from bazelscope.errors import Diagnostic, UsageError
        from bazelscope.explain.endpoints import which_target

        found = which_target(self.world, text)
        if found.label is None:
            near = found.suggestions or tuple(map(str, found.candidates))
            hint = f"did you mean {', '.join(near)}?" if near else None
            raise UsageError(Diagnostic("no-such-name", found.why, hint=hint))
        return found.label

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
        nodes then. Raises `ValueError` for another."""
        from bazelscope.explain.graphs import GraphQuestion, graph_between
        from bazelscope.explain.path_answers import Collapse

        chosen = self.has_build_flags if configured is None else configured
        grouping = Collapse(collapse) if collapse is not None else Collapse.NOTHING
        asked = GraphQuestion(source, target, chosen, max_nodes, levels, grouping)
        return graph_between(self.world, self.setup, asked)

    def select(self, target: str) -> SelectsAnswer:
        """Which branch each select() of `target` (or of `target.attribute`) takes, why, and
        what would take each other one."""
        from bazelscope.explain.selects import why_selects

        words = self.line.words
        return why_selects(
            self.world, self.setup, self.undefined_configs, target, words, self._flags_of
        )

    def settings(self, pattern: str | None = None) -> SettingsAnswer:
        """Every config_setting of the workspace, or those that `pattern` is about."""
        from bazelscope.explain.settings import why_settings

        return why_settings(
            self.world, self.setup, self.undefined_configs, pattern, self.directory_package
        )

    def deps(
        self, target: str, *, configured: bool | None = None, levels: int | None = None
    ) -> DependenciesAnswer:
        """What `target` depends on; what is further away than `levels` is counted only."""
        from bazelscope.explain.dependencies import depends_on

        chosen = self.has_build_flags if configured is None else configured
        return depends_on(self.world, self.setup, self.undefined_configs, target, chosen, levels)

    def rdeps(
        self,
        target: str,
        within: str | None = None,
        *,
        configured: bool | None = None,
        levels: int | None = None,
    ) -> DependenciesAnswer:
        """What depends on `target`, of what `within` depends on (by default: everything in
        the workspace)."""
        from bazelscope.explain.dependencies import dependents_of

        chosen = self.has_build_flags if configured is None else configured
        return dependents_of(
            self.world, self.setup, self.undefined_configs, target, within, chosen, levels
        )

    def repos(
        self,
        name: str | None = None,
        target: str | None = None,
        *,
        configured: bool | None = None,
    ) -> RepositoriesAnswer:
        """Every external repository, or the one called `name`: what defines it, what that
        shadows, where its content is found; with a `target`, whether that depends on it.
        A name that nothing defines is an answer with a `problem`."""
        from bazelscope.explain.repositories import describe_repositories

        chosen = self.has_build_flags if configured is None else configured
        return describe_repositories(
            self.world, self.setup, self.undefined_configs, name, target, chosen
        )

    def query(self, expression: str) -> QueryAnswer:
        """The targets that `bazel query` would list for `expression`, in its order.

        Options such as `--noimplicit_deps` are words of a command line that was configured
        with `command="query"`. Raises `QueryError` for what Bazel would refuse.
        """
        from bazelscope.explain.queries import query
        from bazelscope.explain.query_options import QueryOptions

        options = QueryOptions(self.flags.values)
        settings = options.settings(self.workspace.version[0], self.directory_package)
        return query(self.world, self.setup, expression, settings, options.order())[0]

    def cquery(self, expression: str) -> QueryAnswer:
        """The configured targets that `bazel cquery` would list for `expression` under the
        flags. Raises `QueryError`."""
        from bazelscope.explain.queries import cquery
        from bazelscope.explain.query_options import QueryOptions

        options = QueryOptions(self.flags.values)
        settings = options.settings(self.workspace.version[0], self.directory_package)
        return cquery(self.world, self.setup, expression, settings)[0]

    def _flags_of(self, words: tuple[str, ...]) -> ResolvedFlags:
        """The flags of another command line."""
        from dataclasses import replace

        from bazelscope.flags import resolve

        workspace = self.workspace
        request = replace(self._request, words=words)
        return resolve(request, self._rc_disk, catalog=workspace.catalog, rc_files=self.rc_files)

    @cached_property
    def has_build_flags(self) -> bool:
        """Whether the command line has flags that targets are built under, as opposed to
        flags that say where files are, or how Bazel talks."""
        from bazelscope.explain.needs import is_set_by_user

        return is_set_by_user(self.flags)

    @cached_property
    def directory_package(self) -> PackageId:
        """The package that relative target patterns start from: the working directory's."""
        from bazelscope.label import PackageId

        relative = self.workspace.directory.relative_to(self.workspace.root).as_posix()
        return PackageId("", "" if relative == "." else relative)

    @cached_property
    def loader(self) -> Loader:
        """Loads packages under the flags that tell where files are."""
        from bazelscope.explain.loading_options import loading_options
        from bazelscope.loading.loader import Loader

        workspace = self.workspace
        options = loading_options(
            self.flags, workspace.host, self.environment, workspace.root, workspace.directory
        )
        return Loader(workspace.files, options, workspace.cache_dir, workspace.progress)

    @cached_property
    def world(self) -> World:
        """What the analysis of targets takes."""
        from bazelscope.explain.world import World

        return World(self.loader, self.flags, self.rc_files, self.workspace.catalog)

    def save(self) -> None:
        """Keeps what was parsed and evaluated for the next run."""
        if "loader" in self.__dict__:
            self.loader.save()

    def read_source(self, path: str) -> SourceFile | None:
        """The text behind a path that answers show; None where it cannot be had."""
        if "loader" in self.__dict__:
            found = self.loader.read_source(path)
            if found is not None:
                return found
        return self.workspace.read_source(path)


def _index(origin: object) -> int:
    from bazelscope.flags import FromCommandLine

    return origin.index if isinstance(origin, FromCommandLine) else -1
