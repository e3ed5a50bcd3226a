"""`ctx.actions.args()`: what an implementation adds, and the words that it comes to.

Bazel: `Args`, `StarlarkCustomCommandLine`. What is refused, in which words, and how values that are
no strings are written was measured by `aquery` of 0.24.1, 2.1.0 and 4.2.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.errors import StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import checked
from bazelscope.loading.evaluation.values.depsets import Depset, elements_of
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import unknown_in
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

LIMITS = starlark.Limits(steps=2_000_000)

Piece = str | Unknown
"""A word of a command line, or why it cannot be told: there may be none, or several."""

_UNSET = object()
_SEQUENCE = "sequence or depset"
_FILE_FORMATS = ("shell", "multiline", "flag_per_line")


@dataclass(frozen=True, slots=True)
class _Added:
    """One call of `add`, `add_all` or `add_joined`: a name before the values, or None."""

    name: object
    values: object
    is_single: bool
    format_each: object = None
    map_each: object = None
    omit_if_empty: object = True
    uniquify: object = False
    expand_directories: object = True
    before_each: object = None
    terminate_with: object = None
    joiner: object = None
    format_joined: object = None


class Args(starlark.Value):
    """`ctx.actions.args()`: it keeps what was added, and expands it when asked for its words."""

    starlark_type: ClassVar[str] = "Args"
    __slots__ = ("_added", "_context", "_functions", "_has_format")

    def __init__(self, context: EvaluationContext) -> None:
        self._context = context
        self._added: list[_Added] = []
        self._has_format = False
        self._functions: dict[str, Callable[..., object]] = {
            "add": self._add,
            "add_all": self._add_all,
            "add_joined": self._add_joined,
            "set_param_file_format": self._set_param_file_format,
            "use_param_file": self._use_param_file,
        }

    def get_attr(self, name: str) -> object:
        function = self._functions.get(name)
        if function is None:
            raise AttributeError(name)
        return checked(self._context.builtins, "Args", name, function)

    def attr_names(self) -> Iterable[str]:
        return self._functions

    def pieces(self) -> Iterator[Piece]:
        """The words that it comes to, as if no params file were used."""
        for added in self._added:
            yield from self._single(added) if added.is_single else self._several(added)

    # ---- What an implementation calls

    def _add(
        self, arg_name_or_value: object, value: object = _UNSET, *, format: object = None
    ) -> object:
        name, held = _named(arg_name_or_value, value)
        if isinstance(held, list | tuple | Depset):
            starlark.fail_with(
                "Args.add() doesn't accept vectorized arguments. Please use Args.add_all() or"
                " Args.add_joined() instead."
            )
        if held is None and not self._context.release.args_take_none:
            starlark.fail_with("parameter 'value' cannot be None, for call to method add()")
        if isinstance(held, FileValue) and held.is_directory:
            starlark.fail_with(
                "Cannot add directories to Args#add since they may expand to multiple values."
                " Either use Args#add_all (if you want expansion) or args.add(directory.path) (if"
                " you do not)."
            )
        _check_format("add", "format", format)
        return self._adding(_Added(name, held, is_single=True, format_each=format))

    def _add_all(
        self,
        arg_name_or_values: object,
        values: object = _UNSET,
        *,
        map_each: object = None,
        format_each: object = None,
        before_each: object = None,
        omit_if_empty: object = True,
        uniquify: object = False,
        expand_directories: object = True,
        terminate_with: object = None,
        allow_closure: object = False,
    ) -> object:
        name, held = _vector("add_all", arg_name_or_values, values)
        _check_callable("add_all", map_each)
        _check_text("add_all", "before_each", before_each)
        _check_text("add_all", "terminate_with", terminate_with)
        _check_format("add_all", "format_each", format_each)
        each = format_each, map_each, omit_if_empty, uniquify, expand_directories
        around = {"before_each": before_each, "terminate_with": terminate_with}
        return self._adding(_Added(name, held, False, *each, **around))

    def _add_joined(
        self,
        arg_name_or_values: object,
        values: object = _UNSET,
        *,
        join_with: object,
        map_each: object = None,
        format_each: object = None,
        format_joined: object = None,
        omit_if_empty: object = True,
        uniquify: object = False,
        expand_directories: object = True,
        allow_closure: object = False,
    ) -> object:
        name, held = _vector("add_joined", arg_name_or_values, values)
        _check_callable("add_joined", map_each)
        _check_format("add_joined", "format_each", format_each)
        _check_format("add_joined", "format_joined", format_joined)
        each = format_each, map_each, omit_if_empty, uniquify, expand_directories
        joined = {"joiner": join_with, "format_joined": format_joined}
        return self._adding(_Added(name, held, False, *each, **joined))

    def _adding(self, added: _Added) -> object:
        starlark.charge(1)
        self._added.append(added)
        return self

    def _use_param_file(self, param_file_arg: object, *, use_always: object = False) -> object:
        _check_format("use_param_file", "param_file_arg", param_file_arg, str(param_file_arg))
        return self

    def _set_param_file_format(self, format: object) -> object:
        if isinstance(format, str) and format not in _FILE_FORMATS:
            formats = ", ".join(f'"{one}"' for one in _FILE_FORMATS)
            starlark.fail_with(f'Invalid value for parameter "format": Expected one of {formats}')
        if self._has_format and self._context.release.param_file_format_is_set_once:
            starlark.fail_with("set_param_file_format() may only be called once")
        self._has_format = True
        return self

    # ---- The words

    def _single(self, added: _Added) -> Iterator[Piece]:
        if added.name is not None:
            yield text_of(added.name)
        yield self._formatted(added.format_each, text_of(added.values))

    def _several(self, added: _Added) -> Iterator[Piece]:
        if isinstance(added.values, UnknownValue):
            yield added.values.as_unknown()
            return
        pieces: list[Piece] = []
        for value in elements_of(added.values):
            is_directory = isinstance(value, FileValue) and value.is_directory
            if is_directory and added.expand_directories is not False:
                assert isinstance(value, FileValue)
                detail = "the files of a directory are known once it is made"
                pieces.append(Unknown(Reason.NEEDS_ANALYSIS, value.short_path, detail))
            else:
                pieces += self._mapped(added.map_each, value)
        if added.uniquify is True:
            pieces = list(dict.fromkeys(pieces))
        if not pieces and added.omit_if_empty is not False:
            return
        if added.name is not None:
            yield text_of(added.name)
        pieces = [self._formatted(added.format_each, one) for one in pieces]
        if added.joiner is not None:
            yield self._formatted(added.format_joined, _joined(added.joiner, pieces))
            return
        for piece in pieces:
            if added.before_each is not None:
                yield text_of(added.before_each)
            yield piece
        if added.terminate_with is not None:
            yield text_of(added.terminate_with)

    def _mapped(self, function: Any, value: object) -> list[Piece]:
        """What `map_each` makes of one value: a text, several, or None for nothing."""
        if function is None:
            return [text_of(value)]
        thread = starlark.Thread(LIMITS)
        try:
            with self._context.evaluating():
                result = starlark.call(function, (value,), {}, thread)
        except StarlarkError as error:
            return [Unknown(Reason.FAILED, "map_each", error.diagnostic.message)]
        for doubt in thread.doubts.values():
            if isinstance(doubt, Unknown):
                return [doubt]
        if result is None:
            return []
        results = list(result) if isinstance(result, list | tuple) else [result]
        if not all(isinstance(one, str | UnknownValue) for one in results):
            wanted = "Expected map_each to return string, None, or list of strings"
            return [
                Unknown(Reason.FAILED, "map_each", f"{wanted}, found {starlark.type_of(result)}")
            ]
        return [text_of(one) for one in results]

    def _formatted(self, form: object, piece: Piece) -> Piece:
        """A piece in a format, which has been checked. Bazel: `SingleStringArgFormatter`."""
        if form is None or isinstance(piece, Unknown):
            return piece
        text = text_of(form)
        if isinstance(text, Unknown):
            return text
        before, _, after = text.replace("%%", "\0").partition("%s")
        percent = "%" if self._context.release.args_unescape_percent else "%%"
        return before.replace("\0", percent) + piece + after.replace("\0", percent)


def pieces_of(arguments: object) -> Iterator[Piece]:
    """The words of the `arguments` of an action."""
    if isinstance(arguments, UnknownValue):
        yield arguments.as_unknown()
        return
    for argument in starlark.iterate(arguments) if arguments is not None else ():
        if isinstance(argument, Args):
            yield from argument.pieces()
        else:
            yield text_of(argument)


def check_arguments(arguments: object) -> None:
    """Fails as Bazel does if there are others than strings and `Args` among them."""
    if not isinstance(arguments, list | tuple):
        return
    for argument in arguments:
        if not isinstance(argument, str | Args | UnknownValue):
            starlark.fail_with(
                "expected list of strings or ctx.actions.args() for arguments instead of"
                f" {starlark.type_of(argument)}"
            )


def text_of(value: object) -> Piece:
    """How a value stands on a command line. Bazel: `CommandLineItem.expandToCommandLine`."""
    if isinstance(value, FileValue):
        return value.path
    if isinstance(value, LabelValue):
        return value.to_str()
    if isinstance(value, bool):
        return "true" if value else "false"
    unknown = unknown_in(value)
    if unknown is not None:
        return unknown
    if starlark.type_of(value) == "Target" or callable(value):
        detail = "how it is written is not modelled"
        return Unknown(Reason.NOT_MODELLED, f"a {starlark.type_of(value)} among arguments", detail)
    return starlark.str_of(value)


def _joined(joiner: object, pieces: list[Piece]) -> Piece:
    between = text_of(joiner)
    unknown = next((one for one in (between, *pieces) if isinstance(one, Unknown)), None)
    return unknown or str(between).join(str(one) for one in pieces)


# ---- Checks, in Bazel's words


def _named(first: object, second: object) -> tuple[object, object]:
    """The name before the values, and the values."""
    if second is _UNSET:
        return None, first
    if not isinstance(first, str | UnknownValue):
        kind = starlark.type_of(first)
        starlark.fail_with(f"expected value of type 'string' for arg name, got '{kind}'")
    return first, second


def _vector(function: str, first: object, second: object) -> tuple[object, object]:
    name, values = _named(first, second)
    if isinstance(values, list):
        values = tuple(values)
    if not isinstance(values, tuple | Depset | UnknownValue):
        said = starlark.wrong_type(function, "values", values, _SEQUENCE)
        if second is _UNSET:
            kind = starlark.type_of(values)
            said = f"expected value of type '{_SEQUENCE}' for values, got '{kind}'"
        starlark.fail_with(said)
    return name, values


def _check_text(function: str, parameter: str, value: object) -> None:
    if not (value is None or isinstance(value, str | UnknownValue)):
        starlark.fail_with(starlark.wrong_type(function, parameter, value, "string or NoneType"))


def _check_callable(function: str, value: object) -> None:
    if not (value is None or callable(value) or isinstance(value, UnknownValue)):
        starlark.fail_with(starlark.wrong_type(function, "map_each", value, "callable or NoneType"))


def _check_format(function: str, parameter: str, value: object, shown: str = "%s") -> None:
    _check_text(function, parameter, value)
    if isinstance(value, str) and unknown_in(value) is None and not _FORMAT.fullmatch(value):
        starlark.fail_with(
            f'Invalid value for parameter "{parameter}": Expected string with a single "{shown}"'
        )


_FORMAT = lazy_pattern(r"(?:[^%]|%%)*%s(?:[^%]|%%)*", re.DOTALL)
