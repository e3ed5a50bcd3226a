"""The workspaces that an editor has files of, each with its state, by where their roots are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.paths import is_file
from bazelscope.editor.settings import ClientSettings
from bazelscope.editor.state import EditorState
from bazelscope.loading.tree.workspace_files import ROOT_MARKERS

_MOST = 4
"""So many workspaces are held at once: one of TensorFlow's size takes 200 MB."""


@dataclass(eq=False)
class Workspaces:
    """Finds the workspace of a file. `folder` is the editor's own, for files that are in none."""

    settings: ClientSettings
    _environment: Mapping[str, str]
    _cache_dir: Path | None
    _host: str
    folder: Path | None = None
    _states: dict[str, EditorState] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    """What the editor shows, by absolute paths."""

    def configure(self, settings: ClientSettings) -> None:
        """Takes other settings; what is kept of a workspace that they do not change stays."""
        is_elsewhere = settings.workspace != self.settings.workspace
        self.settings = settings
        if is_elsewhere:
            self._states.clear()
        for state in self._states.values():
            state.configure(settings)

    def state_of(self, path: str | None) -> EditorState:
        """The state of the workspace that the file at an absolute path is in."""
        root = self._root_of(path)
        state = self._states.pop(root, None)
        if state is None:
            state = EditorState(
                Path(root), self.settings, self._environment, self._cache_dir, self._host
            )
            for open_path, text in self._texts.items():
                if self._root_of(open_path) == root:
                    state.edit(open_path, text)
        self._states[root] = state
        while len(self._states) > _MOST:
            del self._states[next(iter(self._states))]
        return state

    def edit(self, path: str, text: str) -> EditorState:
        """Takes in what the editor shows of a file; nothing happens where it is the same."""
        state = self.state_of(path)
        if self._texts.get(path) != text:
            self._texts[path] = text
            state.edit(path, text)
        return state

    def close(self, path: str) -> None:
        """The file counts again."""
        if self._texts.pop(path, None) is not None:
            self.state_of(path).close(path)

    def states(self) -> tuple[EditorState, ...]:
        """Every workspace that is held."""
        return tuple(self._states.values())

    def _root_of(self, path: str | None) -> str:
        if self.settings.workspace is not None:
            given = Path(self.settings.workspace).expanduser()
            return str(self.folder / given if self.folder is not None else given)
        for above in Path(path).parents if path is not None else ():
            if any(is_file(above / marker) for marker in ROOT_MARKERS):
                return str(above)
        if self.folder is not None:
            return str(self.folder)
        return str(Path(path).parent) if path is not None else os.getcwd()  # noqa: PTH109
