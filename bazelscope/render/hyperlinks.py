"""Places in an answer as hyperlinks, on terminals that have them (OSC 8).

A place, `core/BUILD:5`, leads to the file on this machine, or wherever the pattern in
`BAZELSCOPE_LINKS` says (`vscode://file/{path}:{line}`). The text stays as it is.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from bazelscope.base import looks
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.paths import is_file
from bazelscope.base.source import Location
from bazelscope.render.links import NO_LINKS, Links

VARIABLE = "BAZELSCOPE_LINKS"

Link = Callable[[str, int], str]
"""The URL of a file and a line in it; empty for none."""

_PLACE = lazy_pattern(r"(?<![^\s(])((?:[\w.+~@-]+/)*[\w.+~@-]+):(\d+)(?![\w:/])")
_OF_LINKS = lazy_pattern(rb"\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")

_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"})
_KINDS = ("xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm", "contour")
_SINCE_VTE = 5000


def shows_links(environment: Mapping[str, str]) -> bool:
    """Whether the terminal that the environment tells of makes links of OSC 8. None can be asked:
    those count that are known to, and `FORCE_HYPERLINK` as for other programs."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0", "false")
    if environment.get("TMUX") or environment.get("STY"):
        return False  # Older ones show them as text.
    vte = environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM", "") in _PROGRAMS
        or environment.get("TERM", "").startswith(_KINDS)
        or (vte.isascii() and vte.isdigit() and int(vte[:9]) >= _SINCE_VTE)
        or any(environment.get(name) for name in ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM"))
    )


def links_below(root: Path, environment: Mapping[str, str]) -> Link:
    """Links to the files of a workspace that are there. Raises `UsageError` for a pattern in
    `BAZELSCOPE_LINKS` that is no URL."""
    pattern = environment.get(VARIABLE) or f"file://{socket.gethostname()}{{path}}#{{line}}"
    links = Links(pattern, root)

    @cache
    def is_there(path: str) -> bool:
        try:
            looks.at(str(root / path))
            return pattern != NO_LINKS and is_file(root / path)
        except (OSError, ValueError):
            return False

    return lambda path, line: links.to(Location(path, line, 1)) if is_there(path) else ""


def linked(text: str, link: Link) -> Iterator[tuple[str, str]]:
    """`text` in pieces, each with its URL or none."""
    start = 0
    for place in _PLACE.finditer(text):
        url = link(place[1], int(place[2][:9]))
        if url:
            yield text[start : place.start()], ""
            yield place[0], url
            start = place.end()
    yield text[start:], ""


def without_links(data: bytes) -> bytes:
    """Coloured text without its hyperlinks, for pagers that show them as they are written."""
    return _OF_LINKS.sub(b"", data)
