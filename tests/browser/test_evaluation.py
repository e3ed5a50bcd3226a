"""What the page works out by itself is what bazelscope says of the same command line."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from tests.browser.conftest import TARGETS
from tests.support.parts import FIXTURES, need_tensorflow

pytestmark = pytest.mark.browser

SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
STATES = int(os.environ.get("BAZELSCOPE_RANDOM_PAGES", "40"))


def _random_words(page: Any, chance: random.Random) -> list[str]:
    """Configs and settings, some of them for the same flags."""
    words = page.js(
        "return bazelscope.model.data.bases[0].words.filter(one => !one.problem)"
        ".map(one => one.words.join(' '))"
    )
    flags = page.js("return [...bazelscope.model.flags.keys()]")
    chosen = chance.sample(words, min(len(words), chance.randrange(4)))
    chosen += chance.sample(flags, min(len(flags), chance.randrange(4)))
    chance.shuffle(chosen)
    return chosen


def _compare(page: Any, line: ConfiguredWorkspace, states: int, host: str = "") -> int:
    from tests.support.pages import needed

    chance = random.Random(SEED)
    compared = 0
    for _ in range(states):
        words = _random_words(page, chance)
        mine, is_loaded, notes = page.turn(words, host)
        if not is_loaded or notes:
            continue
        theirs = needed(line, words)
        assert mine == theirs, f"{words}: {mine ^ theirs}"
        compared += 1
    return compared


@pytest.mark.parametrize("fixture", sorted(TARGETS))
def test_random_states_of_fixtures(
    fixture: str, chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file(fixture))
    line = Workspace.open(FIXTURES / fixture).configure(TARGETS[fixture])
    compared = _compare(page, line, STATES)
    assert compared >= STATES // 3


@pytest.mark.parametrize("host", ("windows", "macos"))
def test_random_states_on_other_hosts(
    host: str, chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file("tf-2.4-mkl", hosts=("windows", "macos"), loads=20))
    line = Workspace.open(FIXTURES / "tf-2.4-mkl", host=host).configure(TARGETS["tf-2.4-mkl"])
    page.click(f"#host-{host}")
    assert f"on {host}" in page.text("#line")
    compared = _compare(page, line, STATES // 2, host)
    assert compared >= STATES // 6


@pytest.mark.parametrize("fixture", sorted(TARGETS))
def test_flags_in_force_have_the_winners_that_they_have(
    fixture: str, chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file(fixture))
    workspace, chance = Workspace.open(FIXTURES / fixture), random.Random(SEED + 1)
    host = page.js("return bazelscope.model.data.bases[0].host")
    for _ in range(STATES):
        words = _random_words(page, chance)
        told = page.js(
            "return bazelscopeEngine.inForce(bazelscope.model, arguments[0])"
            ".map(one => [one.name, one.winners.map(w => w.instance[1])])",
            {"host": host, "words": words},
        )
        mine = dict(told)
        flags = workspace.configure(words).flags
        for name, value in flags.values.items():
            if name not in ("define", "config"):
                assert mine[name] == [one.value for one in value.instances], (words, name)
        for name, define in flags.defines.items():
            (winner,) = mine[f"define={name}"]
            assert winner == f"{name}={define.value}", (words, name)


@pytest.mark.slow
def test_random_states_of_tensorflow(tensorflow_page: Any, tensorflow_line: Any) -> None:
    need_tensorflow("2.4")
    assert tensorflow_page.file.stat().st_size < 3_000_000
    tensorflow_page.open()
    assert _compare(tensorflow_page, tensorflow_line, 16) >= 3
