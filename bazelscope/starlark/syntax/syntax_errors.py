"""Says what a file should have had where its text stops being Starlark."""

from __future__ import annotations

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.source import SourceFile
from bazelscope.starlark.syntax.lexer import Tokens
from bazelscope.starlark.syntax.parse_tables import Tables

_CLOSES = {"(": ")", "[": "]", "{": "}"}


def explain(
    source: SourceFile, tokens: Tokens, index: int, tables: Tables, state: int
) -> Diagnostic:
    """The diagnostic for token `index`, which the automaton cannot take in `state`."""
    kind = tables.names[tokens.kinds[index]]
    start = tokens.starts[index]
    text = tokens.texts[index]
    span = source.span(start, start + max(1, len(text)) if start < len(source.text) else start)
    notes: tuple[Note, ...] = ()
    hint = None
    expected = {tables.names[key] for key in tables.actions[state]}
    previous = tables.names[tokens.kinds[index - 1]] if index else ""

    if kind == "$END":
        message = "unexpected end of file"
        opened = _unclosed(tokens)
        if opened is not None:
            bracket = tokens.texts[opened]
            at = tokens.starts[opened]
            message = f"`{bracket}` is never closed"
            span = source.span(at, at + 1)
            hint = f"expected `{_CLOSES[bracket]}` before the end of the file"
    elif kind == "_INDENT":
        message = "unexpected indentation"
    elif "_INDENT" in expected and kind != "_NEWLINE":
        message = "expected an indented block"
    elif kind == "_NEWLINE":
        message = "unexpected end of line"
        if "COLON" in expected:
            hint = "expected `:`"
    elif kind == "STRING" and previous == "STRING":
        message = "implicit string concatenation is forbidden"
        hint = "join the strings with `+`"
    elif kind in ("COMPARE", "IN", "NOT") and "AND" in expected:
        message = f"comparison operators do not chain: unexpected `{text}`"
        hint = "use parentheses, or `and`"
    elif kind in ("RPAR", "RSQB", "RBRACE"):
        message = f"unexpected `{text}`"
        opened = _unclosed(Tokens(tokens.kinds[:index], tokens.starts, tokens.texts))
        if opened is not None and _CLOSES[tokens.texts[opened]] != text:
            at = tokens.starts[opened]
            bracket = tokens.texts[opened]
            message = f"`{text}` does not close `{bracket}`"
            notes = (Note(f"`{bracket}` was opened here", source.span(at, at + 1)),)
    else:
        message = f"unexpected `{text}`"
        if kind == "EQUAL" and "COLON" in expected:
            hint = "comparison is `==`"
        elif "COMMA" in expected and kind in ("NAME", "STRING", "INT", "LSQB", "LBRACE"):
            hint = "is a comma missing before it?"
        elif kind == "COMMA" and "NAME" in expected:
            hint = "an expression is missing before the comma"
    if kind in ("EQUAL", "NAME", "DEF", "LOAD") and not notes:
        notes = _left_open(source, tokens, index)
    return Diagnostic("starlark-syntax", message, span, notes=notes, hint=hint)


def _left_open(source: SourceFile, tokens: Tokens, index: int) -> tuple[Note, ...]:
    """A note of the bracket around a token that looks like a new statement's beginning."""
    first = index - 1 if tokens.texts[index] == "=" else index
    start = tokens.starts[first]
    opened = _unclosed(Tokens(tokens.kinds[:index], tokens.starts, tokens.texts))
    if opened is None or (start and source.text[start - 1] != "\n"):
        return ()
    at = tokens.starts[opened]
    message = f"`{tokens.texts[opened]}` was opened here and is still open"
    return (Note(message, source.span(at, at + 1)),)


def _unclosed(tokens: Tokens) -> int | None:
    """The innermost bracket that is open after the last token."""
    stack: list[int] = []
    for index, text in enumerate(tokens.texts[: len(tokens.kinds)]):
        if text in _CLOSES:
            stack.append(index)
        elif text in (")", "]", "}") and stack:
            stack.pop()
    return stack[-1] if stack else None
