"""Small workspaces written by each test, and loaders for them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.unit.loading.loading_world import Load, Loaded

Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files (path to text) into a workspace of the test's own; returns its root."""

    def write_files(files: Mapping[str, str]) -> Path:
        root = tmp_path / "workspace"
        for path, text in {"WORKSPACE": "", **files}.items():
            target = root / path
            if path == "WORKSPACE" and target.exists() and "WORKSPACE" not in files:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return root

    return write_files


@pytest.fixture
def load(write: Write) -> Load:
    """Writes files and makes a loader for them."""

    def load_files(
        files: Mapping[str, str], version: str = "4.2.3", cache: Path | None = None, **more: object
    ) -> Loaded:
        root = write(files)
        options = LoadingOptions(version, **more)  # type: ignore[arg-type]
        return Loaded(Loader(Workspace.open(root), options, cache))

    return load_files
