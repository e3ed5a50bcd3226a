"""A condition on the page: what turns it on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_a_condition_says_when_its_branch_is_taken(
    chromium: Any, page_file: Callable[..., Path]
) -> None:
    from tests.support.pages import OpenPage

    page = OpenPage(chromium, page_file("tf-2.4-mkl"))
    page.search("//third_party/mkl:build_with_mkl")
    told = page.text("#right")
    assert "When its branch is taken" in told and "not now" in told
    assert "--define=build_with_mkl=true" in told
    page.search("--config=mkl")
    page.search("//third_party/mkl:build_with_mkl")
    assert ".bazelrc:16" in page.text("#right")
    assert page.complaints() == []
