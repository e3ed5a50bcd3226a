"""Regular expressions that are compiled when they are first asked for something.

To compile one takes a fifth of a millisecond, and the modules that a run imports have a hundred, of
which it uses a few.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


class _LazyPattern:
    """What stands for a `re.Pattern` and has its attributes, though not its type: it cannot be
    handed to the functions of `re`."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._written = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Asked once for each attribute; `re` remembers what it has compiled.
        value = getattr(re.compile(*self._written), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    lazy_pattern = re.compile
else:
    lazy_pattern = _LazyPattern
