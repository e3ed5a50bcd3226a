"""Whatever happens to the workspace or to the cache, an answer is that of `--no-cache`.

A seeded sample; `scripts/hostile.py` runs thousands.
"""

from __future__ import annotations

from pathlib import Path

from tests.hostile.cache_trials import comparisons, damages, kills, lay_out
from tests.hostile.tree_trials import tree_trials


def test_after_changes_of_every_kind(tmp_path: Path) -> None:
    assert [*comparisons(tmp_path / "w", tmp_path / "cache", 1, 40)] == []


def test_after_damage(tmp_path: Path) -> None:
    assert [*damages(tmp_path / "w", tmp_path / "cache", 2, 25)] == []


def test_after_runs_that_were_killed(tmp_path: Path) -> None:
    assert [*kills(tmp_path / "w", tmp_path / "cache", 3, 3)] == []


def test_random_questions(tmp_path: Path) -> None:
    lay_out(tmp_path / "w")
    assert [*tree_trials(tmp_path / "w", tmp_path / "cache", 4, 6)] == []
