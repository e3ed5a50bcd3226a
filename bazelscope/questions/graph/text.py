"""The answer to `graph` in a few lines of text; the drawing itself goes to a file."""

from __future__ import annotations

from bazelscope.questions.path.answer import Collapse, GraphAnswer, PathOutcome
from bazelscope.questions.path.text import name_rows, untold_rows
from bazelscope.questions.shared.phrases import completeness_rows
from bazelscope.questions.shared.text_setup import hint_rows, undefined_config_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, row, strong


def graph_document(answer: GraphAnswer, written_to: str | None, full: bool = False) -> Document:
    """What a graph holds, in a few lines; the drawing itself goes to a file."""
    document = Document()
    for asked in (answer.source, answer.target):
        if asked is not None:
            document.add(name_rows(asked, full))
    for config in answer.undefined_configs:
        document.add(undefined_config_rows(config, answer.setup.command))
    if answer.outcome is PathOutcome.NO_PATH and answer.target is not None:
        where = "under these flags" if answer.configured else "through any branch"
        is_known = "is known " if answer.untold else ""
        text = f"No path {is_known}from {answer.source.label} to {answer.target.label} {where}."
        document.add([row(strong(text))])
    document.add(untold_rows(answer))
    if not answer.is_empty:
        target = f"{written_to}: " if written_to else ""
        document.add([row(strong(f"{target}{_size(answer)}")), *_advice(answer)])
    document.add(completeness_rows(answer.completeness, full))
    document.add(hint_rows(answer.setup))
    return document


_READABLE = 150


def _advice(answer: GraphAnswer) -> list[Row]:
    """What would be easier to read."""
    if len(answer.nodes) > _READABLE:
        packages = len({node.label.package_id for node in answer.nodes})
        return [row(f"easier to read: {plural(packages, 'package')} with --collapse package")]
    if len(answer.groups) > _READABLE and answer.collapse is Collapse.PACKAGE:
        count = len({group.repository for group in answer.groups})
        nouns = ("repository", "repositories")
        return [row(f"easier to read: {plural(count, *nouns)} with --collapse repository")]
    return []


def _size(answer: GraphAnswer) -> str:
    if answer.collapse is Collapse.NOTHING:
        nouns = ("target", "targets")
        edges = plural(len(answer.edges), "edge")
    else:
        is_package = answer.collapse is Collapse.PACKAGE
        nouns = ("package", "packages") if is_package else ("repository", "repositories")
        edges = plural(len(answer.links), "link")
    size = f"{plural(len(answer.nodes) or len(answer.groups), *nouns)}, {edges}"
    if answer.hidden_nodes:
        noun = nouns[0] if answer.hidden_nodes == 1 else nouns[1]
        size += f"; {answer.hidden_nodes} more {noun} left out (--max-nodes)"
    if answer.hidden_levels:
        size += f"; {plural(answer.hidden_levels, 'target')} further away left out (--levels)"
    return size
