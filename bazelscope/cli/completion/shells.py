"""Candidates as each shell's script takes them.

The first line says what follows: `words` (one candidate on each line; for zsh and fish a tab and
what it is about may follow), `open` (the same, and no space goes behind it), or `files` or
`directories`, which the shell knows itself.
"""

from __future__ import annotations

from bazelscope.cli.completion.candidate import Candidate, Found
from bazelscope.cli.completion.typed_line import TypedLine, split
from bazelscope.render.visible import visible

_OPEN_ENDS = ("/", ":", "=", "(", ",", " ")
_SPECIAL_IN_QUOTES = frozenset('$`"\\')
_OUT_OF_QUOTES = {"'": frozenset("'"), '"': frozenset("!")}
"""What no backslash makes plain behind an open quotation mark."""
_SPECIAL = frozenset(" ()*?[]{}$;&|<>'\"\\`!~#")


def written(shell: str, typed: TypedLine, shown: Found, word_breaks: str = "") -> str:
    """The text that a script reads. `word_breaks`: where bash takes a new word to begin."""
    if shown.kind != "words":
        return f"{shown.kind}\n"
    candidates = [c for c in shown.candidates if _can_be_typed(c.text, shell, typed.quote)]
    lines = [_line(shell, typed, candidate, word_breaks) for candidate in candidates]
    open_ended = len(lines) == 1 and candidates[0].text.endswith(_OPEN_ENDS)
    return "\n".join(["open" if open_ended else "words", *lines, ""])


def _can_be_typed(text: str, shell: str, quote: str) -> bool:
    """Whether a shell can hold the word as it is: a name comes out of somebody's files, and
    must neither end the line, nor command the terminal, nor leave its quotation."""
    if not text.isprintable():
        return False
    if shell == "fish":
        return True  # It quotes candidates itself.
    return not _OUT_OF_QUOTES.get(quote, frozenset()).intersection(text)


def _line(shell: str, typed: TypedLine, candidate: Candidate, word_breaks: str) -> str:
    text = candidate.text
    if shell == "bash":
        # Inside of quotation marks bash goes on with the whole word.
        if typed.quote:
            return _in_quotes(text, typed.quote)
        # Readline breaks before `@` and `$`, not behind them: they begin the new word.
        breaks = [char for char in word_breaks if char not in " \t\n@$"]
        last = max((typed.raw.rfind(char) for char in breaks), default=-1)
        taken = len(split(typed.raw[: last + 1]).current)
        return _quoted(text[taken:], fresh=not taken)
    if shell == "zsh":
        text = _in_quotes(text, typed.quote) if typed.quote else _quoted(text, fresh=True)
    return f"{text}\t{visible(candidate.about)}" if candidate.about else text


def _in_quotes(text: str, quote: str) -> str:
    """A candidate as it may stand behind an open quotation mark."""
    if quote == "'":
        return text
    return "".join(f"\\{char}" if char in _SPECIAL_IN_QUOTES else char for char in text)


def _quoted(text: str, fresh: bool) -> str:
    """A candidate as it may stand on a line. An expression gets a quotation mark that is left
    open, since it goes on."""
    if not _SPECIAL.intersection(text):
        return text
    if fresh and "(" in text:
        return f"'{text}"
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in text)
