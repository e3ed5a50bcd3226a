"""What `affected` tells of random edits of made trees, most of them of rule implementations, beside
what a real Bazel 4.2.3 says of every attribute, file and action."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.oracle import affected_rules
from tests.oracle.affected_oracle import check, compare
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

EDITS = int(os.environ.get("BAZELSCOPE_AFFECTED_EDITS", "10"))
SEED = int(os.environ.get("BAZELSCOPE_AFFECTED_SEED", "1"))


def test_random_edits_of_rules(bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    flags = affected_rules.write(root, SEED, packages=4, targets=14)
    edit = partial(affected_rules.edit, random.Random(SEED))
    count = compare(bazel("4.2.3"), root, ("//...",), flags, edit, EDITS, warm_path / "cache")
    check(count)
    assert count.of_code
    assert count.needed
