"""What is chosen is wholly in view, beside the panel that tells of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_a_chosen_box_is_wholly_in_view(chromium: Any, page_file: Callable[..., Path]) -> None:
    from tests.support.pages import OpenPage

    size = {"width": 800, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page = OpenPage(chromium, page_file("tf-2.4-mkl"))
        page.search("--config=mkl")
        page.search("mkl_dnn_v1//:mkl_dnn")
        assert page.js(
            "const box = document.querySelector('.box.chosen').getBoundingClientRect();"
            "const view = document.getElementById('map').getBoundingClientRect();"
            "const panel = document.getElementById('right').getBoundingClientRect();"
            "return box.left >= view.left && box.right <= panel.left && box.top >= view.top"
        )
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
