"""From a command line and the rc files to the flags in force: the stage's one pipeline.

The order is Bazel's (`BlazeOptionHandler.parseArgsAndConfigs`): startup options; rc files;
the rc lines of `always`, `common`, the command's ancestors and the command; the command
line; each `--config`; the platform's config. What Bazel would stop at is recorded as a
diagnostic, and the rest is still worked out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.source import Span
from bazelscope.bazel import flag_catalog, flag_conversion
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.flags import outcome, startup, warnings
from bazelscope.flags.expansion import ConfigExpander
from bazelscope.flags.flag_values import (
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    FromDefault,
    ResolvedFlags,
)
from bazelscope.flags.implicit_requirements import requirements
from bazelscope.flags.option_parsing import COMMAND_LINE, RC_FILE, OptionParser
from bazelscope.flags.rc_file_reading import Files
from bazelscope.flags.rc_search import RcFiles, read_rc_files
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.undefined import perhaps_defined, undefined_config
from bazelscope.flags.words import ConfigNode, Word

if TYPE_CHECKING:
    from bazelscope.flags.configure_scripts import ScriptMention

MAX_REPORTED = 100
"""Undefined configs that are explained at most, each with a look at the workspace."""

PLATFORM_FLAG = "enable_platform_specific_config"


def resolve(
    request: FlagRequest,
    files: Files,
    *,
    catalog: Catalog | None = None,
    rc_files: RcFiles | None = None,
) -> ResolvedFlags:
    """Everything that the rc files and the words of `request` amount to.

    `catalog` and `rc_files` may be given if they are there already. Nothing is raised for
    bad input: see `ResolvedFlags.diagnostics`.
    """
    return Resolution(request, files, catalog, rc_files).result()


class Resolution:
    """One run of the pipeline, with what later questions about it need."""

    def __init__(
        self,
        request: FlagRequest,
        files: Files,
        catalog: Catalog | None = None,
        rc_files: RcFiles | None = None,
    ) -> None:
        self.request = request
        self.files = files
        self.catalog = catalog or flag_catalog.load(request.bazel_version)
        self.startup = startup.parse(request.startup, self.catalog)
        self.rc_files = rc_files or read_rc_files(request, files, self.catalog, self.startup)
        release = self.catalog.release
        pseudo = ("always", "common") if release.always_section else ("common",)
        self.commands = (*pseudo, *self.catalog.command_chain(request.command))
        self._lenient = release.lenient_common
        self.parser = OptionParser(
            self.catalog, request.command, request.takes_value, request.aliases
        )
        self.expander = ConfigExpander(
            self.rc_files.sections,
            self.commands,
            release.lenient_common,
            every_section=release.lenient_configs,
        )
        self._nodes: list[ConfigNode] = []
        self._undefined: list[FlagInstance] = []
        self._reported: set[tuple[str, Span | None]] = set()
        self._diagnostics: list[Diagnostic] = []

    def result(self) -> ResolvedFlags:
        """Runs the pipeline."""
        self._check_sections()
        if self.catalog.release.rc_words_first:
            self._parse_rc_lines()
            self._parse_command_line()
        else:
            self._parse_command_line()
            self._parse_rc_lines()
        self._expand_configs()
        self._expand_platform_config()
        self._add_requirements()
        values = outcome.flag_values(self.parser.options)
        defines = outcome.defines(values)
        self._warn_of_version(values)
        self._check_values(values)
        self._warn_of_repeated_configs(values)
        self._warn_of_redefinitions(defines)
        return self._assemble(values, defines)

    def _parse_rc_lines(self) -> None:
        for command in self.commands:
            lenient = self._lenient and command == "common"
            for chunk in self.rc_files.sections.get(command, ()):
                words = [Word(w.text, w.origin, lenient=lenient) for w in chunk.words]
                self.parser.parse(RC_FILE, words)

    def _parse_command_line(self) -> None:
        words = [
            Word(text, FromCommandLine(index)) for index, text in enumerate(self.request.words)
        ]
        self.parser.parse(COMMAND_LINE, words)
        project = [Word(text, origin) for text, origin in self.request.project_words]
        self.parser.parse(COMMAND_LINE, project)

    def _expand_configs(self) -> None:
        instances = [p.instance for p in self.parser.options if p.definition.name == "config"]
        for instance in sorted(instances, key=lambda i: i.precedence):
            name = instance.value or ""
            if self.expander.is_defined(name):
                self._expand(ConfigNode(name, None, instance))
            else:
                self._report_undefined(name, instance.span, instance)

    def _expand(self, node: ConfigNode) -> None:
        assert node.instance is not None
        words = self.expander.expand(node)
        self._nodes.append(node)
        self.parser.parse_expansion(node.instance, words)

    def _expand_platform_config(self) -> None:
        instances = [p.instance for p in self.parser.options if p.definition.name == PLATFORM_FLAG]
        if not instances:
            return
        last = max(instances, key=lambda i: i.precedence)
        name = self.request.platform_config
        if flag_conversion.boolean(last.value or "") and self.expander.is_defined(name):
            self._expand(ConfigNode(name, None, last))

    def _add_requirements(self) -> None:
        values = outcome.flag_values(self.parser.options)
        origin = FromDefault(self.catalog.bazel_version)
        command = self.request.command
        for requirement in requirements(command, values, self.catalog):
            word = Word(requirement.text, origin)
            self.parser.parse(requirement.category, [word], requirement.cause)

    def _check_sections(self) -> None:
        known = self.catalog.commands | {"common"}
        if self.catalog.release.always_section:
            known |= {"always"}
        for section, chunks in self.rc_files.sections.items():
            command = chunks[0].command
            if command in known:
                continue
            for chunk in chunks:
                span = chunk.words[0].line.head.span
                self._diagnostics.append(
                    warnings.unknown_command(section, command, span, self.catalog)
                )

    def _warn_of_repeated_configs(self, values: Mapping[str, FlagValue]) -> None:
        seen: dict[str, list[FlagInstance]] = {}
        for instance in values["config"].instances if "config" in values else ():
            seen.setdefault(instance.value or "", []).append(instance)
        for name, instances in seen.items():
            if len(instances) > 1:
                added = _added_again(values, name)
                which = ", ".join(f"`--{one}`" for one in added)
                self._diagnostics.append(
                    warnings.warning(
                        "config-repeated" if added else "config-expanded-again",
                        f"`--config={name}` is expanded {len(instances)} times"
                        + (f", and as often it adds {which}" if added else ""),
                        instances[1].span,
                        notes=tuple(_chain_note(i) for i in instances),
                    )
                )

    def _warn_of_redefinitions(self, defines: Mapping[str, Define]) -> None:
        for define in defines.values():
            losers = [i for i in define.overridden if _define_value(i) != define.value]
            if losers:
                self._diagnostics.append(
                    warnings.warning(
                        "define-conflict",
                        f"`--define={define.name}` is set to different values; "
                        f"`{define.value}` counts, being the last",
                        define.instance.span,
                        notes=tuple(Note(f"`{_define_value(i)}` here", i.span) for i in losers),
                    )
                )

    def _warn_of_version(self, values: Mapping[str, FlagValue]) -> None:
        catalog = self.catalog
        names = sorted(name for name in values if catalog.differs_between_neighbours(name))
        if names:
            self._diagnostics.append(warnings.changed_between_releases(names, catalog))

    def _check_values(self, values: Mapping[str, FlagValue]) -> None:
        """What Bazel looks at first when it has the value of an option as a whole."""
        autoloads = values.get("incompatible_autoload_externally")
        if autoloads is not None and autoloads.value:
            from bazelscope.bazel.removed_natives import autoload_problem  # Few lines need it.

            problem = autoload_problem(name for name in autoloads.value.split(",") if name)
            if problem is not None:
                span = autoloads.instances[-1].span
                self._diagnostics.append(Diagnostic("bad-option-value", problem, span))

    def _undefined_nested(self) -> None:
        by_origin = {
            option.instance.origin: option.instance
            for option in self.parser.options
            if option.definition.name == "config"
        }
        for name, word in self.expander.undefined:
            instance = by_origin.get(word.origin)
            self._report_undefined(name, word.origin.span, instance)

    def _report_undefined(
        self, name: str, span: Span | None, instance: FlagInstance | None
    ) -> None:
        """Notes that no file that was read defines a config; one that was left out may do so."""
        left_out = self.rc_files.left_out
        if not left_out and instance is not None and instance not in self._undefined[-1:]:
            self._undefined.append(instance)
        if (name, span) in self._reported or len(self._reported) >= MAX_REPORTED:
            return
        self._reported.add((name, span))
        self._diagnostics.append(
            perhaps_defined(name, span, left_out)
            if left_out
            else undefined_config(
                name, span, self.request, self.rc_files, self.catalog, self._writers
            )
        )

    @cached_property
    def _writers(self) -> Mapping[str, ScriptMention]:
        """Where configure scripts name rc files that are not there."""
        from bazelscope.flags.configure_scripts import mentions_of_missing

        return mentions_of_missing(self.request, self.rc_files, self.files)

    def _startup_options(self) -> tuple[str, ...]:
        """The startup options of rc files and of the command line, in Bazel's order."""
        words = [word.text for word in self.rc_files.startup]
        combined = startup.parse((*words, *self.startup.texts), self.catalog)
        self._diagnostics += startup.check_rc_words(self.rc_files.startup, self.catalog)
        self._diagnostics += self.startup.diagnostics
        return combined.texts

    def _assemble(
        self, values: Mapping[str, FlagValue], defines: Mapping[str, Define]
    ) -> ResolvedFlags:
        parser = self.parser
        self._undefined_nested()
        startup_options = self._startup_options()
        expansions = (outcome.config_expansion(node) for node in self._nodes)
        problems = [
            *self.rc_files.diagnostics,
            *parser.diagnostics,
            *self.expander.diagnostics,
            *self._diagnostics,
        ]
        return ResolvedFlags(
            command=self.request.command,
            bazel_version=self.catalog.bazel_version,
            host=self.request.host,
            environment=self.request.environment,
            rc_files=self.rc_files.files,
            instances=outcome.effective(parser.options),
            values=values,
            defines=defines,
            configs=tuple(e for e in expansions if e is not None),
            undefined_configs=tuple(self._undefined),
            targets=outcome.targets(self.request.command, parser.residue, parser.after_dashes),
            startup_options=startup_options,
            parsed=tuple(option.instance for option in outcome.in_order(parser.options)),
            diagnostics=self._by_place(problems),
            starlark_flags=outcome.starlark_values(
                parser.starlark, self.catalog.release.starlark_in_order, parser.after_dashes
            ),
        )

    def _by_place(self, problems: list[Diagnostic]) -> tuple[Diagnostic, ...]:
        order = {path: number for number, path in enumerate(self.rc_files.sources)}

        def place(problem: Diagnostic) -> tuple[int, int, int]:
            span = problem.span
            if span is None:
                return (-1, 0, 0)
            return (order.get(span.path, len(order)), span.line, span.column)

        return tuple(sorted(problems, key=place))


def _define_value(instance: FlagInstance) -> str:
    return (instance.value or "").partition("=")[2]


def _chain_note(instance: FlagInstance) -> Note:
    parts = []
    for step in instance.chain:
        location = step.location
        parts.append(f"`{step.text}`" + (f" ({location.short})" if location else ""))
    return Note(" -> ".join(parts), instance.span)


_LAST_OF_A_NAME_WINS = frozenset(
    {"action_env", "config", "define", "host_action_env", "repo_env", "test_env"}
)


def _added_again(values: Mapping[str, FlagValue], config: str) -> list[str]:
    """The options that a config adds once more each time that it is expanded. Of those that give
    a value to a name the last counts, so that it matters nothing how many there are."""
    added = []
    for name, value in values.items():
        if name in _LAST_OF_A_NAME_WINS or len(value.instances) < 2:
            continue
        texts = [one.text for one in value.instances if _is_of(one, config)]
        if len(set(texts)) < len(texts):
            added.append(name)
    return sorted(added)


def _is_of(instance: FlagInstance, config: str) -> bool:
    return any(one.name == "config" and one.value == config for one in instance.chain[:-1])
