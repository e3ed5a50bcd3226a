"""What a release of Bazel refuses in a text that others take: found before the text is run.

The parser takes what the newest Bazel takes. Measured with 0.24.1, 2.1.0 and 4.2.3.
Bazel: `Lexer`, `Parser`.
"""

from __future__ import annotations

import re

from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.release import Release

_SUSPICIOUS = re.compile(r"""\\[^nrt\\'"0-7\n]|\blambda\b|\b[bB][rR]?["']""")
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<prefix>[rRbB]{0,2})(?P<string>\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[A-Za-z_]\w*)
    |\s+|.""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = "nrt\\'\"01234567\n"
_LATER_SIGNS = re.compile("[+~]")
_OF_PYTHON = "abfNuUvx"
"""Python has these, and Bazel never took them."""


def check_syntax(source: SourceFile, release: Release) -> None:
    """Raises `StarlarkError` for the first place of `source` that the release refuses and the
    parser takes."""
    text = source.text
    if _SUSPICIOUS.search(text) is None:
        return
    for match in _TOKEN.finditer(text):
        problem = _problem(match, release)
        if problem is not None:
            offset, message = problem
            line = text.count("\n", 0, offset) + 1
            column = offset - text.rfind("\n", 0, offset)
            span = Span(source.path, line, column, line, column + 1)
            raise StarlarkError(Diagnostic("starlark-syntax", message, span))


def label_problem(text: str, release: Release) -> str | None:
    """What is wrong with the repository of a label, for a release, that is well for later ones."""
    name = text[1:].partition("//")[0]
    is_canonical = name.startswith("@") and not release.canonical_labels
    if is_canonical or (not release.signs_in_names and _LATER_SIGNS.search(name)):
        only = "workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"
        return f"invalid repository name '@{name}': {only}"
    return None


def _problem(match: re.Match[str], release: Release) -> tuple[int, str] | None:
    kind = match.lastgroup
    if kind == "string":
        prefix = match["prefix"].lower()
        if "b" in prefix and not release.byte_strings:
            return match.start("string"), f"syntax error at '{match['string'][:20]}'"
        return None if "r" in prefix else _bad_escape(match, release)
    if kind == "name" and match["name"] == "lambda" and not release.lambdas:
        return match.start(), "syntax error at 'lambda': expected expression"
    return None


def _bad_escape(match: re.Match[str], release: Release) -> tuple[int, str] | None:
    if "\\" not in match["string"]:
        return None
    for escape in _ESCAPE.finditer(match["string"]):
        char = escape[1]
        if char in _PLAIN:
            continue
        known = char in _OF_PYTHON
        if (known and not release.unicode_escapes) or (not known and release.restricts_escapes):
            offset = match.start("string") + escape.start()
            return offset, f"invalid escape sequence: \\{char}"
    return None
