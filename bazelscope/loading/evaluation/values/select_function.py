"""The builtin `select()`, as each release takes it."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope import starlark
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectCall,
    SelectValue,
    UnknownValue,
)


def select_of(release: Release) -> Callable[..., object]:
    """The builtin `select` of a release."""
    if not release.named_builtins:
        return select

    def named(x: object = None, no_match_error: object = "") -> object:
        if x == {} and not release.refuses_empty_selects:
            return SelectValue((SelectCall((), "", starlark.capture_stack()),))
        return select(x, no_match_error)

    return named


def select(entries: object, no_match_error: object = "", **unexpected: object) -> object:
    """The builtin `select(dict, no_match_error = "")`."""
    if type(entries) is not starlark.Dict and isinstance(entries, UnknownValue):
        return entries.derive(f"select({entries.text})")
    if unexpected:
        raise TypeError(f"select() got unexpected keyword argument '{next(iter(unexpected))}'")
    if not isinstance(entries, dict):
        raise TypeError(starlark.wrong_type("select", "x", entries, "dict"))
    if not entries:
        raise ValueError(
            "select({}) with an empty dictionary can never resolve because it includes no"
            " conditions to match"
        )
    if type(no_match_error) is not str and not isinstance(no_match_error, str | UnknownValue):
        raise TypeError(starlark.wrong_type("select", "no_match_error", no_match_error, "string"))
    message = no_match_error if isinstance(no_match_error, str) else ""
    for key in entries:
        if type(key) is not str and isinstance(key, int | float | tuple):
            kind = starlark.type_of(key)
            raise TypeError(f"select: got {kind} for dict key, want a label string")
    starlark.charge(len(entries))
    call = SelectCall(tuple(entries.items()), message, starlark.capture_stack())
    return SelectValue((call,))
