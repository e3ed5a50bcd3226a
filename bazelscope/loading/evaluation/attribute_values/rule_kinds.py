"""A rule class made ready for being called thousands of times.

`RuleKind` is what a rule's builtin holds while BUILD files run: the converters of its
attributes by name, what is mandatory, how implicit outputs are named. The `RuleClass` that
answers show stays free of such machinery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import (
    DICT_TYPES,
    LABEL_TYPES,
    OUTPUT_TYPES,
    AttributeType,
    RuleClass,
    labels_in,
)
from bazelscope.bazel.encoded_values import DICT, Encoded
from bazelscope.bazel.native_rules import conditional_outputs, native_outputs
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.attribute_values.conversion import Converter
from bazelscope.loading.evaluation.attribute_values.converters import CONCATENABLE, converter_for

_UNSETTABLE = lazy_pattern(r"[$:_]")


class AttributeSlot:
    """How one attribute of a rule takes its value."""

    __slots__ = ("configurable", "convert", "is_dictionary", "is_label_list", "joinable", "kind")

    def __init__(
        self, convert: Converter, kind: AttributeType, configurable: bool, nodep: bool
    ) -> None:
        self.convert = convert
        self.kind = kind
        self.configurable = configurable
        self.joinable = kind in CONCATENABLE
        self.is_dictionary = kind in DICT_TYPES
        self.is_label_list = kind is AttributeType.LABEL_LIST and not nodep


class RuleKind:
    """One rule class, prepared. `computed` are default functions of Starlark attributes;
    `outputs_function` is the callable form of `rule(outputs = ...)`."""

    __slots__ = (
        *("computed", "conditional", "default_labels", "is_native", "lacks", "limited"),
        *("mandatory", "output_attributes", "outputs", "outputs_function", "repeated_defaults"),
        *("rule_class", "slots", "told_to_aspects", "unordered"),
    )

    def __init__(
        self,
        rule_class: RuleClass,
        outputs: Sequence[tuple[str, str]] = (),
        outputs_function: Callable[..., object] | None = None,
        computed: Mapping[str, Callable[..., object]] | None = None,
        is_native: bool = False,
        lacks: Unknown | None = None,
        takes_private: bool = False,
    ) -> None:
        """`takes_private`: whether private attributes are among the slots by the names that
        Starlark gives them; by Bazel's own (`$name`) macros may always set them."""
        self.rule_class = rule_class
        self.lacks = lacks
        """What was taken as empty, so that the rule may have more attributes."""
        self.told_to_aspects: tuple[tuple[Any, str, AttributeSpec], ...] = ()
        """Parameters of aspects on attributes of the rule: the aspect, the name, what it takes."""
        self.outputs = tuple(outputs)
        self.outputs_function = outputs_function
        self.computed = dict(computed or {})
        self.conditional = conditional_outputs(rule_class.name) if is_native else ()
        """Further templates, for rules that set one of some attributes."""
        self.is_native = is_native
        self.unordered = tuple(
            name for name, definition in rule_class.attributes.items() if definition.is_sorted
        )
        """Attributes whose values are kept sorted."""
        self.slots: dict[str, AttributeSlot] = {}
        self.limited = tuple((n, d.allowed) for n, d in rule_class.attributes.items() if d.allowed)
        """Attributes that take certain values only, with these."""
        mandatory = []
        defaults: list[tuple[str, Label]] = []
        for name, definition in rule_class.attributes.items():
            if name == "name":
                continue
            is_private = name[0] == "_" and not is_native
            if not _UNSETTABLE.match(name) or is_private:
                slot = AttributeSlot(
                    converter_for(definition.type, definition.nodep),
                    definition.type,
                    definition.configurable,
                    definition.nodep,
                )
                if not is_private or takes_private:
                    self.slots[name] = slot
                if is_private:
                    self.slots[f"${name[1:]}"] = slot
            if definition.mandatory and (not is_native or not definition.is_implicit):
                # Nobody can give a private one: such a rule can never be made.
                mandatory.append(name)
            if definition.type in LABEL_TYPES and not definition.nodep and definition.default:
                defaults.extend((name, label) for label in labels_in(definition.default))
        self.mandatory = tuple(mandatory)
        self.repeated_defaults = tuple(_repeated(rule_class))
        """Labels that stand twice in the default of an attribute, with its name."""
        self.output_attributes = tuple(
            (name, definition.type)
            for name, definition in rule_class.attributes.items()
            if definition.type in OUTPUT_TYPES
        )
        self.default_labels = tuple(defaults)
        """Labels that an attribute holds unless it is set: they may name files of the very
        package that the rule is in."""

    @classmethod
    def native(cls, rule_class: RuleClass) -> RuleKind:
        """The prepared form of a native rule class."""
        templates = native_outputs(rule_class.name)
        pairs = [(template, template) for template in templates]
        return cls(rule_class, pairs, is_native=True)


