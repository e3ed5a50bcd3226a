"""Collects the targets of one BUILD file while it runs.

Bazel: `Package.Builder`, `RuleFactory`. Errors that Bazel reports become diagnostics and the
target is made as far as it can be, so that one bad attribute costs that attribute only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.errors import Diagnostic, LabelError, Note, Severity, StarlarkError
from bazelscope.label import PackageId, parse_label
from bazelscope.loading.conversion import (
    CONVERTERS,
    Conversion,
    ConversionError,
    converter_for,
)
from bazelscope.loading.encoding import (
    SELECT,
    SELECTS,
    UNKNOWN,
    Encoded,
    encode_unknown,
    encode_value,
)
from bazelscope.loading.globs import PackageFiles
from bazelscope.loading.label_value import LabelStyle
from bazelscope.loading.opaque import Opaque
from bazelscope.loading.package_data import GROUP, INPUT, OUTPUT, RULE, TargetData
from bazelscope.loading.rule_kinds import AttributeSlot, RuleKind, expand_template
from bazelscope.loading.select_value import SelectValue
from bazelscope.loading.starlark_values import starlark_value
from bazelscope.loading.values import AttributeType, RuleClass
from bazelscope.source import SourceFile, Span
from bazelscope.unknown import Reason, Unknown

_PUBLIC_OR_PRIVATE = frozenset({"//visibility:public", "//visibility:private"})

NO_STACK = -1
"""The number of the stack of what no call made: the BUILD file itself."""


class PackageBuilder:
    """The package being evaluated. `files` is None where globs cannot be answered."""

    def __init__(
        self,
        package: PackageId,
        source: SourceFile,
        repo_mapping: Mapping[str, str],
        files: PackageFiles | None,
        style: LabelStyle,
        version: tuple[int, int, int],
    ) -> None:
        self.version = version
        self.id = package
        self.label_style = style
        self.source = source
        self.repo_mapping = repo_mapping
        self.files = files
        self.targets: dict[str, TargetData] = {}
        self.classes: list[RuleClass] = []
        self.stacks: list[starlark.RawStack] = []
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: dict[tuple[Reason, str], Unknown] = {}
        self.defaults: dict[str, Encoded] = {}
        self.package_was_called = False
        self.conversion = Conversion(package, repo_mapping, self.stack_number)
        self._class_numbers: dict[int, int] = {}
        self._stack_numbers: dict[int, int] = {}

    # ---- What natives call ----

    def add_rule(
        self, kind: RuleKind, positional: tuple[object, ...], keywords: Mapping[str, Any]
    ) -> None:
        """One call of a rule."""
        rule_class = kind.rule_class
        stack = len(self.stacks)
        self.stacks.append(starlark.capture_stack())
        name = keywords.get("name")
        if type(name) is not str:
            self._nameless(rule_class, name)
            return
        if positional:
            self.report(
                "positional-argument", f"{rule_class.name}: unexpected positional arguments"
            )
        self._check_name(name)
        conversion = self.conversion
        conversion.dependencies.current_stack = stack
        attributes: dict[str, Encoded] = {}
        slots = kind.slots
        for key, value in keywords.items():
            if value is None or key == "name":
                continue
            slot = slots.get(key)
            if slot is None:
                if rule_class.is_known:
                    self._no_such_attribute(name, key, kind)
                else:
                    attributes[key] = self._of_unknown_type(value)
                continue
            try:
                if type(value) is SelectValue:
                    attributes[key] = self._select(name, key, value, slot)
                else:
                    encoded = attributes[key] = slot.convert(conversion, value)
                    if slot.is_label_list and type(encoded) is tuple and len(encoded) > 1:
                        self._check_unique(name, key, (encoded,))
            except ConversionError as error:
                self._bad_value(name, key, rule_class, str(error))
        visibility = attributes.get("visibility")
        if visibility is not None:
            self._check_visibility(name, visibility, attributes)
        for key in kind.mandatory:
            if key not in attributes:
                self.report(
                    "missing-attribute",
                    f"{self._shown(name)}: missing value for mandatory attribute '{key}' in"
                    f" '{rule_class.name}' rule",
                )
        computed = self._computed(kind, name, attributes) if kind.computed else ()
        for key, label in kind.default_labels:
            if key not in attributes:
                conversion.dependencies.refer(label)
        outputs = self._outputs(kind, name, attributes)
        if not self._is_free(name, rule_class.name, outputs):
            conversion.retract(stack)
            return
        self.targets[name] = (
            RULE,
            self._class_number(rule_class),
            tuple(attributes.items()),
            outputs,
            stack,
            computed,
        )
        for output in outputs:
            if output != name:
                self.targets[output] = (OUTPUT, name, stack)

    def declare_unknown_rule(
        self, rule: Opaque, positional: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        """A symbol of an unknown file was called with `name =`."""
        name = rule.text.rpartition(".")[2] if "(" not in rule.text else rule.text
        self.record_unknown(
            Unknown(rule.unknown.reason, rule.text, str(rule.unknown), rule.unknown.location)
        )
        self.add_rule(RuleKind(RuleClass(name, {}, is_known=False)), (), keywords)

    def add_group(
        self, name: str, packages: tuple[str, ...], includes: tuple[Encoded, ...]
    ) -> None:
        """One call of `package_group`."""
        self._check_name(name)
        stack = self.push_stack()
        existing = self.targets.get(name)
        if existing is not None:
            self._duplicate(name, "package_group", existing)
            return
        self.targets[name] = (GROUP, packages, includes, stack)

    def export_file(self, name: str) -> None:
        """One file of `exports_files`."""
        try:
            name = parse_label(f":{name.removeprefix(':')}", self.id).name
        except LabelError as error:
            self.report("invalid-label", error.diagnostic.message)
            return
        existing = self.targets.get(name)
        if existing is None or existing[0] == INPUT:
            self.targets[name] = (INPUT, self.push_stack(), True)
        elif existing[0] == OUTPUT:
            self.report(
                "conflicting-target",
                f"generated label '{self._shown(name)}' conflicts with existing generated file",
            )

    def record_unknown(self, unknown: Unknown) -> None:
        """Something that the evaluation needed and could not know."""
        self.unknowns.setdefault((unknown.reason, unknown.subject), unknown)

    def report(
        self, code: str, message: str, notes: tuple[Note, ...] = (), warning: bool = False
    ) -> None:
        """An error of Bazel's, at the place that is being evaluated."""
        stack = starlark.call_stack()
        span = None
        if stack:
            place = stack[-1].location
            span = Span(place.path, place.line, place.column, place.line, place.column + 1)
        severity = Severity.WARNING if warning else Severity.ERROR
        self.diagnostics.append(
            Diagnostic(code, message, span, notes, call_stack=stack, severity=severity)
        )

    def push_stack(self) -> int:
        """Keeps the current call stack; gives its number."""
        self.stacks.append(starlark.capture_stack())
        return len(self.stacks) - 1

    def stack_number(self, raw: starlark.RawStack) -> int:
        """The number of a stack captured before; a select's is asked for again and again."""
        number = self._stack_numbers.get(id(raw))
        if number is None:
            number = self._stack_numbers[id(raw)] = len(self.stacks)
            self.stacks.append(raw)
        return number

    # ---- Attributes ----

    def _select(self, name: str, key: str, value: SelectValue, slot: AttributeSlot) -> Encoded:
        if not slot.configurable and value.has_select:
            raise ConversionError(f'attribute "{key}" is not configurable')
        if len(value.parts) > 1 and not slot.joinable:
            raise ConversionError(f"type '{slot.kind.value}' doesn't support select concatenation")
        encoded = self.conversion.selects(value, slot.convert)
        if slot.is_label_list:
            self._check_unique(name, key, encoded[1])
        return encoded

    def _of_unknown_type(self, value: object) -> Encoded:
        convert = CONVERTERS[AttributeType.UNKNOWN]
        try:
            if type(value) is SelectValue:
                return self.conversion.selects(value, convert)
            return convert(self.conversion, value)
        except (ConversionError, RecursionError) as error:
            return encode_unknown(Unknown(Reason.FAILED, "an argument", str(error)))

    def _check_unique(self, name: str, key: str, parts: tuple[Encoded, ...]) -> None:
        """Bazel refuses a label that stands twice in one attribute, across selects too."""
        seen: set[str] = set()
        for part in parts:
            if type(part) is tuple:
                branches: tuple[Encoded, ...] = (part,)
            elif type(part) is list and part[0] == SELECT:
                branches = tuple(value for _, value in part[1] if type(value) is tuple)
            else:
                continue
            union: set[str] = set()
            for labels in branches:
                texts = [text for text in labels if type(text) is str]
                distinct = set(texts)
                if len(distinct) < len(texts) or not distinct.isdisjoint(seen):
                    twice = next(
                        text for at, text in enumerate(texts) if text in seen or text in texts[:at]
                    )
                    self.report(
                        "duplicate-label",
                        f"Label '{twice}' is duplicated in the '{key}' attribute of rule '{name}'",
                    )
                    return
                union |= distinct
            seen |= union

    def _check_visibility(self, name: str, labels: Encoded, attributes: dict[str, Encoded]) -> None:
        """Before Bazel 6, public and private visibility stand alone."""
        if type(labels) is not tuple or len(labels) < 2 or self.version >= (6, 0, 0):
            return
        if not _PUBLIC_OR_PRIVATE.isdisjoint(label for label in labels if type(label) is str):
            del attributes["visibility"]
            self.report(
                "bad-visibility",
                f"{self._shown(name)} Public or private visibility labels (e.g."
                " //visibility:public or //visibility:private) cannot be used in combination"
                " with other labels",
            )

    def _computed(
        self, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
    ) -> tuple[tuple[str, Encoded], ...]:
        """Defaults that Starlark functions compute from other attributes."""
        results = []
        for key, function in kind.computed.items():
            if key in attributes:
                continue
            try:
                arguments = self._arguments_of(function, kind, name, attributes)
                value = starlark.call(function, (), arguments, starlark.Thread())
                definition = kind.rule_class.attributes[key]
                encoded = converter_for(definition.type, definition.nodep)(self.conversion, value)
                if value is None:
                    encoded = None
            except (ConversionError, StarlarkError, KeyError, ValueError) as error:
                encoded = encode_unknown(
                    Unknown(Reason.NEEDS_ANALYSIS, f"default of `{key}`", str(error))
                )
            results.append((key, encoded))
        return tuple(results)

    def _outputs(
        self, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
    ) -> tuple[str, ...]:
        """The files that the rule generates: output attributes, then implicit outputs."""
        names: dict[str, None] = {}
        prefix = len(str(self.id)) + 1
        for key, slot_kind in kind.output_attributes:
            value = attributes.get(key)
            texts = value if slot_kind is AttributeType.OUTPUT_LIST else (value,)
            if type(texts) is tuple:
                for text in texts:
                    if type(text) is str:
                        names[text[prefix:]] = None
        templates = kind.outputs
        for needed, further in kind.conditional:
            if not needed.isdisjoint(attributes):
                templates = (*templates, *((template, template) for template in further))
        if kind.outputs_function is not None:
            templates = self._called_outputs(kind, name, attributes)
        values = _WithDefaults(kind.rule_class, attributes)
        for _, template in templates:
            try:
                for output in expand_template(template, name, values):
                    names[output] = None
            except (KeyError, ValueError) as error:
                self.record_unknown(
                    Unknown(
                        Reason.DEPENDS_ON_UNKNOWN,
                        f"outputs of {self._shown(name)}",
                        f"template `{template}`: {error}",
                    )
                )
        return tuple(names)

    def _called_outputs(
        self, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
    ) -> tuple[tuple[str, str], ...]:
        function = kind.outputs_function
        assert function is not None
        try:
            arguments = self._arguments_of(function, kind, name, attributes)
            result = starlark.call(function, (), arguments, starlark.Thread())
        except (StarlarkError, KeyError, ValueError) as error:
            self.record_unknown(
                Unknown(Reason.FAILED, f"outputs of {self._shown(name)}", str(error))
            )
            return ()
        if not isinstance(result, dict):
            return ()
        return tuple(
            (key, value)
            for key, value in result.items()
            if isinstance(key, str) and isinstance(value, str)
        )

    def _arguments_of(
        self, function: Any, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
    ) -> dict[str, object]:
        """The attributes that a callback asks for by its parameters' names."""
        arguments: dict[str, object] = {}
        code = function.__code__
        for parameter in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if parameter == "name":
                arguments[parameter] = name
                continue
            definition = kind.rule_class.attributes.get(parameter)
            if definition is None:
                raise KeyError(parameter)
            encoded = attributes.get(parameter)
            if parameter not in attributes:
                encoded = encode_value(definition.default)
            if type(encoded) is list and encoded[0] in (SELECTS, UNKNOWN):
                raise ValueError(f"attribute `{parameter}` is configurable or unknown")
            arguments[parameter] = starlark_value(
                encoded, definition.type, self.label_style, self.id
            )
        return arguments

    # ---- Targets ----

    def _is_free(self, name: str, kind: str, outputs: tuple[str, ...]) -> bool:
        """Whether the names of a new rule and of its outputs are free. Bazel leaves the
        whole rule out if one is not."""
        existing = self.targets.get(name)
        if existing is not None and existing[0] != INPUT:
            self._duplicate(name, kind, existing)
            return False
        for output in outputs:
            existing = self.targets.get(output)
            if output == name:
                # Bazel lets an output bear its rule's own name; the rule is what is found.
                self.report(
                    "output-named-as-rule",
                    f"target '{output}' is both a rule and a file; please choose another name"
                    " for the rule",
                    warning=True,
                )
            elif existing is not None:
                self.report(
                    "conflicting-target",
                    f"generated file '{output}' in rule '{name}' conflicts with existing"
                    f" {_described(existing, self.classes)}",
                )
                return False
        return True

    def _class_number(self, rule_class: RuleClass) -> int:
        number = self._class_numbers.get(id(rule_class))
        if number is None:
            number = self._class_numbers[id(rule_class)] = len(self.classes)
            self.classes.append(rule_class)
        return number

    # ---- Errors ----

    def _shown(self, name: str) -> str:
        return f"{self.id}:{name}"

    def _check_name(self, name: str) -> None:
        try:
            parse_label(f":{name}", self.id)
        except LabelError as error:
            self.report("invalid-name", error.diagnostic.message)

    def _nameless(self, rule_class: RuleClass, name: object) -> None:
        if isinstance(name, Opaque | SelectValue):
            self.record_unknown(
                Unknown(
                    Reason.DEPENDS_ON_UNKNOWN,
                    f"a {rule_class.name} of {self.id}",
                    f"its name is {starlark.str_of(name)}",
                )
            )
        elif name is None:
            self.report("missing-name", f"{rule_class.name} rule has no 'name' attribute")
        else:
            self.report("invalid-name", f"{rule_class.name} 'name' attribute must be a string")

    def _no_such_attribute(self, name: str, key: str, kind: RuleKind) -> None:
        self.report(
            "no-such-attribute",
            f"{self._shown(name)}: no such attribute '{key}' in '{kind.rule_class.name}' rule",
        )

    def _bad_value(self, name: str, key: str, rule_class: RuleClass, why: str) -> None:
        expected = why.startswith("expected value of type")
        if expected:
            head, _, tail = why.partition(", but got")
            why = f"{head} for attribute '{key}' in '{rule_class.name}' rule, but got{tail}"
        self.report("bad-attribute", f"{self._shown(name)}: {why}")

    def _duplicate(self, name: str, kind: str, existing: TargetData) -> None:
        self.report(
            "duplicate-target",
            f"{kind} rule '{name}' in package '{self.id.package}' conflicts with existing"
            f" {_described(existing, self.classes)}",
        )


class _WithDefaults(Mapping[str, Encoded]):
    """The attributes of a rule, those that were not set by the class's default."""

    def __init__(self, rule_class: RuleClass, explicit: Mapping[str, Encoded]) -> None:
        self._class = rule_class
        self._explicit = explicit

    def __getitem__(self, name: str) -> Encoded:
        if name in self._explicit:
            return self._explicit[name]
        return encode_value(self._class.attributes[name].default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._class.attributes)

    def __len__(self) -> int:
        return len(self._class.attributes)


def _described(target: TargetData, classes: list[RuleClass]) -> str:
    """An existing target, in the words of Bazel's conflict messages."""
    if target[0] == RULE:
        return f"{classes[target[1]].name} rule"
    if target[0] == OUTPUT:
        return f"generated file from rule '{target[1]}'"
    return "source file" if target[0] == INPUT else "package group"
