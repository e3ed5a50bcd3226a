"""What `rule()`, `aspect()` and `transition()` refuse of arguments that are of the right types.

Bazel: `StarlarkAttrModule.buildProviderPredicate`, `StarlarkRuleClassFunctions`,
`ConfigGlobalLibrary`. The words are those of 4.2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from inspect import CO_VARKEYWORDS
from types import FunctionType

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.rule_checks import IDENTIFIER, check_attribute_name
from bazelscope.loading.evaluation.rules.toolchain_types import ExecutionGroup
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of, shown_kind
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.structs import Provider
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_OPTION = "//command_line_option:"
_ROOT = PackageId("", "")
_NO_TRANSITIONS = frozenset({"bool", "dict", "int", "list", "string", "tuple"})


def check_options(options: Mapping[str, object], release: Release) -> None:
    """Fails for options of `rule()` that it does not take."""
    if options.get("exec_groups") is not None and not release.rules_take_exec_groups:
        starlark.fail_with(
            "in call to rule(), parameter 'exec_groups' is experimental and thus unavailable with"
            " the current flags. It may be enabled by setting --experimental_exec_groups"
        )
    _check_exec_groups(options.get("exec_groups"))
    kind = "".join(kinds_of(options.get("cfg"))[:1]) or "NoneType"
    if kind in _NO_TRANSITIONS or (release.cfg_is_transition and kind != "NoneType"):
        starlark.fail_with(
            "`cfg` must be set to a transition object initialized by the transition() function."
        )
    is_transition = getattr(options.get("cfg"), "transition_name", None) is not None
    if is_transition and options.get("build_setting") is not None:
        starlark.fail_with(
            "Build setting rules cannot use the `cfg` param to apply transitions to themselves."
        )
    check_labels(options.get("toolchains"), "toolchain", release)
    check_labels(options.get("exec_compatible_with"), "constraint", release)
    check_provides(options.get("provides"))


def _check_exec_groups(given: object) -> None:
    """Fails for execution groups that are none, or have no name. Measured: 4.2.3."""
    kinds = kinds_of(given)
    if kinds and kinds[0] not in ("dict", "NoneType"):
        starlark.fail_with(
            f"in call to rule(), parameter 'exec_groups' got value of type '{kinds[0]}', want 'dict"
            " or NoneType'"
        )
    for name, group in given.items() if isinstance(given, dict) else ():
        if not isinstance(name, str | UnknownValue) or not isinstance(
            group, ExecutionGroup | UnknownValue
        ):
            starlark.fail_with(
                f"got dict<{starlark.type_of(name)}, {starlark.type_of(group)}> for 'exec_group',"
                " want dict<string, exec_group>"
            )
        if isinstance(name, str) and not IDENTIFIER.fullmatch(name):
            starlark.fail_with(f"Exec group name '{name}' is not a valid name.")


def check_providers(given: object) -> None:
    """Fails for `providers` that are neither providers nor lists of providers."""
    if not isinstance(given, list | tuple):
        return
    are_lists = bool(given) and not all(map(_is_provider, given))
    for element in given if are_lists else ():
        problem = ""
        if not isinstance(element, list | tuple | UnknownValue):
            problem = f"an element of type {shown_kind(element)}"
        elif isinstance(element, list | tuple):
            wrong = next((one for one in element if not _is_provider(one)), None)
            if wrong is not None:
                problem = f"list with an element of type {shown_kind(wrong)}"
        if problem:
            starlark.fail_with(
                "Illegal argument: element in 'providers' is of unexpected type. Either all"
                " elements should be providers, or all elements should be lists of providers, but"
                f" got {problem}."
            )
        _check_exported(element if isinstance(element, list | tuple) else ())
    _check_exported(given)


def check_provides(given: object) -> None:
    """Fails for `provides` that are no providers."""
    for element in given if isinstance(given, list | tuple) else ():
        if not _is_provider(element):
            starlark.fail_with(
                "Illegal argument: element in 'provides' is of unexpected type. Should be list of"
                f" providers, but got item of type {shown_kind(element)}."
            )
    _check_exported(given)


def _check_exported(given: object) -> None:
    """Fails for providers that no global variable holds."""
    for one in given if isinstance(given, list | tuple) else ():
        if isinstance(one, Provider) and not (one.name or starlark.global_name(one)):
            starlark.fail_with(
                "Providers should be top-level values in extension files that define them."
            )


def check_labels(given: object, what: str, release: Release) -> None:
    """Fails for texts that are no labels, or need a package where a release takes whole ones."""
    is_whole = release.toolchain_labels_are_whole
    for text in given if isinstance(given, list | tuple) else ():
        if isinstance(text, str):
            try:
                parse_label(text, _ROOT)
                is_taken = text.startswith(("//", "@")) or not is_whole
            except LabelError:
                is_taken = False
            if not is_taken:
                starlark.fail_with(f"Unable to parse {what} label '{text}': invalid label: {text}")


def check_transition(
    inputs: object, outputs: object, release: Release, is_of_test: bool = False
) -> None:
    """Fails for inputs and outputs of a transition, or of an analysis test's, that are no settings
    or stand twice."""
    takes_every = is_of_test and release.analysis_tests_change_every_option
    for what, given in (("input", inputs), ("output", outputs)):
        texts = [text for text in starlark.iterate(given) if isinstance(text, str)]
        for text in texts:
            _check_setting(what, text, release, takes_every)
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            starlark.fail_with(f"duplicate transition {what} '{twice}'")


_OF_RESOLUTION = frozenset(
    f"incompatible_enable_{language}_toolchain_resolution"
    for language in ("android", "apple", "cc", "cgo")
)


def _check_setting(what: str, text: str, release: Release, takes_every: bool) -> None:
    if text.startswith(_OPTION):
        name = text.removeprefix(_OPTION)
        is_taken = takes_every or (name in _OF_RESOLUTION and release.transitions_choose_resolution)
        if name.startswith(("experimental_", "incompatible_")) and not is_taken:
            starlark.fail_with(
                f"Invalid transition {what} '{text}'. Cannot transition on --experimental_* or"
                " --incompatible_* options"
            )
        return
    problem = "" if text.startswith(("//", "@")) else f"invalid label: {text}"
    try:
        parse_label(text, _ROOT)
    except LabelError as error:
        problem = error.diagnostic.message
    if problem:
        starlark.fail_with(
            f"invalid transition {what} '{text}'. If this is intended as a native option, it must"
            f" begin with {_OPTION} {problem}"
        )
    if not release.transitions_of_attributes:
        starlark.fail_with(
            "transitions on Starlark-defined build settings is experimental and disabled by"
            " default. This API is in development and subject to change at anytime. Use"
            " --experimental_starlark_config_transitions to use this experimental API."
        )


def check_fields(fields: object) -> None:
    """Fails for a dictionary of a provider's fields whose texts are none."""
    for value in fields.values() if isinstance(fields, dict) else ():
        if kinds_of(value) and not isinstance(value, str):
            starlark.fail_with(
                f"got dict<string, {shown_kind(value)}> for 'fields', want dict<string, string>"
            )


