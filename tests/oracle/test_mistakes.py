"""The words of a real Bazel 4.2.3 for every mistake of `support.mistakes`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.mistakes import MISTAKES, Mistake, expected, lay_out

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def root(clear_room: Callable[[], Path]) -> Path:
    folder = clear_room() / "w"
    lay_out(folder)
    return folder


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_words_of_a_mistake(root: Path, mistake: Mistake, bazel: Callable[[str], Bazel]) -> None:
    answer = bazel("4.2.3").query(root, mistake.query)
    says = expected(mistake).bazel
    if says is None:
        assert answer.exit_code == 0, answer.stderr
    else:
        assert answer.exit_code == 3
        assert says in answer.stderr.replace(f"{root}/", "")
