"""The answer to `affected` as text: the count, then each cause with the targets that it
reaches, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.questions.affected.answer import (
    NOT_THERE,
    AffectedAnswer,
    AffectedTarget,
    Cause,
    CauseKind,
)
from bazelscope.questions.shared.phrases import location_text
from bazelscope.questions.shared.text_endpoints import more_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head, some_text
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, name, quiet, row, strong, warning

_TARGETS_SHOWN = 5
_CAUSES_SHOWN = 12
_SHARED = frozenset({CauseKind.FLAG, CauseKind.FILE, CauseKind.RULE})
_OF_VALUES = frozenset({CauseKind.ATTRIBUTE, CauseKind.BRANCH})
_OF_CHANGES = (
    "What Bazel refuses was looked for in what differs, and in what depends on it directly"
    " (`explain` looks below)."
)
_NAMED = {":worktree": "the work tree", ":index": "git's index"}


def affected_document(answer: AffectedAnswer, full: bool = False) -> Document:
    """What `until` changes; `full` lists what is otherwise only counted."""
    document = Document()
    add_head(document, answer.envelope)
    document.add(_verdict(answer))
    groups: dict[object, list[AffectedTarget]] = {}
    for target in answer.targets:
        groups.setdefault(_told_once(target), []).append(target)
    shown = list(groups.values()) if full else list(groups.values())[:_CAUSES_SHOWN]
    for targets in shown:
        document.add(_group(targets, full))
    document.add(more_rows(len(groups) - len(shown)))
    document.add(_list(answer.gone, full), f"Gone: {len(answer.gone)}")
    title = f"Affected, but not built under these flags: {len(answer.skipped)}"
    document.add(_list(answer.skipped, full), title)
    if answer.refusals_of_changes_only:
        document.add([row(quiet(_OF_CHANGES))])
    add_foot(document, answer.envelope, full)
    if not answer.envelope.completeness.packages_in_error:
        document.add(in_error_rows(answer, full))
    return document


def problems_document(answer: AffectedAnswer, full: bool) -> Document:
    """What stands beside a mere list of labels: what is wrong with the line, and with packages."""
    document = Document()
    add_head(document, answer.envelope)
    document.add(in_error_rows(answer, full))
    return document


def in_error_rows(answer: AffectedAnswer, full: bool) -> Iterator[Row]:
    """Which packages in error may have targets that are not in the answer."""
    if answer.in_error:
        shown = some_text(answer.in_error, full)
        yield row(warning("In error: "), quiet(f"{shown}; their targets may be missing here."))


def _verdict(answer: AffectedAnswer) -> Iterator[Row]:
    states = f"between {_state(answer.since)} and {_state(answer.until)}"
    files = plural(len(answer.changed_files), "file")
    if not answer.targets:
        verb = "differs" if len(answer.changed_files) == 1 else "differ"
        differ = f", though {files} {verb}" if answer.changed_files else ": nothing differs"
        yield row(strong("No target is affected"), f" {states}{differ}.")
        return
    count = f"{len(answer.targets)} of {plural(answer.total, 'target')}"
    verb = "is" if len(answer.targets) == 1 else "are"
    tests = sum(target.is_test for target in answer.targets)
    yield row(strong(f"{count} {verb} affected"), f" {states}, {plural(tests, 'test')} among them.")
    refused = sum(target.is_refused for target in answer.targets)
    if refused:
        yield row(bad(f"Bazel refuses {refused:,} of them"), " as they are now.")


def _state(text: str) -> str:
    return _NAMED.get(text, f"`{text}`")


def _told_once(target: AffectedTarget) -> object:
    """What is told once for all targets that have it alike: what flags, files and the code of
    rules have otherwise, and values that targets have otherwise in the same way, since one macro
    gave them."""
    kinds = {cause.kind for cause in target.causes}
    if kinds <= _SHARED and not any(map(_is_of_kind, target.causes)):
        return target.causes
    if kinds <= _OF_VALUES and all(cause.before or cause.after for cause in target.causes):
        return tuple(
            [(cause.kind, cause.subject, cause.before, cause.after) for cause in target.causes]
        )
    return target.way[-1], target.causes


def _group(targets: list[AffectedTarget], full: bool) -> Iterator[Row]:
    sources = dict.fromkeys(target.way[-1] for target in targets)
    is_one = len(sources) == 1
    source = str(next(iter(sources))) if is_one else plural(len(sources), "target")
    for cause in targets[0].causes:
        is_told = is_one or cause.kind in (CauseKind.FLAG, CauseKind.RULE)
        place = location_text(_place(cause)) if is_told else ""
        told = _cause(cause, source, targets[0].way[-1].repository, is_one)
        yield row(*told, aside=place)
    shown = targets if full else targets[:_TARGETS_SHOWN]
    for target in shown:
        # The way to a file ends with the file, which stands above.
        is_file = target.causes[0].kind is CauseKind.FILE
        between = [str(label) for label in target.way[1 : -1 if is_file else None]]
        way = quiet(f"  through {' > '.join(between)}") if between else ""
        mark = bad("  refused") if target.is_refused else ""
        yield row(name(str(target.label)), mark, way, indent=1)
    yield from more_rows(len(targets) - len(shown), indent=1)


def _place(cause: Cause) -> Location | None:
    """Where it stands, if the sentence does not name the file already."""
    place = cause.location
    return None if place is not None and place.path == cause.subject else place


def _is_of_kind(cause: Cause) -> bool:
    """Whether it says what a target has become."""
    return cause.kind is CauseKind.RULE and bool(cause.before or cause.after)


def _cause(cause: Cause, source: str, repository: str, is_one: bool) -> Iterator[str]:
    kind, subject = cause.kind, cause.subject
    if kind is CauseKind.FILE:
        is_new = cause.before == NOT_THERE
        gone = "is not there any more" if cause.after == NOT_THERE else "differs"
        yield f"{subject} {'is new' if is_new else gone}"
    elif kind is CauseKind.NEW:
        yield f"{source} is new"
    elif kind is CauseKind.GONE:
        yield f"{source} is not there any more"
    elif _is_of_kind(cause):
        # Two unknowns that are told alike differ in what nobody can see.
        was = f", was {cause.before}" if cause.before != cause.after else ", made otherwise"
        yield f"{source} is {cause.after}{was}"
    elif kind is CauseKind.RULE:
        yield f"{source} {'is' if is_one else 'are'} made by {subject}, which differs"
    elif kind is CauseKind.REPOSITORY:
        yield f"@{repository}: {subject} differs"
    elif kind is CauseKind.FLAG:
        yield f"{_flag(subject)}: {cause.before or 'unset'}, now {cause.after or 'unset'}"
    elif kind is CauseKind.BRANCH:
        yield f"{subject} of {source} takes the branch {cause.after}, not {cause.before}"
    elif kind is CauseKind.UNKNOWN:
        yield f"{source} differs: {subject}"
    else:
        told = [f"without {cause.before}"] if cause.before else []
        told += [f"with {cause.after}"] if cause.after else []
        yield f"{subject} of {source}: {', '.join(told) or 'differs'}"


def _flag(subject: str) -> str:
    return subject if subject in ("Bazel", "host") else f"--{subject}"


def _list(labels: tuple[Label, ...], full: bool) -> Iterator[Row]:
    shown = labels if full else labels[:_TARGETS_SHOWN]
    for label in shown:
        yield row(name(str(label)))
    yield from more_rows(len(labels) - len(shown))
