"""What a Bazel command line amounts to in a workspace: its flags, and the graphs under them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from bazelscope.analysis.configuration.configuration import Configuration
    from bazelscope.analysis.graph.configured_graph import AskedByRule
    from bazelscope.analysis.graph.target_graph import TargetGraph
    from bazelscope.api.opened_workspace import OpenedWorkspace
    from bazelscope.api.project_flags import ProjectFlags
    from bazelscope.base.errors import Diagnostic
    from bazelscope.base.label import Label, PackageId
    from bazelscope.base.source import SourceFile
    from bazelscope.flags.commandline import CommandLine
    from bazelscope.flags.flag_values import ResolvedFlags
    from bazelscope.flags.rc_file_reading import Files as RcFilesReader
    from bazelscope.flags.rc_search import RcFiles
    from bazelscope.flags.request import FlagRequest
    from bazelscope.flags.startup import StartupOptions
    from bazelscope.loading.loader import Loader
    from bazelscope.loading.tree.loading_options import LoadingOptions
    from bazelscope.questions.shared.envelope import Envelope
    from bazelscope.questions.shared.named_configs import UndefinedConfig
    from bazelscope.questions.shared.setup import Setup
    from bazelscope.questions.shared.world import ResolveWords, World

_SYSTEM_RC_FOLDER = "/etc"
_GIVEN = frozenset({"workspace", "line", "environment"})
_OF_FLAGS = frozenset({"_request", "_startup", "_rc_disk", "rc_files", "_written_flags"})
"""What rests on nothing but the words, the rc files and Bazel's options."""
_OF_EVERY_QUESTION = _GIVEN | _OF_FLAGS | {"asked", "built", "directory_package", "loader"}
_OF_EVERY_QUESTION |= {"loading_options", "_project_labels"}
"""What rests on no target that a question names."""
_COMMANDS_WITH_TARGETS = frozenset(
    {"build", "coverage", "mobile-install", "print_action", "run", "test"}
)
"""Commands whose words are target patterns; those of queries are expressions."""


