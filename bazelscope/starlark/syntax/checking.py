"""What can be said of a file without running it."""

from __future__ import annotations

from bazelscope.base.errors import Diagnostic, Severity, StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark.syntax.file_kind import FileKind
from bazelscope.starlark.syntax.parser import parse
from bazelscope.starlark.syntax.resolver import resolve


def check(
    source: SourceFile, kind: FileKind, predeclared: frozenset[str]
) -> tuple[Diagnostic, ...]:
    """The error that keeps `source` from being run, or else warnings of unused loads."""
    try:
        file = parse(source, kind)
        resolution = resolve(file, predeclared)
    except StarlarkError as error:
        return (error.diagnostic,)
    return tuple(
        Diagnostic(
            "starlark-unused-load",
            f"loaded symbol '{binding.local}' is never used",
            file.span(binding),
            severity=Severity.WARNING,
        )
        for binding in resolution.unused
    )
