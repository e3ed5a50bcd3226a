"""Options that Bazel takes one by one and refuses together, or where it makes a configuration of
them: real Bazels refuse the lines that we refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.bazel import Bazel
from tests.support.option_sets import BUILD, lines

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_lines_that_bazel_refuses(
    version: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    (warm_root / "WORKSPACE").write_text("")
    (warm_root / "BUILD").write_text(BUILD)
    real, different, refused = bazel(version), [], 0
    for line in lines(version):
        answer = real.run(warm_root, "build", "--nobuild", *line, "//:x")
        ours = Workspace.open(warm_root, bazel_version=version, host="linux").configure(
            [*line, "//:x"]
        )
        refused += answer.exit_code != 0
        if bool(ours.refusals()) != (answer.exit_code != 0):
            different.append((line, answer.exit_code, answer.stderr[:300]))
    assert not different
    assert refused >= 15
