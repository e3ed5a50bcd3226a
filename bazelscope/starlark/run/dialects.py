"""What differs between the dialects of hosts: which builtins there are, and what they take.

The builtins of this package are the language's own, and take all that any host does. A `Dialect`
says what one of them lacks. What a file sees is decided where it is compiled into its names: the
helpers that its operators and attributes are compiled to are those of its dialect (`HELPERS_NAME`
in what is predeclared for it).

Every difference was measured: tests/oracle/builtin_probes.py, with Bazel 0.24.1, 0.26.1, 2.1.0
and 4.2.3. Bazel: `StringModule`, `MethodLibrary`, `StarlarkList`, `Dict`, `EvalUtils`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.starlark.run import builtins, helpers, operators
from bazelscope.starlark.run.access import attr_in
from bazelscope.starlark.run.containers import LISTS, Dict, List
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.helpers import HELPERS_NAME
from bazelscope.starlark.run.json_module import Json
from bazelscope.starlark.run.methods import TABLES, no_attribute
from bazelscope.starlark.run.named_parameters import OLD_PARAMETERS, OLD_STRINGS, WITH_START, named
from bazelscope.starlark.run.text_of_values import repr_of, str_of
from bazelscope.starlark.run.unknown_operands import tolerant
from bazelscope.starlark.run.values import Value, is_function, type_of, wrong_type

_Function = Callable[..., Any]
_Tables = dict[type, dict[str, _Function]]
_UNSET: Any = object()
_LARGEST = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect; the defaults are those of a host with all that there is.

    `is_late`: bytes, `abs`, `|` of dicts, `%x`, `removeprefix`, `max(key)`, the default of
    `json.decode`. `has_floats`: these, and with them `json`, integers of any size, and builtin
    functions of a type of their own.
    `is_old`: parameters have names that calls may give, and there are fewer of them.
    `lists_methods`: dir() lists the methods of structs.
    `binds_prefixes`: a prefix of another base than `int` is given are digits, as in Python.
    """

    is_late: bool = True
    has_floats: bool = True
    is_old: bool = False
    lists_methods: bool = True
    binds_prefixes: bool = True


@functools.lru_cache(maxsize=8)
def _names(dialect: Dialect) -> Mapping[str, object]:
    tables = _tables(dialect)
    names: dict[str, object] = builtins.universe()
    integer = _function("int")
    if not dialect.binds_prefixes:
        integer = _without_prefix_of_another_base(integer)
    changed = {"int": integer if dialect.is_old else _limited(integer, "x")}
    gone: set[str] = set()
    if not dialect.is_late:
        gone |= {"abs", "bytes"}
        changed |= {"max": _without_key("max"), "min": _without_key("min")}
    if not dialect.has_floats:
        gone |= {"float", "json"}
        changed |= {"type": _old_type, "reversed": _sequence_alone("reversed")}
        changed["int"] = _small(changed["int"])
    if dialect.is_old:
        for name, parameters in OLD_PARAMETERS.items():
            changed[name] = named(name, changed.get(name, _function(name)), parameters)
        changed["enumerate"] = named("enumerate", _sequence_alone("enumerate"), "list")
        changed["sorted"] = named("sorted", _function("sorted"), "self")
        changed["dict"] = _old_dict
        changed["getattr"] = named("getattr", _old_getattr, "x name default?")
    changed["dir"] = _dir_in(tables, changed.get("dir"), dialect.lists_methods)
    for name, function in changed.items():
        made = tolerant(function, f"{name}({{}})")
        made.__name__ = made.__qualname__ = name
        names[name] = made
    if not dialect.is_old:
        # A look-up of a method by name goes where `x.name` does.
        names["getattr"] = _in_tables(_function("getattr"), tables)
    names["hasattr"] = _in_tables(names["hasattr"], tables)
    if not dialect.is_late:
        names["json"] = Json(takes_default=False)
    for name in gone:
        del names[name]
    names[HELPERS_NAME] = _helpers(dialect, tables)
    return names


def universe(dialect: Dialect) -> dict[str, object]:
    """The predeclared names of a dialect, for a host to add its own to."""
    return dict(_names(dialect))


def _function(name: str) -> Any:
    return builtins.universe()[name]


# ---- Methods


