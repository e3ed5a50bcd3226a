"""Under which environments packages were kept: only repository rules see the variables, so that
what is kept under one may be true under another."""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.kept.pack import Table

_Environment = tuple[tuple[str, str], ...]
"""Variables that repository rules see, with their values."""
_MOST = 4
"""So many are looked into for a package."""


class KeptEnvironments:
    """The latest of them under options that else are the same, which have the name `key`."""

    def __init__(self, table: Table | None, key: str, own: Mapping[str, str]) -> None:
        """`own` is the environment of this run. Without a `table` nothing is known."""
        self._table = table
        self._key = key
        self._own: _Environment = tuple(sorted(own.items()))

    def others(self) -> list[Mapping[str, str]]:
        """Those of other runs."""
        return [dict(one) for one in self._known() if one != self._own]

    def note(self) -> None:
        """Lets later runs know that packages are kept under this one."""
        known = self._known()
        if self._table is not None and self._own not in known:
            self._table.put(self._key, (self._own, *known)[:_MOST])

    def _known(self) -> tuple[_Environment, ...]:
        return (self._table.get(self._key) if self._table is not None else None) or ()
