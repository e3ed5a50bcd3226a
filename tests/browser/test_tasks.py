"""The tasks of docs/tasks.md, by clicks and keys alone: each ends at what answers it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_explorer import MKL

pytestmark = pytest.mark.browser

FIXTURE = "tf-2.4-mkl"
_MKL_BOX = "input[data-word='--config=mkl']"


@pytest.fixture
def page(chromium: Any, page_file: Callable[..., Path]) -> Any:
    from tests.support.pages import OpenPage

    return OpenPage(chromium, page_file(FIXTURE))


def test_1_why_is_it_in_my_wheel(page: Any) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    page.click_text("Path to here", "#right")
    page.click_text("--config=mkl", "#view")
    told = page.text("#view")
    assert "There is no path" not in told and MKL in told


def test_2_which_line_do_i_delete(page: Any) -> None:
    page.click_text("Configs", "#tabs")
    assert ".bazelrc:16" in page.text("#view")


def test_3_what_does_a_config_change(page: Any) -> None:
    page.click(_MKL_BOX)
    page.click_text("Changes", "#tabs")
    assert "gained" in page.text("#view") and MKL in page.text("#view")


def test_4_under_which_flags(page: Any) -> None:
    page.search("mkl_dnn_v1//:mkl_dnn")
    told = page.text("#right")
    assert "When it is needed" in told and "--define=build_with_mkl=true" in told


def test_5_where_is_it_fetched_from(page: Any) -> None:
    page.search("@mkl_dnn_v1")
    assert "https://github.com/oneapi-src/oneDNN/archive/v1.6.4.tar.gz" in page.text("#view")


def test_6_who_won_over_whom(page: Any) -> None:
    page.click(_MKL_BOX)
    page.press("g")
    page.press("f")
    told = page.text("#view")
    assert "-c opt" in told and ".bazelrc:19" in told and "Beaten" in told


def test_7_which_branch_is_taken(page: Any) -> None:
    page.click(_MKL_BOX)
    page.search("core/common_runtime:core_cpu")
    told = page.text("#right")
    assert "mkl_deps()" in told and "//third_party/mkl:build_with_mkl" in told


def test_8_who_else_needs_it(page: Any) -> None:
    page.click(_MKL_BOX)
    page.search("mkl_dnn_v1//:mkl_dnn")
    assert "//tensorflow/core/common_runtime:core_cpu" in page.text("#right")
