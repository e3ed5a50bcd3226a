"""How `affected` is asked: the same command line in two states of a git repository."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from bazelscope.api.line_in_force import LineInForce
from bazelscope.base import budget, looks
from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.label import PackageId, PatternKind
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.tree.disk import MACHINE
from bazelscope.loading.tree.git_disk import GitDisk
from bazelscope.loading.tree.git_states import GitStates
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.loading.tree.workspace_files import ROOT_MARKERS
from bazelscope.questions.affected.changed_files import changed_files
from bazelscope.questions.affected.few_packages import grounds_of, packages_in_error, prints_like
from bazelscope.questions.affected.find import (
    EVERYTHING,
    Comparison,
    State,
    affected_targets,
    parsed_patterns,
    prints_of,
    under_other_flags,
)
from bazelscope.questions.affected.fingerprints import Fingerprints
from bazelscope.questions.affected.kept_prints import KeptPrints, PrintsCache, contents_of

if TYPE_CHECKING:
    from bazelscope.questions.affected.answer import AffectedAnswer

_SEVERAL = lazy_pattern(r"\.\.\.|:(?:all|\*|all-targets)$")
"""In patterns that may well mean nothing."""


_Line = TypeVar("_Line", bound=LineInForce)
_PrintsAndErrors = tuple[Fingerprints, list[str]]
"""The fingerprints of a state, and its packages in error."""


def affected(
    asked: _Line, since: str, until: str, tests: bool = False, causes: bool = True
) -> tuple[AffectedAnswer, _Line]:
    """What `until` changes for the targets that the line of `asked` names (by default: all),
    and the line as it is in that state; without `causes`, no target says what differs. Raises
    `UsageError`."""
    with _noting() as noted:
        return _affected(asked, since, until, tests, causes, noted)


@contextmanager
def _noting() -> Iterator[looks.Looks]:
    """Notes what is looked at on the machine's disk, in the notes of the run if it takes any."""
    former = looks.current
    looks.current = former or looks.Looks()
    try:
        yield looks.current
    finally:
        looks.current = former


@contextmanager
def _unnoted(noted: looks.Looks) -> Iterator[None]:
    """Looks at files that differ, which the graph need not rest on."""
    noted.spread()
    known = set(noted.stamps)
    yield
    noted.spread()
    for path in noted.stamps.keys() - known:
        del noted.stamps[path]


def _affected(
    asked: _Line, since: str, until: str, tests: bool, causes: bool, noted: looks.Looks
) -> tuple[AffectedAnswer, _Line]:
    workspace = asked.workspace
    states = GitStates(workspace.root)
    disks = [states.disk(state) for state in (since, until)]
    recorded = RecordedDisk(disks[0])
    lines = [
        asked if disk is MACHINE else type(asked)(workspace.on(disk), asked.line)
        for disk in (recorded if isinstance(disks[0], GitDisk) else MACHINE, disks[1])
    ]
    for state, line in zip((since, until), lines, strict=True):
        if not any(line.workspace.files.is_file(name) for name in ROOT_MARKERS):
            raise UsageError(
                Diagnostic("git", f"there is no Bazel workspace here in git's `{state}`")
            )
    patterns = lines[1].target_patterns or EVERYTHING
    root = os.path.realpath(workspace.root)
    cache, kept = None, None
    name = states.name(since)
    if name and workspace.cache_dir is not None:
        # Work trees of one repository have the same commits at other places.
        key = (root, str(workspace.root), name, patterns, *lines[0].load_key)
        cache = PrintsCache(workspace.cache_dir, key)
        kept = cache.get()
    links = list(kept.links) if kept is not None else _links(disks[0])
    if isinstance(disks[1], GitDisk):
        links += _links(disks[1])
    for_flags = recorded.take()
    with _unnoted(noted):
        changed = changed_files(states, root, since, until, disks[0], disks[1], links)
    before, after = (
        State(state, line.world) for state, line in zip((since, until), lines, strict=True)
    )
    old = kept.prints if kept is not None else prints_of(before, patterns, asked.directory_package)
    if kept is None and cache is not None and not budget.current().cuts:
        assert isinstance(disks[0], GitDisk)
        kept = cache.put(
            old, recorded, disks[0].top, links, grounds_of(before.made(), old), for_flags
        )

    def of_edited(kept: KeptPrints, edited: frozenset[str]) -> _PrintsAndErrors | None:
        """What the later state is by the kept one, where files are edited."""
        assert cache is not None
        with _unnoted(noted):
            contents = contents_of(changed) if disks[1] is MACHINE else {}
        known = cache.later(kept, changed, contents)
        if known is not None:
            return known
        parsed = parsed_patterns(after.world.loader, patterns, asked.directory_package)
        like = prints_like(old, kept.grounds, edited, after.made(), parsed)
        if like is not None and not budget.current().cuts:
            cache.put_later(like, kept, disks[0], changed, contents, noted)
        return like

    like: _PrintsAndErrors | None = None
    edited = kept.edited(changed) if kept is not None else None
    if kept is not None and edited is not None and lines[0].files_key == lines[1].files_key:
        is_other_line = lines[0].load_key != lines[1].load_key
        if is_other_line and before.configuration != after.configuration:
            others = under_other_flags(old, after) if not edited else None
            like = (others, kept.grounds.in_error) if others is not None else None
        else:
            like = of_edited(kept, edited) if edited else (old, kept.grounds.in_error)
    is_walked = like is None
    if like is None:
        like = (
            prints_of(after, patterns, asked.directory_package),
            packages_in_error(after.world.loader),
        )
    new, in_error = like
    # Of what was in error before, and still is, nobody can build anything in either state.
    were = set(
        kept.grounds.in_error if kept is not None else packages_in_error(before.world.loader)
    )
    in_error = [one for one in in_error if one not in were]
    _refuse_unknown(patterns, asked.directory_package, after, old, new)
    envelope = replace(
        lines[1].envelope,
        line_diagnostics=(*_of_former(since, *(line.errors for line in lines)), *lines[1].errors),
    )
    compared = Comparison(before, after, old, new, changed)
    answer = affected_targets(envelope, compared, tests, in_error, is_walked, causes)
    for line in lines:
        if line is not asked:
            line.save()
    return answer, lines[1]


def _of_former(
    since: str, before: Sequence[Diagnostic], after: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """What is wrong with the line in the former state alone, whose texts nobody sees beside it."""
    still = {(one.code, one.message) for one in after}
    for one in before:
        if (one.code, one.message) not in still:
            place = f", {one.span.path}:{one.span.line}" if one.span is not None else ""
            yield replace(one, message=f"in `{since}`{place}: {one.message}", span=None)


def _refuse_unknown(
    patterns: Sequence[str],
    directory: PackageId,
    state: State,
    old: Fingerprints,
    new: Fingerprints,
) -> None:
    """Raises `UsageError` for the name of a single target that is a rule in neither state."""
    single = [text for text in patterns if not text.startswith("-") and not _SEVERAL.search(text)]
    if not single:
        return
    rules = {prints.keys[number][0] for prints in (old, new) for number in prints.tops}
    labels = {decode_label(text) for text in rules}
    named = parsed_patterns(state.world.loader, single, directory)
    for text, pattern in zip(single, named, strict=True):
        if pattern.kind is PatternKind.TARGET and pattern.label not in labels:
            raise UsageError(Diagnostic("git", f"`{text}` names no rule in either of the states"))


def _links(disk: object) -> list[tuple[str, str]]:
    return list(disk.links()) if isinstance(disk, GitDisk) else []
