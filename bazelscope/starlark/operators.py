"""What compiled code calls for every operation that means something else in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any, NoReturn

from bazelscope.starlark import methods
from bazelscope.starlark.formatting import percent
from bazelscope.starlark.state import RUNNING, charge, check_size
from bazelscope.starlark.values import (
    Dict,
    EvaluationError,
    FrozenDict,
    FrozenList,
    IteratedDict,
    IteratedList,
    LimitReached,
    List,
    Set,
    Value,
    check_mutable,
    equals,
    iterate,
    repr_of,
    type_of,
)

MAX_INTEGER_BITS = 1 << 17
_BLOCK = 1000


def _unsupported(operator: str, a: object, b: object) -> NoReturn:
    raise EvaluationError(
        f"unsupported binary operation: {type_of(a)} {operator} {type_of(b)}"
    )


def _host(operator: str, a: object, b: object) -> Any:
    """`a operator b` if one of them is a host value that knows how."""
    if isinstance(a, Value):
        result = a.binary(operator, b, False)
        if result is not NotImplemented:
            return result
    if isinstance(b, Value):
        result = b.binary(operator, a, True)
        if result is not NotImplemented:
            return result
    return _unsupported(operator, a, b)


def _number(value: object) -> bool:
    kind = type(value)
    return kind is int or kind is float


def _sized_int(value: Any) -> Any:
    if type(value) is int and value.bit_length() > MAX_INTEGER_BITS:
        raise LimitReached(f"an integer of more than {MAX_INTEGER_BITS} bits")
    return value


# ---- Arithmetic


def add(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is str:
        if type(b) is str:
            total = len(a) + len(b)
            if total > 4096:
                check_size(total, "a string")
            return a + b
    elif isinstance(a, list):
        if isinstance(b, list):
            total = len(a) + len(b)
            if total > 4096:
                check_size(total, "a list")
            return List([*a, *b])
    elif kind is int or kind is float:
        if _number(b):
            return _sized_int(a + b)
    elif (kind is tuple and type(b) is tuple) or (kind is bytes and type(b) is bytes):
        check_size(len(a) + len(b), f"a {type_of(a)}")
        return a + b
    return _host("+", a, b)


def iadd(a: Any, b: Any) -> Any:
    """`a += b`: a list grows in place."""
    if isinstance(a, list):
        if isinstance(b, (list, tuple, dict, range)):
            check_mutable(a)
            check_size(len(a) + len(b), "a list")
            a.extend(b)
            return a
        if isinstance(b, Set):
            check_mutable(a)
            a.extend(b.elements)
            return a
    return add(a, b)


def sub(a: Any, b: Any) -> Any:
    if _number(a) and _number(b):
        return _sized_int(a - b)
    if isinstance(a, Set):
        return Set(element for element in a.elements if element not in set(iterate(b)))
    return _host("-", a, b)


def mul(a: Any, b: Any) -> Any:
    if _number(a) and _number(b):
        if type(a) is int and type(b) is int:
            bits = a.bit_length() + b.bit_length()
            if bits > 512 and bits > MAX_INTEGER_BITS:
                raise LimitReached(f"an integer of more than {MAX_INTEGER_BITS} bits")
        return a * b
    if type(a) is int and type(b) is not bool:
        a, b = b, a
    if type(b) is int and (isinstance(a, list) or type(a) in (str, tuple, bytes)):
        if b <= 0:
            return List() if isinstance(a, list) else a[:0]
        check_size(len(a) * b, f"a {type_of(a)}")
        repeated = a * b
        return List(repeated) if isinstance(a, list) else repeated
    return _host("*", a, b)


def div(a: Any, b: Any) -> Any:
    if _number(a) and _number(b):
        if not b:
            raise EvaluationError("floating-point division by zero")
        try:
            return a / b
        except OverflowError:
            raise EvaluationError("int too large to convert to float") from None
    return _host("/", a, b)


def floordiv(a: Any, b: Any) -> Any:
    if _number(a) and _number(b):
        if not b:
            floating = type(a) is float or type(b) is float
            what = "floating-point division" if floating else "integer division"
            raise EvaluationError(f"{what} by zero")
        return a // b
    return _host("//", a, b)


def mod(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    if _number(a) and _number(b):
        if not b:
            floating = type(a) is float or type(b) is float
            what = "floating-point modulo" if floating else "integer modulo"
            raise EvaluationError(f"{what} by zero")
        return a % b
    return _host("%", a, b)


def or_(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a | b
    if isinstance(a, dict) and isinstance(b, dict):
        check_size(len(a) + len(b), "a dict")
        return Dict({**a, **b})
    if isinstance(a, Set) and isinstance(b, Set):
        return Set([*a.elements, *b.elements])
    return _host("|", a, b)


def ior(a: Any, b: Any) -> Any:
    """`a |= b`: a dict grows in place."""
    if isinstance(a, dict) and isinstance(b, dict):
        check_mutable(a)
        a.update(b)
        return a
    return or_(a, b)


def and_(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a & b
    if isinstance(a, Set) and isinstance(b, Set):
        return Set(element for element in a.elements if element in b.elements)
    return _host("&", a, b)


def xor(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a ^ b
    if isinstance(a, Set) and isinstance(b, Set):
        left = [element for element in a.elements if element not in b.elements]
        return Set([*left, *(element for element in b.elements if element not in a.elements)])
    return _host("^", a, b)


def lshift(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        if b < 0:
            raise EvaluationError(f"negative shift count: {b}")
        if b >= 512:
            raise EvaluationError(f"shift count too large: {b}")
        return _sized_int(a << b)
    return _host("<<", a, b)


def rshift(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        if b < 0:
            raise EvaluationError(f"negative shift count: {b}")
        return a >> b
    return _host(">>", a, b)


def neg(a: Any) -> Any:
    return -a if _number(a) else _unary("-", a)


def pos(a: Any) -> Any:
    return a if _number(a) else _unary("+", a)


def invert(a: Any) -> Any:
    return ~a if type(a) is int else _unary("~", a)


def _unary(operator: str, a: object) -> Any:
    if isinstance(a, Value):
        result = a.unary(operator)
        if result is not NotImplemented:
            return result
    raise EvaluationError(f"unsupported unary operation: {operator}{type_of(a)}")


def chain(operation: Callable[[Any, Any], Any], terms: tuple[Any, ...]) -> Any:
    result = terms[0]
    for term in terms[1:]:
        result = operation(result, term)
    return result


# ---- Comparison


def ne(a: Any, b: Any) -> bool:
    return not equals(a, b)


def compare(a: Any, b: Any) -> int:
    """Negative, zero or positive as `a` sorts before, with or after `b`."""
    kind = type(a)
    if (
        (kind is type(b) and kind in (int, str, bool, bytes))
        or (_number(a) and _number(b))
    ):
        return (a > b) - (a < b)
    if isinstance(a, list) and isinstance(b, list) or (kind is tuple and type(b) is tuple):
        for x, y in zip(a, b):
            if not equals(x, y):
                return compare(x, y)
        return (len(a) > len(b)) - (len(a) < len(b))
    if isinstance(a, Value) and type(a) is type(b):
        return a.compare(b)
    raise EvaluationError(f"unsupported comparison: {type_of(a)} <=> {type_of(b)}")


def lt(a: Any, b: Any) -> bool:
    if type(a) is float or type(b) is float:
        compare(a, b)
        return bool(a < b)
    return compare(a, b) < 0


def le(a: Any, b: Any) -> bool:
    return compare(a, b) <= 0


def gt(a: Any, b: Any) -> bool:
    return compare(a, b) > 0


def ge(a: Any, b: Any) -> bool:
    return compare(a, b) >= 0


def contains(a: Any, b: Any) -> bool:
    """`a in b`."""
    kind = type(b)
    if kind is str:
        if type(a) is not str:
            raise EvaluationError(
                f"'in <string>' requires string as left operand, not '{type_of(a)}'"
            )
        return a in b
    if isinstance(b, dict):
        return a in b
    if isinstance(b, list) or kind is tuple:
        if type(a) is str:
            return a in b
        return any(equals(a, element) for element in b)
    if kind is range:
        return type(a) is int and a in b
    if isinstance(b, Value):
        result = b.contains(a)
        if result is not NotImplemented:
            return bool(result)
        result = b.binary("in", a, True)
        if result is not NotImplemented:
            return bool(result)
    if kind is bytes and type(a) in (int, bytes):
        return a in b
    return bool(_unsupported("in", a, b))


def not_in(a: Any, b: Any) -> bool:
    return not contains(a, b)


# ---- Attributes, elements


def attr(value: Any, name: str) -> Any:
    table = methods.TABLES.get(type(value))
    if table is not None:
        function = table.get(name)
        if function is not None:
            return methods.bind(function, value)
    elif isinstance(value, Value):
        try:
            return value.get_attr(name)
        except AttributeError:
            pass
    raise methods.no_attribute(value, name)


def set_attr(value: Any, name: str, new: Any) -> None:
    if isinstance(value, Value):
        try:
            value.set_attr(name, new)
        except AttributeError:
            pass
        else:
            return
    raise EvaluationError(f"cannot set field '{name}' of '{type_of(value)}' value")


def index(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        try:
            return value[key]
        except KeyError:
            raise EvaluationError(f"key {repr_of(key)} not found in dictionary") from None
    if isinstance(value, (list, tuple, str, range, bytes)):
        if type(key) is not int:
            raise EvaluationError(f"got {type_of(key)} for index, want int")
        size = len(value)
        if not -size <= key < size:
            raise EvaluationError(
                f"index out of range (index is {key}, but sequence has {size} elements)"
            )
        return value[key]
    if isinstance(value, Value):
        return value.index(key)
    raise EvaluationError(
        f"type '{type_of(value)}' has no operator [](" + type_of(key) + ")"
    )


def set_index(value: Any, key: Any, new: Any) -> None:
    kind = type(value)
    if isinstance(value, dict):
        if kind is not Dict:
            check_mutable(value)
        value[key] = new
    elif isinstance(value, list):
        check_mutable(value)
        if type(key) is not int:
            raise EvaluationError(f"got {type_of(key)} for list index, want int")
        size = len(value)
        if not -size <= key < size:
            raise EvaluationError(
                f"index out of range (index is {key}, but sequence has {size} elements)"
            )
        value[key] = new
    elif isinstance(value, Value):
        value.set_index(key, new)
    else:
        raise EvaluationError(
            f"can only assign an element in a dictionary or a list, not in a '{type_of(value)}'"
        )


def slice_(value: Any, low: Any, high: Any, step: Any) -> Any:
    for part in (low, high, step):
        if part is not None and type(part) is not int:
            raise EvaluationError(f"got {type_of(part)} for slice index, want int")
    if step == 0:
        raise EvaluationError("slice step cannot be zero")
    if isinstance(value, list):
        return List(value[low:high:step])
    if isinstance(value, (tuple, str, range, bytes)):
        return value[low:high:step]
    raise EvaluationError(f"invalid slice operand: {type_of(value)}")


def unpack(value: Any, count: int) -> Any:
    if isinstance(value, (list, tuple)):
        found = value
    elif isinstance(value, (dict, range, Value)):
        found = tuple(iterate(value))
    else:
        raise EvaluationError(
            f"got '{type_of(value)}' in sequence assignment (want {count}-element sequence)"
        )
    if len(found) != count:
        few = "few" if len(found) < count else "many"
        raise EvaluationError(f"too {few} values to unpack (got {len(found)}, want {count})")
    return found


def key(value: Any) -> Any:
    """A value on its way to become a dict's key."""
    return value


