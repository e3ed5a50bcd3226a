"""What is said about a page that was written: how large it is, and what it has not."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.page.answer import LoadedSet, PageAnswer
from bazelscope.questions.shared.phrases import listed
from bazelscope.questions.shared.text_endpoints import name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, quiet, row, strong

_SHOWN = 5


def page_document(answer: PageAnswer, output: str, size: int, full: bool) -> Document:
    """The file and what is in it; for a name that means nothing, what it may have meant."""
    document = Document()
    add_head(document, answer.envelope)
    for name in answer.asked:
        document.add(name_rows(name, full))
    if answer.targets:
        document.add(_rows(answer, output, size, full))
    add_foot(document, answer.envelope, full)
    return document


def _rows(answer: PageAnswer, output: str, size: int, full: bool) -> Iterator[Row]:
    what = f"{answer.labels:,} targets, {answer.edges:,} dependencies"
    yield row(strong(output), f": {what}, {size / 1_000_000:.1f} MB")
    for load in answer.loads[1:]:
        more = f": {plural(load.added, 'target')} more" if load.added else ""
        yield row(quiet(f"also loaded with {_line(load)}{more}"))
    if answer.unloaded:
        lines = listed(answer.unloaded, None if full else _SHOWN, "")
        told = f"repositories are not loaded with {lines}; --loads takes more of them in"
        yield row(quiet(told))
    for text in answer.left_out:
        yield row(quiet(f"left out: {text}"))


def _line(load: LoadedSet) -> str:
    return " ".join(load.words) or "the rc files alone"
