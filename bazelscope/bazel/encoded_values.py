"""Attribute values in the form in which packages are built and cached.

A package of TensorFlow holds thousands of attribute values of which an answer looks at a few.
So a rule keeps its values *encoded*, as plain tuples, strings and numbers that `marshal`
writes and reads fast, and they become `Label`s, `Selector`s and the like when somebody
looks. Strings, numbers, booleans and None stand for themselves, a tuple is a list, labels are
their canonical text (the attribute's type tells them from strings), and everything else is
a Python list that begins with one of the tags below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from typing import Any

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Frame, Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import (
    AttributeType,
    Branch,
    DictValue,
    Selector,
    SelectorList,
)

DICT, SELECTS, SELECT, UNKNOWN, LABEL = range(5)
"""Tags: `[DICT, ((key, value), ...)]`, `[SELECTS, parts]`, `[SELECT, ((condition, value), ...),
no_match_error, stack]`, `[UNKNOWN, reason, subject, detail, location]`, `[LABEL, text]` (a label
where the type alone would not tell)."""

Encoded = Any

# Compared by identity below: to hash an enum member takes a Python call.
_LABEL, _LABEL_LIST = AttributeType.LABEL, AttributeType.LABEL_LIST
_OUTPUT, _OUTPUT_LIST = AttributeType.OUTPUT, AttributeType.OUTPUT_LIST

_labels: dict[str, Label] = {}
_MOST_LABELS = 1 << 18
"""Labels that are kept; beyond, they are made anew."""


def decode_label(text: str) -> Label:
    """The label whose canonical text is `text`; equal texts give the same object."""
    label = _labels.get(text)
    if label is None:
        repository, _, rest = text.partition("//")
        package, _, name = rest.partition(":")
        if len(_labels) >= _MOST_LABELS:
            _labels.clear()
        label = _labels[text] = tuple.__new__(Label, (repository.lstrip("@"), package, name))
    return label


def label_text(element: Encoded) -> str | None:
    """The text of the label that an item of a list of labels is; None if it is unknown."""
    if type(element) is str:
        return element
    return element[1] if type(element) is list and element[0] == LABEL else None


def selects_in(encoded: Encoded) -> Iterator[tuple[tuple[str, Encoded], ...]]:
    """The branches of each select() of an attribute's value: condition and value, encoded."""
    if type(encoded) is list:
        if encoded[0] == SELECT:
            yield encoded[1]
        elif encoded[0] == SELECTS:
            for part in encoded[1]:
                if type(part) is list and part[0] == SELECT:
                    yield part[1]


def holds_unknown(values: Iterable[Encoded]) -> bool:
    """Whether an unknown value is among encoded ones, or inside of one."""
    for value in values:
        kind = type(value)
        if kind is tuple:
            try:
                "".join(value)  # Most lists have nothing but texts.
            except TypeError:
                if holds_unknown(value):
                    return True
        elif kind is list:
            tag = value[0]
            if tag == SELECT:
                inside: Iterable[Encoded] = [held for _, held in value[1]]
            elif tag == SELECTS:
                inside = value[1]
            else:
                inside = value
            if tag == UNKNOWN or holds_unknown(inside):
                return True
    return False


def texts_of(encoded: Encoded) -> Iterator[str]:
    """Every text of a value, those of all branches and of keys among them."""
    if type(encoded) is str:
        yield encoded
    elif type(encoded) is tuple:
        for element in encoded:
            yield from texts_of(element)
    elif type(encoded) is list and encoded[0] in (SELECTS, SELECT, DICT):
        yield from texts_of(encoded[1])


def joined_texts(encoded: Encoded) -> str:
    """Every text of a value, those of all branches and of keys among them, with a zero between
    two."""
    kind = type(encoded)
    if kind is str:
        return str(encoded)
    if kind is not tuple and kind is not list:
        return ""
    texts: list[str] = []
    _add_texts(encoded, texts)
    return "\0".join(texts)


def _add_texts(encoded: Encoded, texts: list[str]) -> None:
    kind = type(encoded)
    if kind is tuple:
        for element in encoded:
            if type(element) is str:
                texts.append(element)
            else:
                _add_texts(element, texts)
    elif kind is list:
        tag = encoded[0]
        if tag == SELECT:
            for condition, value in encoded[1]:
                texts.append(condition)
                if type(value) is str:
                    texts.append(value)
                elif value is not None:
                    _add_texts(value, texts)
        elif tag in (SELECTS, DICT):
            _add_texts(encoded[1], texts)


def holds(encoded: Encoded, text: str) -> bool:
    """Whether a value, of any branch, is `text` or has it as an element."""
    kind = type(encoded)
    if kind is tuple:
        return text in encoded or any(type(one) is list and holds(one, text) for one in encoded)
    if kind is list and encoded[0] in (SELECTS, SELECT, DICT):
        return holds(encoded[1], text)
    return bool(encoded == text)


