"""Collects the targets of one BUILD file while it runs.

Bazel: `Package.Builder`, `RuleFactory`. Errors that Bazel reports become diagnostics and the
target is made as far as it can be, so that one bad attribute costs that attribute only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LabelError, Note, Severity, StarlarkError
from bazelscope.base.label import Label, PackageId, checked_name, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.base.source import SourceFile, Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.encoded_values import Encoded, encode_unknown
from bazelscope.bazel.native_defaults import from_other_attributes
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.build_files.macro_names import MacroNames
from bazelscope.loading.evaluation.build_files.nested_outputs import input_made, nested_output
from bazelscope.loading.evaluation.build_files.package_wording import described, place_of
from bazelscope.loading.evaluation.evaluation_context import MacroFrame, doubted
from bazelscope.loading.evaluation.rules.macro_names import check_for_macro
from bazelscope.loading.evaluation.rules.rule_arguments import attributes_of_call, timeout_of
from bazelscope.loading.evaluation.rules.rule_outputs import computed_defaults, output_names
from bazelscope.loading.evaluation.rules.unknown_rules import UnknownRules
from bazelscope.loading.evaluation.values.label_value import LabelStyle
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.encoded_targets import (
    INPUT,
    OUTPUT,
    RULE,
    TargetData,
    class_number,
    encoded_environments,
    encoded_group,
    encoded_input,
    encoded_output,
    encoded_rule,
    generating_rule,
    is_exported,
    own_visibility,
    shape_of,
)
from bazelscope.loading.packages.encoded_targets import output_names as outputs_of
from bazelscope.loading.packages.macro_homes import HomeData
from bazelscope.loading.packages.package_data import labels_of
from bazelscope.loading.packages.stacks import CapturedStacks, StackTable
from bazelscope.loading.packages.targets import TAKEN_BRANCH
from bazelscope.loading.tree.globs import PackageFiles

_MOST_CALLS = 250_000
"""A macro that calls itself twice, forty macros deep, would fill the memory with targets."""
_PUBLIC, _PRIVATE = ("//visibility:public",), ("//visibility:private",)
_CONSTANTS = (_PUBLIC, _PRIVATE)

NO_STACK = -1
"""The number of the stack of what no call made: the BUILD file itself."""

_OF_TESTS = "javatests/"
"""Packages below this are `testonly` unless `package()` or a target says otherwise."""


class PackageBuilder:
    """The package being evaluated. `files` is None where globs cannot be answered."""

    def __init__(
        self,
        package: PackageId,
        source: SourceFile,
        repo_mapping: Mapping[str, str],
        files: PackageFiles | None,
        style: LabelStyle,
        release: Release,
        unknown_rules: UnknownRules,
    ) -> None:
        self.release = release
        self._unknown_rules = unknown_rules
        self.id = package
        self.label_style = style
        self.source = source
        self.repo_mapping = repo_mapping
        self.files = files
        self.targets: dict[str, TargetData] = {}
        self.classes: list[RuleClass] = []
        self.stacks = CapturedStacks()
        self.frames = StackTable()
        """The frames of those stacks that were looked at."""
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: dict[tuple[Reason, str], Unknown] = {}
        self.may_lack: Unknown | None = None
        """Why files may be targets here that nothing tells of: a glob without an answer."""
        self.may_declare: Unknown | None = None
        """What unknown may have declared targets of any name."""
        # Bazel: the constructor of `Package.Builder`.
        self.defaults: dict[str, Encoded] = (
            {"testonly": True} if package.package.startswith(_OF_TESTS) else {}
        )
        self.package_was_called = False
        self.environment_groups: dict[Label, tuple[Label, Span | None, tuple[Label, ...]]] = {}
        """By environment, the first group that has it, where that is, and all of the group."""
        self.macros: list[MacroFrame] = []
        """The symbolic macros that are running, the innermost last."""
        self.macro_names: set[str] = set()
        """The names of all that were called."""
        self.licensed_files: set[str] = set()
        """Files that `exports_files` has given licenses."""
        self.homes: dict[int, HomeData] = {}
        """By stack number of what a symbolic macro declares."""
        self.rules_before_finalizers: tuple[str, ...] | None = None
        """The targets that finalizers see; None before they run."""
        self.shown_rules: dict[str, tuple[TargetData, starlark.Dict]] = {}
        """Rules as `existing_rules()` shows them, as far as it was asked."""
        self.finalizers: list[tuple[MacroFrame, Mapping[str, object]]] = []
        """Macros to run when the file is through, and their arguments."""
        # By a method of the stacks, not of this builder: it would never die by itself.
        number = self.stacks.number
        self._conversion = Conversion(package, repo_mapping, number, release)
        # What a symbolic macro's targets name makes no source files.
        self._conversion_in_macros = Conversion(package, repo_mapping, number, release)
        self._names = MacroNames(source)
        self._directories: dict[str, tuple[str, str]] = {}
        """Directories of generated files, with the first such file and its rule."""
        self._class_numbers: dict[int, int] = {}
        self._reported: set[tuple[str, str]] = set()

    # ---- What natives call ----

    @property
    def conversion(self) -> Conversion:
        """What converts the arguments of the call that is running."""
        return self._conversion_in_macros if self.macros else self._conversion

    def add_rule(
        self, kind: RuleKind, positional: tuple[object, ...], keywords: Mapping[str, Any]
    ) -> None:
        """One call of a rule."""
        rule_class = kind.rule_class
        stack = len(self.stacks)
        if stack >= _MOST_CALLS:
            starlark.fail_with(f"more than {_MOST_CALLS} calls of rules in one package")
        starlark.charge(_steps_of(keywords))
        self.push_stack()
        if positional:
            self.refuse("positional-argument", "unexpected positional arguments")
            return
        name = keywords.get("name")
        if type(name) is not str:
            self._nameless(rule_class, name, "name" in keywords)
            return
        if not self._check_name(name, "rule"):
            return
        conversion = self.conversion
        conversion.dependencies.current_stack = stack
        attributes = attributes_of_call(self, kind, name, keywords)
        computed = computed_defaults(self, kind, name, attributes) if kind.computed else ()
        if kind.is_native:
            computed = from_other_attributes(self.id, rule_class, attributes, self.release)
        if rule_class.is_test and "timeout" not in attributes:
            computed = (*computed, ("timeout", timeout_of(attributes.get("size"))))
        for key, label in kind.default_labels:
            if key not in attributes:
                conversion.dependencies.refer(label)
        doubt = starlark.doubt_here()
        if doubt is not None:
            computed = (*computed, (TAKEN_BRANCH, encode_unknown(doubt)))
        outputs = output_names(self, kind, name, attributes)
        try:
            both = input_made(self.id, rule_class, attributes, outputs) if outputs else None
            if both is not None:
                message = f"rule '{name}' has file '{both}' as both an input and an output"
                self.refuse("input-is-output", message)
            is_free = self._is_free(name, rule_class, outputs)
        except StarlarkError:
            conversion.retract(stack)
            raise
        if not is_free:
            conversion.retract(stack)
            return
        self._remove(name)
        self.targets[name] = encoded_rule(
            self._class_number(rule_class), tuple(attributes.items()), outputs, stack, computed
        )
        for output in outputs:
            if output != name and (rule_class.is_known or output not in self.targets):
                self.targets[output] = encoded_output(name, stack)

    def declare_unknown_rule(self, rule: UnknownValue, keywords: Mapping[str, object]) -> None:
        """A symbol of an unknown file was called with `name =`: adds what it may be."""
        kind = self._unknown_rules.kind(rule.name, keywords, self.conversion)
        unknown = Unknown(rule.unknown.reason, rule.text, str(rule.unknown), rule.unknown.location)
        if isinstance(keywords.get("name"), str):
            self.unknowns.setdefault((unknown.reason, unknown.subject), unknown)
        else:
            self.record_unknown(unknown)
        self.add_rule(kind, (), keywords)

    def add_group(
        self, name: str, packages: tuple[str, ...], includes: tuple[Encoded, ...]
    ) -> None:
        """One call of `package_group`."""
        if not self._check_name(name, "package group"):
            return
        stack = self.push_stack()
        existing = self._certain(name)
        if existing is not None:
            self._duplicate(name, "package group", existing)
            return
        self.targets[name] = encoded_group(packages, includes, stack)

    def add_environments(self, name: str, environments: Encoded, defaults: Encoded) -> None:
        """One call of `environment_group`; each environment belongs to one group."""
        if not self._check_name(name, "environment group"):
            return
        existing = self._certain(name)
        if existing is not None:
            self._duplicate(name, "environment group", existing)
            return
        self.targets[name] = encoded_environments(environments, defaults, self.push_stack())
        group = Label(self.id.repository, self.id.package, name)
        place = self._error("", "", (), is_warning=False).span
        members = labels_of(environments)
        for label in members:
            first = self.environment_groups.setdefault(label, (group, place, members))[0]
            if first != group:
                message = f"environment {label} belongs to both {group} and {first}"
                self.report("invalid-environment-group", message)

    def export_file(self, name: str, visibility: tuple[Encoded, ...] | None = None) -> None:
        """One file of `exports_files`; without visibility it is public.

        Another call may export it again only with the same visibility, public or private.
        Bazel: `Package.Builder.createInputFile`, which compares objects.
        """
        try:
            name = parse_label(f":{name}", self.id).name
        except LabelError as error:
            self.refuse("invalid-label", error.diagnostic.message)
            return
        existing = self.targets.get(name)
        if existing is not None and shape_of(existing) == INPUT and is_exported(existing):
            seen_by = own_visibility(existing)
            before = _PUBLIC if seen_by is None else seen_by
            again = _PUBLIC if visibility is None else visibility
            if before != again or before not in _CONSTANTS:
                self.refuse(
                    "exported-twice", f"visibility for exported file '{name}' declared twice"
                )
            return
        if existing is None or shape_of(existing) == INPUT:
            own = () if visibility is None else (visibility,)
            self.targets[name] = encoded_input(self.push_stack(), True, *own)
        elif shape_of(existing) == OUTPUT:
            self.refuse(
                "conflicting-target",
                f"generated label '{self.shown(name)}' conflicts with existing generated file",
            )
        else:
            self._conflict("conflicting-target", f"generated label '{self.shown(name)}'", existing)

    def record_unknown(self, unknown: Unknown) -> None:
        """Something that the evaluation needed and could not know."""
        self.may_declare = self.may_declare or unknown
        self.unknowns.setdefault((unknown.reason, unknown.subject), unknown)

    def report(
        self, code: str, message: str, notes: tuple[Note, ...] = (), warning: bool = False
    ) -> None:
        """Adds an error of Bazel's, at the place that is being evaluated."""
        error = self._error(code, message, notes, warning)
        doubt = None if warning else doubted(error)
        if doubt is not None:
            self.record_unknown(doubt)
        else:
            self.diagnostics.append(error)

    def refuse(self, code: str, message: str, notes: tuple[Note, ...] = ()) -> None:
        """Raises an error that ends the statement, and the file with it where this Bazel stops
        at a failing statement."""
        error = self._error(code, message, notes, is_warning=False)
        doubt = doubted(error)
        if doubt is None:
            raise StarlarkError(error)
        self.record_unknown(doubt)

    def _error(
        self, code: str, message: str, notes: tuple[Note, ...], is_warning: bool
    ) -> Diagnostic:
        stack = starlark.call_stack()
        span = stack[-1].location.span if stack else None
        severity = Severity.WARNING if is_warning else Severity.ERROR
        return Diagnostic(code, message, span, notes, call_stack=stack, severity=severity)

    def report_once(self, subject: str, code: str, message: str) -> None:
        """Adds an error unless one with this code was added for `subject` before."""
        if (code, subject) not in self._reported:
            self._reported.add((code, subject))
            self.report(code, message)

    def push_stack(self) -> int:
        """Keeps the current call stack; gives its number."""
        stack = self.current_stack()
        if self.macros:
            self.homes[len(self.stacks)] = self.macros[-1].home
        self.stacks.append(stack)
        return len(self.stacks) - 1

    def current_stack(self) -> starlark.RawStack:
        """The current call stack; a finalizer's goes on where it was called."""
        stack = starlark.capture_stack()
        if not self.macros:
            return stack
        finalizer = next((frame for frame in reversed(self.macros) if frame.is_finalizer), None)
        return (*stack, *finalizer.called) if finalizer is not None else stack

    @memoized
    def generator(self, stack: int) -> tuple[str, str | None] | None:
        """The macro that made the rule of a stack, and the literal `name` that it was called with;
        None for a rule that the BUILD file calls itself."""
        return self.made_by(self.frames.encode(self.stacks[stack]))

    def made_by(self, frames: tuple[int, ...]) -> tuple[str, str | None] | None:
        """Returns what `generator` does, of a stack that is encoded."""
        made = None
        if len(frames) > 1:
            _, _, line, column = self.frames.frames[frames[0]]
            made = (self.frames.frames[frames[1]][0], self._names.at(line, column))
        return made

    def stack_number(self, raw: starlark.RawStack) -> int:
        """The number of a stack captured before."""
        return self.stacks.number(raw)

    # ---- Targets ----

    def _certain(self, name: str) -> TargetData | None:
        """The target of that name, but one that a symbol of an unknown file may have made: as a
        macro it need not, and then gives way to one that is known."""
        target = self.targets.get(name)
        rule = target
        if target is not None and shape_of(target) == OUTPUT:
            rule = self.targets.get(generating_rule(target))
        if rule is None or shape_of(rule) != RULE or self.classes[class_number(rule)].is_known:
            return target
        return None

    def _remove(self, name: str) -> None:
        """Takes away the rule of that name, if there is one, with its outputs."""
        old = self.targets.pop(name, None)
        for output in outputs_of(old) if old is not None and shape_of(old) == RULE else ():
            self.targets.pop(output, None)

    def _is_free(self, name: str, rule_class: RuleClass, outputs: tuple[str, ...]) -> bool:
        """Whether the names of a new rule and of its outputs are free. Bazel leaves the
        whole rule out if one is not."""
        if not rule_class.is_known:
            return name not in self.targets
        existing = self._certain(name)
        if existing is not None:
            self._duplicate(name, f"{rule_class.name} rule", existing)
            return False
        check_for_macro(self, name, "target")
        own: set[str] = set()
        for output in outputs:
            existing = self._certain(output)
            if output == name:
                # Bazel lets an output bear its rule's own name; the rule is what is found.
                self.report(
                    "output-named-as-rule",
                    f"target '{output}' is both a rule and a file; please choose another name"
                    " for the rule",
                    warning=True,
                )
            elif output in own:
                existing = encoded_output(name, len(self.stacks) - 1)
            if output != name and existing is not None:
                self._conflict(
                    "conflicting-target", f"generated file '{output}' in rule '{name}'", existing
                )
                return False
            problem = nested_output(self.targets, self._directories, name, output, own)
            if problem is not None:
                self.refuse("nested-outputs", problem)
                return False
            own.add(output)
        return True

    def _class_number(self, rule_class: RuleClass) -> int:
        number = self._class_numbers.get(id(rule_class))
        if number is None:
            number = self._class_numbers[id(rule_class)] = len(self.classes)
            self.classes.append(rule_class)
        return number

    # ---- Errors ----

    def shown(self, name: str) -> str:
        return f"{self.id}:{name}"

    def _check_name(self, name: str, what: str) -> bool:
        """Whether a target can have that name; if not, that is reported."""
        try:
            checked_name(f"//:{name}", name)
        except LabelError as error:
            self.refuse("invalid-name", f"illegal {what} name: {name}: {error.reason}")
            return False
        return True

    def _nameless(self, rule_class: RuleClass, name: object, given: bool) -> None:
        if isinstance(name, UnknownValue):
            self.record_unknown(
                Unknown(
                    Reason.DEPENDS_ON_UNKNOWN,
                    f"a {rule_class.name} of {self.id}",
                    f"its name is {starlark.str_of(name)}",
                )
            )
        elif not given:
            self.refuse("missing-name", f"{rule_class.name} rule has no 'name' attribute")
        else:
            self.refuse("invalid-name", f"{rule_class.name} 'name' attribute must be a string")

    def _duplicate(self, name: str, kind: str, existing: TargetData) -> None:
        self._conflict(
            "duplicate-target", f"{kind} '{name}' in package '{self.id.package}'", existing
        )

    def _conflict(self, code: str, what: str, existing: TargetData) -> None:
        place = place_of(existing, self.stacks)
        notes = () if place is None else (Note("first defined here", place.span),)
        self.refuse(
            code,
            f"{what} conflicts with existing"
            f" {described(existing, self.classes, self.stacks, self.release)}",
            notes,
        )


def _steps_of(keywords: Mapping[str, object]) -> int:
    """What it takes to convert the arguments of a rule."""
    steps = 20
    for value in keywords.values():
        if isinstance(value, list | tuple | dict):
            steps += len(value)
        elif type(value) is str:
            steps += len(value) >> 6
    return steps
