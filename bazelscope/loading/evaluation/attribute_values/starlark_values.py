"""Attribute values back as Starlark values, for `existing_rules()` and output callbacks."""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import LABEL_TYPES, AttributeType
from bazelscope.bazel.encoded_values import DICT, LABEL, SELECT, SELECTS, Encoded, decode_label
from bazelscope.loading.evaluation.values.label_value import LabelStyle, LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import SelectCall, SelectValue


class NotRepresentableError(ValueError):
    """The value has no Starlark form (it is unknown)."""


def starlark_value(
    encoded: Encoded, kind: AttributeType, style: LabelStyle | None, package: PackageId
) -> object:
    """The Starlark value of an encoded attribute.

    With `style`, labels become `Label` values (as callbacks get them); without, strings as
    `existing_rule` writes them: `:name` within `package`. Raises `NotRepresentableError`.
    """
    labels = kind in LABEL_TYPES

    def value(element: Encoded) -> object:
        if type(element) is str:
            return label(element) if labels else element
        if type(element) is tuple:
            return tuple([value(inner) for inner in element])
        if type(element) is not list:
            return element
        tag = element[0]
        if tag == LABEL:
            return label(element[1])
        if tag == DICT:
            return starlark.Dict({text_or_label(k): text_or_label(v) for k, v in element[1]})
        if tag == SELECTS:
            return SelectValue(tuple(part(inner) for inner in element[1]))
        raise NotRepresentableError("unknown value")

    def text_or_label(element: Encoded) -> object:
        # Which side of a dictionary holds labels is plain from their text here.
        if type(element) is str and not (labels and element.startswith(("//", "@"))):
            return element
        return value(element)

    def label(text: str) -> object:
        if style is not None:
            return LabelValue(decode_label(text), style)
        own = f"{package}:"
        return text[len(own) - 1 :] if text.startswith(own) else text

    def key(condition: str) -> object:
        return condition if style is None else LabelValue(decode_label(condition), style)

    def part(element: Encoded) -> object:
        if type(element) is list and element[0] == SELECT:
            # As a text, a condition would be read again, relative to whoever gets it.
            entries = tuple((key(condition), term(branch)) for condition, branch in element[1])
            return SelectCall(entries, element[2], element[3])
        return term(element)

    def term(element: Encoded) -> object:
        """What stands in a sum: a list there can be added to, of what is told it cannot."""
        converted = value(element)
        return starlark.List(converted) if isinstance(converted, tuple) else converted

    return value(encoded)
