"""A world in memory for the tests of flags: rc files, a home, and a command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve as resolve_flags
from tests.support.memory_files import MemoryFiles

WORKSPACE = "/w"
HOME = "/h"
SYSTEM_RC = "/etc/bazel.bazelrc"


def resolve(
    rc: str | Mapping[str, str] = "",
    *words: str,
    command: str = "build",
    version: str = "4.2.3",
    startup: Sequence[str] = (),
    host: str = "linux",
    environment: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
) -> ResolvedFlags:
    """What Bazel makes of the words, given a `.bazelrc`, or files by their path.

    Relative paths are in the workspace `/w`; the home is `/h`.
    """
    texts = {".bazelrc": rc} if isinstance(rc, str) else dict(rc)
    files = {
        path if path.startswith("/") else f"{WORKSPACE}/{path}": t for path, t in texts.items()
    }
    request = FlagRequest(
        WORKSPACE,
        words,
        command,
        tuple(startup),
        version,
        host,
        HOME,
        SYSTEM_RC,
        environment or {},
    )
    return resolve_flags(request, MemoryFiles(files, links))


def texts(resolved: ResolvedFlags) -> list[str]:
    """The options in force, as written, in Bazel's order."""
    return [instance.text for instance in resolved.instances]


def codes(resolved: ResolvedFlags, severity: Severity | None = None) -> list[str]:
    """The codes of all diagnostics, or of those of one severity, by place."""
    return [d.code for d in resolved.diagnostics if severity is None or d.severity is severity]


def errors(resolved: ResolvedFlags) -> list[str]:
    return codes(resolved, Severity.ERROR)


def warnings(resolved: ResolvedFlags) -> list[str]:
    return codes(resolved, Severity.WARNING)


def only(resolved: ResolvedFlags, code: str) -> Diagnostic:
    """The one diagnostic of that code."""
    (found,) = [d for d in resolved.diagnostics if d.code == code]
    return found


def values(resolved: ResolvedFlags, name: str) -> list[str]:
    """The values of one option that was set."""
    return list(resolved.values[name].values)


def targets(resolved: ResolvedFlags) -> list[str]:
    return [target.text for target in resolved.targets]


def place(diagnostic: Diagnostic) -> str:
    """Where a diagnostic points: `.bazelrc:3:7`, or nothing."""
    return str(diagnostic.span) if diagnostic.span is not None else ""
