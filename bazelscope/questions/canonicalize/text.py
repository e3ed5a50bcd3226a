"""The answer to `canonicalize-flags` as text: Bazel's own output, or one line to paste."""

from __future__ import annotations

import shlex

from bazelscope.questions.canonicalize.answer import CanonicalAnswer
from bazelscope.questions.shared.phrases import setting_place
from bazelscope.questions.shared.text_envelope import add_head
from bazelscope.render.document import Document, row, strong


def canonical_text(answer: CanonicalAnswer) -> str:
    """The words, one a line, as Bazel prints them."""
    return "".join(f"{word}\n" for word in answer.words)


def places_document(answer: CanonicalAnswer) -> Document:
    """One line to paste, then each of its words with its place; before it, configs that nothing
    defines."""
    document = Document()
    add_head(document, answer.envelope)
    command = answer.envelope.setup.command
    document.add([row(strong(shlex.join(("bazel", *answer.startup, command, *answer.words))))])
    document.add(
        [
            row(word, aside=setting_place(setting))
            for word, setting in zip(answer.words, answer.settings, strict=True)
        ]
    )
    return document
