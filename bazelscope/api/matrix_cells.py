"""Answers cells of a matrix, in any process: each is one question under one command line.

A process keeps what it opened: the packages of one host and one release of Bazel are loaded
once, whatever the number of lines; where rules of repositories see other variables under a line,
only what hangs on them is made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bazelscope.api.opened_workspace import OpenedWorkspace
from bazelscope.api.questions import ConfiguredWorkspace
from bazelscope.api.within_limits import within_limits
from bazelscope.base import budget
from bazelscope.base.budget import BudgetLimits
from bazelscope.base.collector import collecting_rarely
from bazelscope.base.errors import BazelscopeError, Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.paths import read_file
from bazelscope.flags.commandline import CommandLine
from bazelscope.questions.matrix.answer import NO_FLAG, UNKNOWN_NAME, MatrixQuestion
from bazelscope.questions.matrix.closures import Closures
from bazelscope.questions.matrix.find import CellResult
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.phrases import listed, origin_text, wants_text
from bazelscope.render.counting import plural

_Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """What all cells of one host and one release share: plain data, for another process.
    `tree` tells whether a machine sees the same files."""

    directory: str
    version: str | None
    host: str | None
    environment: tuple[tuple[str, str], ...]
    cache_dir: str | None
    limits: BudgetLimits
    links_to: tuple[str, ...] = ()
    tree: str = ""


@dataclass(frozen=True, slots=True)
class CellQuestion:
    """One cell: its number, and the words of its command line."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Cells that are answered together, since they load the same packages. `most_below`: for what
    Bazel refuses of a cell, so many targets are looked at."""

    lines: Lines
    question: MatrixQuestion
    arguments: tuple[str, ...]
    cells: tuple[CellQuestion, ...]
    most_below: int


Results = dict[int, CellResult]


class _Opened:
    """A workspace of one host and release, the first line that was asked in it, and the last that
    loads otherwise than the line before it."""

    def __init__(self, lines: Lines) -> None:
        self.workspace = OpenedWorkspace.open(
            lines.directory,
            bazel_version=lines.version,
            host=lines.host,
            environment=dict(lines.environment),
            cache_dir=Path(lines.cache_dir) if lines.cache_dir is not None else None,
            limits=lines.limits,
            links_to=lines.links_to,
        )
        self.first: ConfiguredWorkspace | None = None
        self.last: ConfiguredWorkspace | None = None
        self.closures = Closures()

    def load(self, line: ConfiguredWorkspace) -> None:
        """Lets a line take the packages of lines before it, as far as they are the same."""
        if self.first is None:
            self.first = self.last = line
            return
        assert self.last is not None
        if line.loading_options in (self.first.loading_options, self.last.loading_options):
            like = self.first if line.loading_options == self.first.loading_options else self.last
            line.load_like(like)
            return
        self.save()
        line.load_near(self.first)
        self.last = line

    def save(self) -> None:
        """Keeps what was loaded, for other processes and for lines that load otherwise."""
        if self.first is None or self.last is None:
            return
        self.first.save()
        if self.last is not self.first:
            self.last.save()
            self.last.loader.maker.leave()


_OPENED: dict[Lines, _Opened] = {}
"""Of this process; one that answers another matrix meanwhile begins anew."""
_MOST_OPENED = 1
"""Each takes the memory of a whole question about its packages."""


def forget() -> None:
    """Forgets what this process has opened: files may change before the next matrix."""
    _OPENED.clear()


def run_chunk(chunk: Chunk) -> list[tuple[int, CellResult]]:
    """Answers the cells of a chunk in whatever process this is: the number and the result of
    each."""
    with collecting_rarely():
        return _results_of(chunk)


def _results_of(chunk: Chunk) -> list[tuple[int, CellResult]]:
    lines, cells = chunk.lines, chunk.cells
    try:
        opened = _OPENED.get(lines)
        if opened is None:
            while len(_OPENED) >= _MOST_OPENED:
                del _OPENED[next(iter(_OPENED))]
            opened = _OPENED[lines] = _Opened(lines)
    except BazelscopeError as error:
        return [(cell.number, _failed(error)) for cell in cells]
    opened.closures.most_below = chunk.most_below
    results = []
    lines_of: dict[object, list[tuple[int, ConfiguredWorkspace]]] = {}
    for cell in cells:
        try:
            line = ConfiguredWorkspace(opened.workspace, CommandLine("build", cell.words, ()))
            result = _refused(line)
            if result is None:
                # Lines that load alike are asked one after another.
                loading = None if chunk.question is MatrixQuestion.FLAG else line.loading_options
                key = None if loading is None else loading.key()
                lines_of.setdefault(key, []).append((cell.number, line))
                continue
        except BazelscopeError as error:
            result = _failed(error)
        results.append((cell.number, result))
    for lines_alike in lines_of.values():
        while lines_alike:
            number, line = lines_alike.pop(0)
            try:
                if chunk.question is not MatrixQuestion.FLAG:
                    opened.load(line)
                # To make a configuration of it may take files.
                result = _refused_for(line.errors_of_configuration)
                result = result or ask(line, chunk.question, chunk.arguments, opened.closures)
            except BazelscopeError as error:
                result = _failed(error)
            results.append((number, result))
    opened.save()
    return results


def _refused(line: ConfiguredWorkspace) -> CellResult | None:
    """What is told of a line that Bazel does not take, before it looks at any file but rc
    files."""
    undefined = [config.name for config in line.undefined_configs]
    if undefined:
        names = ", ".join(f"--config={name}" for name in undefined)
        return CellResult("refused", (), f"{names} is not defined")
    return _refused_for(line.errors_of_flags)


def _refused_for(errors: tuple[Diagnostic, ...]) -> CellResult | None:
    return CellResult("refused", (), errors[0].message) if errors else None


def _failed(error: BazelscopeError) -> CellResult:
    return CellResult("error", (), error.diagnostic.message)


def tree_digest(root: Path) -> str:
    """A hash by which a machine can tell whether it sees the same tree: of the names in the
    workspace's root, and of the files there that decide the most."""
    state = hashlib.sha256()
    try:
        for path in sorted(root.iterdir()):
            state.update(path.name.encode("utf-8", "surrogateescape") + b"\0")
            if path.name in _TELLING and path.is_file():
                state.update(hashlib.sha256(read_file(path)).digest())
    except OSError:
        return ""
    return state.hexdigest()


