"""Rows of trees, as `deps --tree` prints them."""

from __future__ import annotations

from bazelscope.render.console import to_text
from bazelscope.render.document import Document, branch


def test_a_row_of_a_tree_is_wrapped_behind_its_guides() -> None:
    document = Document()
    long = branch("├── ", "│   ", "//some:label", "  deps", "  some/folder/BUILD:12")
    document.add([long, branch("│   └── ", "│       ", "//b:c"), branch("", "", "plain")])
    assert to_text(document, None).splitlines()[0] == "├── //some:label  deps  some/folder/BUILD:12"
    assert to_text(document, 34).splitlines() == [
        "├── //some:label  deps",
        "│       some/folder/BUILD:12",
        "│   └── //b:c",
        "plain",
    ]
