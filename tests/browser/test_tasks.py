"""The tasks of docs/tasks.md, by clicks and keys alone: each ends at what answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.test_explorer import MKL
from tests.support.parts import need_tensorflow

pytestmark = pytest.mark.browser

_MKL_BOX = "input[data-word='--config=mkl']"
_FIXTURE, _TREE = "tf-2.4-mkl", "2.4"


@dataclass(frozen=True)
class _Places:
    """Where the fixture and the tree that it has the shape of differ."""

    define: str
    optimized: str
    asker: str


_PLACES = {
    _FIXTURE: _Places(".bazelrc:16", ".bazelrc:19", "core/common_runtime:core_cpu"),
    _TREE: _Places(".bazelrc:160", ".bazelrc:163", "core/common_runtime:mkl_cpu_allocator"),
}


@pytest.fixture(params=[_FIXTURE, pytest.param(_TREE, marks=pytest.mark.corpus)])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(
    where: str, request: pytest.FixtureRequest, chromium: Any, page_file: Callable[..., Path]
) -> Any:
    from tests.support.pages import OpenPage

    if where == _FIXTURE:
        return OpenPage(chromium, page_file(_FIXTURE))
    need_tensorflow(_TREE)
    opened = request.getfixturevalue("tensorflow_page")
    opened.open()
    return opened


@pytest.fixture
def places(where: str) -> _Places:
    return _PLACES[where]


def test_1_why_is_it_in_my_wheel(page: Any, places: _Places) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    page.click_text("Path to here", "#right")
    page.click_text("--config=mkl", "#view")
    told = page.text("#view")
    assert "There is no path" not in told and MKL in told
    set_now = page.js("return [...document.querySelectorAll('#view .set')].pop().textContent")
    assert "--define=build_with_mkl=true" in set_now and places.define in set_now


def test_2_which_line_do_i_delete(page: Any, places: _Places) -> None:
    page.click(_MKL_BOX)
    page.search("mkl_dnn_v1//:mkl_dnn")
    told = page.js("return document.querySelector('#right .set').textContent")
    assert "--define=build_with_mkl=true" in told and places.define in told


def test_3_what_does_a_config_change(page: Any) -> None:
    page.click(_MKL_BOX)
    page.click_text("Changes", "#tabs")
    assert "gained" in page.text("#view") and "@mkl_dnn_v1" in page.text("#view")


def test_4_under_which_flags(page: Any) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    told = page.text("#right")
    assert "When it is needed" in told and "--define=build_with_mkl=true" in told


def test_5_where_is_it_fetched_from(page: Any) -> None:
    page.search("@mkl_dnn_v1")
    assert "https://github.com/oneapi-src/oneDNN/archive/v1.6.4.tar.gz" in page.text("#view")


def test_6_who_won_over_whom(page: Any, places: _Places) -> None:
    page.click(_MKL_BOX)
    page.press("g")
    page.press("f")
    told = page.text("#view")
    assert "-c opt" in told and places.optimized in told and "Beaten" in told


def test_7_which_branch_is_taken(page: Any, places: _Places) -> None:
    page.click(_MKL_BOX)
    page.search(places.asker)
    told = page.text("#right")
    assert "mkl_deps()" in told and "//third_party/mkl:build_with_mkl" in told


def test_8_who_else_needs_it(page: Any, places: _Places) -> None:
    page.click(_MKL_BOX)
    page.search("mkl_dnn_v1//:mkl_dnn")
    assert f"//tensorflow/{places.asker}" in page.text("#right")


class _Keys:
    """The page by its keyboard alone; counts what was pressed, a typed word as one."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.count = 0

    def press(self, *keys: str) -> None:
        self.page.press(*keys)
        self.count += len(keys)

    def find(self, text: str) -> None:
        self.page.search(text)
        self.count += 3

    def tab_to(self, is_there: str) -> None:
        """Presses Tab until the element that has the focus is the one meant."""
        for _ in range(60):
            self.press(Keys.TAB)
            if self.page.js(f"const at = document.activeElement; return Boolean({is_there})"):
                return
        raise AssertionError(f"no Tab leads to {is_there}")


def test_every_task_by_keys_alone(page: Any, places: _Places, where: str) -> None:
    counts = []
    for task in _BY_KEYS:
        page.open()
        keys = _Keys(page)
        task(keys, places)
        assert page.complaints() == []
        counts.append(keys.count)
    assert max(counts) <= 40, counts
    print(where, counts)


def _by_keys_1(keys: _Keys, places: _Places) -> None:
    keys.find("mkl_dnn_v1//:mkl_dnn")
    keys.tab_to("at.textContent === 'Path to here'")
    keys.press(Keys.ENTER)
    keys.find("--config=mkl")
    told = keys.page.text("#view")
    assert "There is no path" not in told and MKL in told and places.define in told


def _by_keys_2(keys: _Keys, places: _Places) -> None:
    keys.find("--config=mkl")
    keys.find("mkl_dnn_v1//:mkl_dnn")
    assert places.define in keys.page.js("return document.querySelector('#right .set').textContent")


def _by_keys_3(keys: _Keys, places: _Places) -> None:
    keys.find("--config=mkl")
    keys.press("g", "c")
    assert "gained" in keys.page.text("#view") and "@mkl_dnn_v1" in keys.page.text("#view")


def _by_keys_4(keys: _Keys, places: _Places) -> None:
    keys.find("mkl_dnn_v1//:mkl_dnn")
    told = keys.page.text("#right")
    assert "When it is needed" in told and "--define=build_with_mkl=true" in told


def _by_keys_5(keys: _Keys, places: _Places) -> None:
    keys.find("@mkl_dnn_v1")
    assert "https://github.com/oneapi-src/oneDNN/archive/v1.6.4.tar.gz" in keys.page.text("#view")


def _by_keys_6(keys: _Keys, places: _Places) -> None:
    keys.find("--config=mkl")
    keys.press("g", "f")
    told = keys.page.text("#view")
    assert "-c opt" in told and places.optimized in told and "Beaten" in told


def _by_keys_7(keys: _Keys, places: _Places) -> None:
    keys.find("--config=mkl")
    keys.find(places.asker)
    told = keys.page.text("#right")
    assert "mkl_deps()" in told and "//third_party/mkl:build_with_mkl" in told


def _by_keys_8(keys: _Keys, places: _Places) -> None:
    keys.find("--config=mkl")
    keys.find("mkl_dnn_v1//:mkl_dnn")
    assert f"//tensorflow/{places.asker}" in keys.page.text("#right")


_BY_KEYS = (
    _by_keys_1,
    _by_keys_2,
    _by_keys_3,
    _by_keys_4,
    _by_keys_5,
    _by_keys_6,
    _by_keys_7,
    _by_keys_8,
)