def possible_sums(encoded: Encoded) -> Iterator[str | int]:
    """Every string or number that an attribute's value may be, its selects being resolved
    in any way; a few thousand at most, and none if a part cannot be told."""
    is_sum = type(encoded) is list and encoded[0] == SELECTS
    choices: list[list[str | int]] = []
    for part in encoded[1] if is_sum else (encoded,):
        branches = (part,)
        if type(part) is list and part[0] == SELECT:
            branches = tuple(value for _, value in part[1])
        known = [value for value in branches if value is not None]
        if not all(type(value) in (str, int) for value in known):
            return
        choices.append(list(dict.fromkeys(known)))
    for parts in islice(product(*choices), _MAX_SUMS):
        yield parts[0] if len(parts) == 1 else "".join(map(str, parts))


_MAX_SUMS = 4096


def encode_unknown(unknown: Unknown) -> Encoded:
    place = tuple(unknown.location) if unknown.location else None
    return [UNKNOWN, unknown.reason.value, unknown.subject, unknown.detail, place]


def decode_unknown(encoded: Encoded) -> Unknown:
    _, reason, subject, detail, place = encoded
    return Unknown(Reason(reason), subject, detail, Location(*place) if place else None)


def encode_value(value: object) -> Encoded:
    """A plain value (of a rule class's default, say) in encoded form."""
    if isinstance(value, Label):
        return [LABEL, str(value)]
    if isinstance(value, tuple):
        return tuple(encode_value(element) for element in value)
    if isinstance(value, DictValue):
        return [DICT, tuple((encode_value(k), encode_value(v)) for k, v in value.items)]
    if isinstance(value, Unknown):
        return encode_unknown(value)
    return value


class ValueDecoder:
    """Decodes values of one package; `stack` finds a call stack by its number."""

    def __init__(self, stack: Callable[[int], CallStack]) -> None:
        self._stack = stack

    def value(self, encoded: Encoded, kind: AttributeType) -> object:
        """The plain value or `SelectorList` of an attribute of type `kind`."""
        shape = type(encoded)
        if shape is tuple:
            if kind is _LABEL_LIST or kind is _OUTPUT_LIST:
                known = _labels.get
                return tuple(
                    [
                        (known(element) or decode_label(element))
                        if type(element) is str
                        else self.value(element, kind)
                        for element in encoded
                    ]
                )
            for element in encoded:
                if type(element) is not str:
                    return tuple(
                        [self.value(element, AttributeType.UNKNOWN) for element in encoded]
                    )
            return encoded
        if shape is str:
            if kind is _LABEL or kind is _LABEL_LIST or kind is _OUTPUT or kind is _OUTPUT_LIST:
                return decode_label(encoded)
            return encoded
        if shape is not list:
            return encoded
        tag = encoded[0]
        if tag == SELECTS:
            return SelectorList(tuple(self._part(part, kind) for part in encoded[1]))
        if tag == DICT:
            return self._dict(encoded[1], kind)
        if tag == LABEL:
            return decode_label(encoded[1])
        return decode_unknown(encoded)

    def _part(self, part: Encoded, kind: AttributeType) -> object:
        if type(part) is list and part[0] == SELECT:
            _, branches, no_match_error, stack = part
            return Selector(
                tuple(
                    Branch(decode_label(condition), self.value(value, kind))
                    for condition, value in branches
                ),
                no_match_error,
                self._stack(stack),
            )
        return self.value(part, kind)

    def _dict(self, items: Encoded, kind: AttributeType) -> DictValue:
        key_type = value_type = AttributeType.UNKNOWN
        if kind is AttributeType.LABEL_KEYED_STRING_DICT:
            key_type = AttributeType.LABEL
        elif kind in (AttributeType.LABEL_DICT_UNARY, AttributeType.STRING_KEYED_LABEL_DICT):
            value_type = AttributeType.LABEL
        elif kind is AttributeType.LABEL_LIST_DICT:
            value_type = AttributeType.LABEL_LIST
        decoded: list[tuple[str | Label, object]] = []
        for key, value in items:
            plain = self.value(key, key_type)
            if isinstance(plain, str | Label):
                decoded.append((plain, self.value(value, value_type)))
        return DictValue(tuple(decoded))


def _no_stack(number: int) -> CallStack:
    raise ValueError(number)


_PLAIN = ValueDecoder(_no_stack)


def decode_value(encoded: Encoded) -> object:
    """The plain value that `encode_value` wrote."""
    return _PLAIN.value(encoded, AttributeType.UNKNOWN)


def decode_stack(encoded: Encoded) -> CallStack:
    """`((function, path, line, column), ...)` as a call stack."""
    return tuple(
        [Frame(name, Location(path, line, column)) for name, path, line, column in encoded]
    )
