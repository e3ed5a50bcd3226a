"""Calls of MODULE.bazel's functions: what their parameters take.

Bazel: `BuiltinFunction`, whose words these are. A parameter's type is its annotation.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.nearest import nearest
from bazelscope.base.source import CallStack, Location
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.modules.module_file import FILE_NAME, ExtensionUse, Tag

_TYPES: Mapping[str, tuple[str, ...]] = {
    "Iterable[object]": ("list", "tuple"),
    "bool": ("bool",),
    "bool | None": ("bool",),
    "int": ("int",),
    "str": ("string",),
    "str | None": ("string", "NoneType"),
}
_SHOWN: Mapping[str, str] = {"Iterable[object]": "sequence"}


class _Parameters:
    """What a function takes, by place and by name."""

    def __init__(self, function: Callable[..., object]) -> None:
        every = inspect.signature(function).parameters.values()
        self.by_place = [one for one in every if one.kind is one.POSITIONAL_OR_KEYWORD]
        self.named = {
            one.name: one
            for one in every
            if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        }
        self.takes_more = any(one.kind is one.VAR_POSITIONAL for one in every)
        self.takes_any_name = any(one.kind is one.VAR_KEYWORD for one in every)


_KNOWN: dict[object, _Parameters] = {}
"""By code: a function is made anew for each of hundreds of files, its parameters are the same."""


def _parameters_of(function: Callable[..., object]) -> _Parameters:
    code = getattr(function, "__code__", function)
    if code not in _KNOWN:
        _KNOWN[code] = _Parameters(function)
    return _KNOWN[code]


def checked(name: str, function: Callable[..., object]) -> Callable[..., object]:
    """`function` as `name` of MODULE.bazel: a call that does not fit its parameters raises
    `StarlarkError`."""
    takes = _parameters_of(function)
    by_place, named = takes.by_place, takes.named

    def call(*arguments: object, **keywords: object) -> object:
        if len(arguments) > len(by_place) and not takes.takes_more:
            _fail_of_places(name, len(by_place), len(arguments))
        given = {one.name: value for one, value in zip(by_place, arguments, strict=False)}
        for keyword in keywords:
            if keyword not in named and not takes.takes_any_name:
                near = nearest(keyword, sorted(named))
                hint = f" (did you mean '{near[0]}'?)" if near else ""
                starlark.fail_with(f"{name}() got unexpected keyword argument '{keyword}'{hint}")
            if keyword in given:
                starlark.fail_with(f"{name}() got multiple values for argument '{keyword}'")
        given.update(keywords)
        for kind, required in (("positional", by_place), ("named", named.values())):
            missing = [
                one.name
                for one in required
                if one.default is one.empty
                and one.name not in given
                and (one in by_place) == (kind == "positional")
            ]
            if missing:
                plural = "s" if len(missing) > 1 else ""
                starlark.fail_with(
                    f"{name}() missing {len(missing)} required {kind} argument{plural}:"
                    f" {', '.join(missing)}"
                )
        for parameter in named.values():
            if parameter.name in given:
                _check_type(name, parameter, given[parameter.name])
        return function(*arguments, **keywords)

    return call


def _fail_of_places(name: str, limit: int, count: int) -> None:
    plural = "s" if (limit or count) != 1 else ""
    if not limit:
        starlark.fail_with(f"{name}() got unexpected positional argument{plural}")
    starlark.fail_with(
        f"{name}() accepts no more than {limit} positional argument{plural} but got {count}"
    )


def _check_type(name: str, parameter: inspect.Parameter, value: object) -> None:
    wanted = _TYPES.get(str(parameter.annotation))
    if wanted is None or isinstance(value, UnknownValue):
        return
    if starlark.type_of(value) not in wanted:
        shown = _SHOWN.get(str(parameter.annotation), " or ".join(wanted))
        starlark.fail_with(starlark.wrong_type(name, parameter.name, value, shown))


class ExtensionProxy(starlark.Value):
    """What `use_extension()` returns: each of its members is a tag class to be called."""

    starlark_type: ClassVar[str] = "module_extension_proxy"
    __slots__ = ("is_dev", "use")

    def __init__(self, use: ExtensionUse, is_dev: bool) -> None:
        self.use = use
        self.is_dev = is_dev

    def get_attr(self, name: str) -> object:
        def tag(*arguments: object, **keywords: Any) -> None:
            if arguments:
                starlark.fail_with(f"{name}() takes keyword arguments only")
            place = place_of(starlark.call_stack())
            self.use.tags.append(Tag(name, keywords, self.is_dev, place))

        return starlark.Builtin(name, tag)


def proxy_of(function: str, value: object) -> ExtensionProxy:
    """The value that a function of MODULE.bazel has to be given: what `use_extension()` made."""
    if not isinstance(value, ExtensionProxy):
        wanted = "module_extension_proxy"
        starlark.fail_with(starlark.wrong_type(function, "extension_proxy", value, wanted))
    return value


def place_of(stack: CallStack) -> Location:
    """Where a call of MODULE.bazel stands."""
    return stack[-1].location if stack else Location(FILE_NAME, 1, 1)
