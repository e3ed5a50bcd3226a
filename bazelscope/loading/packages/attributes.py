"""The attributes of a rule, decoded one by one when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bazelscope.bazel.attribute_types import Attribute, AttributeType, RuleClass
from bazelscope.bazel.encoded_values import Encoded, ValueDecoder


class LazyAttributes(Mapping[str, Attribute]):
    """The attributes that a rule was given, by name, in written order."""

    __slots__ = ("_class", "_decoded", "_explicit", "_inherited", "_values")

    def __init__(
        self,
        rule_class: RuleClass,
        explicit: Iterable[tuple[str, Encoded]],
        inherited: dict[str, Encoded],
        values: ValueDecoder,
    ) -> None:
        self._class = rule_class
        self._explicit = dict(explicit)
        self._inherited = inherited
        self._values = values
        self._decoded: dict[str, Attribute] = {}

    @property
    def explicit(self) -> Mapping[str, Encoded]:
        """What the BUILD file or a macro set, encoded, in written order."""
        return self._explicit

    @property
    def inherited(self) -> Mapping[str, Encoded]:
        """What the package gives to its rules, and what loading computed, encoded."""
        return self._inherited

    def __len__(self) -> int:
        return len(self._explicit) + len(self._inherited)

    def __iter__(self) -> Iterator[str]:
        yield from self._explicit
        yield from self._inherited

    def __contains__(self, name: object) -> bool:
        return name in self._explicit or name in self._inherited

    def __getitem__(self, name: str) -> Attribute:
        attribute = self._decoded.get(name)
        if attribute is None:
            is_explicit = name in self._explicit
            encoded = self._explicit[name] if is_explicit else self._inherited[name]
            definition = self._class.attributes.get(name)
            kind = definition.type if definition is not None else AttributeType.UNKNOWN
            value = self._values.value(encoded, kind)
            attribute = self._decoded[name] = Attribute(name, kind, value, is_explicit)
        return attribute