def check_values(function: str, values: Iterable[object], wanted: str) -> None:
    """Fails for values of a dictionary, an attribute's default, that are of another type."""
    for value in values:
        kinds = kinds_of(value)
        fits = "sequence" in kinds if wanted == "list(string)" else wanted in kinds
        if kinds and not fits:
            starlark.fail_with(
                f"expected value of type '{wanted}' for dict value element, but got"
                f" {starlark.repr_of(value)} ({kinds[0]})"
            )


def check_macro(
    attrs: object, specs: Mapping[str, AttributeSpec], source: object, implementation: object
) -> None:
    """Fails for what `macro()` refuses. Bazel: `StarlarkRuleClassFunctions.macro`."""
    for name, value in attrs.items() if isinstance(attrs, dict) else ():
        if isinstance(name, UnknownValue) or isinstance(value, UnknownValue):
            continue
        spec = specs.get(name) if isinstance(name, str) else None
        if isinstance(name, str):
            check_attribute_name(name)
        if not isinstance(name, str) or (spec is None and value is not None):
            starlark.fail_with(
                f"got dict<{starlark.type_of(name)}, {starlark.type_of(value)}> for 'attrs', want"
                " dict<string, Attribute|None>"
            )
        if name in ("name", "visibility"):
            starlark.fail_with(f"Cannot declare a macro attribute named '{name}'")
        if spec is not None and (spec.compute is not None or spec.late_bound):
            starlark.fail_with(
                f"In macro attribute '{name}': Macros do not support computed defaults or"
                " late-bound defaults"
            )
    takes_any = isinstance(implementation, FunctionType) and bool(
        implementation.__code__.co_flags & CO_VARKEYWORDS
    )
    if source is not None and isinstance(implementation, FunctionType) and not takes_any:
        starlark.fail_with(
            "If inherit_attrs is set, implementation function must have a **kwargs parameter"
        )


