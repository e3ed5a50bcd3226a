"""The page as one HTML file of a size that one can send."""

from __future__ import annotations

from bazelscope.questions.page.model import PageModel
from bazelscope.questions.page.packing import LEFT_OUT, Room, pack
from bazelscope.render.page import html

MOST_BYTES = 3_000_000


def write_page(
    model: PageModel, made_by: str, workspace: str, most_bytes: int = MOST_BYTES
) -> tuple[str, tuple[str, ...]]:
    """The file, and what is left out of it so that it has at most so many bytes: terms of
    attributes first, then attributes. `workspace` is the name of its folder."""
    title = f"{workspace}: {', '.join(map(str, model.starts))}"
    for room in Room:
        data, details = pack(model, made_by, workspace, room)
        text = html.page(title, {"data": data, "details": details})
        if len(text) <= most_bytes:
            break
    return text, LEFT_OUT[room]
