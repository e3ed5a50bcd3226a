"""The formats of cquery that take more than the targets: starlark, files, transitions.

Each writes what can be told, and says of the rest why it cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from bazelscope import starlark
from bazelscope.analysis.rules.output_files import DEFAULT, OutputFiles
from bazelscope.base.errors import BazelscopeError, Diagnostic, Severity, StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.structs import unknown_in
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import InputFile
from bazelscope.query.formats.starlark_target import CquerySymbols, QueryTarget
from bazelscope.query.formats.transitions_output import to_transitions
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.signatures import Command
from bazelscope.query.query_answer import QueriedConfigured
from bazelscope.query.query_options import QueryOptions

_EXPRESSION = "--starlark:expr"


@dataclass(frozen=True, slots=True)
class Written:
    """The text, and what was said on the way."""

    text: str
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the formats work on; relative paths begin at `root`."""

    queried: QueriedConfigured
    options: QueryOptions
    root: str
    loader: Loader

    @property
    def line_end(self) -> str:
        release = self.queried.environment.settings.release
        return self.options.line_end(Command.CQUERY, release)


def to_starlark(asked: Asked) -> Written:
    """What a Starlark function makes of each target. Bazel: `StarlarkOutputFormatterCallback`.

    Raises `QueryError` for a program that is none.
    """
    told: list[Diagnostic] = []

    def show(line: str) -> None:
        told.append(Diagnostic("starlark-print", line, severity=Severity.WARNING))

    thread = starlark.Thread(print_handler=show)
    symbols = CquerySymbols(asked.queried.environment.graph, asked.loader)
    function = _format_function(_program(asked), symbols, thread)
    lines = []
    for node in asked.queried.nodes:
        try:
            thread.doubts.clear()
            value = starlark.call(function, (QueryTarget(node, symbols),), {}, thread)
            _refuse_unknown(value, thread)
            line = starlark.str_of(value)
            _refuse_unknown(line, thread)
            lines.append(f"{line}{asked.line_end}")
        except StarlarkError as error:
            problem = error.diagnostic
            message = f"Starlark evaluation error for {node.label}: {problem.message}"
            told.append(Diagnostic("starlark-evaluation", message, problem.span, problem.notes))
    return Written("".join(lines), tuple(told))


def _refuse_unknown(value: object, thread: starlark.Thread) -> None:
    """Raises an error where what a program makes of a target rests on something unknown."""
    unknown = next(iter(thread.doubts.values()), None) or unknown_in(value)
    if unknown is not None:
        raise starlark.as_starlark_error(starlark.EvaluationError(str(unknown)))


def _program(asked: Asked) -> SourceFile:
    root = Path(asked.root)
    source = asked.options.file("starlark:file", root, root)
    expression = asked.options.text("starlark:expr", "")
    if source is None:
        text = expression.strip() or "str(target.label)"
        try:
            # An expression by itself: it may not close the parenthesis that it is put in.
            starlark.parse(SourceFile(_EXPRESSION, f"{text}\n"), starlark.FileKind.BZL)
        except StarlarkError as error:
            raise _refused(f"invalid --starlark:expr: {error.diagnostic.message}") from error
        return SourceFile(_EXPRESSION, f"def format(target): return ({text})\n")
    if expression:
        raise _refused("you must not specify both --starlark:expr and --starlark:file")
    return source


def _format_function(
    source: SourceFile, symbols: CquerySymbols, thread: starlark.Thread
) -> Callable[..., object]:
    predeclared = symbols.names
    option = source.path if source.path == _EXPRESSION else "--starlark:file"
    try:
        program = starlark.load_program(source, starlark.FileKind.BZL, frozenset(predeclared))
        module = starlark.execute(program, predeclared, _no_loads, thread)
    except BazelscopeError as error:
        told = error.diagnostic
        message = f"invalid {option}: {told.message}"
        if told.span is not None and option != source.path:
            message = f"invalid {option}: {source.path}:{told.span.line}: {told.message}"
        raise _refused(message) from error
    function = module.globals.get("format")
    if not callable(function) or not starlark.is_function(function):
        raise _refused(f"file {source.path} does not define a function `format(target)`")
    return function


def _no_loads(statement: starlark.LoadStatement) -> starlark.Module:
    raise starlark.EvaluationError(f"cannot load '{statement.module}': there are no loads here")


def _refused(message: str) -> QueryError:
    return QueryError(Diagnostic("starlark-program", message))


def to_files(asked: Asked) -> Written:
    """The files that the targets stand for in the output groups that are asked for, one a line.
    Bazel: `FilesOutputFormatterCallback`."""
    environment = asked.queried.environment
    files = OutputFiles(environment.graph)
    groups = _output_groups(asked.options.each_word("output_groups"))
    with_sources = environment.settings.release.source_files_among_outputs
    paths: dict[str, None] = {}
    told: list[Diagnostic] = []
    if not environment.settings.release.cquery_files:
        first = Release.cquery_files.series
        message = f"`--output=files` came with Bazel {first}: before, Bazel refuses it"
        told.append(Diagnostic("later-format", message, severity=Severity.WARNING))
    for node in asked.queried.nodes:
        if isinstance(environment.target(node), InputFile) and not with_sources:
            continue
        outputs = files.in_groups(node, groups, with_sources)
        if isinstance(outputs, Unknown):
            message = f"the files of {node.label} ({node.configuration_name}) are not known"
            why = message if outputs.subject == str(node.label) else f"{message}: {outputs.subject}"
            told.append(Diagnostic("unknown-files", f"{why}: {outputs.detail}"))
        else:
            paths.update(dict.fromkeys(outputs))
    return Written("".join(f"{path}{asked.line_end}" for path in paths), tuple(told))


def _output_groups(words: Sequence[str]) -> Collection[str]:
    """The output groups that are asked for: those named, or, if each word begins with a sign, the
    default one with changes. Bazel: `OutputGroupInfo.determineOutputGroups`."""
    groups = {DEFAULT} if all(word.startswith(("+", "-")) for word in words) else set()
    for word in words:
        if word.startswith("-"):
            groups.discard(word[1:])
        else:
            groups.add(word.removeprefix("+"))
    return groups


def _transitions(asked: Asked) -> Written:
    consistent = asked.options.is_on("consistent_labels")
    style = asked.loader.context.label_style if consistent else str
    return Written(*to_transitions(asked.queried, asked.options.text("transitions", "none"), style))


FORMATS: Mapping[str, Callable[[Asked], Written]] = {
    "files": to_files,
    "starlark": to_starlark,
    "transitions": _transitions,
}