def dict_display(parts: tuple[Any, ...]) -> Dict:
    """The dict of an expression whose keys are not all different literals."""
    made = Dict()
    for position in range(0, len(parts), 2):
        name = parts[position]
        if name in made:
            raise EvaluationError(f"dictionary expression has duplicate key: {repr_of(name)}")
        made[name] = parts[position + 1]
    return made


def rest_arguments(value: Any) -> Iterable[Any]:
    """The operand of `*` in a call."""
    if isinstance(value, (list, tuple, dict, range, Value)):
        return iterate(value)
    raise EvaluationError(f"argument after * must be an iterable, not {type_of(value)}")


def keyword_arguments(value: Any) -> dict[str, Any]:
    """The operand of `**` in a call."""
    if not isinstance(value, dict):
        raise EvaluationError(f"argument after ** must be a dict, not {type_of(value)}")
    for name in value:
        if type(name) is not str:
            raise EvaluationError(f"keywords must be strings, not {type_of(name)}")
    return value


# ---- Loops


def begin(value: Any) -> Any:
    """What a `for` statement iterates over; a list or dict is locked until `done`."""
    kind = type(value)
    if kind is List:
        value.__class__ = IteratedList
    elif kind is Dict:
        value.__class__ = IteratedDict
    elif kind is IteratedList or kind is IteratedDict:
        charge(len(value))
        return iter(value)  # the outer loop unlocks it
    elif kind not in (tuple, FrozenList, FrozenDict, range, list, dict):
        value = iterate(value)
        if not hasattr(value, "__len__"):
            value = tuple(value)
    size = len(value)
    if size > _BLOCK:
        return _counted(value)
    charge(size)
    return value