_TELLING = frozenset(
    {
        *("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "BUILD"),
        *(".bazelrc", ".bazelversion", ".bazeliskrc"),
    }
)


def sees_tree(root: str, digest: str) -> bool:
    """Whether this machine has the tree at that path."""
    return tree_digest(Path(root)) == digest


@within_limits
def ask(
    line: ConfiguredWorkspace, question: MatrixQuestion, arguments: _Arguments, closures: Closures
) -> CellResult:
    """What the question comes to under the line alone; `closures` are those of lines with the
    same packages. Raises `UsageError`."""
    if question in _BUILDING:
        line.take_question(line.line.words, arguments[:1])
        if line.errors_of_flags:  # The project of the target may refuse the line.
            return CellResult("refused", (), line.errors_of_flags[0].message)
    result = _QUESTIONS[question](line, arguments, closures)
    spent = budget.current().spent_on_files()
    # What could not be loaded any more, no cell may call absent.
    return result if spent is None else CellResult("error", (), spent)


def _needs(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    from bazelscope.questions.shared.endpoint_answers import may_be_there
    from bazelscope.questions.shared.endpoints import which_targets
    from bazelscope.questions.shared.unknown_below import any_unknown

    source, target = names
    ends, start, end, _ = which_targets(line.world, source, target, True)
    if ends is None:
        return _nothing(start if start.is_settled and start.label is None else end)
    closure = closures.of(line.world, ends.start)
    size = len(closure.first_named_by)
    if ends.end in closure.first_named_by:
        way = tuple(map(str, closure.way(ends.end)))
        return _unless_refused(line, ends.start, size, closures, CellResult("yes", way))
    if ends.end not in closure.absent:
        is_hidden = any_unknown(line.world, closure.first_named_by, ends.end)
        closure.absent[ends.end] = is_hidden or may_be_there(start, end)
    result = CellResult("no known path" if closure.absent[ends.end] else "no")
    return _unless_refused(line, ends.start, size, closures, result)


def _holds(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    from bazelscope.analysis.conditions.match_result import UnknownMatch

    world = line.world
    target = closures.named(world, names[0])
    if target.label is None:
        return _nothing(target)
    match = world.conditions.match(target.label)
    if isinstance(match, UnknownMatch):
        return CellResult("unknown", (str(match.unknown),))
    told = [
        f"{one.what}={one.wanted}  {origin_text(one)}" if one.holds else wants_text(one)
        for one in match.requirements
    ]
    return CellResult("holds" if match.outcome.value == "holds" else "no", tuple(told))


def _nothing(name: NameAnswer) -> CellResult:
    """What comes of a cell where a name means no target, or several."""
    told = name.why or f"no target is named `{name.asked}`"
    if name.candidates:
        told += f": {listed([*map(str, name.candidates)], 3, '')}"
    if name.suggestions:
        told += f"; did you mean {', '.join(name.suggestions)}?"
    return CellResult(UNKNOWN_NAME, (), told)


def _flag(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    answer = line.flag(names[0].lstrip("-"))
    if answer.facts is None and answer.define is None:
        if answer.known_in:
            return CellResult(NO_FLAG)
        return CellResult(NO_FLAG, (), f"Bazel has no flag `{names[0]}`")
    counting = [ranked.setting for ranked in answer.settings if ranked.counts]
    places = [f"{one.canonical}  {one.location.short if one.location else ''}" for one in counting]
    value = " ".join(answer.values) or "not set"
    return CellResult(value, tuple(place.strip() for place in places))


def _check(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    findings = line.check().findings
    told = tuple(
        f"{one.code} {one.path}:{one.span.line if one.span else 0} {one.message}"
        for one in findings
    )
    return CellResult(plural(len(findings), "finding") if findings else "clean", told)


def _refusals(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    refusals = line.refusals(*names)
    told = [
        f"{one.target or ''} {one.location.short if one.location else ''} {one.message}".strip()
        for one in refusals
    ]
    return CellResult(f"refused ({len(refusals)})" if refusals else "no", tuple(told))


def _size(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    target = closures.named(line.world, names[0])
    if target.label is None:
        return _nothing(target)
    closure = closures.of(line.world, target.label)
    labels = tuple(map(str, sorted(closure.first_named_by)))
    result = CellResult(plural(len(labels), "target"), labels)
    return _unless_refused(line, target.label, len(labels), closures, result)


def _unless_refused(
    line: ConfiguredWorkspace, target: Label, size: int, closures: Closures, result: CellResult
) -> CellResult:
    """The result, with what Bazel refuses first of the target, where not too much lies below it
    to be looked at for every cell."""
    if size > closures.most_below:
        return result
    refusals = line.world.refusals_below((target,))
    if not refusals:
        return replace(result, refused="")
    first = next((one for one in refusals if not one.also), refusals[0])
    return replace(
        result,
        outcome=f"{result.outcome}, refused",
        refused=f"{first.target or target}: {first.message}",
    )


_BUILDING = (MatrixQuestion.NEEDS, MatrixQuestion.REFUSED, MatrixQuestion.SIZE)
_QUESTIONS: Mapping[
    MatrixQuestion, Callable[[ConfiguredWorkspace, _Arguments, Closures], CellResult]
] = {
    MatrixQuestion.NEEDS: _needs,
    MatrixQuestion.HOLDS: _holds,
    MatrixQuestion.FLAG: _flag,
    MatrixQuestion.CHECK: _check,
    MatrixQuestion.REFUSED: _refusals,
    MatrixQuestion.SIZE: _size,
}
