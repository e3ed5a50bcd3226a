"""One Chromium for all tests of pages, and the pages of the fixtures, each written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import locked
from tests.support.parts import FIXTURES, need_browser, need_tensorflow, need_tree

TARGETS = {
    "tf-2.4-mkl": ("//tensorflow/tools/pip_package:build_pip_package",),
    "tf-2.18-cuda-wheel": ("//tensorflow/tools/pip_package:wheel",),
    "modules": ("//app:courier",),
}
SMALLER = "//tensorflow/cc:ops"
"""What is asked of the TensorFlow that `.ci/parts` installs."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser of usual size."""
    programs = need_browser()
    from tests.support.pages import start_browser

    browser = start_browser(*programs)
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The page of a fixture under some words."""
    folder = tmp_path_factory.mktemp("pages")
    known: dict[tuple[object, ...], Path] = {}

    def of(fixture: str, *words: str, **options: Any) -> Path:
        from bazelscope.api import Workspace
        from tests.support.pages import write

        key = (fixture, words, repr(options))
        if key not in known:
            line = Workspace.open(FIXTURES / fixture).configure((*words, *TARGETS[fixture]))
            known[key] = write(line, folder / f"{len(known)}.html", **options)
        return known[key]

    return of


@pytest.fixture(scope="session")
def tensorflow_line(trees_cache: Path) -> Any:
    """TensorFlow 2.4's pip package, configured; where that tree is not here, a smaller target of
    the release that `.ci/parts` installs."""
    from bazelscope.api import Workspace

    try:
        root, target = need_tensorflow("2.4"), "//tensorflow/tools/pip_package:build_pip_package"
    except pytest.skip.Exception:
        root, target = need_tree("tensorflow"), SMALLER
    return Workspace.open(root, cache_dir=trees_cache).configure((target,))


@pytest.fixture(scope="session")
def tensorflow_page(
    chromium: Any, tmp_path_factory: pytest.TempPathFactory, trees_cache: Path, tensorflow_line: Any
) -> Any:
    """The page of `tensorflow_line`. All processes of a run share the file."""
    from tests.support.pages import OpenPage, write

    file = trees_cache.with_name("tensorflow-page.html")
    with locked(file):
        if not file.exists():
            folder = tmp_path_factory.mktemp("tensorflow")
            write(tensorflow_line, folder / file.name, loads=2).replace(file)
            tensorflow_line.save()
    return OpenPage(chromium, file)