def check_inherited(source: object) -> None:
    """Fails for an `inherit_attrs` that is no rule, no macro, or one without a name yet."""
    if isinstance(source, Exportable) and not (source.name or starlark.global_name(source)):
        starlark.fail_with(
            "a rule or macro callable must be assigned to a global variable in a .bzl file before"
            " it can be inherited from"
        )
    if isinstance(source, str | int | list | tuple | dict) and source != "common":
        starlark.fail_with(
            f"Invalid 'inherit_attrs' value {starlark.repr_of(source)}; expected a rule, a macro,"
            ' or "common"'
        )


def check_configurable(specs: Mapping[str, AttributeSpec], where: str) -> None:
    """Fails for attributes of rules and aspects that say whether they are configurable, which
    those of symbolic macros alone may."""
    for name, spec in specs.items():
        if spec.says_configurable:
            shown = f"${name[1:]}" if name[:1] == "_" else name
            starlark.fail_with(
                f"attribute '{shown}' has the 'configurable' argument set, which is not allowed in"
                f" {where} definitions"
            )


_EXTENDS_NOT = (
    "The rule '{}' is not extendable. Only Starlark rules not using deprecated features (like"
    " implicit outputs, output to genfiles) may be extended. Special rules like analysis tests or"
    " rules using build_settings cannot be extended."
)
_SPECIAL = ("output_to_genfiles", "_skylark_testable", "analysis_test")


def check_extension(
    parent: Exportable, parents: Mapping[str, object], options: Mapping[str, object]
) -> None:
    """Fails for a rule, of the options `parents`, that may not be extended, and for `options`
    that no rule may have that extends one. Bazel: `StarlarkRuleClassFunctions.rule`."""
    name = parent.name or starlark.global_name(parent)
    if not name:
        starlark.fail_with("Please export the parent rule before extending it.")
    is_special = any(parents.get(one) is True for one in _SPECIAL)
    unfit = parents.get("outputs") is not None or parents.get("build_setting") is not None
    if is_special or unfit or parents.get("extendable") is False:
        starlark.fail_with(_EXTENDS_NOT.format(name))
    for option in ("executable", "test"):
        if options.get(option) is not None:
            starlark.fail_with(f"Omit {option} parameter when extending rules.")
    if options.get("outputs") is not None:
        starlark.fail_with("implicit_outputs is not supported when extending rules (deprecated).")
    if options.get("host_fragments"):
        starlark.fail_with("host_fragments are not supported when extending rules (deprecated).")
    if options.get("output_to_genfiles") is True:
        starlark.fail_with(
            "output_to_genfiles are not supported when extending rules (deprecated)."
        )
    for option in ("_skylark_testable", "analysis_test", "build_setting"):
        if options.get(option) not in (None, False):
            starlark.fail_with(f"{option} is not supported when extending rules.")


def extended_specs(
    parent: Mapping[str, AttributeSpec], own: Mapping[str, AttributeSpec]
) -> dict[str, AttributeSpec]:
    """The attributes of a rule that extends another: what the parent has, too, is as it is there,
    with the child's default and aspects. Bazel: `RuleClass.Builder.override`."""
    specs = {**parent, **own}
    for name in parent.keys() & own.keys():
        before, after = parent[name], own[name]
        problem = ""
        if name.startswith("_"):
            problem = "private attributes cannot be overridden."
        elif before.type not in (AttributeType.LABEL, AttributeType.LABEL_LIST):
            problem = "Only label types maybe be overridden."
        elif before.type is not after.type:
            problem = "Types of parent and child's attributes mismatch."
        if problem:
            starlark.fail_with(f"attribute `{name}`: {problem}")
        aspects = (*before.aspects, *(one for one in after.aspects if one not in before.aspects))
        specs[name] = replace(before, aspects=aspects)
        if after.default is not None or after.compute is not None or after.late_bound:
            specs[name] = replace(
                specs[name],
                default=after.default,
                compute=after.compute,
                late_bound=after.late_bound,
            )
    return specs


def _is_provider(value: object) -> bool:
    """Whether a value is a provider, or perhaps one; old rules name theirs."""
    kinds = kinds_of(value)
    return not kinds or bool({"Provider", "string"} & {*kinds})
