"""Whatever is clicked, typed and gone back from: the page says of its line what bazelscope says of
it, each state has its link, and the browser complains of nothing."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from tests.browser.conftest import TARGETS
from tests.support.parts import FIXTURES

pytestmark = pytest.mark.browser

SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
CLICKS = int(os.environ.get("BAZELSCOPE_RANDOM_CLICKS", "40"))
_MOST_FLAGS = 2
_STATE = """
const app = bazelscope, view = document.querySelector('#view');
const arrows = [...view.querySelectorAll('[aria-label]')].map(one => one.ariaLabel).sort();
const text = id => document.getElementById(id).textContent;
const turned = [...document.querySelectorAll('input[data-word]')].filter(one => one.checked);
return [location.hash, app.boxes.map(box => box.id).sort(), app.result.count, app.state.view,
        app.state.view === 'map' ? arrows.join(' ') : view.textContent,
        text('line'), text('notices'), text('right'), turned.map(one => one.dataset.word)];
"""


def _flag(page: Any, chance: random.Random) -> None:
    """Turns a flag; of many together Bazel refuses most."""
    if len(page.js("return bazelscope.state.line.words")) >= _MOST_FLAGS:
        page.js("document.getElementById('reset').click()")
    words = page.js(
        "return [...document.querySelectorAll('input[data-word]')].map(one => one.dataset.word)"
    )
    page.js(f"document.querySelector(\"input[data-word='{chance.choice(words)}']\").click()")


def _flag_off(page: Any, chance: random.Random) -> None:
    page.js("document.querySelector('input[data-word]:checked')?.click()")


def _setting(page: Any, chance: random.Random) -> None:
    page.js(
        "const all = [...document.querySelectorAll('select[data-variable]')];"
        "if (!all.length) return;"
        "const one = all[Math.floor(arguments[0] * all.length)];"
        "one.selectedIndex = Math.floor(arguments[1] * one.options.length);"
        "one.dispatchEvent(new Event('change', {bubbles: true}))",
        chance.random(),
        chance.random(),
    )


def _search(page: Any, chance: random.Random) -> None:
    count = page.js("return bazelscope.model.labels.length")
    page.search(page.js("return bazelscope.model.labels[arguments[0]]", chance.randrange(count)))


def _path(page: Any, chance: random.Random) -> None:
    _search(page, chance)
    if "Path to here" in page.text("#right"):
        page.click_text("Path to here", "#right")


def _box(page: Any, chance: random.Random) -> None:
    page.press("g", "m")
    boxes = page.boxes()
    if boxes:
        page.js("bazelscope.select(arguments[0], true)", chance.choice(boxes))
        page.press(chance.choice(["o", "i", "h", "f"]))


def _view(page: Any, chance: random.Random) -> None:
    page.press("g", chance.choice("mpcrf"))


def _history(page: Any, chance: random.Random) -> None:
    page.go(chance.choice(["back", "back", "forward"]))
    page.js("return new Promise(done => setTimeout(done, 60))")


_ACTS = (_flag, _flag, _flag_off, _setting, _search, _path, _box, _view, _history, _history)


def _walk(page: Any, line: ConfiguredWorkspace, clicks: int, every: int) -> int:
    """Clicks about; returns how many states were compared with the command line's."""
    from tests.support.pages import needed

    chance, compared = random.Random(SEED), 0
    known: dict[tuple[str, ...], set[str]] = {}
    for number in range(clicks):
        act = chance.choice(_ACTS)
        act(page, chance)
        assert page.complaints() == [], (number, act.__name__)
        if number % every:
            continue
        before = page.js(_STATE)
        page.open(before[0])
        assert page.js(_STATE) == before, (number, act.__name__)
        words = tuple(page.js("return bazelscope.state.line.words"))
        mine, is_loaded, notes = page.turn(words)
        assert len(mine) == before[2]
        if is_loaded and not notes:
            if words not in known:
                known[words] = needed(line, words)
            assert mine == known[words], f"{words}: {mine ^ known[words]}"
            compared += 1
    return compared


@pytest.mark.parametrize("fixture", sorted(TARGETS))
def test_random_clicks_on_fixtures(
    fixture: str, chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file(fixture))
    line = Workspace.open(FIXTURES / fixture).configure(TARGETS[fixture])
    compared = _walk(page, line, CLICKS, 2)
    assert compared >= CLICKS // 8


@pytest.mark.corpus
@pytest.mark.slow
def test_random_clicks_on_tensorflow(
    chromium: Any, tensorflow_page: Any, tensorflow_line: Any
) -> None:
    from tests.support.pages import OpenPage

    # Opened anew: what other tests have left in it, and what the browser said of that, is theirs.
    page = OpenPage(chromium, tensorflow_page.file)
    assert _walk(page, tensorflow_line, 4 * CLICKS, 8) >= 3
