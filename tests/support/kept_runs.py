"""What tests of kept answers need: a workspace whose files count as settled, and how often
something was done anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.files import write_files


def write_settled(root: Path, files: Mapping[str, str], patch: pytest.MonkeyPatch) -> Path:
    """Writes a workspace whose files are kept at once, and not when their clock has moved on."""
    patch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    write_files(root, files)
    return root


def calls_of(patch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[object, ...]]:
    """Returns the arguments of all calls of a function or method from now on; the list grows."""
    made: list[tuple[object, ...]] = []
    function = getattr(owner, name)

    def counted(*arguments: object, **named: object) -> object:
        made.append(arguments)
        return function(*arguments, **named)

    patch.setattr(owner, name, counted)
    return made
