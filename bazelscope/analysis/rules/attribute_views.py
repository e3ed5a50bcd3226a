"""The attributes of a configured target as members of `ctx`: values, targets, files, outputs.

Bazel: `StarlarkAttributesCollection`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.analysis.rules.attributes import AttributeOf, items_of, labels_of
from bazelscope.analysis.rules.context_members import Members
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import (
    Implemented,
    Runfiles,
    TargetValue,
    collected_runfiles,
    files_of,
    not_modelled,
)
from bazelscope.base.errors import StarlarkError
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown, all_known
from bazelscope.bazel.attribute_types import INPUT_TYPES, OUTPUT_TYPES, AttributeType
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_outputs import parameters_of
from bazelscope.loading.evaluation.rules.rule_transitions import as_starlark
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule

_View = Callable[[AttributeOf], object]


class AttributeViews:
    """What `ctx` shows of the attributes of one configured target."""

    def __init__(
        self,
        context: EvaluationContext,
        attributes: Mapping[str, AttributeOf],
        more: UnknownValue | None,
    ) -> None:
        """`more` stands for the attributes that the rule has besides, where not all are known."""
        self._context = context
        self._every = attributes
        self._more = more
        self.labels = {
            name: one
            for name, one in attributes.items()
            if one.definition.type in INPUT_TYPES and not one.definition.nodep
        }
        """The attributes that lead to dependencies, by name."""

    def members(
        self,
        name: str,
        view: _View,
        is_one: Callable[[AttributeOf], bool] | None = None,
        made: type[Members] = Members,
    ) -> Callable[[], object]:
        """Returns what gives `ctx.<name>`: the view of each attribute that leads to dependencies,
        of those for which `is_one` holds."""
        makers = {
            key: _maker(view, one)
            for key, one in self.labels.items()
            if is_one is None or is_one(one)
        }
        members = made(name, makers, more=self._more)
        return lambda: members

    def values(self) -> Callable[[], object]:
        """Returns what gives `ctx.attr`."""
        # What a rule has of its subrules, whose names no other attribute has, it does not see.
        every = {name: one for name, one in self._every.items() if "%" not in name}
        makers = {name: _maker(self._value, one) for name, one in every.items()}
        members = Members("attr", makers, more=self._more)
        return lambda: members

    def _unknown(self, unknown: Unknown, what: str) -> UnknownValue:
        return UnknownValue(unknown, what, self._context)

    def _value(self, attribute: AttributeOf) -> object:
        kind, value = attribute.definition.type, attribute.value
        if isinstance(value, Unknown):
            return self._unknown(value, f"ctx.attr.{attribute.definition.name}")
        is_dependency = kind in INPUT_TYPES and not attribute.definition.nodep
        if not is_dependency:
            if kind is AttributeType.BOOLEAN and isinstance(value, int):
                return bool(value)
            return as_starlark(self._context, value)
        if kind is AttributeType.LABEL:
            target = self._target(attribute, value)
            return starlark.List([target]) if attribute.is_split and target else target
        if kind is AttributeType.LABEL_LIST:
            return self._list(attribute, value)
        if attribute.is_split:
            return self._namespace(f"ctx.attr.{attribute.definition.name}")
        if kind is AttributeType.LABEL_KEYED_STRING_DICT:
            return starlark.Dict(
                {self._target(attribute, key): text for key, text in items_of(value)}
            )
        if kind is AttributeType.LABEL_LIST_DICT:
            return starlark.Dict(
                {key: self._list(attribute, part) for key, part in items_of(value)}
            )
        return starlark.Dict(
            {key: self._target(attribute, label) for key, label in items_of(value)}
        )

    def _namespace(self, name: str) -> UnknownValue:
        return self._unknown(not_modelled(name), name)

    def split(self, attribute: AttributeOf) -> object:
        """Returns what is in `ctx.split_attr`."""
        return self._namespace(f"ctx.split_attr.{attribute.definition.name}")

    def _list(self, attribute: AttributeOf, labels: object) -> object:
        each = labels if isinstance(labels, tuple) else ()
        return starlark.List([self._target(attribute, label) for label in each])

    def _target(self, attribute: AttributeOf, label: object) -> object:
        if label is None:
            return None
        if isinstance(label, Unknown):
            return self._unknown(label, f"ctx.attr.{attribute.definition.name}")
        assert isinstance(label, Label)
        target = attribute.targets[label]
        return self._unknown(target, str(label)) if isinstance(target, Unknown) else target

    @staticmethod
    def _targets(attribute: AttributeOf) -> tuple[TargetValue, ...] | Unknown:
        """The targets of an attribute in order, or why one cannot be told."""
        return all_known(
            label if isinstance(label, Unknown) else attribute.targets[label]
            for label in labels_of(attribute.value)
        )

    def _files_of(self, attribute: AttributeOf) -> tuple[FileValue, ...] | Unknown:
        targets = self._targets(attribute)
        return targets if isinstance(targets, Unknown) else files_of(t.implemented for t in targets)

    def files(self, attribute: AttributeOf) -> object:
        """Returns what is in `ctx.files`."""
        files = self._files_of(attribute)
        if isinstance(files, Unknown):
            return self._unknown(files, f"ctx.files.{attribute.definition.name}")
        return starlark.List(list(files))

    def file(self, attribute: AttributeOf) -> object:
        """Returns what is in `ctx.file`."""
        files = self._files_of(attribute)
        if isinstance(files, Unknown):
            return self._unknown(files, f"ctx.file.{attribute.definition.name}")
        return files[0] if len(files) == 1 else None

    def executable(self, attribute: AttributeOf) -> object:
        """Returns what is in `ctx.executable`."""
        targets = self._targets(attribute)
        if isinstance(targets, Unknown):
            return self._unknown(targets, f"ctx.executable.{attribute.definition.name}")
        return targets[0].implemented.default.executable if targets else None

    def of_subrule(self, attribute: AttributeOf) -> object:
        """Returns what a subrule gets for one of its attributes."""
        if attribute.definition.executable:
            targets = self._targets(attribute)
            if isinstance(targets, Unknown):
                return self._unknown(targets, attribute.definition.name)
            return targets[0].get_attr("files_to_run") if targets else None
        return self.file(attribute) if attribute.is_single_file else self._value(attribute)

    def runfiles(self, is_data: bool) -> list[Runfiles] | UnknownValue:
        """Returns what `ctx.runfiles` collects of dependencies: as data, or by themselves."""

        def of_attribute(name: str) -> list[Implemented] | Unknown:
            attribute = self._every.get(name)
            if attribute is None or attribute.definition.type not in INPUT_TYPES:
                return []
            targets = self._targets(attribute)
            return targets if isinstance(targets, Unknown) else [one.implemented for one in targets]

        collected = collected_runfiles(self._context, of_attribute, is_data)
        if isinstance(collected, Unknown):
            return self._unknown(collected, "ctx.runfiles(...)")
        return collected

    def outputs(
        self,
        rule: Rule,
        templates: object,
        files: Mapping[Label, FileValue],
        file_of: Callable[[Label], FileValue],
    ) -> dict[str, Callable[[], object]]:
        """Returns what gives the members of `ctx.outputs`: implicit outputs by their keys, and
        output attributes. `files` are the declared ones, `file_of` makes that of another label."""
        outputs: dict[str, Callable[[], object]] = {}
        explicit: set[Label] = set()
        for name, attribute in self._every.items():
            if attribute.definition.type not in OUTPUT_TYPES:
                continue
            what = f"ctx.outputs.{name}"
            if isinstance(attribute.value, Unknown):
                outputs[name] = _constant(self._unknown(attribute.value, what))
                continue
            of_attribute: list[object] = []
            for one in labels_of(attribute.value):
                if isinstance(one, Label):
                    explicit.add(one)
                    of_attribute.append(files.get(one) or file_of(one))
                else:
                    of_attribute.append(self._unknown(one, what))
            value: object = starlark.List(of_attribute)
            if attribute.definition.type is AttributeType.OUTPUT:
                value = of_attribute[0] if of_attribute else None
            outputs[name] = _constant(value)
        implicit = [label for label in rule.outputs if label not in explicit]
        keys = list(self._names_of_outputs(rule, templates))
        for index, key in enumerate(keys):
            if len(keys) == len(implicit):
                outputs[key] = _constant(files[implicit[index]])
            else:
                outputs[key] = _constant(self._namespace(f"ctx.outputs.{key}"))
        if templates is not None and not keys:
            for label in implicit:
                self._namespace("ctx.outputs").decides("a member")
                outputs[label.name] = _constant(files[label])
        return outputs

    def _names_of_outputs(self, rule: Rule, templates: object) -> Iterable[str]:
        """The names of implicit outputs, in their order. A function that says them is asked anew:
        a package keeps the files alone."""
        if starlark.is_function(templates):
            asked = parameters_of(templates)
            values: dict[str, object] = {
                name: as_starlark(self._context, one.value)
                for name, one in self._every.items()
                if name in asked
            }
            if "name" in asked:
                values["name"] = rule.label.name
            try:
                templates = starlark.call(templates, (), values, starlark.Thread())
            except StarlarkError:
                return ()  # Whoever loads the package tells it.
        if not isinstance(templates, dict):
            return ()
        return [one for one in templates if isinstance(one, str)]


def _maker(view: _View, attribute: AttributeOf) -> Callable[[], object]:
    return lambda: view(attribute)


def _constant(value: object) -> Callable[[], object]:
    return lambda: value
