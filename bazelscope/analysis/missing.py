"""Targets that are asked for and do not exist, each reported once with all that ask for it."""

from __future__ import annotations

from bazelscope.errors import Diagnostic, Note, Severity
from bazelscope.label import Label
from bazelscope.loading.targets import NoSuchPackage, NoSuchTarget
from bazelscope.source import Location, Span

Absent = NoSuchPackage | NoSuchTarget


class MissingTargets:
    """Collects references to what is not there.

    The reports go into `diagnostics`, which may hold others as well: a first reference makes a
    report in Bazel's words, each further one a note of it.
    """

    def __init__(self, diagnostics: list[Diagnostic], severity: Severity) -> None:
        self._diagnostics = diagnostics
        self._severity = severity
        self._reports: dict[str, int] = {}
        """By Bazel's message: several targets of one missing package make one report."""
        self._references: set[tuple[str, Label]] = set()

    def note(self, absent: Absent, wanted_by: Label, location: Location | None) -> None:
        """Takes down that `wanted_by`, which stands at `location`, depends on `absent`."""
        key = absent.message
        if (key, wanted_by) in self._references:
            return
        self._references.add((key, wanted_by))
        span = None
        if location is not None:
            path, line, column = location
            span = Span(path, line, column, line, column + 1)
        asks = f"and referenced by '{wanted_by}'"
        index = self._reports.get(key)
        if index is None:
            self._reports[key] = len(self._diagnostics)
            code = "no-such-package" if isinstance(absent, NoSuchPackage) else "no-such-target"
            self._diagnostics.append(
                Diagnostic(code, f"{absent.message} {asks}", span, severity=self._severity)
            )
        else:
            report = self._diagnostics[index]
            self._diagnostics[index] = report.with_note(Note(asks, span))
