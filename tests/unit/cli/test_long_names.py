"""Names that no file can have are answered like any other that is not there.

Found by the campaign (`command`, seed 20261123, number 16971): the system refuses to look for them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

LONG = "x" * 5000


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["query", f"@{LONG}//:a"], 7),
        (["query", f"//{LONG}:a"], 7),
        (["path", "//:a", f"@{LONG}"], 1),
        (["repos", LONG], 1),
        (["explain", "//:a", f"--override_repository=x=/{LONG}"], 0),
        (["graph", "//:a", "-o", f"{LONG}.svg"], 2),
        (["graph", "//:a", "-o", f"{LONG}/a.svg"], 2),
        (["page", "//:a", "-o", f"{LONG}.html"], 2),
        (["page", "//:a", "-o", f"{LONG}/a.html"], 2),
        (["check", f"--baseline={LONG}"], 2),
    ],
    ids=lambda item: str(item).replace(LONG, "LONG"),
)
def test_what_is_too_long_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": 'filegroup(name = "a")\n'})
    assert main([*words, f"--workspace={tmp_path}", "--no-cache"]) == code
    assert "internal error" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("word", ["import", "try-import"])
def test_an_import_of_what_is_too_long_finds_nothing(tmp_path: Path, word: str) -> None:
    rc = f"{word} %workspace%/{LONG}\n"
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", ".bazelrc": rc})
    code = main(["explain", f"--workspace={tmp_path}", "--no-cache"])
    assert code == (2 if word == "import" else 0)
