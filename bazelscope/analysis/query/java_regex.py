"""The regular expressions that `filter`, `kind` and `attr` take: Java's, searched with Python's."""

from __future__ import annotations

import re

from bazelscope.analysis.query.parsing import QueryError
from bazelscope.analysis.query.syntax import Word
from bazelscope.errors import Diagnostic

_CLASSES = {
    "Alnum": "A-Za-z0-9",
    "Alpha": "A-Za-z",
    "Digit": "0-9",
    "Lower": "a-z",
    "Punct": r"!-/:-@\[-`{-~",
    "Space": r" \t\n\x0b\f\r",
    "Upper": "A-Z",
    "XDigit": "0-9A-Fa-f",
}
_SPECIAL = re.compile(
    r"""\\Q(?P<literal>.*?)(?:\\E|\Z)
      | \\p\{(?P<named>\w+)\}
      | \(\?<(?P<group>[A-Za-z]\w*)>
      | \\k<(?P<back>[A-Za-z]\w*)>
      | \\(?P<letter>[zZG])
      | \\(?P<escaped>.)""",
    re.VERBOSE | re.DOTALL,
)


def compile_pattern(function: str, word: Word) -> re.Pattern[str]:
    """The pattern of a word. Raises `QueryError` for one that is none."""
    try:
        return re.compile(_to_python(word.text), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"`{word.text}` is no regular expression that `{function}` can use: {error}"
        raise QueryError(Diagnostic("query-pattern", message, word.span)) from error


def _to_python(pattern: str) -> str:
    return _SPECIAL.sub(_translated, pattern)


def _translated(match: re.Match[str]) -> str:
    if match["literal"] is not None:
        return re.escape(match["literal"])
    if match["named"] is not None:
        characters = _CLASSES.get(match["named"])
        if characters is None:
            raise re.error(f"character class {match.group()} is not known here")
        before = match.string[: match.start()]
        inside = before.rfind("[") > before.rfind("]")
        return characters if inside else f"[{characters}]"
    if match["group"] is not None:
        return f"(?P<{match['group']}>"
    if match["back"] is not None:
        return f"(?P={match['back']})"
    if match["letter"] is not None:
        return {"z": r"\Z", "Z": r"(?=\n?\Z)", "G": ""}[match["letter"]]
    return match.group()
