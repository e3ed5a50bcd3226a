"""Symbolic macros: what `macro()` returns, and what one call of it does (Bazel 8 and newer).

Bazel: `MacroClass`, `MacroInstance`, `StarlarkRuleClassFunctions.macro`. A call checks and converts
its arguments as a rule does, promotes them to select()s, and runs the implementation at once; a
finalizer's runs when the rest of the BUILD file is through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any, ClassVar, cast

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.label import PackageId
from bazelscope.base.nearest import bazels_suggestion
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason
from bazelscope.bazel.attribute_types import INPUT_TYPES, AttributeDefinition, AttributeType
from bazelscope.bazel.encoded_values import Encoded, encode_value, texts_of
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion, ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import converter_for
from bazelscope.loading.evaluation.attribute_values.starlark_values import (
    NotRepresentableError,
    starlark_value,
)
from bazelscope.loading.evaluation.evaluation_context import (
    CurrentPackage,
    EvaluationContext,
    MacroFrame,
)
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.symbolic_values import SelectCall, SelectValue
from bazelscope.loading.packages.macro_homes import NAMING_RULES, HomeData, Packages, with_package

_PRIVATE = "//visibility:private"
_RESERVED = frozenset({"name", "visibility"})
_UNDOCUMENTED = frozenset(
    {
        *("applicable_licenses", "expect_failure", "transitive_configs", "distribs", "licenses"),
        *("generator_function", "generator_location", "generator_name"),
    }
)
"""Common attributes that BUILD files do not set: macros do not inherit them."""


class SymbolicMacro(Exportable):
    """What `macro()` returns. Calling it runs the implementation."""

    starlark_type: ClassVar[str] = "macro"
    __slots__ = ("_context", "_place", "attributes", "defined_in", "implementation", "is_finalizer")

    def __init__(
        self,
        context: EvaluationContext,
        implementation: Callable[..., object],
        attributes: Mapping[str, AttributeDefinition],
        is_finalizer: bool,
    ) -> None:
        self.name = ""
        self._context = context
        self.implementation = implementation
        self.attributes = attributes
        self.is_finalizer = is_finalizer
        # A function of another file may have made it; it belongs to the file that exports it.
        made = starlark.call_stack()[0].location
        self._place = Location(made.path, made.line, 1)
        file = context.label_of_path.get(made.path)
        self.defined_in = context.calling_file() if file is None else file.package_id

    def __call__(self, /, *arguments: object, **keywords: object) -> None:
        if self._context.package is None:
            starlark.fail_with(
                "a symbolic macro can only be instantiated while evaluating a BUILD file or a"
                " legacy or symbolic macro"
            )
        if not self.name:
            starlark.fail_with(
                "Cannot instantiate a macro that has not been exported (assign it to a global"
                " variable in the .bzl where it's defined)"
            )
        self._context.refuse_in_initializer("a symbolic macro")
        builder = self._context.current_package(self.name)
        if self.is_finalizer and builder.macros and not builder.macros[-1].is_finalizer:
            starlark.fail_with(
                "Cannot instantiate a rule finalizer within a non-finalizer symbolic macro. Rule"
                " finalizers may only be instantiated while evaluating a BUILD file, a legacy"
                " macro called from a BUILD file, or another rule finalizer."
            )
        if arguments:
            starlark.fail_with("unexpected positional arguments")
        values, given = self._values(builder, keywords)
        name = values["name"]
        if not isinstance(name, str):
            builder.record_unknown(
                self._context.unknown(
                    Reason.DEPENDS_ON_UNKNOWN, f"a {self.name} of {builder.id}"
                ).unknown
            )
            return
        self._check_name(builder, name)
        frame = self._frame(builder, name, given)
        if self.is_finalizer:
            builder.finalizers.append((frame, values))
        else:
            run_macro(builder, frame, values)

    def _check_name(self, builder: CurrentPackage, name: str) -> None:
        """Bazel: `TargetRecorder.checkMacroName`, `MacroClass.getRecursionErrorMessage`."""
        from bazelscope.loading.evaluation.rules.macro_names import check_for_macro

        around = builder.macros[-1] if builder.macros else None
        if name in builder.targets:
            starlark.fail_with(f"macro '{name}' conflicts with an existing target.")
        check_for_macro(builder, name, "macro")
        if around is not None and not around.admits(name):
            starlark.fail_with(
                f"macro '{around.name}' cannot declare submacro named '{name}'. {NAMING_RULES}"
            )
        if any(outer.macro is self for outer in builder.macros):
            direct = "a direct" if around is not None and around.macro is self else "an indirect"
            first = next(outer for outer in builder.macros if outer.macro is self)
            starlark.fail_with(f"macro '{name}' is {direct} recursive call of '{first.name}'.")
        builder.macro_names.add(name)
        if around is not None and around.name == name:
            around.has_main = True

    def _frame(self, builder: CurrentPackage, name: str, given: frozenset[str]) -> MacroFrame:
        run = self.implementation
        if isinstance(run, FunctionType):
            run = starlark.behind_frame(run, self.name, self._place)
        called = builder.current_stack()
        if not builder.macros:
            builder.conversion.mention(given, builder.stack_number(called))
        home = self._home(builder, name, given, len(starlark.decode_stack(called)) + 1)
        around = tuple(builder.macros)
        return MacroFrame(self, name, home, run, self.is_finalizer, around, called)

    def _home(
        self, builder: CurrentPackage, name: str, given: frozenset[str], depth: int
    ) -> HomeData:
        """Where targets that the macro declares itself see others from.

        Bazel: `CommonPrerequisiteValidator.isVisibleToConsumer`.
        """
        packages: Packages = (self.defined_in,)
        if self.is_finalizer and self._context.release.finalizers_see_for_packages:
            packages = (*packages, builder.id)
        passed: dict[str, Packages] = {}
        for label in sorted(given):
            if not builder.macros:
                passed[label] = (builder.id,)
            else:
                _, _, own, before = builder.macros[-1].home
                passed[label] = before.get(label, own)
        return name, depth, packages, passed

    def _values(
        self, builder: CurrentPackage, keywords: Mapping[str, object]
    ) -> tuple[dict[str, object], frozenset[str]]:
        """What the implementation gets, and the labels that are among it.

        Bazel: `MacroClass.instantiateMacro`, `MacroInstance.visitExplicitAttributeLabels`.
        """
        for key, value in keywords.items():
            if key not in self.attributes and key not in _RESERVED:
                near = bazels_suggestion(key, self.attributes)
                hint = f" (did you mean '{near}'?)" if near else ""
                starlark.fail_with(f"no such attribute '{key}' in '{self.name}' macro{hint}")
            if value is not None and key.startswith("_"):
                starlark.fail_with(f"cannot set value of implicit attribute '{key}'")
        given = {key: value for key, value in keywords.items() if value is not None}
        if "name" not in given:
            starlark.fail_with(
                f"missing value for mandatory attribute 'name' in '{self.name}' macro"
            )
        # Labels that a macro is given are no dependencies before a rule has them.
        conversion = Conversion(builder.id, builder.repo_mapping, builder.stack_number)
        values: dict[str, object] = {
            "name": given["name"],
            "visibility": self._visibility(builder, conversion, given.get("visibility")),
        }
        labels: set[str] = set()
        for key, attribute in self.attributes.items():
            if key in given:
                encoded = self._converted(conversion, key, attribute, given[key])
            elif attribute.mandatory:
                starlark.fail_with(
                    f"missing value for mandatory attribute '{key}' in '{self.name}' macro"
                )
            else:
                encoded = encode_value(attribute.default)
            values[key] = self._for_implementation(attribute, encoded, builder.id)
            if key[0] != "_" and attribute.type in INPUT_TYPES and not attribute.nodep:
                labels.update(texts_of(encoded))
        return values, frozenset(labels)

    def _converted(
        self, conversion: Conversion, key: str, attribute: AttributeDefinition, value: object
    ) -> Encoded:
        convert = converter_for(attribute.type, attribute.nodep)
        try:
            if isinstance(value, SelectValue):
                if value.has_select and not attribute.configurable:
                    raise ConversionError(f'attribute "{key}" is not configurable')
                return conversion.selects(value, convert)
            return convert(conversion, value)
        except ConversionError as error:
            from bazelscope.loading.evaluation.attribute_values.wrong_values import wrong_value

            raise starlark.fail_with(
                wrong_value(f"attribute '{key}' of '{self.name}'", self.name, error)
            ) from error

    def _for_implementation(
        self, attribute: AttributeDefinition, encoded: Encoded, package: PackageId
    ) -> object:
        """The value as the implementation sees it: labels are `Label`s, and what may be a
        select() is one."""
        if encoded is None:
            return None
        try:
            value = starlark_value(encoded, attribute.type, self._context.label_style, package)
        except NotRepresentableError:
            return self._context.unknown(Reason.DEPENDS_ON_UNKNOWN, f"an argument of {self.name}")
        value = starlark.List(value) if isinstance(value, tuple) else value
        starlark.freeze(value)
        if isinstance(value, SelectValue) or not attribute.configurable:
            return value
        default = (("//conditions:default", value),)
        return SelectValue((SelectCall(default, "", starlark.capture_stack()),))

    def _visibility(self, builder: CurrentPackage, conversion: Conversion, given: object) -> object:
        """The visibility that was passed, or the default, and where the call stands."""
        around = builder.macros[-1] if builder.macros else None
        if given is not None:
            nodep = AttributeDefinition(
                "visibility", AttributeType.LABEL_LIST, configurable=False, nodep=True
            )
            visibility = self._converted(conversion, "visibility", nodep, given)
        else:
            visibility = (_PRIVATE,) if around else builder.defaults.get("visibility", (_PRIVATE,))
        if type(visibility) is not tuple:
            return given
        home = around.package if around is not None else builder.id
        labels = with_package(visibility, home)
        kind = AttributeType.LABEL_LIST
        texts = cast(
            "tuple[Any, ...]", starlark_value(labels, kind, self._context.label_style, home)
        )
        shown = starlark.List(texts)
        starlark.freeze(shown)
        return shown


def run_macro(builder: CurrentPackage, frame: MacroFrame, values: Mapping[str, object]) -> None:
    """Runs an implementation; the targets that it declares are the macro's."""
    outer, builder.macros = builder.macros, [*frame.around, frame]
    try:
        result = frame.run(**values)
    finally:
        builder.macros = outer
    if result is not None:
        starlark.fail_with(
            f"macro '{frame.name}' may not return a non-None value (got {starlark.repr_of(result)})"
        )


