"""Texts of a workspace in Markdown: data, which makes no markup, image or link of its own."""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern

_RUN = lazy_pattern("`+")
_MARKUP = lazy_pattern(r"[\\`*\[<&~]|(?<![^\W_])_|_(?![^\W_])|^[-+=#>|]")
_DOCUMENTED = lazy_pattern(r"\\.|(?P<run>`+)|(?P<mark>[<\[]|~~~+)", re.DOTALL)
_FENCE = lazy_pattern(r"(```+)[^`]*")
_FENCES_END = lazy_pattern(r" {0,3}(```+)[ \t]*")


def code(text: str) -> str:
    """A text as code inside of a line; what stands in files may have any characters."""
    text = " ".join(text.split()) or " "
    fence = _longer(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str, language: str) -> str:
    """A text as lines of code."""
    fence = _longer(text, 3)
    return f"{fence}{language}\n{text}\n{fence}"


def plain(text: str) -> str:
    """A text as words on one line, which read as they are written."""
    return _MARKUP.sub(lambda mark: f"\\{mark[0]}", " ".join(text.split()))


def documentation(text: str) -> str:
    """Documentation that somebody wrote in Markdown, without HTML, links and images: an editor
    would load those.

    Only code that no reader of Markdown takes for anything else is left as it stands: blocks
    that are not indented, and spans on one line, in no cell of a table.
    """
    lines: list[str] = []
    fence = ""
    for line in re.split(r"\r\n?|\n", text):
        if fence:
            lines.append(line)
            ended = _FENCES_END.fullmatch(line)
            if ended and ended[1].startswith(fence):
                fence = ""
        elif begun := _FENCE.fullmatch(line):
            fence = begun[1]
            lines.append(line)
        else:
            lines.append(_without_links(line))
    return "\n".join([*lines, fence] if fence else lines)


def _longer(text: str, least: int) -> str:
    """As many backticks as end no code with this text."""
    longest = max((len(run[0]) for run in _RUN.finditer(text)), default=0)
    return "`" * max(longest + 1, least)


def _without_links(line: str) -> str:
    out: list[str] = []
    at = 0
    while match := _DOCUMENTED.search(line, at):
        out.append(line[at : match.start()])
        at = match.end()
        run = match["run"]
        if match["mark"]:
            out.append(f"\\{match['mark']}")
        elif not run:
            out.append(match[0])
        elif (end := _end_of_code(line, at, run)) is not None:
            out.append(line[match.start() : end])
            at = end
        else:
            out.append("\\`" * len(run))
    return "".join(out) + line[at:]


def _end_of_code(line: str, at: int, run: str) -> int | None:
    for match in _RUN.finditer(line, at):
        if match[0] == run:
            return None if "|" in line[at : match.start()] else match.end()
    return None
