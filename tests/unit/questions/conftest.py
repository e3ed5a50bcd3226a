"""What the tests of several questions begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.files import write_files
from tests.support.repositories import Repository
from tests.unit.questions.affected_world import FILES


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    write_files(tmp_path / "w", FILES)
    made = Repository(tmp_path / "w")
    made.commit()
    return made
