"""Makes the texts of the campaign: derived from a grammar, or mutated from a real text.

Each text is a function of its generator's state alone, so that a seed and a number bring it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bazelscope.base import grammars

ODD_PIECES = (
    *"\0\t\r\n\v\f \\\"'`$%&|;<>*?~#@!=+-/:,.()[]{}^",
    "\r\n", "\\\n", "\\\r\n", '"""', "'''", "//", "@@", "@", "//:", ":all", "...", "//...", "**",
    "é", "ß", "İ", "\U0001d7d8", "\u202e", "\u2028", "\ufeff", "\ud800", "\udcff", "\x1b[31m",
    "\x7f", "\x85",
    "-1", "0", "00", "0x", "1e400", "9" * 40, "-" * 40, "²", "1_000", "nan", "inf", "None", "True",
    "%s", "%d", "%(a)s", "{}", "{0}", "{a.b}", "\\u", "\\x", "\\777", "\\;", "b''", "r'\\'",
)  # fmt: skip
"""What tends to be read wrongly: quotes, ends of lines, halves of characters, numbers."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
LARGEST = 20_000
"""Characters of a text at most: what grows beyond that is the floods' matter."""


def mutated(random: Random, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    """Returns one of `seeds` after one to eight changes: pieces put in, cut out, doubled, swapped,
    repeated, nested, or taken from another seed."""
    text = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 3, 5, 8))):
        text = random.choice(_CHANGES)(random, text, seeds, pieces)[:LARGEST]
    return text


def _cut(random: Random, text: str) -> tuple[int, int]:
    """Two positions, mostly near each other, often at the ends of words."""
    if random.random() < 0.6:
        ends = [match.start() for match in _WORD.finditer(text)] or [0]
        start = random.choice(ends)
    else:
        start = random.randint(0, len(text))
    length = int(random.paretovariate(0.8)) if random.random() < 0.9 else len(text)
    return start, min(len(text), start + length)


def _insert(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, _ = _cut(random, text)
    return text[:start] + random.choice(random.choice((pieces, ODD_PIECES))) + text[start:]


def _replace(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, end = _cut(random, text)
    return text[:start] + random.choice(random.choice((pieces, ODD_PIECES))) + text[end:]


def _delete(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, end = _cut(random, text)
    return text[:start] + text[end:]


def _repeat(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, end = _cut(random, text)
    return text[:start] + text[start:end] * random.choice((2, 3, 10, 300)) + text[end:]


def _move(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, end = _cut(random, text)
    piece, rest = text[start:end], text[:start] + text[end:]
    at = random.randint(0, len(rest))
    return rest[:at] + piece + rest[at:]


def _nest(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    start, end = _cut(random, text)
    before, after = random.choice((("(", ")"), ("[", "]"), ("{", "}"), ('"', '"'), ("f(", ")")))
    times = random.choice((1, 2, 50, 1000))
    return text[:start] + before * times + text[start:end] + after * times + text[end:]


def _splice(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    other = random.choice(seeds)
    start, end = _cut(random, other)
    at, until = _cut(random, text)
    return text[:at] + other[start:end] + text[until:]


def _flip(random: Random, text: str, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    if not text:
        return chr(random.randrange(256))
    at = random.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << random.randrange(8))) + text[at + 1 :]


_CHANGES: tuple[Callable[[Random, str, Sequence[str], Sequence[str]], str], ...] = (
    _insert, _replace, _delete, _repeat, _move, _nest, _splice, _flip,
)  # fmt: skip


@dataclass(frozen=True)
class Derivation:
    """A grammar of ours as a source of texts: `expansions` by the name of a rule, each a list of
    symbols with whether it is a terminal; `terminals` make the text of one."""

    start: str
    expansions: dict[str, list[list[tuple[bool, str]]]]
    terminals: dict[str, Callable[[Random], str]]

    def text(self, random: Random, size: int) -> str:
        """Returns a text of the grammar: about `size` choices are free, then the shortest."""
        left = [size]
        words: list[str] = []
        self._derive(random, self.start, left, words, 0)
        return _laid_out(words)

    def _derive(
        self, random: Random, name: str, left: list[int], words: list[str], depth: int
    ) -> None:
        left[0] -= 1
        choices = self.expansions[name]
        if left[0] < 0 or depth > 60:
            # The shortest alternative, with the fewest rules in it, ends soon.
            choices = sorted(choices, key=lambda e: (sum(not t for t, _ in e), len(e)))[:1]
        for is_terminal, symbol in random.choice(choices):
            if is_terminal:
                words.append(self.terminals[symbol](random))
            elif depth < 200:
                self._derive(random, symbol, left, words, depth + 1)


def derivation(grammar: str, start: str, terminals: dict[str, Sequence[str]]) -> Derivation:
    """Reads the grammar `grammar` as Lark does; `terminals` are examples of those that are
    patterns, by name."""
    lark = grammars.build(grammar, start, **_options(grammar))
    expansions: dict[str, list[list[tuple[bool, str]]]] = {}
    for rule in lark.rules:
        symbols = [(symbol.is_term, symbol.name) for symbol in rule.expansion]
        expansions.setdefault(rule.origin.name, []).append(symbols)
    made: dict[str, Callable[[Random], str]] = {}
    for terminal in lark.terminals:
        pattern: Any = terminal.pattern
        words = terminals.get(terminal.name)
        if words is None and pattern.type == "str":
            words = (pattern.value,)
        made[terminal.name] = _one_of(words or _alternatives(pattern.value))
    for name in ("_NEWLINE", "_INDENT", "_DEDENT"):
        made[name] = _one_of((name,))
    return Derivation(start, expansions, made)


def _options(grammar: str) -> dict[str, Any]:
    if grammar != "starlark":
        return {}
    from lark.lark import PostLex

    class Layout(PostLex):
        always_accept = ()

        def process(self, stream: Any) -> Any:
            return stream

    return {"postlex": Layout()}


def _alternatives(pattern: str) -> tuple[str, ...]:
    """The words of a terminal that is a list of words: `(?:==|!=)`."""
    bare = re.sub(r"\(\?:|\)", "", pattern)
    return tuple(re.sub(r"\\(.)", r"\1", word) for word in bare.split("|"))


def _one_of(words: Sequence[str]) -> Callable[[Random], str]:
    return lambda random: random.choice(words)


def _laid_out(words: Sequence[str]) -> str:
    """Joins words by blanks; what stands for layout becomes lines and their depth."""
    text, depth = "", 0
    for word in words:
        if word == "_INDENT":
            depth += 1
        elif word == "_DEDENT":
            depth -= 1
        elif word == "_NEWLINE":
            text += "\n"
        else:
            text += ("    " * depth if text.endswith("\n") else " ") + word
    return text.removeprefix(" ")
