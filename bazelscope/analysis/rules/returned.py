"""What an implementation returns, made into what its target provides.

Bazel: `StarlarkRuleConfiguredTargetUtil`, `RuleConfiguredTargetBuilder`, `RunfilesSupport`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping

from bazelscope import starlark
from bazelscope.analysis.rules.action_checks import check_all_made
from bazelscope.analysis.rules.context import EXECUTABLE, RuleContext
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import (
    DefaultParts,
    Implemented,
    OutputGroups,
    Runfiles,
    flat_files,
    key_of,
    name_of,
)
from bazelscope.analysis.rules.returned_checks import (
    check_analysis_test,
    check_legacy,
    check_not_besides,
    check_struct,
    key_of_instance,
    takes_dict,
)
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.builtin_calls import check_elements, kinds_of, shown_kind
from bazelscope.loading.evaluation.values.depsets import Depset, depset
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue, UnknownValue
from bazelscope.loading.packages.targets import Rule

_ANALYSIS_TEST = "AnalysisTestResultInfo"
_DEFAULT_FIELDS = ("files", "runfiles", "data_runfiles", "default_runfiles", "executable")


def returned(
    value: object,
    context: RuleContext,
    rule: Rule,
    made: StarlarkRule,
    evaluation: EvaluationContext,
) -> Implemented:
    """What the target `rule` provides whose implementation returned `value`. Raises what Starlark
    does where Bazel refuses it."""
    context.parents.check()
    starlark.freeze(value)
    legacy: dict[str, object] = {}
    listed = value
    if isinstance(value, Struct) and value.provider is None:
        check_struct("rule", context.configuration)
        legacy = {name: one for name, one in value.fields.items() if name != "providers"}
        check_legacy(legacy)
        listed = value.fields.get("providers", ())
        if kinds_of(listed) and "sequence" not in kinds_of(listed):
            starlark.fail_with(f"for providers, got {shown_kind(listed)}, want sequence")
    default: Struct | None = None
    providers: dict[Hashable, object] = {}
    others: Unknown | None = None
    seen: set[Hashable] = set()
    for index, one in enumerate(_instances(listed, evaluation)):
        if isinstance(one, UnknownValue):
            others = others or one.as_unknown()
            continue
        if not isinstance(one, Struct):
            what = "providers" if legacy else "result of rule implementation function"
            starlark.fail_with(
                f"at index {index} of {what}, got element of type {shown_kind(one)}, want Info"
            )
        key = key_of_instance(one)
        if key in seen:
            starlark.fail_with(f"Multiple conflicting returned providers with key {name_of(key)}")
        seen.add(key)
        if key == "DefaultInfo":
            default = one
        elif one.provider is not None:
            providers[key] = one
    if default is not None:
        check_not_besides(legacy, _DEFAULT_FIELDS)
    held = dict(default.fields) if default is not None else {}
    held |= {name: legacy.pop(name) for name in _DEFAULT_FIELDS if name in legacy}
    groups = groups_of(providers.pop("OutputGroupInfo", None), legacy)
    _check_advertised(made, {*providers, *legacy}, others)
    unknown = UnknownValue(others, "DefaultInfo", evaluation) if others is not None else None
    if default is None and unknown is not None:
        # The unknown one may be DefaultInfo.
        parts = DefaultParts(unknown, unknown, unknown, unknown)
    else:
        parts = _default_parts(held, context, rule, made, providers, others, evaluation.release)
    if made.options.get("analysis_test") is True and others is None:
        check_analysis_test(providers, evaluation.release)
    actions = context.actions
    if not (actions.others_act or others is not None):
        executable = (context.executable,) if context.outputs.is_made(EXECUTABLE) else ()
        made_files = [file for action in actions.recorded for file in action.outputs]
        own = [*context.declared, *actions.declared, *filter(None, executable)]
        check_all_made(own, made_files)
    providers["OutputGroupInfo"] = groups or unknown or OutputGroups({})
    return Implemented(
        rule.label,
        parts,
        providers,
        others,
        legacy=legacy,
        actions=tuple(actions.recorded),
        outputs=(*context.declared, *actions.declared),
        rule_class=rule.rule_class.name,
    )


def groups_of(given: object, legacy: dict[str, object]) -> OutputGroups | UnknownValue | None:
    """The output groups that an implementation returned, as a provider or as a field of its
    struct, which is taken out of `legacy`; None if neither is there."""
    held = legacy.pop("output_groups", None)
    if isinstance(given, Struct) and given.provider is not None:
        held = given.fields
    if isinstance(held, Mapping):
        return OutputGroups({name: as_depset(name, one) for name, one in held.items()})
    return held if isinstance(held, UnknownValue) else None


def nothing(label: Label, context: EvaluationContext, failure: Diagnostic) -> Implemented:
    """What is left of an implementation that failed."""
    empty = Runfiles(context, depset())
    return Implemented(label, DefaultParts(depset(), None, empty, empty), failure=failure)


def _instances(value: object, evaluation: EvaluationContext) -> Iterator[object]:
    """The instances of providers in what was returned."""
    if value is None:
        return
    if isinstance(value, SelectValue):  # A sum with something unknown.
        for part in value.parts:
            yield from _instances(part, evaluation)
    elif isinstance(value, UnknownValue | Struct):
        yield value
    elif isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, dict) and takes_dict(value, evaluation.release):
        return
    else:
        starlark.fail_with(
            f"Rule should return a struct or a list, but got {starlark.type_of(value)}"
        )


_OF_EVERY_RULE = ("DefaultInfo", "OutputGroupInfo")
"""Providers that every target of a Starlark rule has (0.24.1, 2.1.0, 4.2.3 measured)."""


def _check_advertised(
    made: StarlarkRule, returned: Container[Hashable], others: Unknown | None
) -> None:
    advertised = made.options.get("provides")
    if others is not None or not isinstance(advertised, list | tuple):
        return
    for one in advertised:
        key = key_of(one) if isinstance(one, Provider) else one
        if not isinstance(one, Provider | str) or key in returned or key in _OF_EVERY_RULE:
            continue
        name = one if isinstance(one, str) else one.name
        starlark.fail_with(
            f"rule advertised the '{name}' provider, but this provider was not among those returned"
        )


def _default_parts(
    held: dict[str, object],
    context: RuleContext,
    rule: Rule,
    made: StarlarkRule,
    provided: Mapping[Hashable, object],
    others: Unknown | None,
    release: Release,
) -> DefaultParts:
    executable = held.get("executable")
    if isinstance(executable, FileValue) and (
        executable.root.is_source or executable.owner != rule.label
    ):
        starlark.fail_with(
            f"'executable' provided by an executable rule '{rule.rule_class.name}' should be"
            " created by the same rule."
        )
    is_made = context.outputs.is_made(EXECUTABLE)
    # A test of the analysis gets a program from Bazel.
    is_free = others is not None or _ANALYSIS_TEST in provided
    is_free = is_free or made.options.get("analysis_test") is True
    needs_runfiles = release.tests_need_runfiles
    is_free = is_free or (rule.rule_class.is_test and not needs_runfiles)
    if executable is None and context.executable is not None and not (is_made or is_free):
        starlark.fail_with(
            f"The rule '{rule.rule_class.name}' is executable. It needs to create an executable"
            " File and pass it as the 'executable' parameter to the DefaultInfo it returns."
        )
    if isinstance(executable, FileValue) and is_made and executable != context.executable:
        starlark.fail_with(
            f"The rule '{rule.rule_class.name}' both accesses 'ctx.outputs.executable' and"
            f" provides a different executable '{executable.inside}'. Do not use"
            " 'ctx.output.executable'."
        )
    if executable is None:
        executable = context.executable
    files = held.get("files")
    if files is None:
        if isinstance(executable, UnknownValue):
            files = executable.derive("DefaultInfo.files")
        else:
            all_made = [*context.declared]
            if isinstance(executable, FileValue):
                all_made.append(executable)
            files = depset(all_made)
    elif not isinstance(files, Depset | UnknownValue):
        starlark.fail_with(f"expected depset for 'files' but got {starlark.type_of(files)}")
    check_elements("files", files, "File")
    both, own, data = (held.get(f"{name}runfiles") for name in ("", "default_", "data_"))
    if both is not None and not (own is None and data is None):
        starlark.fail_with(
            "Cannot specify the provider 'runfiles' together with 'data_runfiles' or"
            " 'default_runfiles'"
        )
    empty = context.default_runfiles()
    if own is None and data is None:
        own = data = _with_executable(both or empty, executable)
    else:
        own, data = own or empty, data or empty
        if not release.runfiles_get_the_executable:
            _check_main(own, executable)
        if rule.rule_class.is_test and needs_runfiles and _is_empty(own):
            starlark.fail_with("Test rules have to define runfiles")
        if release.runfiles_get_the_executable:
            own = _with_executable(own, executable)
    return DefaultParts(files, executable, own, data)


def _with_executable(runfiles: object, executable: object) -> object:
    """An executable is among its own runfiles, behind all others."""
    if executable is None or isinstance(runfiles, UnknownValue):
        return runfiles
    if isinstance(executable, UnknownValue):
        return executable.derive("runfiles")
    if not isinstance(runfiles, Runfiles):
        starlark.fail_with(f"expected runfiles but got {starlark.type_of(runfiles)}")
    files = depset(order="postorder", transitive=[runfiles.files, depset([executable])])
    return Runfiles(runfiles.context, files, runfiles.links)


def _check_main(runfiles: object, executable: object) -> None:
    """Default runfiles that are given by themselves must have the executable, if they have
    anything."""
    if not isinstance(runfiles, Runfiles) or not isinstance(executable, FileValue):
        return
    files = flat_files(runfiles.files)
    if isinstance(files, tuple) and files and executable not in files:
        starlark.fail_with(f"main program {executable.short_path} not included in runfiles")


def _is_empty(runfiles: object) -> bool:
    return (
        isinstance(runfiles, Runfiles)
        and runfiles.links is None
        and flat_files(runfiles.files) == ()
    )


def as_depset(name: str, value: object) -> object:
    """The files of an output group."""
    what = f"output group '{name}'"
    check_elements(what, value, "File")
    if isinstance(value, Depset | UnknownValue):
        return value
    if isinstance(value, SelectValue):  # A sum with something unknown.
        return next(part for part in value.parts if isinstance(part, UnknownValue))
    if not isinstance(value, list | tuple):
        starlark.fail_with(f"for {what}, got {shown_kind(value)}, want a depset of File")
    return depset(starlark.List(starlark.iterate(value)))
