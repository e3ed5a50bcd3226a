"""Captured call stacks as numbers of frames that `marshal` can write."""

from __future__ import annotations

from types import CodeType

from bazelscope import starlark
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.source import CallStack
from bazelscope.loading.packages.package_data import FrameData

_FRAMES: IdentityTable[CodeType, dict[int, FrameData]] = IdentityTable(lambda code: {})
"""The frames of functions by instruction: those of macros are in the stacks of many packages."""


class CapturedStacks(list[starlark.RawStack]):
    """The call stacks of what a package declares, by number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[int, int] = {}

    def number(self, raw: starlark.RawStack) -> int:
        """The number of a stack captured before; a select's is asked for again and again."""
        number = self._numbers.get(id(raw))
        if number is None:
            number = self._numbers[id(raw)] = len(self)
            self.append(raw)
        return number


class StackTable:
    """The distinct frames of one package; a stack is a tuple of their numbers."""

    def __init__(self) -> None:
        self.frames: list[FrameData] = []
        self._numbers: dict[FrameData, int] = {}
        self._known: dict[tuple[int, ...], int] = {}

    def encode(self, raw: starlark.RawStack) -> tuple[int, ...]:
        """The frames of a captured stack (innermost first), outermost first."""
        known = self._known.get
        found = [known((id(code), instruction)) for code, instruction in reversed(raw)]
        # Most stacks are of frames that have been met, none of them a comprehension's; of most
        # others, the outermost alone is new.
        if found and found[0] is None and None not in found[1:]:
            code, instruction = raw[-1]
            if code.co_name not in starlark.COMPREHENSIONS:
                found[0] = self._known[id(code), instruction] = self._add(raw[-1:])
        return tuple(found) if None not in found else self._encoded(raw)  # type: ignore[arg-type]

    def _encoded(self, raw: starlark.RawStack) -> tuple[int, ...]:
        numbers: list[int] = []
        position = 0
        while position < len(raw):
            code, instruction = raw[position]
            end = position + 1
            key: tuple[int, ...] = (id(code), instruction)
            while code.co_name in starlark.COMPREHENSIONS and end < len(raw):
                # A comprehension is a frame of Python's only: it belongs to the next one.
                code, instruction = raw[end]
                key += (id(code), instruction)
                end += 1
            number = self._known.get(key)
            if number is None:
                number = self._known[key] = self._add(raw[position:end])
            numbers.append(number)
            position = end
        numbers.reverse()
        return tuple(numbers)

    def encode_frames(self, stack: CallStack) -> tuple[int, ...]:
        """The frames of a stack that is decoded already."""
        return tuple([self._number((frame.function, *frame.location)) for frame in stack])

    def _add(self, part: starlark.RawStack) -> int:
        if len(part) > 1:
            return self._number(_decoded(part))
        code, instruction = part[0]
        frames = _FRAMES[code]
        frame = frames.get(instruction)
        if frame is None:
            frame = frames[instruction] = _decoded(part)
        return self._number(frame)

    def _number(self, frame: FrameData) -> int:
        number = self._numbers.get(frame)
        if number is None:
            number = self._numbers[frame] = len(self.frames)
            self.frames.append(frame)
        return number


def _decoded(part: starlark.RawStack) -> FrameData:
    """The frame that a part of a captured stack is: a function's, and comprehensions in it."""
    decoded = starlark.decode_stack(part)
    if not decoded:
        return "", "", 0, 0
    frame = decoded[0]
    return frame.function, *frame.location
