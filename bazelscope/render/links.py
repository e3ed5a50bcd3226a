"""Links from boxes to the places in files that they are made at, by a pattern of the user's."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location

NO_LINKS = "none"
_SCHEME = lazy_pattern(r"([a-z][a-z0-9+.-]*):")
_OF_THE_WEB = frozenset({"http", "https"})
_RUNS = frozenset({"data", "javascript", "vbscript"})
_PARTS = lazy_pattern(r"\{(path|line|column)\}")


class Links:
    """Makes links by a pattern such as `vscode://file/{path}:{line}` or
    `https://github.com/owner/name/blob/main/{path}#L{line}`. `{path}` is relative to the workspace
    in URLs of the web, else absolute. Raises `UsageError` for a pattern that is no URL, or one
    that a browser would run."""

    def __init__(self, pattern: str, root: Path) -> None:
        self._pattern = "" if pattern == NO_LINKS else pattern
        self._root = root
        scheme = _SCHEME.match(self._pattern.lower())
        if self._pattern and (scheme is None or scheme[1] in _RUNS or "{path}" not in pattern):
            raise UsageError(
                Diagnostic(
                    "no-link",
                    f"`{pattern}` is no pattern for links",
                    hint="write it like vscode://file/{path}:{line}, or `none`",
                )
            )
        self._is_of_the_web = scheme is not None and scheme[1] in _OF_THE_WEB

    def to(self, location: Location | None) -> str:
        """The link to a place; empty for one outside of the workspace's own files."""
        if not self._pattern or location is None:
            return ""
        path = location.path
        if path.startswith(("<", "/", "external/", "..")):
            return ""
        whole = path if self._is_of_the_web else str(self._root / path)
        values = {"path": quote(whole), "line": str(location.line), "column": str(location.column)}
        pattern = self._pattern
        if whole.startswith("/"):
            # `vscode://file//home` would lead to a machine that is called home.
            pattern = pattern.replace("/{path}", "{path}")
        return _PARTS.sub(lambda part: values[part[1]], pattern)
