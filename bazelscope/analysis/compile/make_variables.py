"""`$(NAME)` in attributes. Bazel: `MakeVariableExpander`."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.bazel.native_texts import TemplateError

Expansion = Callable[[str, str], "str | None"]
"""From a name and what stands behind it (`location`, `:f`) to a text; None for an unknown name."""


def expand(text: str, expansion: Expansion) -> str:
    """`text` with its make variables. Raises `TemplateError` for one that nobody defines."""
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
                raise TemplateError(f"`{text}` has a `$(` without its `)`")
            name, position = text[dollar + 2 : end], end + 1
        elif following:
            name, position = following, dollar + 2
        else:
            raise TemplateError(f"`{text}` ends in a single `$`")
        word, _, argument = name.partition(" ")
        value = expansion(word, argument.strip())
        if value is None:
            raise TemplateError(f"$({name}) is not defined")
        made.append(value)
