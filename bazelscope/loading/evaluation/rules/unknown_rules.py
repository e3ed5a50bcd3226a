"""Rules of a class that the files do not tell, and what their attributes most likely hold.

A symbol of a file that is not there is called with a `name`: it is a rule, or a macro that
makes one of that name. What it depends on must not be lost. Every rule has the base
attributes; one that is called like a native rule (`cc_library`) has that rule's; `srcs`,
`deps` and the like hold labels in every native rule that has them, so they are taken to hold
labels here; anywhere else, a string that is written like a label (`:x`, `//a:b`, `@r//a:b`)
is taken for one. Edges that come of it are told from certain ones (`EdgeKind.ASSUMED`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bazelscope.base.memoized import memoized
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, RuleClass
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion, ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import converter_for
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.values.symbolic_values import SelectCall, SelectValue

_COMMON = 3
"""An attribute's name says what it holds if that many native rules agree."""

_GUESSED = frozenset({AttributeType.LABEL, AttributeType.LABEL_LIST})


class UnknownRules:
    """Makes a rule class for each call of a symbol that may be a rule."""

    def __init__(self, rules: NativeRules) -> None:
        self._rules = rules
        self._base = rules.base_attributes(is_executable=False, is_test=False)
        self._test_base = rules.base_attributes(is_executable=True, is_test=True)
        self._kinds: dict[tuple[str, tuple[tuple[str, AttributeType], ...]], RuleKind] = {}

    def kind(self, name: str, keywords: Mapping[str, object], conversion: Conversion) -> RuleKind:
        """The class of a call of `name` with these arguments.

        A test rule's name ends in `_test`. Bazel: `RuleClass.Builder.RuleClassType`.
        """
        is_test = name.endswith("_test")
        base = self._test_base if is_test else self._base
        types = tuple(
            (key, self._type(name, key, value, conversion))
            for key, value in keywords.items()
            if key != "name" and key not in base
        )
        kept_kind = self._kinds.get((name, types))
        if kept_kind is None:
            own = {key: AttributeDefinition(key, kind) for key, kind in types}
            made = RuleClass(name, {**base, **own}, is_known=False, is_test=is_test)
            kept_kind = self._kinds[name, types] = RuleKind(made)
        return kept_kind

    def _type(self, rule: str, name: str, value: object, conversion: Conversion) -> AttributeType:
        candidates: tuple[AttributeType, ...] = ()
        native = self._rules.get(rule).attributes if rule in self._rules.names else {}
        if name in native:
            candidates = (native[name].type,)
        elif name in self._names_of_labels():
            candidates = (AttributeType.LABEL_LIST, AttributeType.LABEL)
        for kind in candidates:
            if all(_fits(part, kind, conversion) for part in _parts(value)):
                return kind
        return AttributeType.UNKNOWN

    @memoized
    def _names_of_labels(self) -> frozenset[str]:
        """The attributes that hold labels in every native rule that has them."""
        labels: Counter[str] = Counter()
        others: set[str] = set()
        for rule in self._rules.names:
            for name, definition in self._rules.get(rule).attributes.items():
                if definition.type in _GUESSED and not definition.nodep:
                    labels[name] += 1
                else:
                    others.add(name)
        common = {name for name, count in labels.items() if count >= _COMMON}
        return frozenset(common - others)


def _parts(value: object) -> Iterator[object]:
    """The plain values that a value may come to, whatever its select()s choose."""
    if not isinstance(value, SelectValue):
        yield value
        return
    for part in value.parts:
        if isinstance(part, SelectCall):
            yield from (branch for _, branch in part.entries if branch is not None)
        else:
            yield part


def _fits(value: object, kind: AttributeType, conversion: Conversion) -> bool:
    # Tried as a type that is no dependency: a try must not leave files behind.
    try:
        converter_for(kind, nodep=True)(conversion, value)
    except ConversionError:
        return False
    return True
