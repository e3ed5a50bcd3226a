"""Every state of the page at the widths of screens: no text is cut, covered or too pale, no heading
stands over nothing, and what is chosen on the map can be seen."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import TARGETS
from tests.support.parts import need_tensorflow

pytestmark = pytest.mark.browser

_CHANGE = "bazelscope.change({view: arguments[0]})"
_CHOOSE_GAINED = (
    "const all = [...bazelscope.changes.gained, ...bazelscope.changes.lost, 0];"
    "bazelscope.select(bazelscope.model.labels[all[0]], true)"
)
_CHOOSE_REPOSITORY = "bazelscope.selectGroup('@' + [...bazelscope.model.repositories.keys()].pop())"
_PATH_TO_LAST = (
    "bazelscope.pathTo(bazelscope.model.labels[bazelscope.result.reached.lastIndexOf(2)])"
)
_SIDES = (
    "for (const side of ['left', 'right'])"
    " if (document.body.dataset[side] === 'closed')"
    " document.getElementById(`toggle-${side}`).click()"
)
_LOOK = "document.getElementById('help-button').click()"
_EDGE = (
    "const arrow = bazelscope.arrows.find(one => !one.isHidden);"
    "bazelscope.select(`${arrow.source.id} -> ${arrow.target.id}`)"
)
_AFRESH = """
document.getElementById('help').close();
for (const side of ['left', 'right'])
  if ((document.body.dataset[side] === 'closed') !== (innerWidth <= 1100))
    document.getElementById(`toggle-${side}`).click();
history.replaceState(null, '', '#');
dispatchEvent(new PopStateEvent('popstate'));
for (const word of arguments[0]) bazelscope.turn(word, true);
"""
_STATES: dict[str, tuple[str, ...]] = {
    "map": (_CHANGE,),
    "packages": ("bazelscope.firstLevel(true)",),
    "every arrow": ("bazelscope.change({everyArrow: true, conditions: true})",),
    "a target": ("bazelscope.select(bazelscope.state.selected)",),
    "a gained target": (_CHOOSE_GAINED,),
    "an edge": (_EDGE,),
    "a repository": (_CHOOSE_REPOSITORY,),
    "an isolated repository": (_CHOOSE_REPOSITORY, "bazelscope.isolate(bazelscope.state.selected)"),
    "no path yet": ("bazelscope.change({view: 'path'})",),
    "a path": (_PATH_TO_LAST,),
    "changes": ("bazelscope.change({view: 'changes'})",),
    "repositories": ("bazelscope.change({view: 'repositories'})",),
    "configs": ("bazelscope.change({view: 'configs'})",),
    "flags": ("bazelscope.change({view: 'flags'})",),
    "both panels": (_SIDES,),
    "keys": (_LOOK,),
}
_LINES = {
    "tf-2.4-mkl": ((), ("--config=mkl",), ("--config=nogcp",), ("--config=dbg",)),
    "tf-2.18-cuda-wheel": ((), ("--config=cuda",)),
    "modules": ((), ("--config=debug",)),
}


@pytest.fixture
def sized(chromium: Any) -> Iterator[Callable[..., None]]:
    def size(width: int, theme: str) -> None:
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        feature = {"name": "prefers-color-scheme", "value": theme}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    yield size
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def _faults(page: Any, code: str, lines: tuple[tuple[str, ...], ...]) -> list[str]:
    """What a script finds wrong in each state under each line."""
    found = []
    for words in lines:
        for name, steps in _STATES.items():
            page.js(_AFRESH, words)
            for step in steps:
                page.js(step, "map")
            found += [f"{words} {name}: {fault}" for fault in page.js(code)]
            _pictured(page, f"{page.file.stem} {'_'.join(words)} {name}")
    return found


def _pictured(page: Any, name: str) -> None:
    """Keeps a picture of the state, where somebody wants to look at all of them."""
    if folder := os.environ.get("BAZELSCOPE_PICTURES"):
        shot = page.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        width = page.js("return innerWidth")
        theme = page.js("return document.documentElement.dataset.theme")
        file = Path(folder) / f"{name} {width} {theme}.png".replace(" ", "-")
        file.write_bytes(base64.b64decode(shot["data"]))


@pytest.mark.parametrize("width", (800, 1280, 2560))
@pytest.mark.parametrize("fixture", TARGETS)
def test_everything_can_be_read(
    chromium: Any, page_file: Callable[..., Path], sized: Any, fixture: str, width: int
) -> None:
    from tests.support.pages import OpenPage

    sized(width, "light")
    page = OpenPage(chromium, page_file(fixture))
    lines = _LINES[fixture][: 4 if width == 800 else 2]
    assert _faults(page, _CUT_OR_COVERED, lines) == []


@pytest.mark.parametrize("theme", ("light", "dark"))
@pytest.mark.parametrize("fixture", TARGETS)
def test_everything_stands_out_from_its_ground(
    chromium: Any, page_file: Callable[..., Path], sized: Any, fixture: str, theme: str
) -> None:
    from tests.support.pages import OpenPage

    sized(1280, theme)
    page = OpenPage(chromium, page_file(fixture))
    assert _faults(page, _PALE, _LINES[fixture][:2]) == []


@pytest.mark.parametrize("width", (800, 1280, 2560))
@pytest.mark.corpus
def test_everything_can_be_read_on_a_large_page(
    tensorflow_page: Any, sized: Any, width: int
) -> None:
    sized(width, "light")
    tensorflow_page.open()
    assert _faults(tensorflow_page, _CUT_OR_COVERED, ((), ("--config=mkl",))) == []


@pytest.mark.parametrize("width", (1280, 2560))
@pytest.mark.corpus
def test_the_map_of_packages_stands_in_its_panel(
    tensorflow_page: Any, sized: Any, width: int
) -> None:
    sized(width, "light")
    tensorflow_page.open()
    beside, room, left, right = tensorflow_page.js(
        "bazelscope.turn('--config=mkl', true); bazelscope.firstLevel(true);"
        "const panel = document.getElementById('map').getBoundingClientRect();"
        "const drawn = bazelscope.drawing.layer.getBoundingClientRect();"
        "const isWhole = box => /^@[^/]*$/.test(box.id);"
        "return [bazelscope.boxes.filter(isWhole).length, panel.width,"
        " drawn.left - panel.left, panel.right - drawn.right]"
    )
    assert 0 < beside <= max(6, room / 100)
    need_tensorflow("2.4")
    assert min(left, right) > 0
    assert abs(left - right) < 60


_CUT_OR_COVERED = r"""
const found = [];
const said = one => one.textContent.trim().slice(0, 40);
const told = one => `${one.id || one.className || one.tagName} "${said(one)}"`;
const isShown = one => one.checkVisibility() && !one.closest('.offscreen, .skip, svg');
for (const one of document.querySelectorAll('body *')) {
  if (!isShown(one)) continue;
  const isField = one.matches('input:not([type=checkbox], [type=radio])');
  const hides = isField || getComputedStyle(one).overflowX === 'hidden';
  if (hides && one.scrollWidth > one.clientWidth + 1 && (one.value || one.textContent.trim())) {
    found.push(`cut: ${told(one)} ${one.value || ''}`);
  }
  if (/^H[23]$/.test(one.tagName)) {
    let next = one.nextElementSibling;
    const isEmpty = at => !at.textContent.trim() && !at.querySelector('input');
    while (next && isEmpty(next)) next = next.nextElementSibling;
    if (!next || /^H[23]$/.test(next.tagName)) found.push(`nothing below ${told(one)}`);
  }
}
const panels = [...document.querySelectorAll('aside')]
  .filter(one => one.checkVisibility())
  .map(one => one.getBoundingClientRect());
