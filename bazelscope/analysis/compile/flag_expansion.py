"""Flags of enabled features with their variables filled in. Bazel: `FlagGroup`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.compile.toolchain import Action, FlagGroup, Guard, Toolchain, counts
from bazelscope.analysis.compile.words import FromToolchain, Word, WordOrigin
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason, Unknown

_VARIABLE = lazy_pattern(r"%\{([^}]*)\}|%%")


def expand(
    toolchain: Toolchain, enabled: frozenset[str], action: Action, variables: Mapping[str, object]
) -> Iterator[Word]:
    """The words that the enabled features of a toolchain give for an action, in order.

    A variable is a `Word`, a tuple of variables, or a mapping from fields to variables.
    """
    of_actions = [one.feature for one in toolchain.actions if one.feature.name == action]
    for feature in (*of_actions, *toolchain.features):
        if feature.name not in enabled:
            continue
        for flag_set in feature.flag_sets:
            if action in flag_set.actions and counts(flag_set.with_features, enabled):
                place = toolchain.location if feature.is_own else None
                origin = FromToolchain(feature.name, flag_set.when, place)
                for one in flag_set.groups:
                    yield from _group(one, variables, origin)


def variables_of(
    toolchain: Toolchain, enabled: frozenset[str], action: Action, variables: Mapping[str, object]
) -> Iterator[tuple[str, Word]]:
    """The variables of the environment that a toolchain sets for an action, with their values."""
    for feature in toolchain.features:
        for one in feature.variables if feature.name in enabled else ():
            if action in one.actions and counts(one.with_features, enabled):
                origin = FromToolchain(feature.name, "", toolchain.location)
                for name, value in one.entries:
                    yield name, _filled(value, variables, origin, None)


def _group(group: FlagGroup, variables: Mapping[str, object], origin: WordOrigin) -> Iterator[Word]:
    if not all(_holds(guard, variables) for guard in group.guards):
        return
    origin = group.origin or origin
    if group.iterate_over:
        elements = _look_up(group.iterate_over, variables)
        if elements is None:
            yield Word("...", origin, _missing(group.iterate_over))
        for element in elements if isinstance(elements, tuple) else ():
            inner = {**variables, group.iterate_over: element}
            own = element.origin if isinstance(element, Word) else origin
            yield from _once(group, inner, own)
        return
    yield from _once(group, variables, origin)


def _once(group: FlagGroup, variables: Mapping[str, object], origin: WordOrigin) -> Iterator[Word]:
    for flag in group.flags:
        # `-MF x.d`: both words are there for the file.
        for match in _VARIABLE.finditer(flag):
            value = _look_up(match[1] or "", variables)
            if isinstance(value, Word):
                origin = value.origin
    for flag in group.flags:
        yield _filled(flag, variables, origin, group.unknown)
    for inner in group.groups:
        yield from _group(inner, variables, origin)


def _filled(
    flag: str, variables: Mapping[str, object], origin: WordOrigin, unknown: Unknown | None
) -> Word:
    text, position = "", 0
    for match in _VARIABLE.finditer(flag):
        text += flag[position : match.start()]
        position = match.end()
        if match[0] == "%%":
            text += "%"
            continue
        value = _look_up(match[1], variables)
        if isinstance(value, Word):
            text += value.text
            origin, unknown = value.origin, value.unknown or unknown
        else:
            unknown = unknown or _missing(match[1])
    return Word(text + flag[position:], origin, unknown)


def _missing(variable: str) -> Unknown:
    detail = f"Cannot find variable named '{variable}'"
    return Unknown(Reason.FAILED, "the toolchain's flags", detail)


def _look_up(name: str, variables: Mapping[str, object]) -> object:
    """The value of `a` or of the field `a.b`; None if it is not there."""
    if name in variables:
        return variables[name]
    outer, dot, field = name.rpartition(".")
    if not dot:
        return None
    structure = _look_up(outer, variables)
    return structure.get(field) if isinstance(structure, Mapping) else None


def _holds(guard: Guard, variables: Mapping[str, object]) -> bool:
    value = _look_up(guard.variable, variables)
    if guard.test == "available":
        return value is not None
    if guard.test == "not available":
        return value is None
    if isinstance(value, tuple):
        return bool(value) is (guard.test == "true") and guard.test != "equal"
    text = value.text if isinstance(value, Word) else ""
    if guard.test == "equal":
        return value is not None and text == guard.value
    is_true = text not in ("", "0")
    return value is not None and is_true is (guard.test == "true")
