"""`$(NAME)` in attributes, and words cut like a shell does. Bazel: `MakeVariableExpander`,
`ShellUtils.tokenize`."""

from __future__ import annotations

from collections.abc import Callable

Expansion = Callable[[str, str], "str | None"]
"""From a name and what stands behind it (`location`, `:f`) to a text; None for an unknown name."""


class TokenError(Exception):
    """A text that Bazel refuses, and why."""


def expand(text: str, expansion: Expansion) -> str:
    """`text` with its make variables. Raises `TokenError` for one that nobody defines."""
    made: list[str] = []
    position = 0
    while True:
        dollar = text.find("$", position)
        if dollar < 0:
            return "".join((*made, text[position:]))
        made.append(text[position:dollar])
        following = text[dollar + 1 : dollar + 2]
        if following == "$":
            made.append("$")
            position = dollar + 2
            continue
        if following == "(":
            end = text.find(")", dollar)
            if end < 0:
                raise TokenError(f"`{text}` has a `$(` without its `)`")
            name, position = text[dollar + 2 : end], end + 1
        elif following:
            name, position = following, dollar + 2
        else:
            raise TokenError(f"`{text}` ends in a single `$`")
        word, _, argument = name.partition(" ")
        value = expansion(word, argument.strip())
        if value is None:
            raise TokenError(f"$({name}) is not defined")
        made.append(value)


def tokenize(text: str) -> tuple[str, ...]:
    """The words that a shell would see. Raises `TokenError` for a quote that never ends."""
    words: list[str] = []
    current: list[str] = []
    is_word = False
    quote = ""
    position = 0
    while position < len(text):
        char = text[position]
        position += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and position < len(text):
                following = text[position]
                position += 1
                current.append(following if following in '\\"' else char + following)
            else:
                current.append(char)
        elif char in "'\"":
            quote, is_word = char, True
        elif char in " \t":
            if is_word:
                words.append("".join(current))
            current, is_word = [], False
        elif char == "\\":
            if position == len(text):
                raise TokenError(f"`{text}` ends in a single backslash")
            current.append(text[position])
            position += 1
            is_word = True
        else:
            current.append(char)
            is_word = True
    if quote:
        raise TokenError(f"`{text}` has a quote that does not end")
    if is_word:
        words.append("".join(current))
    return tuple(words)
