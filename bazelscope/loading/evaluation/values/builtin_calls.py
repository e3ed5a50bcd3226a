"""Calls of Bazel's builtins: whether they take what they are given, in Bazel's words.

A value that is unknown, or of a kind that is not known here, is taken by all. Bazel:
`BuiltinFunction`, `Sequence.cast`, `Depset.cast`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.base.nearest import bazels_suggestion
from bazelscope.bazel.builtin_tables import BuiltinTable, Parameter, Signature
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue, UnknownValue

_OF_OWN_NAME = frozenset(
    {
        *("NoneType", "string", "int", "bool", "float", "dict", "depset", "range", "bytes"),
        *("Args", "File", "Label", "Target", "actions", "ctx", "root", "runfiles"),
    }
)
_SAME_SINCE = frozenset({"actions", "Args"})
"""Modules whose parameters take in later releases what they took before."""


def checked(
    table: BuiltinTable, module: str, name: str, function: Callable[..., object]
) -> starlark.Builtin:
    """A function of Bazel's that refuses what it does not take."""
    signature = table.signature(module, name)
    if signature is None or not (table.is_exact or module in _SAME_SINCE):
        return starlark.Builtin(name, function)

    def call(*arguments: object, **given: object) -> object:
        check_call(signature, arguments, given, table.is_exact)
        return function(*arguments, **given)

    return starlark.Builtin(name, call)


def check_call(
    signature: Signature, arguments: tuple[object, ...], given: Mapping[str, object], is_exact: bool
) -> None:
    """Fails if a builtin does not take these arguments; unless `is_exact`, it may take others
    besides, and need not be given any."""
    name = signature.name
    by_position = [one for one in signature.parameters if one.by_position and not one.is_guarded]
    if is_exact and len(arguments) > len(by_position) and not signature.takes_more:
        count = len(by_position)
        starlark.fail_with(
            f"{name}() accepts no more than {count} positional argument{'s' * (count != 1)} but"
            f" got {len(arguments)}"
            if count
            else f"{name}() got unexpected positional argument"
        )
    bound: dict[str, object] = {}
    for parameter, value in zip(by_position, arguments, strict=False):
        _check(name, parameter, value)
        bound[parameter.name] = value
    parameters = {one.name: one for one in signature.parameters}
    for word, value in given.items():
        known = parameters.get(word)
        if known is None:
            later = signature.later
            are_all_known = is_exact or (later is not None and word not in later)
            if are_all_known and not signature.takes_more:
                near = bazels_suggestion(word, [*parameters, *sorted(later or ())])
                hint = f" (did you mean '{near}'?)" if near else ""
                starlark.fail_with(f"{name}() got unexpected keyword argument '{word}'{hint}")
            continue
        if not known.by_name and is_exact:
            starlark.fail_with(
                f"{name}() got named argument for positional-only parameter '{word}'"
            )
        _check(name, known, value)
        if word in bound:
            starlark.fail_with(f"{name}() got multiple values for argument '{word}'")
        bound[word] = value
    missing = [
        one
        for one in signature.parameters
        if is_exact and not (one.is_optional or one.is_guarded or one.name in bound)
    ]
    if missing:
        kind = missing[0].by_position
        names = [one.name for one in missing if one.by_position == kind]
        starlark.fail_with(
            f"{name}() missing {len(names)} required {'positional' if kind else 'named'}"
            f" argument{'s' * (len(names) != 1)}: {', '.join(names)}"
        )


def kinds_of(value: object) -> tuple[str, ...]:
    """What Bazel's builtins take a value for; nothing if that is not known."""
    if isinstance(value, UnknownValue | SelectValue):
        return ()
    if isinstance(value, list | tuple):
        return (starlark.type_of(value), "sequence")
    if isinstance(value, Struct):
        made_by = value.provider
        is_bazels = made_by is not None and made_by.file is None and made_by.name
        return (made_by.name, "struct") if made_by is not None and is_bazels else ("struct",)
    if isinstance(value, Provider):
        return ("Provider", "function")
    kind = starlark.type_of(value)
    if kind in _OF_OWN_NAME:
        return (kind, "sequence") if kind == "range" else (kind,)
    return ("function",) if callable(value) else ()


def check_elements(what: str, value: object, kind: str) -> None:
    """Fails if a sequence or a depset has an element of another kind."""
    if isinstance(value, Depset):
        for element in _one_of(value):  # All are of one kind.
            kinds = kinds_of(element)
            if kinds and kind not in kinds:
                starlark.fail_with(
                    f"for '{what}', got a depset of '{shown_kind(element)}', expected a depset of"
                    f" '{kind}'"
                )
    elif isinstance(value, list | tuple):
        for index, element in enumerate(value):
            kinds = kinds_of(element)
            if kinds and kind not in kinds:
                starlark.fail_with(
                    f"at index {index} of {what}, got element of type {shown_kind(element)}, want"
                    f" {kind}"
                )


def _one_of(depset: Depset) -> Iterable[object]:
    """An element of a depset, which is not laid out for it; none of an empty one."""
    pending = [depset]
    while pending:
        one = pending.pop()
        if one.direct:
            return one.direct[:1]
        pending += [
            part for part in one.transitive if isinstance(part, Depset) and not part.is_empty
        ]
    return ()


def check_dict(what: str, value: object, kinds: tuple[str, str]) -> None:
    """Fails if a dictionary has a key or a value of another kind."""
    for key, element in value.items() if isinstance(value, dict) else ():
        found = kinds_of(key), kinds_of(element)
        if any(one and kind not in one for one, kind in zip(found, kinds, strict=True)):
            starlark.fail_with(
                f"got dict<{shown_kind(key)}, {shown_kind(element)}> for '{what}', want"
                f" dict<{kinds[0]}, {kinds[1]}>"
            )


def shown_kind(value: object) -> str:
    """What Bazel calls the type of a value in its errors."""
    return (kinds_of(value) or (starlark.type_of(value),))[0]


def _check(function: str, parameter: Parameter, value: object) -> None:
    kinds = kinds_of(value)
    if not kinds or not parameter.kinds:
        return
    for one in parameter.kinds:
        outer, _, inner = one.partition("(")
        if outer in kinds:
            first, _, second = inner.rstrip(")").partition(",")
            if second:
                check_dict(parameter.name, value, (first, second))
            # Among arguments may be Args, among tools what is run.
            elif inner and not (
                function in ("run", "run_shell") and parameter.name in ("arguments", "tools")
            ):
                check_elements(parameter.name, value, inner.rstrip(")"))
            return
    names = [one.partition("(")[0] for one in parameter.kinds]
    wanted = names[0]
    if len(names) > 1:
        wanted = f"{', '.join(names[:-1])}{',' * (len(names) > 2)} or {names[-1]}"
    starlark.fail_with(
        f"in call to {function}(), parameter '{parameter.name}' got value of type"
        f" '{shown_kind(value)}', want '{wanted}'"
    )
