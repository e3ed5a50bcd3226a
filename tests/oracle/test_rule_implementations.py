"""Rule implementations run dry, beside what Bazel 4.2.3 finds: files, providers and what they hold.

A world has 300 targets of 60 random rules over native and Starlark dependencies; what is known
here must be equal, and what fails there must be refused here, and the other way round.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.query.formats.written import ask_query
from tests.oracle.implementation_worlds import write_stubs, write_world
from tests.oracle.wider_implementations import write_wider_world
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
_FIRST = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
_COUNT = int(os.environ.get("BAZELSCOPE_RANDOM_IMPLEMENTATIONS", "2"))
_LINES = (
    (),
    ("--define=on=1", "--compilation_mode=opt", "--//p:s_bool", "--//p:s_list=x,y"),
)
_WIDER_LINES = (
    (),
    (
        *("--define=on=1", "--compilation_mode=opt", "--copt=-DX", "--cxxopt=-DY"),
        *("--linkopt=-lz", "--//p:s_bool", "--//p:s_text=x", "--features=f2"),
    ),
)
_WORDS = ("--output=starlark", "--starlark:file=format.cquery")
_FAILS = re.compile(r"(?m)^ERROR: \S+ in \w+ rule (//p:\w+):")


@pytest.mark.parametrize("seed", range(_FIRST, _FIRST + _COUNT))
def test_what_is_known_of_the_rest_is_so(
    seed: int, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    """Aspects, fragments, features, exec groups, transitions, implicit attributes, computed
    defaults: equal or unknown, never different."""
    root = warm_path / "w"
    write_wider_world(root, seed, kinds=60, targets=300)
    flags = write_stubs(warm_path / "stubs")
    line = (*_WIDER_LINES[seed % len(_WIDER_LINES)], "--experimental_exec_groups")
    theirs = bazel(VERSION).cquery(root, "//p:all", *_WORDS, *line, *flags)
    assert theirs.exit_code == 0, theirs.stderr[-2000:]
    asked = _configured(root, *line, *flags)
    ours, expected = _told(asked), _by_target(theirs.stdout)
    assert len(ours) > 120
    different = {
        label: lines for label, lines in ours.items() if not {*lines} <= {*expected[label]}
    }
    assert not different
    labels = [f"//p:t{index}" for index in range(300)]
    assert asked.refusals(*labels) == ()


def _configured(root: Path, *line: str) -> ConfiguredWorkspace:
    """A line of `cquery`, that all is asked of: another runs each implementation anew."""
    workspace = Workspace.open(root, bazel_version=VERSION)
    return workspace.configure([*line, "--keep_going", *_WORDS], command="cquery")


def _told(asked: ConfiguredWorkspace) -> dict[str, list[str]]:
    """What we print of every target of `//p`; lines that are not known are left out."""
    root = str(asked.workspace.root)
    query = ask_query(
        asked.world, asked.envelope_of_flags, "//p:all", root, asked.directory_package
    )
    text = query.text()
    assert isinstance(text, str)
    return _by_target(text)


def _by_target(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        found.setdefault(line.partition(" | ")[0], []).append(line)
    return found


@pytest.mark.parametrize("seed", range(_FIRST, _FIRST + _COUNT))
def test_files_and_providers(seed: int, warm_path: Path, bazel: Callable[[str], Bazel]) -> None:
    root = warm_path / "w"
    write_world(root, seed, kinds=60, targets=300)
    flags = write_stubs(warm_path / "stubs")
    line = _LINES[seed % len(_LINES)]
    theirs = bazel(VERSION).cquery(root, "//p:all", *_WORDS, *line, *flags)
    asked = _configured(root, *line)
    ours, expected = _told(asked), _by_target(theirs.stdout)
    assert len(expected) > 100, theirs.stderr[-2000:]
    assert {label: sorted(lines) for label, lines in ours.items()} == {
        label: sorted(lines) for label, lines in expected.items()
    }
    labels = [f"//p:t{index}" for index in range(300)]
    refused = asked.refusals(*labels, "//p:fails", "//p:fails_if_bool")
    kinds = {one.kind for one in refused}
    assert kinds <= {RefusalKind.IMPLEMENTATION}
    assert {str(one.target) for one in refused} == set(_FAILS.findall(theirs.stderr))
