"""Where the flags of a toolchain are written in the file of its configuration rule."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location, SourceFile

_STRING = lazy_pattern(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'')
_FEATURE = lazy_pattern(r"\b(?:feature|action_config)(?:\(|\s*:?\s*\{)")


class FlagPlaces:
    """Finds flags among the strings of one file. A flag that stands there once is at that place; of
    several the one in the call of `feature()` with the feature's name is, if it is the only one
    there; of others nothing is said."""

    def __init__(self, source: SourceFile | None) -> None:
        """`source` is the file; None for one whose text is not at hand."""
        self._source = source

    def find(self, feature: str, flag: str) -> Location | None:
        """Where a flag of a feature is written, if that can be told."""
        offsets = self._strings.get(flag, [])
        if len(offsets) > 1:
            named = {self._call_at(offset) for offset in self._strings.get(feature, [])}
            offsets = [one for one in offsets if self._call_at(one) in named - {-1}]
        if len(offsets) != 1 or self._source is None:
            return None
        return self._source.location(offsets[0])

    @cached_property
    def _strings(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for one in _STRING.finditer(self._source.text) if self._source is not None else ():
            text = one[1] if one[1] is not None else one[2]
            places.setdefault(re.sub(r"\\(.)", r"\1", text), []).append(one.start())
        return places

    @cached_property
    def _calls(self) -> list[int]:
        text = self._source.text if self._source is not None else ""
        return [one.start() for one in _FEATURE.finditer(text)]

    def _call_at(self, offset: int) -> int:
        """Which call of `feature()` begins last before an offset; -1 for none."""
        return bisect_right(self._calls, offset) - 1