def _tables(dialect: Dialect) -> _Tables:
    strings, lists, dicts = dict(TABLES[str]), dict(TABLES[LISTS[0]]), dict(TABLES[Dict])
    for name in ("split", "rsplit"):
        strings[name] = _needs_separator(strings[name], name)
    if dialect.has_floats:
        strings["replace"] = _counted(strings["replace"])
    else:
        strings["replace"] = _old_replace
        for name in WITH_START:
            strings[name] = _starts_somewhere(strings[name], name)
        dicts["setdefault"] = _with_a_key(dicts["setdefault"])
    if not dialect.is_late:
        del strings["removeprefix"], strings["removesuffix"]
    if dialect.is_old:
        strings["join"] = _old_join
        strings["split"] = _old_split(strings["split"])
        for name, parameters in OLD_STRINGS.items():
            strings[name] = named(name, strings[name], parameters, bound=True)
        del lists["clear"]
        lists["index"] = _limited(named("index", lists["index"], "x", bound=True), "x")
        lists["extend"] = _sequence_alone("extend", lists["extend"], 1)
        dicts["get"] = _forgiving(dicts["get"])
        dicts["update"] = _old_update
    changed: _Tables = {}
    for kind, table in TABLES.items():
        own = TABLES[kind]
        if kind is str:
            own = {
                name: function if function is table.get(name) else tolerant(function, _form(name))
                for name, function in strings.items()
            }
        elif table is TABLES[LISTS[0]] or kind in LISTS:
            own = lists
        elif issubclass(kind, dict):
            own = dicts
        changed[kind] = own
    return changed


def _form(name: str) -> str:
    return f"....{name}({{}})"


def _needs_separator(function: _Function, name: str) -> _Function:
    def split(self: str, sep: Any, maxsplit: Any = None, /) -> Any:
        if sep is None:
            raise EvaluationError(wrong_type(name, "sep", sep, "string"))
        return function(self, sep, maxsplit)

    split.__name__ = name
    return split


def _counted(function: _Function) -> _Function:
    def replace(self: str, old: Any, new: Any, count: Any = -1, /) -> Any:
        if count is None:
            raise EvaluationError(wrong_type("replace", "count", count, "int"))
        return function(self, old, new, count)

    return replace


def _old_replace(self: str, old: Any, new: Any, maxsplit: Any = None, /) -> Any:
    # Less than none are replaced: none.
    count = max(maxsplit, 0) if type(maxsplit) is int else maxsplit
    return TABLES[str]["replace"](self, old, new, count)


