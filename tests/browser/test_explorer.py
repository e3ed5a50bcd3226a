"""Every feature of the explorer by clicks and keys, in a real Chromium."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from tests.support.parts import CHECKOUT, FIXTURES

pytestmark = pytest.mark.browser

START = "//tensorflow/tools/pip_package:build_pip_package"
MKL = "@mkl_dnn_v1//:mkl_dnn"
FIXTURE = "tf-2.4-mkl"


@pytest.fixture
def page(chromium: Any, page_file: Callable[..., Path]) -> Any:
    from tests.support.pages import OpenPage

    chromium.set_window_size(1440, 900)
    opened = OpenPage(chromium, page_file(FIXTURE))
    yield opened
    assert opened.complaints() == []


def test_it_opens_with_repositories(page: Any) -> None:
    assert page.boxes() == [START, "//", "@mkl_dnn_v1", "@boringssl", "@eigen_archive", "@zlib"]
    assert int(page.js("return document.body.dataset.opened")) < 1000
    assert page.text("#command").strip() == f"bazel build {START}"


def test_boxes_open_and_close_by_keys(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    page.js("bazelscope.drawing.focus(arguments[0])", START)
    page.press(Keys.ARROW_RIGHT)
    assert page.js("return document.activeElement.dataset.id") == "//"
    page.press(Keys.ENTER)
    assert "needed target" in page.text("#right")
    page.press(Keys.ENTER)
    opened = page.boxes()
    assert "//" not in opened
    assert "//third_party" in opened
    page.js("bazelscope.drawing.focus('//third_party')")
    page.press("c")
    assert "//" in page.boxes()


def test_boxes_hide_and_isolate(page: Any) -> None:
    page.js("bazelscope.drawing.focus('@zlib')")
    page.press("h")
    assert "@zlib" not in page.boxes()
    page.js("bazelscope.drawing.focus('@boringssl')")
    page.press("i")
    assert page.boxes() == ["//", "@boringssl"]
    page.click_text("Show all again (1 hidden)")
    assert len(page.boxes()) == 6


def test_targets_are_followed_in_both_directions(page: Any) -> None:
    page.js("bazelscope.drawing.focus(arguments[0])", START)
    page.press("d")
    assert "//tensorflow/tools/pip_package:included_headers" in page.boxes()
    page.search("core_cpu")
    before = len(page.boxes())
    page.click_text("← Follow back", "#right")
    assert len(page.boxes()) > before


def test_search_finds_targets_flags_and_repositories(page: Any) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    assert page.js("return bazelscope.state.selected") == MKL
    page.search("--config=mkl_aarch64")
    assert "--config=mkl_aarch64" in page.text("#command")
    page.search("@zlib")
    assert page.js("return bazelscope.state.view") == "repositories"


def test_a_turned_flag_marks_what_it_brings_and_takes(page: Any) -> None:
    page.click("input[data-word='--config=cuda']")
    assert page.text("#gained") == "+3 gained"
    assert page.text("#command").strip() == f"bazel build --config=cuda {START}"
    assert page.js("return document.activeElement.dataset.word") == "--config=cuda"
    page.click_text("Changes", "#tabs")
    assert "3 targets gained" in page.text("#view")
    assert "using_cuda" in page.text("#view")
    page.click("#reset")
    assert page.text("#gained") == "+0 gained"


def test_changes_are_told_level_by_level(page: Any) -> None:
    page.click("input[data-word='--config=mkl']")
    page.click_text("Changes", "#tabs")
    gained = page.js("return bazelscope.changes.gained.map(one => bazelscope.model.labels[one])")
    side = "#view .columns > div"
    closed = page.js(
        "return [...document.querySelectorAll(arguments[0] + ' summary')]"
        ".map(one => one.textContent)",
        side,
    )
    assert len(gained) > 12 and any(text.endswith(" targets") for text in closed)
    assert (
        page.js("return document.querySelectorAll(arguments[0] + ' details > div').length", side)
        == 0
    )
    for _ in range(9):  # Deeper than any folder of it.
        page.js(
            "for (const one of document.querySelectorAll(arguments[0] + ' details'))"
            " one.open = true;"
            "return new Promise(requestAnimationFrame)",
            side,
        )
    told = page.js(
        "return [...document.querySelector(arguments[0]).querySelectorAll('button.link')]"
        ".map(one => one.textContent)",
        side,
    )
    assert sorted(told) == sorted(gained)


def test_a_setting_is_turned_by_its_list(page: Any) -> None:
    selector = "select[data-variable='--define=build_with_mkl']"
    page.click(selector)
    page.js(
        "const s = document.querySelector(arguments[0]); s.value = '--define=build_with_mkl=true';"
        "s.dispatchEvent(new Event('change'))",
        selector,
    )
    assert "--define=build_with_mkl=true" in page.text("#command")
    assert page.text("#gained") != "+0 gained"


def test_a_target_tells_class_place_stack_and_selects(page: Any) -> None:
    page.search("core/common_runtime:core_cpu")
    told = page.text("#right")
    for said in (
        "cc_library",
        "tensorflow/core/common_runtime/BUILD:28",
        "tf_cuda_library()",
        "Attributes, term by term",
        "mkl_deps()",
        "select()",
        "//third_party/mkl:build_with_mkl",
        "--define=build_with_mkl=true",
        "Why: a shortest path",
        "When it is needed",
    ):
        assert said in told, said


def test_an_edge_tells_why_and_when(page: Any) -> None:
    source = "//tensorflow/core/common_runtime:core_cpu"
    page.js("bazelscope.change({selected: arguments[0]})", f"{source} -> {MKL}")
    told = page.text("#right")
    for said in ("deps", "mkl_deps()", "Only with", "--define=build_with_mkl=true", "select() at"):
        assert said in told, said


def test_a_path_between_two_targets(page: Any) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    page.click_text("Path to here", "#right")
    told = page.text("#view")
    assert "There is no path under these flags." in told
    assert "Under any flags" in told
    page.click_text("--config=mkl", "#view")
    assert "There is no path" not in page.text("#view")
    page.click_text("Show it on the map", "#view")
    assert MKL in page.boxes()


def test_repositories_configs_and_flags(page: Any) -> None:
    page.click_text("Repositories", "#tabs")
    told = page.text("#view")
    assert "https://github.com/oneapi-src/oneDNN/archive/v1.6.4.tar.gz" in told
    assert "5369f7b2f0b52b40890da50c0632c3a5d1082d98325d0f2bff125d19d0dcaa1d" in told
    page.click_text("Configs", "#tabs")
    page.click("#config-of-mkl")
    page.wait(lambda: ".bazelrc:16" in page.text("#view"))
    page.press("g")
    page.press("f")
    told = page.text("#view")
    assert "Beaten" in told
    assert "--compilation_mode" in told or "-c opt" in told


def test_every_state_is_a_link(page: Any) -> None:
    page.click("input[data-word='--config=mkl']")
    page.js("bazelscope.open('//')")
    page.js("bazelscope.hide('@zlib')")
    page.search("mkl_dnn_v1//:mkl_dnn")
    hash_, boxes, gained = page.js("return location.hash"), page.boxes(), page.text("#gained")
    page.open(hash_)
    assert page.boxes() == boxes
    assert page.text("#gained") == gained
    assert page.js("return bazelscope.state.selected") == MKL
    page.go("back")


def test_back_goes_back(page: Any) -> None:
    page.click("input[data-word='--config=mkl']")
    page.go("back")
    page.wait(lambda: "--config=mkl" not in page.text("#command"))


def test_a_line_against_another_opens_as_what_differs(
    chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file(FIXTURE, "--config=mkl", against=()))
    assert page.js("return bazelscope.state.view") == "changes"
    assert MKL in page.text("#view")
    assert page.text("#gained") != "+0 gained"


def test_changes_tell_both_states_and_the_branches_that_differ(page: Any) -> None:
    page.click("input[data-word='--config=mkl']")
    page.click_text("Changes", "#tabs")
    branches = page.js(
        "return bazelscope.branchesThatDiffer().map(one => [bazelscope.model.labels[one.label],"
        " one.name, bazelscope.model.labels[one.old], bazelscope.model.labels[one.now]])"
    )
    default, mkl = "//conditions:default", "//third_party/mkl:build_with_mkl"
    assert [START, "data", default, mkl] in branches
    assert f"Branches that differ: {len(branches)}" in page.text("#view")
    workspace = Workspace.open(FIXTURES / FIXTURE)
    before, after = (workspace.configure((*words, START)) for words in ((), ("--config=mkl",)))
    asked = [one for one in branches if one[0] == START]
    assert len(asked) == len(after.differences(before).selects)
    sides = page.js("return [...document.querySelectorAll('.side')].map(one => one.textContent)")
    assert "bazel build //" in sides[0] and "--config=mkl" in sides[1]
    page.browser.find_elements("css selector", "a.state")[0].click()
    page.wait(lambda: page.js("return bazelscope.state.view") == "map")
    assert "--config=mkl" not in page.text("#command")
    page.go("back")
    page.wait(lambda: "--config=mkl" in page.text("#command"))


def test_a_tab_closes_the_panels_that_lie_on_the_view(page: Any) -> None:
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 800, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        page.open()
        page.click("#toggle-right")
        assert page.one("#right").is_displayed()
        page.click("#tabs button[data-view=map]")
        assert not page.one("#right").is_displayed()
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_bazel_refuses_stands_above_all(chromium: Any, page_file: Callable[..., Path]) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file(FIXTURE, "--config=mkl_aarch64", "--config=mkl"))
    assert "Bazel refuses to build this" in page.text("#notices")
    page = OpenPage(chromium, page_file(FIXTURE))
    assert page.text("#notices") == ""
    page.js("bazelscope.turn('--config=mkl', true)")
    page.js("bazelscope.turn('--config=mkl_aarch64', true)")
    assert "Bazel refuses to build this" in page.text("#notices")


@pytest.mark.parametrize("width", (800, 1280, 1920, 2560))
@pytest.mark.parametrize("theme", ("light", "dark"))
def test_nothing_overflows(page: Any, width: int, theme: str) -> None:
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        page.open()
        if page.js("return document.documentElement.dataset.theme") != theme:
            page.press("l")
        assert page.js("return document.documentElement.dataset.theme") == theme
        for view in ("map", "path", "changes", "repositories", "configs", "flags"):
            page.js("bazelscope.change({view: arguments[0]})", view)
            over = page.js(
                "const w = innerWidth; return [document.documentElement.scrollWidth - w,"
                " document.getElementById('view').scrollWidth"
                " - document.getElementById('view').clientWidth]"
            )
            assert over[0] <= 0 and over[1] <= 0, (view, over)
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_everything_that_acts_has_a_name(page: Any) -> None:
    for view in ("map", "path", "changes", "repositories", "configs", "flags"):
        page.js("bazelscope.change({view: arguments[0]})", view)
        for element in page.browser.find_elements(
            "css selector", "button, input, select, [role=button], [role=tab], [role=combobox]"
        ):
            if element.is_displayed():
                assert element.accessible_name, element.get_attribute("outerHTML")


def test_views_read_in_order_and_scroll_by_keys(page: Any) -> None:
    page.js("bazelscope.turn('--config=mkl', true)")
    page.search("mkl_dnn_v1//:mkl_dnn")
    for view in ("path", "changes", "repositories", "configs", "flags"):
        page.js("bazelscope.change({view: arguments[0], to: arguments[1]})", view, MKL)
        assert page.one("#view").get_attribute("tabindex") == "0"
        levels = page.js(
            "return [...document.querySelectorAll('h1, h2, h3')].map(one => +one.tagName[1])"
        )
        assert all(after <= before + 1 for before, after in pairwise(levels)), (view, levels)
        for one in page.browser.find_elements("css selector", "button[aria-label]"):
            if one.is_displayed() and any(letter.isalpha() for letter in one.text):
                assert one.text.strip(" ←→") in one.accessible_name, one.get_attribute("outerHTML")


def test_a_path_is_not_hidden_below_a_panel(page: Any) -> None:
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 800, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        page.open()
        page.search("mkl_dnn_v1//:mkl_dnn")
        page.click_text("Path to here", "#right")
        assert not page.one("#right").is_displayed()
        assert "Under any flags" in page.text("#view")
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_texts_have_contrast(page: Any) -> None:
    """At least 4.5 to 1 between every text colour and the grounds that it stands on."""
    for theme in ("light", "dark"):
        ratios = page.js(_CONTRAST, theme)
        low = {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5}
        assert low == {}, theme


_CONTRAST = """
document.documentElement.dataset.theme = arguments[0];
const style = getComputedStyle(document.documentElement);
const light = name => {
  const hex = style.getPropertyValue(name).trim().slice(1);
  const [r, g, b] = [0, 2, 4].map(n => {
    const c = parseInt(hex.slice(n, n + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => {
  const [x, y] = [light(a), light(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};
const pairs = [];
for (const ink of ['--ink', '--soft', '--accent'])
  for (const ground of ['--panel', '--ground', '--raised', '--hover']) pairs.push([ink, ground]);
for (const name of ['gained', 'lost', 'bad', 'warn', 'accent'])
  pairs.push([`--${name}`, `--${name}-soft`], [`--${name}`, '--panel']);
return Object.fromEntries(pairs.map(([a, b]) => [`${a} on ${b}`, ratio(a, b)]));
"""


def test_the_picture_of_the_documents(page: Any) -> None:
    """With BAZELSCOPE_REGENERATE=1 the picture in `docs` is taken anew."""
    page.browser.set_window_size(1440, 1000)
    page.click("input[data-word='--config=mkl']")
    page.search("mkl_dnn_v1//:mkl_dnn")
    page.click_text("Path to here", "#right")
    page.click_text("Show it on the map", "#view")
    assert page.js("return bazelscope.boxNamed('@mkl_dnn_v1//:mkl_dnn').gained") > 0
    picture = CHECKOUT / "docs" / "explorer.png"
    if os.environ.get("BAZELSCOPE_REGENERATE"):
        page.browser.save_screenshot(str(picture))
    assert picture.stat().st_size > 10_000
    page.browser.set_window_size(1440, 900)
