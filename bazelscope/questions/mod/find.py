"""Answers `mod`: the module graph and what extensions make of it, from the files alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_evaluation import ModuleEvaluation
from bazelscope.loading.modules.module_file import ModuleOverride
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_repositories import Extension, ModuleRepositories
from bazelscope.loading.modules.module_versions import version_order
from bazelscope.questions.mod.answer import (
    ModuleExplanation,
    ModuleOverrideAnswer,
    ModuleRequest,
    ModulesAnswer,
    RepositoryMapping,
    RepositoryName,
    ShownFixup,
)
from bazelscope.questions.mod.module_names import (
    ModuleWords,
    NoSuchModuleError,
    check_canonical_name,
    told_of,
)
from bazelscope.questions.mod.options import ModOptions
from bazelscope.questions.mod.result_graph import TooManyPathsError
from bazelscope.questions.mod.shown_extensions import describe_extension
from bazelscope.questions.mod.shown_repositories import RepositoryFacts
from bazelscope.questions.mod.starlark_values import starlark_text
from bazelscope.questions.mod.tree import ModuleTree
from bazelscope.questions.shared.completeness import WRONG_USE_REPO
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.world import World

_MODULES_ONLY = "Bzlmod has to be enabled for mod command to work, run with --enable_bzlmod"


def describe_modules(
    world: World, envelope: Envelope, subcommand: str, words: Sequence[str], options: ModOptions
) -> ModulesAnswer:
    """What `bazel mod SUBCOMMAND WORDS` shows under `options`."""
    table = world.loader.table
    envelope = replace(envelope, diagnostics=table.diagnostics)
    answer = ModulesAnswer(envelope, subcommand, tuple(words))
    evaluation = table.modules
    if evaluation is None or evaluation.resolved is None or evaluation.extensions is None:
        return replace(answer, problem=_MODULES_ONLY)
    modules = _Modules(world, options, evaluation, evaluation.resolved, evaluation.extensions)
    # What is wrong with imports alone, `tidy` mends. Bazel: `BazelModTidyFunction`.
    is_tidy = subcommand == "tidy"
    failed = [
        one.failure
        for one in evaluation.extensions.every
        if one.failure is not None and not (is_tidy and one.fixup is not None)
    ]
    known = (one for one in table.diagnostics if not (is_tidy and one.code == WRONG_USE_REPO))
    if subcommand != "dump_repo_mapping" and (failed or is_tidy):
        told = _told_of_failed(failed, world.loader.options.release) if failed else ()
        answer = replace(answer, envelope=replace(envelope, diagnostics=(*known, *told)))
    return modules.fill(answer)


def _told_of_failed(failed: Sequence[Diagnostic], release: Release) -> Iterator[Diagnostic]:
    """Yields why extensions fail: `bazel mod` evaluates every one, whatever is asked. Bazel:
    `BazelModuleInspectorFunction`."""
    yield from failed
    if release.mod_goes_on:
        shown = f"{len(failed)} extension{'s' if len(failed) > 1 else ''}"
        yield Diagnostic("extension-failed", f"Results may be incomplete as {shown} failed.")


@dataclass(eq=False)
class _Modules:
    """Answers one question about the modules of a world."""

    _world: World
    _options: ModOptions
    _evaluation: ModuleEvaluation
    _repositories: ModuleRepositories
    _extensions: ExtensionRepositories

    def __post_init__(self) -> None:
        modules, options = (self._repositories, self._extensions), self._options
        self._release = self._world.loader.options.release
        self._words = ModuleWords(*modules, options.includes_unused, self._release)
        self._tree = ModuleTree(*modules, options, self._release)

    def fill(self, answer: ModulesAnswer) -> ModulesAnswer:
        """The answer with the part of its subcommand."""
        parts: dict[str, Callable[[ModulesAnswer], ModulesAnswer]] = {
            "graph": self._graph,
            "deps": self._deps,
            "path": lambda answer: self._to(answer, is_single=True),
            "all_paths": lambda answer: self._to(answer, is_single=False),
            "explain": self._explain,
            "show_repo": self._show_repositories,
            "show_extension": self._show_extensions,
            "dump_repo_mapping": self._dump_mappings,
            "tidy": self._tidy,
        }
        try:
            self._check_options(answer)
            word = self._options.base_module
            with told_of(f"--base_module {word} option", is_used_only=True):
                base = self._words.of_used_modules.only_module(word)
            self._words = replace(self._words, base=base)
            self._tree.filtered = self._filtered()
            return parts[answer.subcommand](answer)
        except NoSuchModuleError as error:
            return replace(answer, problem=error.problem, suggestions=error.suggestions)
        except TooManyPathsError:
            return replace(answer, problem="there are too many paths to list: ask for a --depth")

    def _check_options(self, answer: ModulesAnswer) -> None:
        """Raises `NoSuchModuleError` for options that ask `show_repo` for several things at once,
        or another subcommand for repositories. Bazel: `ModCommand.validateArgs`."""
        asked = {
            "--all_repos": self._options.shows_all,
            "--all_visible_repos": self._options.shows_visible,
        }
        if answer.subcommand != "show_repo":
            for option, is_on in asked.items():
                if is_on:
                    raise NoSuchModuleError(
                        f"the '{answer.subcommand}' command doesn't take the {option} option"
                    )
        elif sum((*asked.values(), bool(answer.asked))) > 1:
            raise NoSuchModuleError(
                "the 'show_repo' command requires exactly one of --all_repos,"
                " --all_visible_repos, or a list of repo arguments"
            )

    def _filtered(self) -> list[Extension] | None:
        """The extensions that `--extension_filter` names: all of them where it names none. None
        if it is not given."""
        wanted = self._options.extension_filter
        if not wanted:
            return None if wanted is None else list(self._extensions.every)
        with told_of(f"--extension_filter [{', '.join(wanted)}] option"):
            return [extension for word in wanted for extension in self._words.extension(word)]

    # ---- The graph

    def _start(self) -> tuple[ModuleKey, ...]:
        with told_of(f"--from [{', '.join(self._options.start)}] option"):
            return self._words.modules(self._options.start)

    def _asked(self, answer: ModulesAnswer) -> tuple[ModuleKey, ...]:
        keys: list[ModuleKey] = []
        for word in answer.asked:
            with told_of(f"module argument {word}"):
                keys.extend(self._words.module(word))
        return tuple(dict.fromkeys(keys))

    def _graph(self, answer: ModulesAnswer) -> ModulesAnswer:
        if answer.asked:
            raise NoSuchModuleError("the 'graph' command doesn't take extra arguments")
        tree = self._tree.whole(self._start())
        return replace(answer, tree=tuple(tree), unknowns=self._unknowns)

    def _deps(self, answer: ModulesAnswer) -> ModulesAnswer:
        tree = self._tree.whole(self._asked(answer))
        return replace(answer, tree=tuple(tree), unknowns=self._unknowns)

    def _to(self, answer: ModulesAnswer, is_single: bool) -> ModulesAnswer:
        is_filtered = self._tree.filtered is not None
        targets = self._asked(answer) if is_filtered else self._targets(answer)
        tree = self._tree.to(self._start(), targets, is_single)
        if not tree:
            return replace(answer, problem="No path found to the specified target modules.")
        return replace(answer, tree=tuple(tree), unknowns=self._unknowns)

    def _explain(self, answer: ModulesAnswer) -> ModulesAnswer:
        targets = self._targets(answer)
        filled = self._to(answer, is_single=False)
        return replace(filled, explanations=tuple(self._explained(key) for key in targets))

    def _targets(self, answer: ModulesAnswer) -> tuple[ModuleKey, ...]:
        if not answer.asked:
            raise NoSuchModuleError("No target modules specified.")
        return self._asked(answer)

    @property
    def _unknowns(self) -> tuple[Unknown, ...]:
        """Why versions may be higher; nothing where the lock file knows them all."""
        resolution = self._repositories.resolution
        is_open = any(resolution.may_be_newer(key) for key in resolution.selected)
        return resolution.unknowns if is_open else ()

    def _explained(self, key: ModuleKey) -> ModuleExplanation:
        """Every `bazel_dep` on the module, those that decide its version first."""
        resolution = self._repositories.resolution
        root = self._repositories.root.file
        override = _override(root.overrides.get(key.name) if root is not None else None)
        requests: list[ModuleRequest] = []
        for module in resolution.discovered.values():
            for edge in module.edges:
                written = edge.written
                if written.name != key.name or edge.selected not in (key, None):
                    continue
                is_own = module.key == ROOT
                without, changes = (
                    self._without(written.location, key.name) if is_own else (None, ())
                )
                requests.append(
                    ModuleRequest(
                        str(module.key),
                        written.version,
                        written.location,
                        edge.asked == key and written.version == key.version,
                        module.key in resolution.selected,
                        override.location if override is not None and override.decides else None,
                        without,
                        changes,
                    )
                )
        requests.sort(key=lambda request: version_order(request.version), reverse=True)
        unique = tuple(dict.fromkeys(requests))
        module_here = resolution.discovered[key]
        return ModuleExplanation(str(key), unique, module_here.unknown, override)

    def _without(self, location: Location, name: str) -> tuple[str | None, tuple[str, ...] | None]:
        """The version without the root's line there, None if there would be none, and what else
        would change of other modules, None if that cannot be told."""
        other = self._evaluation.resolve_without(location)
        if other is None:
            return None, None
        now = self._repositories.resolution
        changes = []
        for module in sorted({key.name for key in (*now.selected, *other.selected)} - {name}):
            before, after = (
                ", ".join(key.version for key in one.versions_of(module)) for one in (now, other)
            )
            if before != after:
                changes.append(f"{module} {before or 'none'} -> {after or 'none'}")
        keys = other.versions_of(name)
        return keys[-1].version if keys else None, tuple(changes)

    # ---- Repositories and extensions

    def _dump_mappings(self, answer: ModulesAnswer) -> ModulesAnswer:
        mappings = []
        table = self._world.loader.table
        if not answer.asked:
            raise NoSuchModuleError("No repository name(s) specified")
        for word in answer.asked:
            check_canonical_name(word.removeprefix("@@"), self._release)
        lacking = [
            word
            for word in answer.asked
            if word.removeprefix("@@") not in self._repositories.canonical
        ]
        if lacking:
            first = lacking[0].removeprefix("@@")
            near = self._words.near_repositories(first)
            raise NoSuchModuleError(f"Repositories not found: {', '.join(lacking)}", near)
        for word in answer.asked:
            repository = self._words.repository(f"@@{word.removeprefix('@@')}")
            names = table.repo_mapping(repository)
            # Bazel: only the root module, and what its extensions make, has the empty name.
            is_of_root = not repository or self._extensions.host_of(repository) == ""
            entries = tuple(
                RepositoryName(apparent, self._repositories.canonical_name(names[apparent]))
                for apparent in sorted(names)
                if apparent or is_of_root
            )
            mappings.append(RepositoryMapping(word, entries))
        return replace(answer, mappings=tuple(mappings))

    def _show_repositories(self, answer: ModulesAnswer) -> ModulesAnswer:
        facts = RepositoryFacts(self._world.loader, self._repositories, self._extensions)
        if self._options.shows_all:
            titled = self._every_repository()
        elif self._options.shows_visible:
            titled = self._visible_repositories()
        elif answer.asked:
            titled = [pair for word in answer.asked for pair in self._repositories_of(word)]
        else:
            raise NoSuchModuleError("`mod show_repo` needs a module's or repository's name")
        shown = tuple(facts.shown(title, repository) for title, repository in titled)
        return replace(answer, repositories=shown)

    def _every_repository(self) -> list[tuple[str, str]]:
        """All repositories but the main one, those of modules first, as `_repositories_of`."""
        modules = [known.repository for known in self._repositories.modules.values()]
        made = [name for extension in self._extensions.every for name in extension.made.values()]
        names = dict.fromkeys(name for name in (*modules, *made) if name)
        return [(f"@@{self._repositories.canonical_name(name)}", name) for name in names]

    def _visible_repositories(self) -> list[tuple[str, str]]:
        """All repositories that the base module sees, as `_repositories_of`."""
        base = self._repositories.by_key[self._words.base]
        mapping = self._world.loader.table.repo_mapping(base.repository)
        visible = ((apparent, mapping[apparent].removeprefix("@")) for apparent in mapping)
        return [
            (f"@{apparent}", self._repositories.canonical.get(name, name))
            for apparent, name in visible
            if apparent and name
        ]

    def _repositories_of(self, word: str) -> list[tuple[str, str]]:
        """The repositories that a word means, each after what Bazel calls it above its
        definition."""
        if word.startswith("@@") and word[2:] not in self._repositories.canonical:
            near = self._words.near_repositories(word[2:])
            suggestions = tuple(f"@@{name}" for name in near)
            raise NoSuchModuleError(f"In repo argument {word}: no such repo", suggestions)
        with told_of(f"repo argument {word}", is_used_only=True):
            if word.startswith("@"):
                return [(word, self._words.repository(word))]
            keys = self._words.of_used_modules.module(word)
        return [(str(key), self._repositories.by_key[key].repository) for key in keys]

    def _show_extensions(self, answer: ModulesAnswer) -> ModulesAnswer:
        if not answer.asked:
            raise NoSuchModuleError("`mod show_extension` needs an extension's name")
        named: list[Extension] = []
        for word in answer.asked:
            with told_of(f"extension argument {word}"):
                named.extend(self._words.extension(word))
        users = self._options.extension_usages
        with told_of(f"--extension_usages [{', '.join(users)}] option", is_used_only=True):
            wanted = set(self._words.modules(users)) if users else None
        shown = (
            describe_extension(extension, self._repositories, self._release, wanted)
            for extension in sorted(dict.fromkeys(named), key=lambda one: one.id)
        )
        return replace(answer, extensions=tuple(shown))

    def _tidy(self, answer: ModulesAnswer) -> ModulesAnswer:
        """What `bazel mod tidy` changes, and the root's extensions of which that is not known.
        Bazel: `BazelModTidyFunction`."""
        if not self._release.has_mod_tidy:
            since = Release.has_mod_tidy.series
            raise NoSuchModuleError(f"this Bazel has no `mod tidy`; it came with {since}")
        if answer.asked:
            raise NoSuchModuleError("the 'tidy' command doesn't take extra arguments")
        used = [one for one in self._extensions.every if one.use_of_root is not None]
        fixups = tuple(
            ShownFixup(one.fixup, one.unknown is not None) for one in used if one.fixup is not None
        )
        unknowns = tuple(
            one.unknown
            for one in used
            if one.unknown is not None
            and not one.is_innate
            and (one.metadata is None or not one.metadata.is_known)
        )
        return replace(answer, fixups=fixups, unknowns=unknowns)


def _override(written: ModuleOverride | None) -> ModuleOverrideAnswer | None:
    if written is None:
        return None
    given = written.arguments
    arguments = tuple(f"{key} = {starlark_text(value)}" for key, value in given.items() if value)
    decides = written.kind != "single_version_override" or bool(given.get("version"))
    return ModuleOverrideAnswer(written.kind, arguments, written.location, decides)
