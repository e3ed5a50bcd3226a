"""The files that the arguments of `repository_ctx` name: by labels, by paths or by texts."""

from __future__ import annotations

import posixpath
from typing import NoReturn

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.dry_run.repository_path import RepositoryPath, own_root, place_of
from bazelscope.loading.dry_run.run_result import NO_FILE, mends_missing
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import before_pieces, shown_without_pieces
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance


class NamedFiles:
    """Finds them, and what they hold, for one `DryRunState`."""

    def __init__(self, state: DryRunState) -> None:
        self._state = state

    def path(self, path: object) -> RepositoryPath:
        """The path that a label, a path or a text names."""
        if isinstance(path, RepositoryPath):
            return path
        if isinstance(path, LabelValue):
            return self._path_of_label(path.label)
        text = starlark.str_of(path)
        if text.startswith("/"):
            return RepositoryPath(self._state, posixpath.normpath(text))
        if before_pieces(text) == "":
            # What a program prints is hardly a path within the repository that is being made.
            return RepositoryPath(self._state, text)
        return RepositoryPath(self._state, posixpath.normpath(f"{own_root(self._state)}/{text}"))

    def _path_of_label(self, label: Label) -> RepositoryPath:
        self._file_of_label(label)
        directory = self._state.files_of.directory_of(label.repository)
        if directory is None:
            base = posixpath.dirname(own_root(self._state))
            directory = f"{base}/{label.repository}"
        return RepositoryPath(self._state, f"{directory}/{label.path}")

    def file(self, path: object) -> FileFound | Unknown | None:
        """The file that `path` names; None if it certainly does not exist."""
        if isinstance(path, LabelValue):
            return self._file_of_label(path.label)
        resolved = self.path(path)
        own = resolved.own
        if own is not None:
            file = self._state.files.get(self._state.led_to(own))
            if file is None:
                content = self._state.text_of(own)
                return content if isinstance(content, Unknown) else None
            if file.text is None and file.real_path is None:
                return file.unknowns[0]
            return FileFound(
                file.display_path, Provenance.DRY_RUN, real_path=file.real_path, text=file.text
            )
        known = place_of(self._state, resolved.text)
        if known is None:
            content = resolved.text_content()
            return content if isinstance(content, Unknown) else None
        return self._state.files_of.find_file(*known)

    def _file_of_label(self, label: Label) -> FileFound | Unknown | None:
        """The file that a label names. Raises `StarlarkError` where its package does not exist,
        whatever else lies there. Bazel: `RepositoryFunction.getRootedPathFromLabel`."""
        state = self._state
        state.need(label.repository)
        if state.pieces.inside(str(label)):
            return state.files_of.find_file(label.repository, label.path)
        missing = state.files_of.missing_package(*label.package_id)
        if missing is not None:
            message = f"Unable to load package for {label}: {missing}"
            starlark.fail_with(message, mends_missing(label), NO_FILE)
        file = state.files_of.find_file(label.repository, label.path)
        if file is None and state.settings.release.paths_of_labels_are_files:
            starlark.fail_with(f"Not a regular file: {label.path}", code=NO_FILE)
        return file

    def fail_without(self, path: object) -> NoReturn:
        """Raises `StarlarkError` for a file that is not there."""
        code = NO_FILE if isinstance(path, LabelValue) else starlark.EVALUATION
        starlark.fail_with(f"{self.shown(path)} does not exist", code=code)

    def content_of(self, path: object) -> str | Unknown | None:
        """What the file that `path` names holds; None if it certainly does not exist."""
        file = self.file(path)
        return self.text_in(file) if isinstance(file, FileFound) else file

    def text_in(self, file: FileFound) -> str | Unknown:
        """The text of a file; what another dry run did not know of it, this one does not know."""
        text = self._state.files_of.read_text(file)
        if isinstance(file, PartlyKnownFile) and isinstance(text, str):
            return self._state.pieces.adopted(text, file.unknown_names)
        return text

    def own_path(self, path: object) -> str:
        """The path inside the repository that is written to. Raises `StarlarkError`."""
        if path == "":
            return ""
        resolved = self.path(path)
        own = resolved.own
        if own is None and before_pieces(resolved.text) == "":
            # Wherever else it were, Bazel would let no rule write there.
            return resolved.text
        if own is None:
            starlark.fail_with(
                f"Cannot write outside of the repository directory for path {resolved.text}"
            )
        return own

    def shown(self, path: object) -> str:
        """What messages call it."""
        if isinstance(path, LabelValue):
            return str(path.label)
        own = path.own if isinstance(path, RepositoryPath) else None
        return shown_without_pieces(own if own is not None else starlark.str_of(path))