class LineInForce:
    """One Bazel command line in a workspace: the flags that it leads to, and what is loaded
    and analysed under them. Each is worked out when it is first asked for."""

    asked: Sequence[str] = ()
    """The words of the question, which name what it will come to."""
    built: Sequence[str] = ()
    """Those of them of which the first that is a target is what the question builds."""

    def __init__(self, workspace: OpenedWorkspace, line: CommandLine) -> None:
        self.workspace = workspace
        self.line = line
        self.environment = {**workspace.environment, **line.environment}

    def take_question(self, words: Sequence[str], built: Sequence[str]) -> None:
        """Notes the words of the next question, and those that name what it builds. What was
        worked out for the projects of another one's targets is forgotten."""
        self.asked, self.built = words, built
        before = self.__dict__.pop("_project_labels", ())
        if "flags" in self.__dict__ and before != self._project_labels:
            for name in self.__dict__.keys() - _OF_EVERY_QUESTION:
                del self.__dict__[name]

    @cached_property
    def _request(self) -> FlagRequest:
        from bazelscope.flags.request import FlagRequest

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
            aliases=workspace.flag_aliases,
        )

    @cached_property
    def _startup(self) -> StartupOptions:
        from bazelscope.flags import startup

        return startup.parse(self.line.startup, self.workspace.catalog)

    @cached_property
    def _rc_disk(self) -> RcFilesReader:
        """The files that rc lines may name: the workspace's, the system's, the user's,
        those beside an rc file that the user typed, and those of folders that links may lead
        to."""
        from bazelscope.flags.rc_file_reading import DiskFiles
        from bazelscope.loading.tree.disk import MACHINE

        workspace = self.workspace
        typed = [workspace.directory / path for path in self._startup.values("bazelrc")]
        roots = [workspace.root, Path(_SYSTEM_RC_FOLDER), *(path.parent for path in typed)]
        roots += (Path(folder or "/") for folder in workspace.files.also)
        home = workspace.environment.get("HOME")
        if home:
            roots.append(Path(home))
        if workspace.files.disk is not MACHINE:
            from bazelscope.loading.tree.rc_files import RcFilesOnDisk

            return RcFilesOnDisk(workspace.files.disk, [str(root) for root in roots])
        return DiskFiles([str(root) for root in roots])

    @cached_property
    def rc_files(self) -> RcFiles:
        """The rc files that Bazel would read, section by section."""
        from bazelscope.flags.rc_search import read_rc_files

        workspace = self.workspace
        read = read_rc_files(self._request, self._rc_disk, workspace.catalog, self._startup)
        workspace.rc_sources.update(read.sources)
        return read

    @cached_property
    def flags(self) -> ResolvedFlags:
        """The flags in force, each with its cause."""
        found = self._project_flags
        if found is None:
            return self._written_flags
        from dataclasses import replace

        flags = self._resolved(self._request_of_projects)
        return replace(flags, diagnostics=(*flags.diagnostics, *found.problems))

    @property
    def _request_of_projects(self) -> FlagRequest:
        """The request with the words of project files behind its own."""
        if self._project_flags is None:
            return self._request
        from dataclasses import replace

        return replace(self._request, project_words=self._project_flags.words)

    @cached_property
    def _project_flags(self) -> ProjectFlags | None:
        """What project files add for the targets of the question; None where they add nothing."""
        if not self._project_labels:
            return None
        from bazelscope.api.project_flags import project_flags

        catalog, labels = self.workspace.catalog, self._project_labels
        found = project_flags(self.loader, self._written_flags, catalog, labels)
        return found if found.words or found.problems else None

    @cached_property
    def _project_labels(self) -> tuple[Label, ...]:
        """The targets of the question whose project files count."""
        if not self.workspace.release.project_files or self.line.command == "query":
            return ()
        flags = self._written_flags
        if not (self.built or flags.targets):
            return ()  # Nothing is to be loaded for it.
        from bazelscope.api.project_labels import project_labels

        return project_labels(self.loader, flags, self.directory_package, self.built)

    @cached_property
    def _written_flags(self) -> ResolvedFlags:
        """The flags of the rc files and the command line."""
        resolved, release = self._resolved(self._request), self.workspace.catalog.release
        if not (resolved.starlark_flags and release.starlark_takes_next_word):
            return resolved
        # Which flags have their value in another word is known when their rules are: Bazel
        # loads them under the options of its own, which do not depend on that.
        from dataclasses import replace

        from bazelscope.analysis.configuration.given_settings import settings_in_two_words
        from bazelscope.questions.shared.world import typed_names

        loader = self._loader(self._loading_options_under(resolved))
        names = typed_names(loader, resolved.starlark_flags)
        takes_value = settings_in_two_words(loader, resolved.starlark_flags, names)
        if not takes_value:
            return resolved
        return self._resolved(replace(self._request, takes_value=takes_value))

    def _resolved(self, request: FlagRequest) -> ResolvedFlags:
        from bazelscope.flags.resolve import resolve

        workspace = self.workspace
        return resolve(request, self._rc_disk, catalog=workspace.catalog, rc_files=self.rc_files)

    def _resolver(self) -> ResolveWords:
        """What gives the flags of other words. It does not hold this line, which would keep itself
        alive by its world."""
        from dataclasses import replace

        from bazelscope.flags.resolve import resolve

        request, disk = self._request_of_projects, self._rc_disk
        catalog, rc_files = self.workspace.catalog, self.rc_files
        return lambda words: resolve(
            replace(request, words=words), disk, catalog=catalog, rc_files=rc_files
        )

    @property
    def errors_of_configuration(self) -> tuple[Diagnostic, ...]:
        """What Bazel would refuse where it makes a configuration of the flags."""
        return self.world.errors_of_configuration

    @cached_property
    def _flags_with_settings(self) -> tuple[ResolvedFlags, tuple[Diagnostic, ...]]:
        """The flags with the build settings by label, and what Bazel refuses of these."""
        if not self.flags.starlark_flags:
            return self.flags, ()
        from bazelscope.questions.shared.world import with_settings

        return with_settings(self.loader, self.flags)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What Bazel would refuse of the command line and the rc files, so that it would not
        come to look at a target; undefined configs have a place of their own in answers."""
        return (*self.errors_of_flags, *self.errors_of_configuration)

    @cached_property
    def errors_of_flags(self) -> tuple[Diagnostic, ...]:
        """What Bazel would refuse where it reads the words of the command line and the rc
        files; undefined configs have a place of their own in answers."""
        from bazelscope.base.errors import Severity

        return tuple(
            problem
            for problem in self.flags.diagnostics
            if problem.severity is Severity.ERROR and problem.code != "undefined-config"
        )

    @cached_property
    def setup(self) -> Setup:
        """What answers say about the question itself."""
        from bazelscope.questions.shared.setup import Setup

        version, source = self.workspace.version
        return Setup(
            workspace=str(self.workspace.root),
            command=self.line.command,
            bazel_version=version,
            version_source=source,
            table_version=self.workspace.catalog.table_version,
            host=self.workspace.host,
            hint=self.workspace.version_hint,
        )

    @cached_property
    def undefined_configs(self) -> tuple[UndefinedConfig, ...]:
        from bazelscope.questions.shared.named_configs import undefined_configs

        return undefined_configs(self.flags, self.rc_files, self.workspace.root_files)

    @cached_property
    def envelope(self) -> Envelope:
        """What stands around an answer about targets: warnings of the rc files do not, but for
        those of what was not read."""
        from bazelscope.questions.shared.relevance import NOT_READ

        left_out = (one for one in self.flags.diagnostics if one.code in NOT_READ)
        return self._envelope((*self.errors, *left_out))

    @cached_property
    def envelope_of_flags(self) -> Envelope:
        """What stands around an answer about flags."""
        return self._envelope(self.flags.diagnostics)

    @cached_property
    def envelope_of_all(self) -> Envelope:
        """What stands around an answer about flags and targets."""
        return self._envelope((*self.flags.diagnostics, *self.errors_of_configuration))

    def _envelope(self, diagnostics: tuple[Diagnostic, ...]) -> Envelope:
        from bazelscope.questions.shared.envelope import Envelope

        unread = self.workspace.unread_files
        return Envelope(self.setup, self.undefined_configs, (*unread, *diagnostics))

    @property
    def names(self) -> tuple[str, ...]:
        """The words of the command line that are no options: targets, as Bazel sees them."""
        from bazelscope.flags.flag_values import FromCommandLine

        typed = [
            (target.origin.index, target.text)
            for target in self.flags.targets
            if isinstance(target.origin, FromCommandLine)
        ]
        return tuple(text for _, text in sorted(typed))

    @property
    def wants_color(self) -> bool | None:
        """What Bazel's `--color` says; None for `auto`, or where the command line does not set
        it: what rc files say of it is for Bazel's own output, which their authors know."""
        from bazelscope.flags.flag_values import FromCommandLine

        value = self.flags.values.get("color")
        if value is None or not isinstance(value.instances[-1].origin, FromCommandLine):
            return None
        return {"yes": True, "no": False}.get(value.value or "")

    @cached_property
    def has_build_flags(self) -> bool:
        """Whether the command line has flags that targets are built under, as opposed to
        flags that say where files are, or how Bazel talks."""
        from bazelscope.questions.shared.needs import is_set_by_user

        return is_set_by_user(self.flags)

    @cached_property
    def directory_package(self) -> PackageId:
        """The package that relative target patterns start from: the working directory's."""
        from bazelscope.base.label import PackageId

        relative = self.workspace.directory.relative_to(self.workspace.root).as_posix()
        return PackageId("", "" if relative == "." else relative)

    @cached_property
    def loading_options(self) -> LoadingOptions:
        """What of the flags and the machine counts for loading."""
        # What project files set is of configurations, and none of that counts here.
        return self._loading_options_under(self._written_flags)

    def _loading_options_under(self, flags: ResolvedFlags) -> LoadingOptions:
        from bazelscope.questions.shared.loading_flags import loading_options

        workspace = self.workspace
        return loading_options(
            flags,
            workspace.host,
            self.environment,
            workspace.root,
            workspace.directory,
            workspace.limits.file_steps,
        )

    @property
    def load_key(self) -> tuple[object, ...]:
        """What tells two lines apart that load and configure the same files differently."""
        flags = self.flags
        values = sorted((name, value.values) for name, value in flags.values.items())
        settings = sorted((name, value.values) for name, value in flags.starlark_flags.items())
        return (*self.files_key, repr(values), repr(settings))

    @property
    def files_key(self) -> tuple[object, ...]:
        """What tells two lines apart that load the same files differently."""
        return (*self.loading_options.key(), str(self.directory_package), self.workspace.host)

    @cached_property
    def loader(self) -> Loader:
        """Loads packages under the flags that tell where files are."""
        return self._loader(self.loading_options)

    def _loader(self, options: LoadingOptions) -> Loader:
        from bazelscope.loading.loader import Loader

        workspace = self.workspace
        return Loader(workspace.files, options, workspace.cache_dir, self.asked)

    @cached_property
    def world(self) -> World:
        """What the analysis of targets takes."""
        from bazelscope.questions.shared.world import World

        flags, problems = self._flags_with_settings
        return World(
            self.loader,
            flags,
            self.rc_files,
            self.workspace.catalog,
            self.line.words,
            self._resolver(),
            setting_errors=problems,
            check_genquery=_check_genquery,
            directory=self.directory_package,
        )

    def load_like(self, other: LineInForce) -> None:
        """Takes the packages from `other`, where the flags of both load alike, and this line
        has not begun to load: each is evaluated once, and its edges are looked up once."""
        if not self.is_loading and self.loading_options == other.loading_options:
            self._load_by(other.loader.beside(), other)

    def load_near(self, other: LineInForce) -> None:
        """Takes from `other` what is the same whatever repository rules see of the environment,
        where the flags of both load alike but for that, and this line has not begun to load."""
        if self.is_loading or self.loading_options == other.loading_options:
            self.load_like(other)
            return
        loader = other.loader.under(self.loading_options)
        if loader is not None:
            self._load_by(loader, other)

    def _load_by(self, loader: Loader, other: LineInForce) -> None:
        from dataclasses import replace

        self.loader = loader
        self.world = replace(self.world, like=other.world)

    def again(self, changed: Collection[str]) -> Self:
        """Returns this command line after the texts of the files `changed` (paths below the root)
        have changed: packages that rest on none of them are taken over. This one is not to be
        asked any more. Raises what loading raises."""
        fresh = type(self)(self.workspace, self.line)
        of_flags = {file.path for file in self.rc_files.files} & set(changed)
        if not of_flags and not self._written_flags.starlark_flags:
            for name in _OF_FLAGS & self.__dict__.keys():
                setattr(fresh, name, self.__dict__[name])
        if self.is_loading and fresh.loading_options == self.loading_options:
            others = [path for path in changed if path not in of_flags]
            if self.loader.reread(others):
                fresh.loader = self.loader
        return fresh

    @property
    def is_loading(self) -> bool:
        """Whether packages are loaded, or a line like this one has left its own to it."""
        return "loader" in self.__dict__

    def held(self) -> Self | None:
        """Returns this command line over the packages that are loaded now, which `again` takes from
        this one; None where none are."""
        if not self.is_loading:
            return None
        other = type(self)(self.workspace, self.line)
        kept = _OF_FLAGS | {"flags", "_flags_with_settings", "loading_options"}
        for name in kept & self.__dict__.keys():
            setattr(other, name, self.__dict__[name])
        other.loader = self.loader.held()
        return other

    @property
    def target_patterns(self) -> tuple[str, ...] | None:
        """The target patterns that the command would build, those of rc files and of
        `--target_pattern_file` included; None for a command that builds none. Raises `UsageError`
        for such a file beside other patterns, or one that cannot be read."""
        if self.line.command not in _COMMANDS_WITH_TARGETS:
            return None
        texts = tuple(target.text for target in self.flags.targets)
        if "target_pattern_file" in self.flags.values:
            from bazelscope.flags.named_files import patterns_of_file

            texts = patterns_of_file(self.flags, self.workspace.directory, self.workspace.root)
        if self.line.command != "run" or not texts:
            return texts
        from bazelscope.analysis.configuration.late_bound import target_of_program

        # `run` builds one target, and what runs it; the rest are arguments of the program.
        programs = self.flags.values["run_under"].values if "run_under" in self.flags.values else ()
        return (*texts[:1], *filter(None, map(target_of_program, programs[-1:])))

    def forget(self) -> None:
        """Forgets the flags and whatever was loaded: it is all worked out anew when next asked
        for. The command line stays."""
        for name in self.__dict__.keys() - _GIVEN:
            del self.__dict__[name]

    def forget_graphs(self) -> None:
        """Forgets what was worked out from the packages; these stay."""
        self.__dict__.pop("world", None)

    def save(self) -> None:
        """Keeps what was parsed and evaluated for the next run."""
        if self.is_loading:
            self.loader.save()

    def read_source(self, path: str) -> SourceFile | None:
        """The text behind a path that answers show; None where it cannot be had."""
        if self.is_loading:
            source = self.loader.read_source(path)
            if source is not None:
                from dataclasses import replace

                from bazelscope.base.unknown import without_pieces

                shown = without_pieces(source.text, keeps_length=True)
                return source if shown == source.text else replace(source, text=shown)
        return self.workspace.read_source(path)


def _check_genquery(
    graph: TargetGraph, configuration: Configuration, asked: AskedByRule
) -> str | None:
    from bazelscope.query.genqueries import problem_of_genquery

    return problem_of_genquery(graph, configuration, asked)