def _starts_somewhere(function: _Function, name: str) -> _Function:
    def starts(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> Any:
        if start is None:
            raise EvaluationError(wrong_type(name, "start", start, "int"))
        return function(self, sub, start, end)

    starts.__name__ = name
    return starts


def _sequence_alone(name: str, function: _Function | None = None, at: int = 0) -> _Function:
    inner = function or _function(name)

    def checked(*args: Any) -> Any:
        value = args[at] if len(args) > at else ()
        is_odd = isinstance(value, dict) or (
            isinstance(value, Value) and type_of(value) in ("depset", "set")
        )
        if is_odd:
            raise EvaluationError(wrong_type(name, "sequence", value, "sequence"))
        return inner(*args)

    checked.__name__ = name
    return checked


def _is_shown(value: Any) -> bool:
    return type(value) is int or (isinstance(value, Value) and type_of(value) != "unknown")


def _old_join(self: str, elements: Any, /) -> Any:
    if isinstance(elements, dict) or type_of(elements) == "depset":
        raise EvaluationError(wrong_type("join", "elements", elements, "sequence"))
    if isinstance(elements, list | tuple):
        elements = [str_of(one) if _is_shown(one) else one for one in elements]
    return TABLES[str]["join"](self, elements)


def _old_split(function: _Function) -> _Function:
    def split(self: str, sep: Any, maxsplit: Any = None, /) -> Any:
        if sep == "" and maxsplit is None:
            return List([*self, ""])
        return function(self, sep, maxsplit)

    return split


def _forgiving(function: _Function) -> _Function:
    def get(self: Any, key: Any, /, default: Any = None) -> Any:
        try:
            return function(self, key, default)
        except TypeError:
            return default  # what can be no key is none

    return get


def _with_a_key(function: _Function) -> _Function:
    def setdefault(self: Any, key: Any, /, default: Any = None) -> Any:
        if key is None:
            raise EvaluationError("parameter 'key' cannot be None, for call to setdefault()")
        return function(self, key, default)

    return setdefault


def _old_update(self: Any, other: Any, /) -> None:
    is_unknown = isinstance(other, Value) and type_of(other) != "depset"
    if not isinstance(other, dict) and not is_unknown:
        raise EvaluationError(wrong_type("update", "other", other, "dict"))
    TABLES[Dict]["update"](self, other)


# ---- Functions


def _limited(function: _Function, *positional: str) -> _Function:
    """A function some of whose parameters have no name that a call may give."""

    def limited(*args: Any, **kwargs: Any) -> Any:
        for name in positional:
            if name in kwargs:
                raise EvaluationError(
                    f"{function.__name__}() got named argument for positional-only parameter"
                    f" '{name}'"
                )
        return function(*args, **kwargs)

    return limited


def _without_prefix_of_another_base(function: _Function) -> _Function:
    def int_(x: Any, *args: Any, **kwargs: Any) -> Any:
        base = args[0] if args else kwargs.get("base", 10)
        if type(x) is str and type(base) is int and 2 <= base <= 36:
            prefix = (x[1:] if x[:1] in ("+", "-") else x)[:2]
            wanted = builtins.BASES.get(prefix.lower(), base)
            if wanted != base:
                raise EvaluationError(
                    f"invalid base-{base} literal: {repr_of(x)}"
                    f" ({prefix} prefix wants base {wanted})"
                )
        return function(x, *args, **kwargs)

    return int_


def _without_key(name: str) -> _Function:
    function = _function(name)

    def chosen(*args: Any) -> Any:
        return function(*args)

    return chosen


def _small(function: _Function) -> _Function:
    def small(*args: Any, **kwargs: Any) -> Any:
        return _fitting(function(*args, **kwargs))

    return small


def _fitting(value: Any) -> Any:
    """A number of 32 bits, which is all that there are."""
    if type(value) is int and not -_LARGEST - 1 <= value <= _LARGEST:
        raise EvaluationError("integer overflow")
    return value


def _old_type(x: Any, /) -> Any:
    if type_of(x) in ("builtin_function_or_method", "rule") or is_function(x):
        return "function"
    return builtins.type_(x)


def _old_dict(args: Any = (), **kwargs: Any) -> Any:
    if type_of(args) == "depset":
        raise EvaluationError(wrong_type("dict", "args", args, "list or dict"))
    return _function("dict")(args, **kwargs)


def _old_getattr(x: Any, name: Any, default: Any = _UNSET, /) -> Any:
    if type(x) in TABLES:
        if default is not _UNSET:
            return default
        raise no_attribute(x, str(name))
    rest = () if default is _UNSET else (default,)
    return _function("getattr")(x, name, *rest)


def _dir_in(tables: _Tables, function: _Function | None, lists_methods: bool) -> _Function:
    inner = function or _function("dir")

    def names_of(*args: Any, **kwargs: Any) -> Any:
        value = next(iter((*args, *kwargs.values())), _UNSET)
        if type(value) in tables and len(args) + len(kwargs) == 1:
            inner(*args, **kwargs)
            return List(sorted(tables[type(value)]))
        if not lists_methods and isinstance(value, Value):
            return List(sorted(value.dir_names()))
        return inner(*args, **kwargs)

    return names_of


def _in_tables(function: Any, tables: _Tables) -> _Function:
    """`getattr` or `hasattr`, which know of the methods of `tables` alone."""
    is_question = function.__name__ == "hasattr"

    def looked_up(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and 1 < len(args) < (3 if is_question else 4) and type(args[0]) in TABLES:
            own = tables[type(args[0])]
            if type(args[1]) is str and args[1] in TABLES[type(args[0])]:
                if args[1] not in own:
                    return function(args[0], "", *args[2:])
                return True if is_question else MethodType(own[args[1]], args[0])
        return function(*args, **kwargs)

    looked_up.__name__ = function.__name__
    return looked_up


# ---- Operators

_DIRECTIVE = lazy_pattern(r"%(.?)", re.DOTALL)


def _helpers(dialect: Dialect, tables: _Tables) -> Mapping[str, Any]:
    made = dict(helpers.HELPERS)
    made["@attr"] = attr_in(tables)
    if not dialect.is_late:
        made["@mod"] = _mod_without("xXo" if dialect.has_floats else "xXoeEfFgG")
        made["@or"] = _or_of_sets(operators.or_, dialect)
        made["@ior"] = _or_of_sets(operators.ior, dialect)
    if not dialect.has_floats:
        made["@div"] = _no_division
        for name in ("@add", "@sub", "@mul", "@iadd", "@neg", "@lshift"):
            made[name] = _small(made[name])
    if dialect.is_old:
        made["@in"], made["@not_in"] = _old_contains, _old_excludes
    return made


def _mod_without(letters: str) -> _Function:
    @functools.lru_cache(maxsize=1024)
    def problem(template: str) -> str | None:
        for match in _DIRECTIVE.finditer(template):
            if match[1] and match[1] in letters:
                return (
                    f'unsupported format character "{match[1]}" at index {match.start() + 1} in'
                    f' "{template}"'
                )
        return None

    def mod(a: Any, b: Any) -> Any:
        if type(a) is str:
            error = problem(a)
            if error is not None:
                raise EvaluationError(error)
        return operators.mod(a, b)

    return mod


def _or_of_sets(function: _Function, dialect: Dialect) -> _Function:
    def joined(a: Any, b: Any) -> Any:
        both_numbers = dialect.is_old and type(a) is int and type(b) is int
        if both_numbers or (isinstance(a, dict) and isinstance(b, dict)):
            raise EvaluationError(
                f"unsupported operand type(s) for |: '{type_of(a)}' and '{type_of(b)}'"
            )
        return function(a, b)

    return joined


def _no_division(a: Any, b: Any) -> Any:
    if isinstance(a, Value) or isinstance(b, Value):
        return operators.div(a, b)
    raise EvaluationError(
        "The `/` operator is not allowed. Please use the `//` operator for integer division."
    )


def _old_contains(a: Any, b: Any) -> bool:
    if isinstance(b, dict):
        try:
            return operators.contains(a, b)
        except TypeError:
            return False  # what can be no key is none
    return operators.contains(a, b)


def _old_excludes(a: Any, b: Any) -> bool:
    return not _old_contains(a, b)