def run_finalizers(builder: CurrentPackage, limits: starlark.Limits) -> None:
    """Runs the finalizers of a BUILD file that is through, in the order of their calls."""
    builder.rules_before_finalizers = tuple(builder.targets)
    for frame, values in builder.finalizers:
        try:
            starlark.call(
                lambda frame=frame, values=values: run_macro(builder, frame, values),
                (),
                {},
                starlark.Thread(limits),
            )
        except StarlarkError as error:
            builder.diagnostics.append(error.diagnostic)


def inherited_attributes(
    context: EvaluationContext, source: object
) -> dict[str, AttributeDefinition] | None:
    """What `inherit_attrs` brings; None if it cannot be told. What is inherited and not mandatory
    defaults to None. Bazel: `getAttrsToInherit`."""
    from bazelscope.loading.evaluation.rules.maker_checks import check_inherited

    check_inherited(source)
    if source is None:
        return {}
    if source == "common":
        definitions: Mapping[str, AttributeDefinition] = context.rules.base_attributes(False, False)
    elif isinstance(source, SymbolicMacro):
        return {
            name: replace(attribute, default=None)
            for name, attribute in source.attributes.items()
            if not name.startswith("_")
        }
    elif isinstance(source, StarlarkRule):
        definitions = source.all_attributes()
    elif isinstance(source, starlark.Builtin) and source.name in context.rules.names:
        definitions = context.rules.get(source.name).attributes
    else:
        return None
    return {
        name: replace(definition, default=None)
        for name, definition in definitions.items()
        if name not in _RESERVED and name not in _UNDOCUMENTED and not definition.is_implicit
    }
