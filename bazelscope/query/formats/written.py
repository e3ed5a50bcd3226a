"""A question in the query language, answered and written as Bazel would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, Severity, is_bazels_error, is_severe
from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.query import query_answer
from bazelscope.query.formats.format_names import (
    check_format,
    find_format,
    needs_graph,
    output_options,
)
from bazelscope.query.formats.results import ConfiguredResults, TargetResults
from bazelscope.query.language.query_parser import parse
from bazelscope.query.language.signatures import Command
from bazelscope.query.query_options import NULL, QueryOptions
from bazelscope.questions.shared.completeness import how_complete

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.bazel.release import Release
    from bazelscope.query.formats.analysed import Written
    from bazelscope.query.query_answer import Queried, QueriedConfigured, QueryAnswer
    from bazelscope.questions.shared.envelope import Envelope, ExitCode
    from bazelscope.questions.shared.world import World


_ABSENT = frozenset({"no-such-package", "no-such-target"})
_FRAGMENTS = "show_config_fragments"
_FILE = "output_file"
_SHOWS_FRAGMENTS = frozenset({"label", "label_kind"})
"""Formats that list them. Bazel: `LabelAndConfigurationOutputFormatterCallback`."""
_LOST = _ABSENT | {"no-targets", "no-test"}


@dataclass(frozen=True)
class AskedQuery:
    """A question in the query language with its result. What is told of that is worked
    out when it is asked for: most people read the labels alone. `line` is the envelope of the
    command line, `diagnostics` what was met on the way."""

    world: World
    line: Envelope
    expression: str
    queried: Queried
    diagnostics: tuple[Diagnostic, ...]
    _write: Callable[[], str | bytes]

    def text(self) -> str | bytes:
        """The result in the format that `--output` names."""
        return self._write()

    @cached_property
    def envelope(self) -> Envelope:
        """What stands around the answer."""
        completeness = how_complete(self.world.loader, self.queried.labels)
        if isinstance(self.queried, query_answer.QueriedTargets):
            passed = {str(id) for id in self.queried.environment.passed_by()}
            in_error = [one for one in completeness.packages_in_error if one.package not in passed]
            completeness = replace(completeness, packages_in_error=tuple(in_error))
        return self.line.closed(completeness, self.diagnostics, self.refusals)

    @cached_property
    def refusals(self) -> tuple[Refusal, ...]:
        """What Bazel refuses of what the question is about; `query` configures nothing."""
        return query_answer.refusals(self.world, self.queried)

    @property
    def is_withheld(self) -> bool:
        """Whether Bazel answers nothing: it refuses something of what the question is about, or
        `query` has met a package in error or what is not there, and is not told to go on."""
        if self.world.refused_files:
            return True  # No package loads, and nothing is left to go on with.
        if self.queried.environment.settings.keep_going:
            return False
        if isinstance(self.queried, query_answer.QueriedConfigured):
            return bool(self.refusals)
        met = [one for one in self.diagnostics if one.code in _ABSENT]
        for package in self.envelope.completeness.packages_in_error:
            met += [one for one in package.diagnostics if is_bazels_error(one)]
        return bool(self.refusals or met)

    @property
    def is_written(self) -> bool:
        """Whether there is text for all that: what is streamed is out before Bazel fails."""
        is_streamed = self.queried.environment.settings.is_sky
        lost = is_streamed and any(one.code in _ABSENT for one in self.diagnostics)
        return not self.is_withheld or (is_streamed and not lost)

    @property
    def lacks_patterns(self) -> bool:
        """Whether `cquery` went on past patterns that stand for nothing, or for not all; or past
        what a test_suite should not name."""
        is_configured = isinstance(self.queried, query_answer.QueriedConfigured)
        return is_configured and any(
            one.code in _LOST and is_severe(one) for one in self.diagnostics
        )

    @property
    def refused(self) -> ExitCode | None:
        """What Bazel ends with where it refuses something of the question; None if it does not."""
        if not (self.refusals or self.lacks_patterns or self.is_withheld):
            return None
        from bazelscope.questions.shared.envelope import ExitCode

        if isinstance(self.queried, query_answer.QueriedConfigured):
            return ExitCode.NEGATIVE
        # Measured (0.24.1 to 4.2.3): told to go on past a WORKSPACE that fails, it answers nothing.
        goes_on = self.queried.environment.settings.keep_going
        return ExitCode.IN_ERROR if goes_on else ExitCode.REFUSED

    @property
    def exit_code(self) -> ExitCode:
        """That of the answer, which need not be made for it."""
        is_partial = self.queried.unsettled.hiding > 0
        is_partial = is_partial or query_answer.leaves_something_out(self.diagnostics)
        return self.envelope.exit_code(is_partial=is_partial)

    def answer(self) -> QueryAnswer:
        """The result as data."""
        return query_answer.answer(
            self.world, self.line, self.expression, self.queried, self.diagnostics,
            self.refused,
        )  # fmt: skip


def ask_query(
    world: World, line: Envelope, text: str, root: str, directory: PackageId
) -> AskedQuery:
    """Asks `text`, to be written in the format that `--output` names.

    The command and its options are those of the command line of `world`. Raises `QueryError`
    for what Bazel would refuse.
    """
    setup = line.setup
    command = Command(setup.command)
    options = QueryOptions(world.flags.values)
    settings = options.settings(setup.bazel_version, directory)
    name = options.text("output", "label")
    shows_transitions = options.text("transitions", "none") != "none"
    in_messages = name.endswith("proto") and settings.release.transitions_go_into_messages
    if command is Command.CQUERY and shows_transitions and not in_messages:
        name = "transitions"
    form = find_format(name, command, settings.release)
    not_told = tuple(_not_told(options, name, command, settings.release))
    if form is None:
        analysed = query_answer.cquery(world, text, settings)
        written = _analysed(name, world, analysed, options, root)
        told = (*analysed.environment.diagnostics, *written.diagnostics, *not_told)
        return AskedQuery(world, line, text, analysed, told, lambda: written.text)
    output_base = world.loader.options.output_base
    output = output_options(options, root, settings, name, command, output_base)
    style = world.loader.context.label_style
    output = replace(output, canonical_text=style)
    if options.is_on("consistent_labels"):
        output = replace(output, label_text=style)
    if settings.release.calls_lie_where_they_begin:
        output = replace(output, place_of=world.loader.syntax_pieces.begin_of_call)
    if command is Command.CQUERY:
        configured = query_answer.cquery(world, text, settings)
        return AskedQuery(
            world, line, text, configured,
            (*configured.environment.diagnostics, *not_told),
            lambda: form(ConfiguredResults(configured, output), output),
        )  # fmt: skip
    if name == "location":
        check_format(name, parse(text, command, setup.bazel_version, universe=True))
    queried = query_answer.query(world, text, settings, options.order(), needs_graph(name))
    return AskedQuery(
        world, line, text, queried, (*queried.environment.diagnostics, *not_told),
        lambda: form(TargetResults(queried, output), output),
    )  # fmt: skip


def _not_told(
    options: QueryOptions, name: str, command: Command, release: Release
) -> Iterator[Diagnostic]:
    """What Bazel writes besides what is written here, or elsewhere, or may write so."""
    asked = options.text(_FRAGMENTS, "off")
    if asked.lower() != "off" and name in _SHOWS_FRAGMENTS:
        message = f"`--{_FRAGMENTS}={asked}`: which fragments a target needs is not told"
        yield Diagnostic("unknown-fragments", message, severity=Severity.WARNING)
    if command is Command.CQUERY and options.is_on(NULL) and release.cquery_may_end_lines_with_null:
        message = f"whether `cquery` of Bazel {release} heeds `--{NULL}` is not known"
        yield Diagnostic("unknown-line-ends", message, severity=Severity.WARNING)
    for what in _left_out_of_messages(options, release) if name.endswith("proto") else ():
        message = f"{what} is left out of the messages"
        yield Diagnostic("left-out-of-messages", message, severity=Severity.WARNING)
    file = options.text(_FILE, "")
    if file:
        message = f"`--{_FILE}`: what Bazel would write to `{file}` is printed, not written"
        yield Diagnostic("output-file", message, severity=Severity.WARNING)


def _left_out_of_messages(options: QueryOptions, release: Release) -> Iterator[str]:
    if options.text("transitions", "none") != "none":
        yield "`configured_rule_input`"
    if options.is_on("proto:rule_classes"):
        yield "`rule_class_info`"
    if options.is_on("proto:include_attribute_source_aspects"):
        yield "`source_aspect_name`"
    is_known = release.rule_digests or release.rule_digests_of_texts
    if not is_known and options.is_on("proto:include_starlark_rule_env", True):
        yield "`$rule_implementation_hash` of rules in Starlark, which is not known here,"


def _analysed(
    name: str, world: World, queried: QueriedConfigured, options: QueryOptions, root: str
) -> Written:
    """The formats that may leave something out and say so."""
    from bazelscope.query.formats.analysed import FORMATS, Asked

    return FORMATS[name](Asked(queried, options, root, world.loader))