def in_order(values: tuple[Encoded, ...]) -> tuple[Encoded, ...]:
    """The values of an attribute whose order means nothing: texts and labels, sorted."""
    for value in values:
        if type(value) is not str:
            return values
    return tuple(sorted(values, key=_sort_key))


def _sort_key(text: str) -> tuple[str, str, str]:
    """Labels sort by repository, package and name."""
    if not text.startswith(("//", "@")):
        return ("", text, "")
    repository, _, rest = text.partition("//")
    package, _, name = rest.partition(":")
    return (repository.lstrip("@"), package, name)


def _repeated(rule_class: RuleClass) -> Iterable[tuple[str, str]]:
    for name, definition in rule_class.attributes.items():
        if definition.type is AttributeType.LABEL_LIST and not definition.nodep:
            labels = list(labels_in(definition.default))
            twice = (one for at, one in enumerate(labels) if one in labels[:at])
            yield from ((name, str(label)) for label in dict.fromkeys(twice))


_PLACEHOLDER = lazy_pattern(r"%\{([^}]*)\}")


def placeholders(template: str) -> list[str]:
    """The names that stand in an output template."""
    return [match[1] for match in _PLACEHOLDER.finditer(template)] if "%" in template else []


def expand_template(template: str, name: str, attributes: Mapping[str, Encoded]) -> list[str]:
    """The file names that an output template stands for, in order.

    Bazel: `ImplicitOutputsFunction.fromTemplates`: `%{name}`, `%{dirname}`, `%{basename}`, and any
    attribute; one that holds a list gives a file for each of its values. Raises `KeyError`
    for an attribute that is not set, `ValueError` for one that cannot stand in a name.
    """
    directory, slash, base = name.rpartition("/")
    results = [""]
    position = 0
    for match in _PLACEHOLDER.finditer(template):
        literal = template[position : match.start()]
        position = match.end()
        what = match[1]
        values: Sequence[str]
        if what == "name":
            values = (name,)
        elif what == "dirname":
            values = (directory + slash,)
        elif what == "basename":
            values = (base,)
        else:
            values = _attribute_texts(attributes[what])
        results = [prefix + literal + value for prefix in results for value in values]
        if len(results) > 10_000:
            raise ValueError(f"the output template `{template}` makes too many files")
    return [prefix + template[position:] for prefix in results]


def _attribute_texts(value: Encoded) -> Sequence[str]:
    if type(value) is str:
        # A label stands for its name.
        return (value.rpartition(":")[2] if value.startswith(("//", "@")) else value,)
    if type(value) is tuple:
        return [text for element in value for text in _attribute_texts(element)]
    if type(value) is list and value[0] == DICT:
        raise ValueError("a dictionary cannot stand in an output template")
    if isinstance(value, bool | int):
        return (str(value),)
    raise ValueError("an attribute that is not known, or a select, in an output template")
