"""The answer to `graph` in a few lines of text; the drawing itself goes to a file."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.graph.answer import NOUNS, Collapse, GraphAnswer
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome
from bazelscope.questions.shared.text_endpoints import NOT_COUNTED, name_rows, unknown_below_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import HERE, elsewhere_rows, never_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, quiet, row, strong


def graph_document(answer: GraphAnswer, written_to: str | None, full: bool = False) -> Document:
    """What a graph holds, in a few lines; the drawing itself goes to a file."""
    document = Document()
    for asked in (answer.source, answer.target):
        if asked is not None:
            document.add(name_rows(asked, full))
    add_head(document, answer.envelope)
    if answer.outcome is PathOutcome.NO_PATH and answer.target is not None:
        document.add(_no_path_rows(answer, answer.target))
    document.add(unknown_below_rows(answer.source, answer.unknown_below, full))
    if not answer.is_empty:
        target = f"{written_to}: " if written_to else ""
        document.add([row(strong(f"{target}{_size(answer)}")), *_advice(answer)])
        what = "not drawn, since no flags take the branches that lead there"
        document.add(never_rows(answer.never, what, full))
    add_foot(document, answer.envelope, full, names=(answer.source, answer.target))
    return document


def _no_path_rows(answer: GraphAnswer, target: NameAnswer) -> Iterator[Row]:
    between = f"from {answer.source.label} to {target.label}"
    here = f" {HERE}" if answer.envelope.not_covered else ""
    if answer.never:
        yield row(strong(f"No flags take a path {between}{here}."))
        yield row(quiet("`path` shows the branches that would make one, and what clashes"))
    else:
        where = "under these flags" if answer.configured else "through any branch"
        is_known = "is known " if answer.unknown_below else ""
        yield row(strong(f"No path {is_known}{between} {where}{here}."))
    yield from elsewhere_rows(answer.envelope.not_covered)
    yield row(quiet(NOT_COUNTED))


_READABLE = 150


def _advice(answer: GraphAnswer) -> list[Row]:
    """What would be easier to read."""
    if answer.folded:
        _, what = NOUNS[answer.collapse]
        return [
            row(
                f"{answer.folded:,} targets are too many to read, so {what} stand for them;"
                " --collapse nothing draws the nearest, --max-nodes more of them"
            )
        ]
    if len(answer.nodes) > _READABLE:
        packages = len({node.label.package_id for node in answer.nodes})
        return [row(f"easier to read: {plural(packages, 'package')} with --collapse package")]
    if len(answer.groups) > _READABLE and answer.collapse is Collapse.PACKAGE:
        count = len({group.repository for group in answer.groups})
        repositories = plural(count, *NOUNS[Collapse.REPOSITORY])
        return [row(f"easier to read: {repositories} with --collapse repository")]
    return []


def _size(answer: GraphAnswer) -> str:
    noun, nouns = NOUNS[answer.collapse]
    edges = plural(len(answer.edges), "edge")
    if answer.collapse is not Collapse.NOTHING:
        edges = plural(len(answer.links), "link")
    size = f"{plural(len(answer.nodes) or len(answer.groups), noun, nouns)}, {edges}"
    if answer.hidden_nodes:
        what = noun if answer.hidden_nodes == 1 else nouns
        size += f"; {answer.hidden_nodes} more {what} left out (--max-nodes)"
    if answer.hidden_levels:
        size += f"; {plural(answer.hidden_levels, 'target')} further away left out (--levels)"
    return size
