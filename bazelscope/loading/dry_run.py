"""Runs a repository rule dry: what it would write, without programs and downloads.

A run decides by likelihood where it must (see `dry_run_decisions`). A run that fails is
repeated with the last such decision turned around. When one has gone through, each of its
decisions is turned around once more to see which files rest on it: those are marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bazelscope import starlark
from bazelscope.errors import Diagnostic, StarlarkError
from bazelscope.loading.dry_run_decisions import Decision, Decisions, next_script
from bazelscope.loading.dry_run_state import (
    Download,
    DryRunSettings,
    DryRunState,
    FilesOfRepositories,
)
from bazelscope.loading.repository_content import VirtualFile
from bazelscope.loading.repository_context import RepositoryContext
from bazelscope.loading.unknown_text import shown_without_pieces
from bazelscope.loading.unknown_values import aware_builtins
from bazelscope.source import Location
from bazelscope.unknown import Reason, Unknown

MAXIMUM_RUNS = 24
MAXIMUM_CHECKS = 12
MAXIMUM_RESTARTS = 100
LIMITS = starlark.Limits(steps=20_000_000)

Implementation = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """The files that the rule would write, and what could not be known about them."""

    files: Mapping[str, VirtualFile]
    open_below: Mapping[str, Unknown]
    downloads: tuple[Download, ...]
    patches: tuple[str, ...]
    programs: tuple[str, ...]
    assumptions: tuple[Unknown, ...]
    failure: Diagnostic | None = None
    """Why the rule did not come to its end; `files` is what it had written by then."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    state: DryRunState
    failure: Diagnostic | None


def dry_run(
    repository: str,
    implementation: Implementation,
    attributes: Mapping[str, object],
    files_of: FilesOfRepositories,
    settings: DryRunSettings,
    location: Location | None,
) -> DryRunResult:
    """The result of calling `implementation` with a recording `repository_ctx`."""

    def run(script: tuple[bool, ...], plain_text: bool = False) -> _Outcome:
        for _ in range(MAXIMUM_RESTARTS):
            outcome = attempt(script, plain_text)
            if outcome.state.waits_for is None:
                break
            # Looks for that repository's content; it may run another rule dry.
            files_of.directory_of(outcome.state.waits_for)
        return outcome

    def attempt(script: tuple[bool, ...], plain_text: bool) -> _Outcome:
        state = DryRunState(repository, files_of, settings, location, plain_text, Decisions(script))
        context = RepositoryContext(state, attributes)
        try:
            with aware_builtins(implementation):
                starlark.call(implementation, (context.value(),), {}, starlark.Thread(LIMITS))
        except StarlarkError as error:
            return _Outcome(state, error.diagnostic)
        return _Outcome(state, None)

    outcome = _search(run)
    if outcome.failure is not None and outcome.state.pieces.any():
        # Some operations take no unknown text for a string; then it is one like any other.
        plain = _search(lambda script: run(script, True))
        if plain.failure is None:
            # Comparisons of unknown text went unnoticed: whatever was written rests on them.
            pieces = plain.state.pieces.all()
            doubts = {path: [pieces[-1]] for path in plain.state.files}
            return _result(plain, doubts, _assumed(plain, pieces))
    if outcome.failure is not None:
        return _failed(outcome)
    made = tuple(outcome.state.decisions.made)
    return _result(outcome, _doubts(outcome, made, run), _assumed(outcome))


def _search(run: Callable[[tuple[bool, ...]], _Outcome]) -> _Outcome:
    """The first run that comes to its end; else the one that wrote most."""
    outcome = furthest = run(())
    for _ in range(MAXIMUM_RUNS - 1):
        script = None if outcome.failure is None else next_script(outcome.state.decisions.made)
        if script is None:
            break
        outcome = run(script)
        if outcome.failure is None or len(outcome.state.files) > len(furthest.state.files):
            furthest = outcome
    return furthest


def _assumed(outcome: _Outcome, more: tuple[Unknown, ...] = ()) -> tuple[Unknown, ...]:
    made = (item.unknown for item in outcome.state.decisions.made)
    return tuple(dict.fromkeys((*made, *more)))


def _doubts(
    outcome: _Outcome, made: tuple[Decision, ...], run: Callable[[tuple[bool, ...]], _Outcome]
) -> dict[str, list[Unknown]]:
    """The files that would differ had one decision gone the other way."""
    doubts: dict[str, list[Unknown]] = {}
    files = outcome.state.files
    for index, decision in enumerate(made[:MAXIMUM_CHECKS]):
        before = tuple(item.choice for item in made[:index])
        other = run((*before, not decision.choice))
        if other.failure is not None:
            continue
        for path in files.keys() | other.state.files.keys():
            mine, theirs = files.get(path), other.state.files.get(path)
            if mine is None or theirs is None or _differ(mine, theirs):
                doubts.setdefault(path, []).append(decision.unknown)
    return doubts


def _differ(mine: VirtualFile, theirs: VirtualFile) -> bool:
    return (mine.text, mine.real_path) != (theirs.text, theirs.real_path)


def _result(
    outcome: _Outcome, doubts: Mapping[str, list[Unknown]], assumptions: tuple[Unknown, ...]
) -> DryRunResult:
    state = outcome.state
    files = dict(state.files)
    open_below = dict(state.open_below)
    for path, reasons in sorted(doubts.items()):
        assumed = tuple(_assumption(reason) for reason in dict.fromkeys(reasons))
        file = files.get(path)
        if file is None:
            open_below.setdefault(path, assumed[0])
        else:
            files[path] = replace(file, unknowns=(*file.unknowns, *assumed))
    return DryRunResult(
        files,
        open_below,
        tuple(state.downloads),
        tuple(state.patches),
        tuple(state.programs),
        assumptions,
        outcome.failure,
    )


def doubted(result: DryRunResult, doubt: Unknown) -> DryRunResult:
    """The result of a rule whose very arguments rest on something unknown."""
    files = {
        path: replace(file, unknowns=(*file.unknowns, doubt)) for path, file in result.files.items()
    }
    return replace(result, files=files, open_below={**result.open_below, "": doubt})


def _assumption(reason: Unknown) -> Unknown:
    detail = f"written on an assumption ({reason.detail})" if reason.detail else "assumed"
    return Unknown(Reason.DEPENDS_ON_UNKNOWN, reason.subject, detail, reason.location)


def _failed(outcome: _Outcome) -> DryRunResult:
    state = outcome.state
    failure = outcome.failure
    assert failure is not None
    first_line = shown_without_pieces(failure.message.strip().split("\n")[0], 160)
    unknown = state.unknown(
        Reason.FAILED, "the rest", f"its repository rule stops here: {first_line}"
    )
    result = _result(outcome, {}, _assumed(outcome))
    return replace(result, open_below={**result.open_below, "": unknown})
