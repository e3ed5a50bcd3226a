"""Targets that are asked for and do not exist, each reported once with all that ask for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from bazelscope.base.errors import Diagnostic, Note, Severity
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.loading.packages.targets import Absent, NoSuchPackage
from bazelscope.loading.tree.workspace_files import ROOT_MARKERS


@dataclass(eq=False)
class MissingTargets:
    """Collects references to what is not there.

    The reports go into `diagnostics`, which may hold others as well: a first reference makes a
    report in Bazel's words, each further one a note of it.
    """

    _diagnostics: list[Diagnostic]
    _severity: Severity
    _is_file: Callable[[str], bool] | None = None
    """Tells files of the workspace, for a hint at workspaces inside of it."""
    _reports: dict[str, int] = field(default_factory=dict)
    """By Bazel's message: several targets of one missing package make one report."""
    _references: set[tuple[str, Label]] = field(default_factory=set)

    def note(self, absent: Absent, wanted_by: Label, location: Location | None) -> None:
        """Takes down that `wanted_by`, which stands at `location`, depends on `absent`."""
        key = absent.message
        if (key, wanted_by) in self._references:
            return
        self._references.add((key, wanted_by))
        span = location.span if location is not None else None
        asks = f"and referenced by '{wanted_by}'"
        index = self._reports.get(key)
        if index is None:
            self._reports[key] = len(self._diagnostics)
            code = "no-such-package" if isinstance(absent, NoSuchPackage) else "no-such-target"
            hint = self._hint(wanted_by) if not self._reports.keys() - {key} else None
            self._diagnostics.append(
                Diagnostic(
                    code, f"{absent.message} {asks}", span, hint=hint, severity=self._severity
                )
            )
        else:
            report = self._diagnostics[index]
            self._diagnostics[index] = report.with_note(Note(asks, span))

    def _hint(self, wanted_by: Label) -> str | None:
        """Whoever asks may be written for another root: each of its labels then misses."""
        if self._is_file is None or wanted_by.repository:
            return None
        parts = wanted_by.package.split("/") if wanted_by.package else []
        for length in range(len(parts), 0, -1):
            directory = "/".join(parts[:length])
            if any(self._is_file(f"{directory}/{marker}") for marker in ROOT_MARKERS):
                return f"`{directory}` is a workspace of its own, too; `-w {directory}` asks there"
        return None
