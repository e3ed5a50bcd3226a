"""Places as hyperlinks: only on terminals that have them, only of files that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.errors import UsageError
from bazelscope.render.console import to_text
from bazelscope.render.document import Document, row
from bazelscope.render.hyperlinks import linked, links_below, shows_links, without_links


@pytest.mark.parametrize(
    ("environment", "has"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"VTE_VERSION": "6800"}, True),
        ({"VTE_VERSION": "4200"}, False),
        ({"VTE_VERSION": "many"}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "1"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, False),
    ],
)
def test_which_terminals_have_links(environment: dict[str, str], has: bool) -> None:
    assert shows_links(environment) is has


def test_only_files_that_are_there_are_linked(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "a/BUILD").touch()
    link = links_below(tmp_path, {"BAZELSCOPE_LINKS": "vscode://file/{path}:{line}"})
    text = "set at a/BUILD:12, not b/BUILD:3 or https://x.y/BUILD:4 or ../a/BUILD:5 //a/BUILD:6"
    urls = {piece: url for piece, url in linked(text, link) if url}
    assert urls == {"a/BUILD:12": f"vscode://file{tmp_path}/a/BUILD:12"}
    assert "".join(piece for piece, _ in linked(text, link)) == text


def test_none_means_none_and_scripts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "BUILD").touch()
    assert links_below(tmp_path, {"BAZELSCOPE_LINKS": "none"})("BUILD", 1) == ""
    with pytest.raises(UsageError):
        links_below(tmp_path, {"BAZELSCOPE_LINKS": "javascript:{path}"})


def test_links_add_nothing_but_escape_codes(tmp_path: Path) -> None:
    (tmp_path / "BUILD").touch()
    document = Document()
    document.add([row("cc_library", aside="BUILD:7")])
    link = links_below(tmp_path, {})
    plain, text = to_text(document, 80, color=True), to_text(document, 80, color=True, link=link)
    assert "\x1b]8;" in text and "/BUILD#7\x1b\\" in text
    assert without_links(text.encode()).decode() == plain
