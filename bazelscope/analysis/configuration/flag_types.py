"""Flag values by type: which texts mean the same value to Bazel's option converters.

Bazel: `Converters`, `CoreOptionConverters`, `EnumConverter`.
"""

from __future__ import annotations

from collections.abc import Hashable

from bazelscope.base.label import full_option_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.flag_conversion import boolean, integer


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A parsed value: `key` compares as Bazel compares, `text` is its canonical spelling."""

    key: Hashable
    text: str


class ValueTypeError(Exception):
    """The text is no value of the flag's type; the message says what it is not."""


def parse_value(definition: FlagDefinition, text: str) -> TypedValue:
    """The value that `text` means for a flag. Raises `ValueTypeError`."""
    kind = definition.kind
    if kind is FlagKind.BOOLEAN or (kind is FlagKind.UNKNOWN and definition.negatable):
        return _typed(parse_boolean(text))
    if kind is FlagKind.TRISTATE:
        lowered = text.lower()
        return TypedValue("auto", "auto") if lowered == "auto" else _typed(parse_boolean(text))
    if kind is FlagKind.ENUM:
        return _enum(definition.enum_values, text)
    if kind is FlagKind.INTEGER:
        return _typed(parse_integer(text))
    if kind is FlagKind.LONG:
        return _typed(parse_integer(text, 64))
    if kind is FlagKind.DOUBLE:
        try:
            return TypedValue(float(text), text)
        except ValueError:
            raise ValueTypeError(f"`{text}` is not a double") from None
    if kind is FlagKind.LABEL:
        if "," in text and definition.splits_at_commas:
            parts = [_label(part) for part in text.split(",") if part]
            return TypedValue(tuple(p.key for p in parts), ",".join(p.text for p in parts))
        return _label(text)
    if kind is FlagKind.ASSIGNMENT and text.find("=") <= 0:
        raise ValueTypeError(f"`{text}` is no `name=value` assignment")
    if kind is FlagKind.OPTIONAL_ASSIGNMENT and not text.partition("=")[0]:
        raise ValueTypeError(f"`{text}` has no name")
    if kind is FlagKind.LIST:
        return TypedValue(tuple(text.split(",")) if text else (), text)
    if kind is FlagKind.UNKNOWN:
        # Hidden options have no type in the help; most are enums, which ignore case.
        return TypedValue(text.lower(), text)
    return TypedValue(text, text)


def parse_boolean(text: str) -> bool:
    """Bazel: `BooleanConverter`. Raises `ValueTypeError`."""
    value = boolean(text)
    if value is None:
        raise ValueTypeError(f"`{text}` is not a boolean")
    return value


def parse_integer(text: str, bits: int = 32) -> int:
    """Bazel: `IntegerConverter`, `LongConverter`. Raises `ValueTypeError`."""
    value = integer(text, bits)
    if value is None:
        raise ValueTypeError(f"`{text}` is not an int")
    return value


def _typed(value: bool | int) -> TypedValue:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return TypedValue((type(value).__name__, value), text)


def _enum(names: tuple[str, ...], text: str) -> TypedValue:
    lowered = text.lower()
    for name in names:
        if name.lower() == lowered:
            return TypedValue(name, name)
    if {"true", "false"} <= set(names) or {"yes", "no"} <= set(names):
        return _typed(parse_boolean(text))
    raise ValueTypeError(f"`{text}` is not one of {', '.join(names)}")


def _label(text: str) -> TypedValue:
    if not text:
        return TypedValue("", "")
    repository, slashes, rest = full_option_label(text).partition("//")
    if not slashes and repository.startswith("@"):
        rest = f":{repository[1:]}"
    if rest and ":" not in rest:
        rest = f"{rest}:{rest.rpartition('/')[2]}"
    return TypedValue((repository.replace("@@", "@"), rest), f"{repository}//{rest}")