const across = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left);
const along = (one, other) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
for (const tab of document.querySelectorAll('#tabs button')) {
  const here = tab.getBoundingClientRect();
  if (panels.some(one => across(one, here) > 0 && along(one, here) > 0)) {
    found.push(`covered: ${told(tab)}`);
  }
}
// On the map: what is chosen, where a panel leaves a third of the width.
const free = panels.length < 2 || innerWidth > 1100;
const chosen = document.querySelector('.box.chosen');
if (chosen && free && !document.querySelector('dialog[open]')) {
  const { left, right, top, bottom } = chosen.getBoundingClientRect();
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!at || !at.closest('.box.chosen')) found.push(`covered or outside: ${told(chosen)}`);
}
if (bazelscope.state.view === 'map' && !document.querySelector('.box')) {
  found.push('an empty map');
}
// Texts on one another.
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const places = [];
while (walker.nextNode()) {
  const node = walker.currentNode;
  const holder = node.parentElement;
  if (!node.data.trim() || !isShown(holder)) continue;
  if (holder.closest('dialog, option, script, style')) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const one of range.getClientRects()) {
    const over = document.elementFromPoint(one.left + one.width / 2, one.top + one.height / 2);
    if (over && holder.contains(over)) places.push([one, node.data.trim().slice(0, 40)]);
  }
}
places.forEach(([one, text], n) => {
  for (const [other, also] of places.slice(n + 1)) {
    if (across(one, other) > 2 && along(one, other) > 4) found.push(`"${text}" lies on "${also}"`);
  }
});
return [...new Set(found)].slice(0, 20);
"""

_PALE = r"""
const linear = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const light = colour => {
  const [r, g, b] = colour.map(value => linear(value / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const colour = text => {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return [r, g, b, a];
};
const ground = one => {
  for (let at = one; at; at = at.parentElement) {
    const here = colour(getComputedStyle(at).backgroundColor);
    if (here[3] > 0.99) return here;
  }
  return [255, 255, 255, 1];
};
const found = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const one = walker.currentNode.parentElement;
  const text = walker.currentNode.data.trim();
  if (!text || !one.checkVisibility()) continue;
  if (one.closest('script, style, option, .offscreen, .skip, title')) continue;
  const isDrawn = one instanceof SVGElement;
  const style = getComputedStyle(one);
  const body = isDrawn && one.closest('g').querySelector('.body');
  const ink = colour(isDrawn ? style.fill : style.color);
  const behind = body
    ? colour(getComputedStyle(body).fill)
    : ground(isDrawn ? one.ownerSVGElement : one);
  let opacity = ink[3];
  for (let at = one; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  const mixed = [0, 1, 2].map(n => ink[n] * opacity + behind[n] * (1 - opacity));
  const [x, y] = [light(mixed), light(behind)];
  const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  if (ratio < 4.5) {
    const kind = one.getAttribute('class') || one.tagName;
    found.add(`${ratio.toFixed(1)}: ${kind} "${text.slice(0, 40)}"`);
  }
}
return [...found].slice(0, 20);
"""
