"""What `rule()`, `aspect()` and `transition()` refuse of arguments that are of the right types.

Bazel: `StarlarkAttrModule.buildProviderPredicate`, `StarlarkRuleClassFunctions`,
`ConfigGlobalLibrary`. The words are those of 4.2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.bazel.rule_classes import LABEL_TYPES
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of, shown_kind
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_OPTION = "//command_line_option:"
_ROOT = PackageId("", "")


def check_options(options: Mapping[str, object], release: Release) -> None:
    """Fails for options of `rule()` that it does not take."""
    if options.get("exec_groups") is not None and not release.rules_take_exec_groups:
        starlark.fail_with(
            "in call to rule(), parameter 'exec_groups' is experimental and thus unavailable with"
            " the current flags. It may be enabled by setting --experimental_exec_groups"
        )
    if release.cfg_is_transition and kinds_of(options.get("cfg", None))[:1] not in (
        (),
        ("NoneType",),
    ):
        starlark.fail_with(
            "`cfg` must be set to a transition object initialized by the transition() function."
        )
    check_labels(options.get("toolchains"), "toolchain")
    check_labels(options.get("exec_compatible_with"), "constraint")
    check_provides(options.get("provides"))


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


def check_provides(given: object) -> None:
    """Fails for `provides` that are no providers."""
    for element in given if isinstance(given, list | tuple) else ():
        if not _is_provider(element):
            starlark.fail_with(
                "Illegal argument: element in 'provides' is of unexpected type. Should be list of"
                f" providers, but got item of type {shown_kind(element)}."
            )


def check_labels(given: object, what: str) -> None:
    """Fails for texts that are no labels."""
    for text in given if isinstance(given, list | tuple) else ():
        if isinstance(text, str):
            try:
                parse_label(text, _ROOT)
            except LabelError:
                starlark.fail_with(f"Unable to parse {what} label '{text}': invalid label: {text}")


def check_transition(inputs: object, outputs: object, release: Release) -> None:
    """Fails for inputs and outputs of a transition that are no settings, or stand twice."""
    for what, given in (("input", inputs), ("output", outputs)):
        texts = [text for text in starlark.iterate(given) if isinstance(text, str)]
        for text in texts:
            _check_setting(what, text, release)
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            starlark.fail_with(f"duplicate transition {what} '{twice}'")


def _check_setting(what: str, text: str, release: Release) -> None:
    if text.startswith(_OPTION):
        option = text.removeprefix(_OPTION)
        is_fixed = option.startswith(("experimental_", "incompatible_"))
        if is_fixed and release.transitions_keep_incompatible:
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


def check_aspect(
    specs: Mapping[str, AttributeSpec], options: Mapping[str, object], release: Release
) -> None:
    """Fails for attributes that no aspect may have, and for options that `aspect()` lacks."""
    if "apply_to_generating_rules" in options and not release.aspects_meet_generators:
        starlark.fail_with(
            "parameter 'apply_to_generating_rules' is experimental and thus unavailable with the"
            " current flags. It may be enabled by setting"
            " --experimental_aspect_output_propagation"
        )
    for name, spec in specs.items():
        if name.startswith("_"):
            has_default = spec.default is not None or spec.compute is not None or spec.late_bound
            if spec.type in LABEL_TYPES and spec.type is AttributeType.LABEL and not has_default:
                starlark.fail_with(f"Aspect attribute '{name}' has no default value.")
        elif release.aspects_take_texts_alone and (
            spec.type is not AttributeType.STRING or not spec.allowed
        ):
            starlark.fail_with(
                f"Aspect parameter attribute '{name}' must have type 'string' and use the 'values'"
                " restriction."
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


def _is_provider(value: object) -> bool:
    """Whether a value is a provider, or perhaps one; old rules name theirs."""
    kinds = kinds_of(value)
    return not kinds or bool({"Provider", "string"} & {*kinds})
