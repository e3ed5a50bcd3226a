"""Values as text: `str`, `repr`, the digits of numbers; and texts as Bazel's strings, which have a
character for each byte of the file.

Bazel reads files as Latin-1, so `len("é")` is 2 (measured: 0.26.1, 2.1.0, 4.2.3; taken for later
ones). Here a text is what people read. What counts characters, or cuts between them, goes by way of
`raw`; half a character is a lone surrogate, and two halves that come together are one again.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

from bazelscope.starlark.compile.emitter import demangle
from bazelscope.starlark.run.faults import LimitExceededError
from bazelscope.starlark.run.stack import OWNER
from bazelscope.starlark.run.state import RUNNING, charge, check_size
from bazelscope.starlark.run.values import Value, is_function, type_of

ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
ESCAPES.update({code: f"\\x{code:02x}" for code in range(32) if code not in ESCAPES})
"""What stands for a character in a literal; DEL stands for itself. Bazel: `Printer.repr`."""

_MAX_DEPTH = 150


def quote(text: str) -> str:
    """A string as a Starlark literal."""
    if len(text) > 256:
        check_size(len(text), "a string")
    return '"' + text.translate(ESCAPES) + '"'


def str_of(value: object) -> str:
    """What Starlark's `str(value)` returns."""
    if type(value) is str:
        return value
    if isinstance(value, Value):
        return value.to_str()
    if type(value) is bytes:
        return value.decode("utf-8", "replace")
    return repr_of(value)


def repr_of(value: object) -> str:
    """What Starlark's `repr(value)` returns."""
    if isinstance(value, (list, tuple, dict)):
        writer = _Writer()
        writer.write(value)
        return "".join(writer.out)
    return _scalar(value)


def _scalar(value: Any) -> str:
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None or kind is bool:
        return str(value)
    if kind is int:
        return int_text(value)
    if kind is float:
        return float_text(value)
    if isinstance(value, Value):
        text = value.to_repr()
        if len(text) > 256:
            check_size(len(text), "a string")
        return text
    if kind is range:
        step = f", {value.step}" if value.step != 1 else ""
        return f"range({value.start}, {value.stop}{step})"
    if kind is bytes:
        return "b" + quote(value.decode("latin-1"))
    name = str(getattr(value, "__name__", "?"))
    if kind is MethodType:
        name = name.partition("_")[2] or name  # the tables of methods: `string_join`
        return f"<built-in method {name} of {type_of(value.__self__)} value>"
    if is_function(value):
        shown = "lambda" if name == "<lambda>" else demangle(name)
        owner = value.__globals__.get(OWNER)
        return f"<function {shown}>" if owner is None else f"<function {shown} from {owner}>"
    return f"<built-in function {name}>"


class _Writer:
    """Writes nested containers, up to the limits on depth and size."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self._size = 0
        self._outer: list[int] = []

    def write(self, value: Any) -> None:
        if isinstance(value, list):
            self._container(value, "[", "]")
        elif isinstance(value, dict):
            self._container(value, "{", "}")
        elif type(value) is tuple:
            self._container(value, "(", ",)" if len(value) == 1 else ")")
        else:
            text = _scalar(value)
            self._size += len(text)
            if self._size > RUNNING.max_size:
                raise LimitExceededError(
                    f"the text of a value exceeds the limit of {RUNNING.max_size} characters"
                )
            self.out.append(text)

    def _container(self, value: Any, opening: str, closing: str) -> None:
        if id(value) in self._outer:  # a list can contain itself
            self.out.append("...")
            return
        if len(self._outer) >= _MAX_DEPTH:
            raise LimitExceededError("a value is nested too deeply to be printed")
        charge(4 + 2 * len(value))
        self._outer.append(id(value))
        self.out.append(opening)
        self._size += 2 + 2 * len(value)
        first = True
        for element in value:
            if not first:
                self.out.append(", ")
            first = False
            self.write(element)
            if isinstance(value, dict):
                self.out.append(": ")
                self.write(value[element])
        self.out.append(closing)
        self._outer.pop()


def int_text(value: int) -> str:
    """The decimal digits of an integer of any size that the runtime allows."""
    if -(1 << 10000) < value < 1 << 10000:
        return str(value)
    # Python limits how many digits it converts at once.
    charge(value.bit_length() >> 5)
    sign, value = ("-", -value) if value < 0 else ("", value)
    half = value.bit_length() * 3 // 20
    high, low = divmod(value, 10**half)
    return sign + int_text(high) + int_text(low).rjust(half, "0")


def float_text(value: float) -> str:
    """A float as Starlark prints it: always with a point or an exponent."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "+inf" if value > 0 else "-inf"
    if 1e16 <= abs(value) < 1e17:
        return f"{value:.1f}"  # Python writes an exponent one digit before Bazel does
    return repr(value)


def raw(text: str) -> str:
    """Returns a text with one character for each byte."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # Half of a pair of an escape sequence.
        return text


def whole(text: str) -> str:
    """Returns the text that `raw` makes such characters of."""
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def joined(text: str) -> str:
    """Returns a text that was put together, with halves that meet as one."""
    if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
        return whole(raw(text))
    return text


def letters(text: str) -> str:
    """Returns a text in which no character but those of ASCII is a letter, a digit or a space."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
