"""The targets that a question names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace


def two_names(asked: ConfiguredWorkspace, least: int) -> tuple[str, ...]:
    """The targets of a question about FROM and TO; raises `click.UsageError`."""
    names = asked.names
    if not least <= len(names) <= 2:
        expected = "FROM and TO" if least == 2 else "FROM, and TO or nothing"
        given = ", ".join(f"`{name}`" for name in names) or "nothing"
        raise click.UsageError(f"expected {expected}, got {given}")
    return names
