"""Edits of which the fingerprints are made in two ways: of what differs, and of everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace, affected_question
from bazelscope.base.label import TargetPattern
from bazelscope.loading.target_patterns import expand_all
from bazelscope.questions.affected import few_packages
from bazelscope.questions.affected.few_packages import Grounds
from bazelscope.questions.affected.fingerprints import (
    Fingerprints,
    NodeKey,
    StateGraph,
    fingerprints,
    rules_below,
)
from tests.support.files import write_files
from tests.support.repositories import Repository

LIKE, WALK = True, False
Places = Mapping[str, tuple[str, str]]
"""By file what is replaced, and by what."""
_Reached = dict[NodeKey, tuple[bytes, int, frozenset[NodeKey]]]


def _reached(prints: Fingerprints) -> _Reached:
    pending, found = list(prints.tops), dict[int, None]()
    while pending:
        number = pending.pop()
        if number not in found:
            found[number] = None
            pending += prints.edges(number)
    keys = prints.keys
    return {
        keys[n]: (prints.own[n], prints.bits[n], frozenset(keys[one] for one in prints.edges(n)))
        for n in found
    }


def committed(root: Path, files: Mapping[str, str]) -> Repository:
    """A new git repository whose first commit has `files`."""
    write_files(root, files)
    repository = Repository(root)
    repository.commit()
    return repository


def way_taken(made: Repository, places: Places, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Asks for what an edit of a workspace affects, and undoes it. Returns whether only what
    differs was looked at: then that came to what a walk over everything comes to."""
    for path, (old, new) in places.items():
        text = (made.root / path).read_text()
        assert old in text
        (made.root / path).write_text(text.replace(old, new))
    taken: list[bool] = []

    def compared(
        old: Fingerprints,
        grounds: Grounds,
        edited: Iterable[str],
        state: StateGraph,
        patterns: list[TargetPattern],
    ) -> Any:
        found = few_packages.prints_like(old, grounds, edited, state, patterns)
        taken.append(found is not None)
        if found is not None:
            loader = state.world.loader
            labels = expand_all(loader, patterns).labels
            whole = fingerprints(StateGraph(state.world), rules_below(state.world, labels))
            assert _reached(found[0]) == _reached(whole)
            assert {found[0].keys[n] for n in found[0].tops} == {whole.keys[n] for n in whole.tops}
            assert sorted(found[1]) == sorted(few_packages.packages_in_error(loader))
        return found

    monkeypatch.setattr(affected_question, "prints_like", compared)
    opened = Workspace.open(made.root, bazel_version="4.2.3", cache_dir=made.root.parent / "cache")
    opened.configure(()).affected()
    made.undo()
    (way,) = taken
    return way
