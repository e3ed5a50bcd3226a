"""The converter of each attribute type: a Starlark value becomes an attribute value.

Bazel: `Type.convert`, `BuildType`. Each takes a Starlark value and gives its encoded form (see
`bazel.encoded_values`), or raises `ConversionError` with the reason that Bazel gives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.bazel.attribute_types import DICT_TYPES, AttributeType
from bazelscope.bazel.encoded_values import DICT, LABEL, Encoded, encode_unknown
from bazelscope.loading.evaluation.attribute_values.conversion import (
    Conversion,
    ConversionError,
    Converter,
    LabelMemo,
    unexpected,
)
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


def _each(
    convert: Converter, conversion: Conversion, items: list[object] | tuple[object, ...]
) -> tuple[Encoded, ...]:
    encoded = []
    for position, element in enumerate(items):
        try:
            encoded.append(convert(conversion, element))
        except ConversionError as error:
            raise error.at(f"element {position} of {{}}") from error
    return tuple(encoded)


def _unknown(value: object, wanted: str) -> Encoded:
    """An unknown value; any other is none that is wanted."""
    if isinstance(value, UnknownValue):
        return encode_unknown(value.as_unknown())
    raise unexpected(wanted, value)


def _string(_: Conversion, value: object) -> Encoded:
    return value if type(value) is str else _unknown(value, "string")


def _integer(_: Conversion, value: object) -> Encoded:
    if type(value) is int:
        if not -(2**31) <= value < 2**31:
            raise ConversionError(
                "", after=f"got {value}, want value in signed 32-bit range", joint="for"
            )
        return value
    return _unknown(value, "int")


def _boolean(_: Conversion, value: object) -> Encoded:
    if type(value) is bool:
        return value
    if type(value) is int:
        if value not in (0, 1):
            raise ConversionError("boolean is not one of [0, 1]")
        return bool(value)
    return _unknown(value, "int")


def _tristate(_: Conversion, value: object) -> Encoded:
    if isinstance(value, bool | int):
        if value not in (-1, 0, 1):
            raise ConversionError("tristate value is not one of [-1, 0, 1]")
        return int(value)
    return _unknown(value, "int")


_OTHER_SEQUENCES = frozenset({"dict", "range", "set"})
"""Bazel takes whatever can be iterated for a list: of a dictionary, the keys (measured)."""


def _items(conversion: Conversion, value: object, wanted: str) -> list[object] | tuple[object, ...]:
    if isinstance(value, (list, tuple)):
        return value
    elements = getattr(value, "depset_elements", None)
    if elements is not None:
        return list(elements())
    kind = starlark.type_of(value)
    if kind in _OTHER_SEQUENCES and (kind != "dict" or conversion.takes_dicts):
        return list(starlark.iterate(value))
    raise unexpected(wanted, value)


def _strings(conversion: Conversion, value: object) -> Encoded:
    if type(value) is starlark.List:
        items: list[object] | tuple[object, ...] = value
    elif isinstance(value, UnknownValue):
        return encode_unknown(value.as_unknown())
    else:
        items = _items(conversion, value, "list(string)")
    for text in items:
        if type(text) is not str:
            return _each(_string, conversion, items)
    return tuple(items)


def _list_of(element: Converter, wanted: str) -> Converter:
    def convert(conversion: Conversion, value: object) -> Encoded:
        if isinstance(value, UnknownValue):
            return encode_unknown(value.as_unknown())
        return _each(element, conversion, _items(conversion, value, wanted))

    return convert


def _label(conversion: Conversion, value: object) -> Encoded:
    return _from_memo(conversion.dependencies, value)


def _label_nodep(conversion: Conversion, value: object) -> Encoded:
    return _from_memo(conversion.labels, value)


def _from_memo(memo: LabelMemo, value: object) -> Encoded:
    try:
        return memo[value]
    except TypeError as error:  # unhashable: a list, say
        raise unexpected("string", value) from error


def _label_list(conversion: Conversion, value: object) -> Encoded:
    return _memo_list(conversion, conversion.dependencies, value)


def _label_list_nodep(conversion: Conversion, value: object) -> Encoded:
    return _memo_list(conversion, conversion.labels, value)


def _memo_list(conversion: Conversion, memo: LabelMemo, value: object) -> Encoded:
    if type(value) is starlark.List:
        items: list[object] | tuple[object, ...] = value
    elif isinstance(value, UnknownValue):
        return encode_unknown(value.as_unknown())
    else:
        items = _items(conversion, value, "list(label)")
    try:
        return tuple([memo[text] for text in items])
    except (ConversionError, TypeError):  # again, and slowly: which one was it?
        return _each(lambda _, text: _from_memo(memo, text), conversion, items)


def _dict(convert_key: Converter, convert_value: Converter, wanted: str) -> Converter:
    def convert(conversion: Conversion, value: object) -> Encoded:
        if isinstance(value, UnknownValue):
            return encode_unknown(value.as_unknown())
        if not isinstance(value, dict):
            raise unexpected(wanted, value)
        pairs = []
        for k, v in value.items():
            try:
                new_key = convert_key(conversion, k)
            except ConversionError as error:
                raise error.at("dict key element") from error
            try:
                pairs.append((new_key, convert_value(conversion, v)))
            except ConversionError as error:
                raise error.at("dict value element") from error
        if convert_key is _label:
            _refuse_duplicate_keys(pairs, list(value))
        return [DICT, tuple(pairs)]

    return convert


def _refuse_duplicate_keys(pairs: list[tuple[Encoded, Encoded]], written: list[object]) -> None:
    """Bazel: `LabelKeyedDictType.checkForDuplicates`."""
    spellings: dict[str, list[object]] = {}
    for (label, _), spelling in zip(pairs, written, strict=True):
        if type(label) is str:
            spellings.setdefault(label, []).append(spelling)
    twice = [
        f"{label} (as {starlark.repr_of(starlark.List(names))})"
        for label, names in spellings.items()
        if len(names) > 1
    ]
    if twice:
        text = ", ".join(twice)
        raise ConversionError("duplicate labels", after=text, joint="in")


def _output(conversion: Conversion, value: object) -> Encoded:
    try:
        text = _from_memo(conversion.labels, value)
    except ConversionError as error:
        if not error.label_reason:
            raise unexpected("output", value) from error
        error.is_output = True
        raise
    if type(text) is str and not text.startswith(f"{conversion.context}:"):
        raise ConversionError(f"label '{text}' is not in the current package")
    if text == f"{conversion.context}:.":
        raise ConversionError("output file name can't be equal '.'")
    return text


_LABEL_LIKE = r"(@@?[\w.~+-]*)?//(?!visibility:)(?!.*\.\.\.)(?!.*:__)|:[^\s:/]+\Z"


def _anything(conversion: Conversion, value: object) -> Encoded:
    """An argument of a rule of unknown class: kept as it stands, as far as it can be, and what
    is written like a label taken for one."""
    if isinstance(value, LabelValue) or (isinstance(value, str) and re.match(_LABEL_LIKE, value)):
        try:
            return [LABEL, conversion.dependencies[value]]
        except ConversionError:
            return value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, UnknownValue):
        return encode_unknown(value.as_unknown())
    if isinstance(value, list | tuple):
        return tuple([_anything(conversion, element) for element in value])
    if isinstance(value, dict):
        pairs = [(_anything(conversion, k), _anything(conversion, v)) for k, v in value.items()]
        return [DICT, tuple(pairs)]
    return starlark.repr_of(value)[:200]


_LICENSES = (
    *("by_exception_only", "restricted", "restricted_if_statically_linked", "reciprocal"),
    *("notice", "permissive", "unencumbered", "none"),
)
_DISTRIBUTIONS = ("internal", "web", "client", "embedded")
"""The words of both, in the order in which Bazel keeps them. Bazel: `License`."""


def _licenses(conversion: Conversion, value: object) -> Encoded:
    """License types and `exception=LABEL`. Bazel: `License.parseLicense`."""
    strings = _strings(conversion, value)
    if type(strings) is not tuple:
        return strings
    words = [text for text in strings if type(text) is str]
    exceptions = [text for text in words if text.startswith("exception=")]
    for text in exceptions:
        try:
            parse_label(text.removeprefix("exception="), PackageId("", ""))
        except LabelError as error:
            raise ConversionError(error.diagnostic.message) from error
    types = _known_words(
        [text for text in words if text not in exceptions], _LICENSES, "invalid license type:"
    )
    return (*types, *exceptions, *(text for text in strings if type(text) is not str))


def _distributions(conversion: Conversion, value: object) -> Encoded:
    """Ways of distribution. Bazel: `License.parseDistributions`."""
    strings = _strings(conversion, value)
    words = [text for text in strings if type(text) is str] if type(strings) is tuple else []
    return _known_words(words, _DISTRIBUTIONS, "Invalid distribution type") if words else strings


def _known_words(words: list[str], known: tuple[str, ...], refused: str) -> tuple[str, ...]:
    for word in words:
        if word.lower() not in known:
            raise ConversionError(f"{refused} '{word}'")
    given = {word.lower() for word in words}
    return tuple([word for word in known if word in given])


CONVERTERS: Mapping[AttributeType, Converter] = {
    AttributeType.BOOLEAN: _boolean,
    AttributeType.DISTRIBUTION_SET: _distributions,
    AttributeType.INTEGER: _integer,
    AttributeType.INTEGER_LIST: _list_of(_integer, "list(int)"),
    AttributeType.LABEL: _label,
    AttributeType.LABEL_DICT_UNARY: _dict(_string, _label, "dict(string, label)"),
    AttributeType.LABEL_KEYED_STRING_DICT: _dict(_label, _string, "dict(label, string)"),
    AttributeType.LABEL_LIST: _label_list,
    AttributeType.LABEL_LIST_DICT: _dict(_string, _label_list, "dict(string, list(label))"),
    AttributeType.LICENSE: _licenses,
    AttributeType.OUTPUT: _output,
    AttributeType.OUTPUT_LIST: _list_of(_output, "list(output)"),
    AttributeType.STRING: _string,
    AttributeType.STRING_DICT: _dict(_string, _string, "dict(string, string)"),
    AttributeType.STRING_KEYED_LABEL_DICT: _dict(_string, _label, "dict(string, label)"),
    AttributeType.STRING_LIST: _strings,
    AttributeType.STRING_LIST_DICT: _dict(_string, _strings, "dict(string, list(string))"),
    AttributeType.TRISTATE: _tristate,
    AttributeType.UNKNOWN: _anything,
}
_NODEP_CONVERTERS: Mapping[AttributeType, Converter] = {
    AttributeType.LABEL: _label_nodep,
    AttributeType.LABEL_LIST: _label_list_nodep,
}
CONCATENABLE = DICT_TYPES | {
    AttributeType.DISTRIBUTION_SET,
    AttributeType.INTEGER_LIST,
    AttributeType.LABEL_LIST,
    AttributeType.OUTPUT_LIST,
    AttributeType.STRING,
    AttributeType.STRING_LIST,
    AttributeType.UNKNOWN,
}
"""The types whose values `+` joins, so that several selects may stand in one attribute."""


def converter_for(kind: AttributeType, nodep: bool) -> Converter:
    """The converter of an attribute."""
    converter = _NODEP_CONVERTERS.get(kind) if nodep else None
    return converter if converter is not None else CONVERTERS[kind]
