"""Runs a repository rule dry: what it would write, without programs and downloads.

A run decides by likelihood where it must (see `dry_run_decisions`). A run that fails is
repeated with the last such decision turned around. When one has gone through, each of its
decisions is turned around once more to see which files rest on it: those are marked. Where the
rule then fails whatever else is tried, every build that works bears the decision out: such an
assumption is told, but puts no file in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.decisions import Decision, Decisions, next_script
from bazelscope.loading.dry_run.repository_context import LATER_MEMBERS, RepositoryContext
from bazelscope.loading.dry_run.repository_path import own_root
from bazelscope.loading.dry_run.run_result import (
    SURE,
    DryRunResult,
    DryRunSettings,
    FilesOfRepositories,
)
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import (
    NEEDS_UNKNOWN,
    before_pieces,
    shown_without_pieces,
    with_unknown_literals,
)
from bazelscope.loading.packages.repository_content import VirtualFile
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES

MAXIMUM_RUNS = 24
MAXIMUM_CHECKS = 40
MAXIMUM_FURTHER_CHECKS = 40
RUNS_PER_CHECK = 6
MAXIMUM_PARTS = 100
MAXIMUM_RESTARTS = 100
LIMITS = starlark.Limits(steps=20_000_000)

Implementation = Callable[[object], object]


_NO_TEXTS: Mapping[str, Unknown] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Outcome:
    state: DryRunState
    failure: Diagnostic | None
    is_cut: bool = False
    """Whether a limit ended the run: others of the same rule would come no further."""
    doubts: tuple[Unknown, ...] = ()
    """What else it had decided by without knowing it (loops over unknown lists), if it failed."""
    has_unknown_text: bool = False
    """Whether it had been told a text, beside its environment and where it is, that is unknown."""


def dry_run(
    repository: str,
    implementation: Implementation,
    attributes: Mapping[str, object],
    files_of: FilesOfRepositories,
    settings: DryRunSettings,
    location: Location | None,
    canonical: str = "",
    texts: Mapping[str, Unknown] = _NO_TEXTS,
) -> DryRunResult:
    """The result of calling `implementation` with a recording `repository_ctx`; `canonical` is
    what this Bazel calls the repository in `@@...`; `texts` are attributes that are strings of
    which nobody knows what they are: what the rule writes of them is a piece of its files."""

    parts = 1

    def run(
        script: tuple[bool, ...], plain_text: bool = False, like: _Outcome | None = None
    ) -> _Outcome:
        nonlocal parts
        preferred = like.state.decisions.answers if like is not None else {}
        for _ in range(MAXIMUM_RESTARTS):
            outcome = attempt(Decisions(script, preferred, parts), plain_text)
            if outcome.state.waits_for is None:
                wanted = _parts_wanted(outcome)
                if not parts < wanted <= MAXIMUM_PARTS:
                    break
                # The rule takes a program to print more lines than one.
                parts = wanted
                continue
            # Looks for that repository's content; it may run another rule dry.
            files_of.directory_of(outcome.state.waits_for)
        return outcome

    def attempt(decisions: Decisions, plain_text: bool) -> _Outcome:
        state = DryRunState(
            repository, files_of, settings, location, plain_text, decisions, canonical=canonical
        )
        unknown_texts = {name: state.unknown_text(why) for name, why in texts.items()}
        context = RepositoryContext(state, {**attributes, **unknown_texts})
        cuts = budget.current().cuts
        thread = starlark.Thread(LIMITS)
        value = context.value()
        own_root(state)  # Where it is made is unknown of every rule, like its environment.
        told = state.pieces.count
        try:
            with settings.deciding(decisions):
                starlark.call(implementation, (value,), {}, thread)
        except StarlarkError as error:
            doubts = tuple(one for one in thread.doubts.values() if isinstance(one, Unknown))
            is_cut = budget.current().cuts > cuts
            has_unknown_text = bool(texts) or state.pieces.count > told
            return _Outcome(state, error.diagnostic, is_cut, doubts, has_unknown_text)
        finally:
            state.settle_links()
        return _Outcome(state, None)

    outcome = _search(run)
    if outcome.failure is not None and outcome.state.pieces.any() and not outcome.is_cut:
        # Some operations take no unknown text for a string; then it is one like any other.
        plain = _search(lambda script: run(script, True))
        if plain.failure is None:
            # Comparisons of unknown text went unnoticed: whatever was written rests on them.
            pieces = plain.state.pieces.all()
            doubts = {path: [_unnoticed(pieces[-1])] for path in plain.state.files}
            made = (decided.assumption(is_forced=False) for decided in plain.state.decisions.made)
            return _result(plain, doubts, tuple(dict.fromkeys((*made, *map(_unnoticed, pieces)))))
    if outcome.failure is not None:
        return _failed(outcome)
    doubts, assumptions = _checked(outcome, lambda script: run(script, like=outcome))
    if parts > 1:
        subject = f"{at_sign(repository)}: the output of its programs"
        detail = f"assumed that it has {parts} parts where the rule needs as many"
        reason = Reason.DEPENDS_ON_UNKNOWN
        assumptions = (*assumptions, Unknown(reason, subject, detail, location))
    return _result(outcome, doubts, assumptions)


Run = Callable[[tuple[bool, ...]], _Outcome]


_OUT_OF_RANGE = lazy_pattern(r"index out of range \(index is (\d+), but sequence has")


def _parts_wanted(outcome: _Outcome) -> int:
    """How many lines a text would need that a run failed for want of; 0 if it did not."""
    if outcome.failure is None or not outcome.state.pieces.any():
        return 0
    match = _OUT_OF_RANGE.search(outcome.failure.message)
    return int(match.group(1)) + 1 if match is not None and len(match.group(1)) < 4 else 0


def _search(
    run: Run, script: tuple[bool, ...] = (), fixed: int = 0, runs: int = MAXIMUM_RUNS
) -> _Outcome:
    """The first run that comes to its end; else the one that wrote most. The first `fixed`
    decisions of `script` stay as they are."""
    outcome = furthest = run(script)
    for _ in range(runs - 1):
        if outcome.failure is None or outcome.is_cut:
            break
        following = next_script(outcome.state.decisions.made, fixed)
        if following is None:
            break
        outcome = run(following)
        if outcome.failure is None or len(outcome.state.files) > len(furthest.state.files):
            furthest = outcome
    return furthest


def _checked(outcome: _Outcome, run: Run) -> tuple[dict[str, list[Unknown]], tuple[Unknown, ...]]:
    """The files that would differ had one decision gone the other way, and all assumptions. A file
    that rests on what another one says, which nobody has, is unknown from then on."""
    doubts: dict[str, list[Unknown]] = {}
    unread: dict[str, Unknown] = {}
    assumptions: list[Unknown] = []
    files = outcome.state.files
    made = tuple(outcome.state.decisions.made)
    for index, decision in enumerate(made):
        if index >= MAXIMUM_CHECKS:
            assumptions.append(decision.assumption(is_forced=False))
            for path in files:
                doubts.setdefault(path, []).append(assumptions[-1])
            continue
        other = _turned(made, index, run)
        fails = other.failure is not None and not _is_of_ours(other)
        assumption = decision.assumption(is_forced=fails)
        if other.failure is not None:
            # What the rule would write, had it known what nobody here knows, cannot be told.
            differing = [] if fails else list(files)
        else:
            differing = _differing(files, other.state.files)
        if other.failure is None and not differing:
            differing = _differing_further(outcome, other, index, run)
        if differing and decision.is_of_file:
            unread.update((path, decision.unknown) for path in differing if path not in unread)
            continue
        if other.failure is not None or differing:
            assumptions.append(assumption)
        for path in differing:
            doubts.setdefault(path, []).append(assumption)
    for path, unknown in unread.items():
        if path in files:
            outcome.state.write_unknown(path, unknown)
        else:
            outcome.state.open_directory(path, unknown)
    return doubts, tuple(dict.fromkeys(assumptions))


_NO_SUCH_KEY = lazy_pattern(r"key .* not found in dictionary")


def _is_of_ours(outcome: _Outcome) -> bool:
    """Whether a run has failed for want of what is only unknown here: a text, or something in a
    dictionary, such as a variable of an environment that has what was assumed."""
    failure = outcome.failure
    assert failure is not None
    if outcome.is_cut or failure.code == NEEDS_UNKNOWN:
        return True
    return failure.code == starlark.EVALUATION and bool(_NO_SUCH_KEY.match(failure.message))


def _turned(made: Sequence[Decision], index: int, run: Run) -> _Outcome:
    """A run in which one decision goes the other way, and those before it as they went."""
    script = (*(decided.choice for decided in made[:index]), not made[index].choice)
    return _search(run, script, index + 1, RUNS_PER_CHECK)


def _differing_further(outcome: _Outcome, other: _Outcome, index: int, run: Run) -> list[str]:
    """The files that differ once decisions go the other way, too, that are only met in the `other`
    run, where decision `index` does: a loop over lines looks at the next thing of a line
    only after it has found the one before."""
    known, files = outcome.state.decisions.answers, outcome.state.files
    pending = [(other, index)]
    differing: dict[str, None] = {}
    runs = 0
    while pending:
        before, last = pending.pop()
        made = before.state.decisions.made
        asked = tuple(before.state.decisions.answers)
        for place in range(last + 1, len(made)):
            if asked[place] in known:
                continue
            if runs == MAXIMUM_FURTHER_CHECKS:
                return list(files)
            runs += 1
            further = _turned(made, place, run)
            if further.failure is not None:
                continue
            found = _differing(files, further.state.files)
            differing.update(dict.fromkeys(found))
            if not found:
                pending.append((further, place))
    return list(differing)


def _differing(mine: Mapping[str, VirtualFile], theirs: Mapping[str, VirtualFile]) -> list[str]:
    """The paths at which the two runs wrote different files, or only one of them any."""
    one, other = (
        {(path, file.text, file.real_path) for path, file in files.items()}
        for files in (mine, theirs)
    )
    return sorted({path for path, _, _ in one ^ other})


def _result(
    outcome: _Outcome, doubts: Mapping[str, list[Unknown]], assumptions: tuple[Unknown, ...]
) -> DryRunResult:
    state = outcome.state
    files = {
        path: _as_starlark(path, file)
        for path, file in state.files.items()
        if before_pieces(path) is None
    }
    open_below = dict(state.open_below)
    for path, reasons in sorted(doubts.items()):
        assumed = tuple(dict.fromkeys(reasons))
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


def with_doubt(result: DryRunResult, doubt: Unknown) -> DryRunResult:
    """The result of a rule whose very arguments rest on something unknown."""
    files = {
        path: replace(file, unknowns=(*file.unknowns, doubt)) for path, file in result.files.items()
    }
    open_below = {**result.open_below, "": doubt}
    return replace(result, files=files, open_below=open_below, failure=None)


def _as_starlark(path: str, file: VirtualFile) -> VirtualFile:
    is_starlark = path.endswith(".bzl") or path.rpartition("/")[2] in BUILD_FILE_NAMES
    if not is_starlark or file.text is None or not file.unknown_names:
        return file
    return replace(file, text=with_unknown_literals(file.text))


def _unnoticed(unknown: Unknown) -> Unknown:
    """The assumption that a text was like no other that the rule compares it with."""
    detail = "assumed that it is like nothing that the rule compares it with"
    return Unknown(Reason.DEPENDS_ON_UNKNOWN, unknown.subject, detail, unknown.location)


def _failed(outcome: _Outcome) -> DryRunResult:
    state = outcome.state
    failure = outcome.failure
    assert failure is not None
    if not (outcome.has_unknown_text or outcome.is_cut) and is_sure(failure, state, LATER_MEMBERS):
        failure = replace(failure, code=SURE)
    first_line = shown_without_pieces(failure.message.strip().split("\n")[0], 160)
    reason = Reason.DEPENDS_ON_UNKNOWN if failure.code == NEEDS_UNKNOWN else Reason.FAILED
    unknown = state.unknown(reason, "the rest", f"its repository rule stops here: {first_line}")
    made = outcome.state.decisions.made
    assumptions = tuple(dict.fromkeys(decided.assumption(is_forced=False) for decided in made))
    result = _result(outcome, {}, (*assumptions, *outcome.doubts))
    open_below = {**result.open_below, "": unknown}
    return replace(result, open_below=open_below, failure=failure)


_OF_NEWER_BAZEL = lazy_pattern(
    r"'(?:module_ctx|repository_(?:ctx|os))' value has no field or method '(\w+)'"
    r"|.*\(\) got (?:an )?unexpected keyword"
)


def is_sure(failure: Diagnostic, state: DryRunState, later: Container[str]) -> bool:
    """Whether an error of the language is one of Bazel's, too, if nothing unknown led to it: none
    that a member or a parameter which is not known here, or the user's environment, would mend.
    Of `later` members of the context it is known which releases have them."""
    if failure.code != starlark.EVALUATION or state.absent or state.programs:
        return False
    newer = _OF_NEWER_BAZEL.match(failure.message)
    return newer is None or newer[1] in later
