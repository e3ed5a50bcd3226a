"""Every feature of the explorer by clicks and keys, on the pages of all fixtures and of TensorFlow.

Nothing here knows what a page is about: what there is to click is asked from the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import TARGETS

pytestmark = pytest.mark.browser

_PAGES = (*sorted(TARGETS), pytest.param("tensorflow", marks=pytest.mark.corpus))


@pytest.fixture(params=_PAGES)
def page(
    request: pytest.FixtureRequest, chromium: Any, page_file: Callable[..., Path]
) -> Iterator[Any]:
    from tests.support.pages import OpenPage

    if request.param == "tensorflow":
        opened = request.getfixturevalue("tensorflow_page")
        opened.open()
    else:
        chromium.set_window_size(1440, 900)
        opened = OpenPage(chromium, page_file(request.param))
    yield opened
    assert opened.complaints() == []


def _start(page: Any) -> str:
    return str(page.js("return bazelscope.model.labels[bazelscope.model.data.starts[0]]"))


def _focus(page: Any, name: str) -> None:
    page.js("bazelscope.drawing.focus(arguments[0])", name)


def _group(page: Any) -> str:
    """The largest box that can be opened."""
    return str(
        page.js(
            "return bazelscope.boxes.filter(box => box.group && box.label < 0 && !box.rest)"
            ".sort((a, b) => b.labels.length - a.labels.length)[0].id"
        )
    )


def _far(page: Any) -> str:
    """A target that is needed now, as far from the start as any."""
    return str(
        page.js(
            "const {model, result} = bazelscope, far = new Map([[model.data.starts[0], 0]]);"
            "for (const label of far.keys()) {"
            " const {first, count, to} = result.graph;"
            " for (let row = first[label]; row < first[label] + count[label]; row++)"
            "  if (result.taken[row] === 2 && !far.has(to[row]))"
            "   far.set(to[row], far.get(label) + 1); }"
            "return model.labels[[...far.keys()].pop()]"
        )
    )


def _effects(page: Any) -> list[tuple[str, int, int]]:
    """For each config and flag, how many targets it gains and loses."""
    effects = page.js(
        "const {model, state} = bazelscope, host = model.data.bases[0].host;"
        "const at = words => bazelscopeEngine.turned(model, {host, words}).reached;"
        "const plain = at(state.line.words);"
        "const words = model.data.bases[0].words.filter(one => !one.problem)"
        " .map(one => one.words.join(' '));"
        "return [...words, ...model.flags.keys()].map(word => {"
        " const now = at([...state.line.words, word]);"
        " return [word, now.filter((x, n) => x && !plain[n]).length,"
        "  plain.filter((x, n) => x && !now[n]).length]; })"
    )
    return [(str(word), int(gained), int(lost)) for word, gained, lost in effects]


def _changing(page: Any) -> tuple[str, int, int]:
    """The config that changes the most, and how many targets it gains and loses."""
    configs = [one for one in _effects(page) if one[0].startswith("--config=")]
    return max(configs, key=lambda one: (one[1] + one[2], one[0]))


def test_boxes_open_close_hide_and_isolate_by_keys(page: Any) -> None:
    group = _group(page)
    _focus(page, group)
    page.press("o")
    inside = page.boxes()
    assert group not in inside
    child = page.js(
        "return bazelscope.boxes.find(box => bazelscope.isInside(box, arguments[0])).id", group
    )
    _focus(page, child)
    page.press("c")
    assert group in page.boxes()
    _focus(page, group)
    page.press("h")
    assert group not in page.boxes()
    page.click_text("Show all again (1 hidden)")
    assert group in page.boxes()
    _focus(page, _start(page))
    page.press("i")
    assert page.js("return bazelscope.state.only") == _start(page)
    page.press("i")
    assert page.js("return bazelscope.state.only") == ""


def test_a_box_of_a_flag_turns_it_on_and_off_again(page: Any) -> None:
    given = page.js("return bazelscope.state.line.words")
    box = page.one("#left input[data-word]:not(:checked)")
    word = box.get_attribute("data-word")
    for expected in ([*given, word], given, [*given, word], given):
        page.click(f"#left input[data-word='{word}']")
        assert page.js("return bazelscope.state.line.words") == expected
        assert box.is_selected() == (word in expected)


_CONTROLS = {"button", "link", "checkbox", "radio", "combobox", "textbox", "searchbox", "tab"}
_CONTROLS |= {"tabpanel", "option", "listbox", "dialog", "DisclosureTriangle"}


@pytest.mark.parametrize("view", ["map", "path", "changes", "repositories", "configs", "flags"])
def test_every_control_has_a_name_and_a_role(page: Any, view: str) -> None:
    page.js("bazelscope.change({view: arguments[0], to: arguments[1]})", view, _far(page))
    word, _, _ = _changing(page)
    page.js("bazelscope.turn(arguments[0], true)", word)
    tree = page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    for node in (one for one in tree if not one["ignored"]):
        role, name = node["role"]["value"], node.get("name", {}).get("value", "")
        told = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        assert name or role not in _CONTROLS, node
        assert not told.get("focusable") or role not in ("generic", "none"), node


def test_what_is_called_just_so_is_found_first(page: Any) -> None:
    page.press("/")
    page.press(word := page.one("#left input[data-word]").get_attribute("data-word"))
    first = "return document.querySelector('#hits li .mono').textContent"
    page.wait(lambda: page.js(first) == word)
    page.js("document.getElementById('query').value = ''")


def test_arrows_are_named_as_their_boxes_are_now(page: Any) -> None:
    """`12 more repositories` is the same box when a flag makes them 13."""
    said = page.js(
        "const {drawing} = bazelscope;"
        "const arrow = drawing.arrows.find(one => !one.isHidden);"
        "arrow.target.text = 'called otherwise';"
        "drawing.draw(drawing.boxes, drawing.arrows);"
        "const id = `${arrow.source.id} -> ${arrow.target.id}`;"
        "return document.querySelector(`[data-id='${CSS.escape(id)}']`).ariaLabel"
    )
    assert " needs called otherwise, " in said
    page.js("bazelscope.change({})")


def test_boxes_open_by_mouse(page: Any) -> None:
    from selenium.webdriver import ActionChains

    page.js("bazelscope.drawing.fit(true)")
    group = _group(page)
    for element in page.browser.find_elements("css selector", "#map .box"):
        if element.get_attribute("data-id") == group:
            ActionChains(page.browser).double_click(element).perform()
            break
    assert group not in page.boxes()


def test_arrow_keys_reach_boxes(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    _focus(page, _start(page))
    reached = {_start(page)}
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_UP) * 2:
        page.press(key)
        reached.add(page.js("return document.activeElement.dataset.id"))
    assert len(reached) >= 2


def test_what_is_needed_and_who_needs_it_is_followed(page: Any) -> None:
    _focus(page, _start(page))
    before = len(page.boxes())
    page.press("d")
    assert len(page.boxes()) > before
    page.search(_far(page))
    page.press("m")
    before = len(page.boxes())
    page.click_text("← Follow back", "#right")
    assert len(page.boxes()) >= before
    assert page.js("return document.getElementById('live').textContent").endswith("shown of 1") or (
        len(page.boxes()) > before
    )


def test_a_config_is_turned_by_a_click_and_marked(page: Any) -> None:
    word, gained, lost = _changing(page)
    assert gained + lost
    page.click(f"input[data-word='{word}']")
    assert page.text("#gained") == f"+{gained:,} gained"
    assert page.text("#lost") == f"\N{MINUS SIGN}{lost:,} lost"
    assert word in page.text("#command")
    page.press("g")
    page.press("c")
    assert f"{gained:,} target" in page.text("#view")
    page.click("#reset")
    assert page.text("#gained") == "+0 gained"


def test_no_edge_is_gained_and_lost_at_once(page: Any) -> None:
    # Another branch may lead where the one before did.
    twice = page.js(
        "const twice = [];"
        "const flags = [...bazelscope.model.flags.keys()];"
        "for (const flag of flags.filter((_, n) => n % Math.ceil(flags.length / 40) === 0)) {"
        "  bazelscope.turn(flag, true);"
        "  const edges = bazelscope.changes.edges.map(one => one.slice(0, 3).join(' '));"
        "  if (new Set(edges).size < edges.length) twice.push(flag);"
        "  bazelscope.turn(flag, false);"
        "}"
        "return twice"
    )
    assert twice == []


def test_selects_are_found_while_nothing_is_turned(page: Any) -> None:
    page.wait(
        lambda: page.js(
            "return bazelscope.effects.size >= bazelscope.model.data.bases[0].words.length"
        )
    )
    assert page.js("return [...bazelscope.model.graphs.values()].every(one => one.selects)")


def test_a_path_is_found_and_shown(page: Any) -> None:
    far = _far(page)
    page.search(far)
    page.click_text("Path to here", "#right")
    steps = page.js(
        "return [...document.querySelectorAll('#view .steps > li > button')]"
        ".map(one => one.textContent)"
    )
    assert steps[0] == _start(page) and steps[-1] == far
    page.click_text("Show it on the map", "#view")
    assert set(steps) <= set(page.boxes())


def test_what_is_not_needed_is_shown_as_that(page: Any) -> None:
    """Under no flags of the page: the path is drawn, and says that it is not taken."""
    word, gained, _ = max(_effects(page), key=lambda one: one[1])
    if not gained:
        # No flag brings the fixture of modules anything; the others it does.
        assert page.js("return bazelscope.model.data.workspace") == "modules"
        return
    page.js("bazelscope.turn(arguments[0], true)", word)
    brought = page.js("return bazelscope.model.labels[bazelscope.changes.gained[0]]")
    page.click("#reset")
    page.search(brought)
    page.click_text("Path to here", "#right")
    assert "There is no path under these flags." in page.text("#view")
    page.click_text("Show it on the map", "#view")
    assert page.js("return bazelscope.boxNamed(arguments[0]).under", brought).endswith("not needed")
    assert page.browser.find_elements("css selector", "#map .arrow.off")


def test_each_view_by_keys(page: Any) -> None:
    # Behind `g`, keys are views, though alone they close and open the box that has the focus.
    _focus(page, _start(page))
    for key, view in {
        "p": "path",
        "c": "changes",
        "r": "repositories",
        "o": "configs",
        "f": "flags",
        "m": "map",
    }.items():
        page.press("g")
        page.press(key)
        assert page.js("return bazelscope.state.view") == view
        assert page.js(
            "return document.querySelector('[role=tab][aria-selected=true]').dataset.view"
        ) == (view)


def test_a_link_brings_every_state_back(page: Any) -> None:
    word, _, _ = _changing(page)
    page.click(f"input[data-word='{word}']")
    page.js("bazelscope.open(arguments[0])", _group(page))
    page.search(_far(page))
    told = (page.js("return location.hash"), page.boxes(), page.text("#gained"))
    page.open(told[0])
    assert (page.js("return location.hash"), page.boxes(), page.text("#gained")) == told
    page.open()


@pytest.mark.parametrize("width", (800, 1280, 2560))
def test_the_map_opens_whole(width: int, page: Any) -> None:
    page.browser.set_window_size(width, 900)
    try:
        page.open()
        outside = page.js(
            "const view = document.getElementById('map').getBoundingClientRect();"
            "return [...document.querySelectorAll('#map .box')].filter(box => {"
            " const {left, right} = box.getBoundingClientRect();"
            " return left < view.left || right > view.right; }).map(box => box.dataset.id)"
        )
        assert outside == []
    finally:
        page.browser.set_window_size(1440, 900)
        page.open()


def test_nothing_lies_over_anything_in_a_narrow_window(page: Any) -> None:
    page.browser.set_window_size(420, 800)
    try:
        page.open()
        height, search, bar, first = page.js(
            "const at = where => document.querySelector(where).getBoundingClientRect();"
            "const tops = [...document.querySelectorAll('#map .box')].map("
            "box => box.getBoundingClientRect().top);"
            "return [at('header h1').height, at('#search').width,"
            " at('#mapbar button:nth-of-type(5)').bottom, Math.min(...tops)]"
        )
        assert height < 30, "the name is cut into letters"
        assert search > 300
        assert bar <= first, "a button lies over a box"
    finally:
        page.browser.set_window_size(1440, 900)
        page.open()


def test_details_say_class_place_why_and_needs(page: Any) -> None:
    page.search(_far(page))
    told = page.text("#right")
    for said in ("class", "Why: a shortest path", "When it is needed", "Needed by"):
        assert said in told, said


def test_what_was_scrolled_to_and_opened_stays_when_a_flag_turns(page: Any) -> None:
    word, _, _ = _changing(page)
    for view in ("repositories", "flags", "configs"):
        page.js("bazelscope.change({view: arguments[0]})", view)
        page.js("for (const one of document.querySelectorAll('#view details')) one.open = true")
        page.js(
            "const view = document.getElementById('view'); view.style.maxHeight = '90px';"
            "view.scrollTop = 60"
        )
        page.js("bazelscope.turn(arguments[0], true)", word)
        # Rows that come and go above what one looks at move it: browsers keep that where it is.
        assert page.js("return document.getElementById('view').scrollTop") > 0, view
        assert page.browser.find_elements("css selector", "#view details:not([open])") == []
        page.js("bazelscope.turn(arguments[0], false)", word)
