"""What an implementation returns, made into what its target provides.

Bazel: `StarlarkRuleConfiguredTargetUtil`, `RuleConfiguredTargetBuilder`, `RunfilesSupport`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from bazelscope import starlark
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
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
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
    starlark.freeze(value)
    legacy: dict[str, object] = {}
    if isinstance(value, Struct) and value.provider is None:
        legacy = {name: one for name, one in value.fields.items() if name != "providers"}
        value = value.fields.get("providers")
    default: Struct | None = None
    providers: dict[Hashable, object] = {}
    others: Unknown | None = None
    for one in _instances(value):
        if isinstance(one, UnknownValue):
            others = others or one.as_unknown()
            continue
        if not isinstance(one, Struct) or one.provider is None:
            starlark.fail_with(
                f"Value of type '{starlark.type_of(one)}' is not allowed in the list of providers"
                " that a rule implementation returns"
            )
        key = key_of(one.provider)
        if key in providers or (key == "DefaultInfo" and default is not None):
            starlark.fail_with(f"Multiple conflicting returned providers with key {name_of(key)}")
        if key == "DefaultInfo":
            default = one
        else:
            providers[key] = one
    held = dict(default.fields) if default is not None else {}
    held |= {name: legacy.pop(name) for name in _DEFAULT_FIELDS if name in legacy}
    groups = providers.pop("OutputGroupInfo", None)
    _check_advertised(made, providers, others)
    unknown = UnknownValue(others, "DefaultInfo", evaluation) if others is not None else None
    if default is None and unknown is not None:
        # The unknown one may be DefaultInfo.
        parts = DefaultParts(unknown, unknown, unknown, unknown)
    else:
        parts = _default_parts(held, context, rule, made, providers, others)
    if not (isinstance(groups, Struct) and groups.provider is not None):
        outputs: dict[str, object] = {}
    else:
        outputs = {name: _as_depset(one) for name, one in groups.fields.items()}
    providers["OutputGroupInfo"] = OutputGroups(outputs)
    if groups is None and unknown is not None:
        providers["OutputGroupInfo"] = unknown
    return Implemented(
        rule.label,
        parts,
        providers,
        others,
        legacy=legacy,
        actions=tuple(context.actions.recorded),
        outputs=(*context.declared, *context.actions.declared),
        rule_class=rule.rule_class.name,
    )


def nothing(label: Label, context: RuleContext, failure: Diagnostic) -> Implemented:
    """What is left of an implementation that failed."""
    empty = context.default_runfiles()
    parts = DefaultParts(depset(), None, empty, empty)
    return Implemented(label, parts, failure=failure)


def _instances(value: object) -> Iterator[object]:
    """The instances of providers in what was returned."""
    if value is None:
        return
    if isinstance(value, SelectValue):  # A sum with something unknown.
        for part in value.parts:
            yield from _instances(part)
    elif isinstance(value, UnknownValue | Struct):
        yield value
    elif isinstance(value, list | tuple):
        yield from value
    else:
        starlark.fail_with(
            f"Rule should return a struct or a list, but got {starlark.type_of(value)}"
        )


_OF_EVERY_RULE = ("DefaultInfo", "OutputGroupInfo")
"""Providers that every target of a Starlark rule has (0.24.1, 2.1.0, 4.2.3 measured)."""


def _check_advertised(
    made: StarlarkRule, providers: dict[Hashable, object], others: Unknown | None
) -> None:
    advertised = made.options.get("provides")
    if others is not None or not isinstance(advertised, list | tuple):
        return
    for one in advertised:
        if isinstance(one, Provider) and key_of(one) not in (*providers, *_OF_EVERY_RULE):
            starlark.fail_with(
                f"rule advertised the '{one.name}' provider, but this provider was not among"
                " those returned"
            )


def _default_parts(
    held: dict[str, object],
    context: RuleContext,
    rule: Rule,
    made: StarlarkRule,
    provided: Mapping[Hashable, object],
    others: Unknown | None,
) -> DefaultParts:
    executable = held.get("executable")
    is_made = context.outputs.is_made(EXECUTABLE)
    # A test of the analysis gets a program from Bazel.
    is_free = others is not None or _ANALYSIS_TEST in provided
    is_free = is_free or made.options.get("analysis_test") is True
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
        _check_main(own, executable)
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


def _as_depset(value: object) -> object:
    if isinstance(value, Depset | UnknownValue):
        return value
    return depset(starlark.List(starlark.iterate(value)))
