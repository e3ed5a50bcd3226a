"""Bazel's reading of option values by type. Bazel: `Converters.java`."""

from __future__ import annotations

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.value_forms import has_form, is_label_value

_TRUE = frozenset({"true", "1", "yes", "t", "y"})
_FALSE = frozenset({"false", "0", "no", "f", "n"})
_INTEGER = lazy_pattern(r"[+-]?(?:0[xX][0-9a-fA-F]+|#[0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_DOUBLE = lazy_pattern(r"[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)")

_RESOURCE = lazy_pattern(r"([A-Za-z_]+)([-*][0-9]?(?:.[0-9]+)?)?")
_DECIMAL = lazy_pattern(r"[+-]?[0-9]+")
_MAY_BE_NONE = frozenset({"experimental_sandbox_async_tree_delete_idle_threads", "local_test_jobs"})
"""Options of amounts that may be 0."""
_DURATION = lazy_pattern(r"0|[0-9]+(?:d|h|m|s|ms|ns)")
_PATTERNS = frozenset(
    {FlagKind.DURATION, FlagKind.RANGE, FlagKind.RESOURCE, FlagKind.RUNS, FlagKind.ATTEMPTS}
)

Value = bool | int | float | str | None


def boolean(text: str) -> bool | None:
    """`True`, `False`, or None for a text that is no boolean."""
    lowered = text.lower()
    if lowered in _TRUE:
        return True
    return False if lowered in _FALSE else None


def integer(text: str, bits: int = 32) -> int | None:
    """The integer that Java's `decode` reads, hexadecimal and octal too, or None."""
    if _INTEGER.fullmatch(text) is None:
        return None
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits[:2].lower() == "0x":
        value = sign * int(digits[2:], 16)
    elif digits.startswith("#"):
        value = sign * int(digits[1:], 16)
    elif digits.startswith("0") and len(digits) > 1:
        value = sign * int(digits, 8)
    else:
        value = sign * int(digits)
    return value if -(1 << bits - 1) <= value < 1 << bits - 1 else None


def convert(definition: FlagDefinition, text: str) -> Value:
    """The value that Bazel makes of `text`; tristates are True, False or `"auto"`.

    Types without a model here give the text itself. Raises ValueError, whose message says
    what is wrong with the text, for a text that Bazel refuses.
    """
    kind = definition.kind
    release = definition.bazel_version
    if not has_form(definition.name, text, release):
        raise ValueError(f"`{text}` is no value of `--{definition.name}`")
    if kind is FlagKind.LABEL:
        labels = text.split(",") if definition.splits_at_commas else [text]
        if not all(is_label_value(definition.name, label, release) for label in labels):
            raise ValueError(f"`{text}` is no label")
        return text
    if kind is FlagKind.TRISTATE and text.lower() == "auto":
        return "auto"
    if kind in (FlagKind.BOOLEAN, FlagKind.TRISTATE):
        value = boolean(text)
        if value is None:
            raise ValueError(f"`{text}` is not a boolean")
        return value
    if kind in (FlagKind.INTEGER, FlagKind.LONG):
        number = integer(text, 32 if kind is FlagKind.INTEGER else 64)
        if number is None:
            raise ValueError(f"`{text}` is not an integer")
        return number
    if kind is FlagKind.DOUBLE:
        if _DOUBLE.fullmatch(text.strip()) is None:
            raise ValueError(f"`{text}` is not a number")
        return float(text.strip().rstrip("fFdD").replace("Infinity", "inf") or "nan")
    if kind is FlagKind.ENUM:
        for name in definition.enum_values:
            if name.lower() == text.lower():
                return name
        if definition.negatable:
            # An enum that may be given like a switch: `--subcommands`, `--nosubcommands`.
            value = boolean(text)
            if value is not None:
                return "true" if value else "false"
        raise ValueError(f"`{text}` is none of {', '.join(definition.enum_values)}")
    if kind in (FlagKind.ASSIGNMENT, FlagKind.FLAG_ALIAS):
        if text.find("=") <= 0:
            raise ValueError(f"`{text}` is no assignment of the form `name=value`")
        return text
    if kind in _PATTERNS:
        return _numeric(definition, text)
    if kind is FlagKind.OPTIONAL_ASSIGNMENT and (text.startswith("=") or not text):
        raise ValueError(f"`{text}` is neither `name=value` nor `name`")
    return text


def _numeric(definition: FlagDefinition, text: str) -> str:
    """A text that stands for a number in one of Bazel's own notations, checked."""
    kind = definition.kind
    if kind is FlagKind.DURATION:
        is_seconds = definition.name == "remote_timeout" and integer(text) is not None
        if _DURATION.fullmatch(text) is None and not is_seconds:
            raise ValueError(f"`{text}` is no length of time (`30s`, `5m`)")
        return text
    if kind is FlagKind.RESOURCE and integer(text) is None:
        match = _RESOURCE.fullmatch(text)
        if match is None or match.group(1) not in definition.enum_values:
            raise ValueError(
                f"`{text}` is no amount ({', '.join(definition.enum_values)} or a number)"
            )
        return text
    least, most = int(definition.name not in _MAY_BE_NONE), (1 << 31) - 1
    if kind is FlagKind.RANGE:
        least, most = (int(bound) for bound in definition.enum_values)
    elif kind is FlagKind.ATTEMPTS:
        most = 10
    digits = text
    if kind in (FlagKind.RUNS, FlagKind.ATTEMPTS):
        # What follows the last `@` counts; before it stands a regular expression.
        digits = text.rpartition("@")[2]
        if kind is FlagKind.ATTEMPTS and digits == "default":
            return text
    number = integer(digits)
    if number is None or (kind is not FlagKind.RESOURCE and not _DECIMAL.fullmatch(digits)):
        raise ValueError(f"`{digits}` is not an integer")
    if not least <= number <= most:
        raise ValueError(f"`{digits}` is not between {least} and {most}")
    return text