def done(value: Any) -> None:
    """Ends what `begin` began."""
    kind = type(value)
    if kind is IteratedList:
        value.__class__ = List
    elif kind is IteratedDict:
        value.__class__ = Dict
    elif kind is GeneratorType:
        value.close()


def _counted(value: Any) -> Iterator[Any]:
    """Iterates over a large value, counting as it goes."""
    try:
        left = 0
        for item in value:
            if not left:
                charge(_BLOCK)
                left = _BLOCK
            left -= 1
            yield item
    finally:
        done(value)


def items(value: Any) -> Iterable[Any]:
    """What a comprehension iterates over, if nothing in it can change a value."""
    kind = type(value)
    if kind not in (List, tuple, Dict, FrozenList, FrozenDict, IteratedList, IteratedDict, range):
        value = iterate(value)
        if not hasattr(value, "__len__"):
            value = tuple(value)
    size = len(value)
    if size > _BLOCK:
        return _counted_plain(value)
    charge(size)
    return value  # type: ignore[no-any-return]


def _counted_plain(value: Any) -> Iterator[Any]:
    left = 0
    for item in value:
        if not left:
            charge(_BLOCK)
            left = _BLOCK
        left -= 1
        yield item


def guarded(value: Any) -> Iterable[Any]:
    """What a comprehension iterates over, locked while it does."""
    kind = type(value)
    if kind is List or kind is Dict:
        return _locked(value)
    return items(value)


def _locked(value: Any) -> Iterator[Any]:
    iterable = begin(value)
    try:
        yield from iterable
    finally:
        done(iterable)


def pairs(value: Any, count: int) -> Iterator[Any]:
    """The elements of `value`, each to be unpacked into `count` variables."""
    for item in value:
        yield item if type(item) is tuple and len(item) == count else unpack(item, count)


def same(value: Any) -> Any:
    return value


def enter(active: bool, name: str) -> None:
    """The first thing that a Starlark function does."""
    thread = RUNNING.thread
    thread.steps += 1
    if thread.steps > RUNNING.max_steps:
        raise LimitReached(f"evaluation takes more than {thread.limits.steps} steps")
    if active:
        raise EvaluationError(f"function '{name}' called recursively")


HELPERS: dict[str, Any] = {
    "@add": add, "@sub": sub, "@mul": mul, "@div": div, "@floordiv": floordiv, "@mod": mod,
    "@or": or_, "@and": and_, "@xor": xor, "@lshift": lshift, "@rshift": rshift,
    "@iadd": iadd, "@ior": ior, "@neg": neg, "@pos": pos, "@invert": invert, "@chain": chain,
    "@eq": equals, "@ne": ne, "@lt": lt, "@le": le, "@gt": gt, "@ge": ge,
    "@in": contains, "@not_in": not_in,
    "@attr": attr, "@setattr": set_attr, "@index": index, "@setindex": set_index,
    "@slice": slice_, "@unpack": unpack, "@key": key, "@list": List, "@dict": Dict,
    "@dict_of": Dict, "@dict_display": dict_display, "@args": rest_arguments,
    "@kwargs": keyword_arguments, "@begin": begin, "@done": done, "@items": items,
    "@guarded": guarded, "@pairs": pairs, "@enter": enter, "@same": same,
}  # fmt: skip
