"""Starlark's operators on two values, where Python's mean something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bazelscope.starlark.run.containers import (
    Dict,
    List,
    check_mutable,
    copy_of,
    equals,
    extend_list,
    has_key,
    merge,
)
from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.run.formatting import percent
from bazelscope.starlark.run.state import charge, check_size
from bazelscope.starlark.run.text_of_values import joined, raw
from bazelscope.starlark.run.values import Value, type_of

MAX_INTEGER_BITS = 1 << 16
_SMALL = 512


def _unsupported(operator: str, a: object, b: object) -> NoReturn:
    raise EvaluationError(f"unsupported binary operation: {type_of(a)} {operator} {type_of(b)}")


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
    _unsupported(operator, a, b)


def _number(value: object) -> bool:
    kind = type(value)
    return kind is int or kind is float


def _sized(value: Any) -> Any:
    """A number, refused if it is an integer that has grown out of bounds."""
    if type(value) is int and value.bit_length() > MAX_INTEGER_BITS:
        raise LimitExceededError(f"an integer exceeds the limit of {MAX_INTEGER_BITS} bits")
    return value


def _float_range(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Arithmetic on an integer and a float, the integer being too large for one, perhaps."""
    try:
        return operation(a, b)
    except OverflowError:
        raise EvaluationError("int too large to convert to float") from None


# ---- Arithmetic


def add(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is str:
        if type(b) is str:
            total = len(a) + len(b)
            if total > _SMALL:
                check_size(total, "a string")
            text = a + b
            return text if text.isascii() else joined(text)
    elif isinstance(a, list):
        if isinstance(b, list):
            total = len(a) + len(b)
            if total > 32:
                check_size(total, "a list")
            made = List(a)
            list.extend(made, b)
            return made
        if isinstance(b, Value):
            result = b.binary("+", a, True)
            if result is not NotImplemented:
                return result
    elif kind is int and type(b) is int:
        return _sized(a + b)
    elif isinstance(a, Value):
        result = a.binary("+", b, False)
        if result is not NotImplemented:
            return result
    elif (kind is tuple and type(b) is tuple) or (kind is bytes and type(b) is bytes):
        check_size(len(a) + len(b), f"a {type_of(a)}")
        return a + b
    if _number(a) and _number(b):
        return _float_range(lambda x, y: x + y, a, b)
    return _host("+", a, b)


def _charge_bits(a: Any, b: Any) -> None:
    """Counts the work of multiplying or dividing large integers."""
    if type(a) is int and type(b) is int:
        bits = a.bit_length() + b.bit_length()
        if bits > _SMALL:
            charge(bits >> 5)


def iadd(a: Any, b: Any) -> Any:
    """`a += b`: a list grows in place, by a list and nothing else (Bazel: Eval)."""
    if isinstance(a, list) and isinstance(b, list):
        check_mutable(a)
        extend_list(a, b)
        return a
    return add(a, b)


def sub(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return _sized(a - b)
    if _number(a) and _number(b):
        return _float_range(lambda x, y: x - y, a, b)
    return _host("-", a, b)


def mul(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        bits = a.bit_length() + b.bit_length()
        if bits > _SMALL:
            if bits > MAX_INTEGER_BITS:
                raise LimitExceededError(f"an integer exceeds the limit of {MAX_INTEGER_BITS} bits")
            charge(bits >> 5)
        return a * b
    if _number(a) and _number(b):
        return _float_range(lambda x, y: x * y, a, b)
    if type(a) is int:
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
        return _float_range(lambda x, y: x / y, a, b)
    return _host("/", a, b)


def _check_divisor(what: str, a: Any, b: Any) -> None:
    if not b:
        kind = "floating-point" if type(a) is float or type(b) is float else "integer"
        raise EvaluationError(f"{kind} {what} by zero")


def floordiv(a: Any, b: Any) -> Any:
    if _number(a) and _number(b):
        _check_divisor("division", a, b)
        if type(a) is int and type(b) is int:
            _charge_bits(a, b)
            return a // b
        # The floor of the quotient, as in Bazel: Python's own `//` rounds once less.
        return _float_range(lambda x, y: float(x) / float(y) // 1.0, a, b)
    return _host("//", a, b)


def mod(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    if _number(a) and _number(b):
        _check_divisor("modulo", a, b)
        _charge_bits(a, b)
        return _float_range(lambda x, y: x % y, a, b)
    return _host("%", a, b)


def or_(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a | b
    if isinstance(a, dict) and isinstance(b, dict):
        check_size(len(a) + len(b), "a dict")
        made = copy_of(a)
        merge(made, b)
        return made
    return _host("|", a, b)


def ior(a: Any, b: Any) -> Any:
    """`a |= b`: a dict grows in place."""
    if isinstance(a, Dict) and isinstance(b, dict):
        check_mutable(a)
        check_size(len(a) + len(b), "a dict")
        merge(a, b)
        return a
    return or_(a, b)


def and_(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a & b
    return _host("&", a, b)


def xor(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a ^ b
    return _host("^", a, b)


def lshift(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        if b < 0:
            raise EvaluationError(f"negative shift count: {b}")
        if b >= 512:  # as in Bazel: EvalUtils
            raise EvaluationError(f"shift count too large: {b}")
        return _sized(a << b)
    return _host("<<", a, b)


def rshift(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        if b < 0:
            raise EvaluationError(f"negative shift count: {b}")
        return a >> min(b, 1 << 20)
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
    """A long sum: all of `terms`, from the left."""
    result = terms[0]
    for term in terms[1:]:
        result = operation(result, term)
    return result


# ---- Comparison

_ORDERED = (int, str, bool, bytes)


def ne(a: Any, b: Any) -> bool:
    return not equals(a, b)


def compare(a: Any, b: Any) -> int:
    """Negative, zero or positive as `a` sorts before, with or after `b`."""
    kind = type(a)
    if kind is type(b) and kind in _ORDERED:
        if kind is str and len(a) > 4096:
            charge(len(a) >> 10)
        return int(a > b) - int(a < b)
    if _number(a) and _number(b):
        # NaN sorts after every number, as in Bazel: StarlarkFloat.
        if a != a or b != b:
            return int(a != a) - int(b != b)
        return int(a > b) - int(a < b)
    if _are_sequences(a, b):
        difference = _first_difference(a, b)
        return len(a) - len(b) if difference is None else compare(*difference)
    if isinstance(a, Value) and type(a) is type(b):
        return a.compare(b)
    raise EvaluationError(f"unsupported comparison: {type_of(a)} <=> {type_of(b)}")


def _are_sequences(a: Any, b: Any) -> bool:
    return (isinstance(a, list) and isinstance(b, list)) or (type(a) is type(b) is tuple)


def _first_difference(a: Any, b: Any) -> tuple[Any, Any] | None:
    """The first elements that differ, of two sequences; None where one begins with the other."""
    charge(min(len(a), len(b)))
    for one, other in zip(a, b, strict=False):
        if not equals(one, other):
            return one, other
    return None


def _comparison(operator: str, a: Any, b: Any, test: Callable[[int], bool]) -> bool:
    if _are_sequences(a, b):
        difference = _first_difference(a, b)
        if difference is not None:
            return _comparison(operator, *difference, test)
        return test(len(a) - len(b))
    if isinstance(a, Value):
        result = a.binary(operator, b, False)
        if result is not NotImplemented:
            return bool(result)
    if isinstance(b, Value) and not isinstance(a, Value):
        result = b.binary(operator, a, True)
        if result is not NotImplemented:
            return bool(result)
    return test(compare(a, b))


def lt(a: Any, b: Any) -> bool:
    return _comparison("<", a, b, lambda order: order < 0)


def le(a: Any, b: Any) -> bool:
    return _comparison("<=", a, b, lambda order: order <= 0)


def gt(a: Any, b: Any) -> bool:
    return _comparison(">", a, b, lambda order: order > 0)


def ge(a: Any, b: Any) -> bool:
    return _comparison(">=", a, b, lambda order: order >= 0)


class Ordered:
    """A key for Python's sort that compares as Starlark does."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> bool:
        return compare(self.value, other.value) < 0


def contains(a: Any, b: Any) -> bool:
    """`a in b`."""
    kind = type(b)
    if kind is str:
        if type(a) is not str:
            if isinstance(a, Value):
                result = a.binary("in", b, False)
                if result is not NotImplemented:
                    return bool(result)
            raise EvaluationError(
                f"'in <string>' requires string as left operand, not '{type_of(a)}'"
            )
        if len(b) > 256:
            charge(len(b) >> 5)
        return a in b or (not b.isascii() and raw(a) in raw(b))
    if isinstance(b, list) or kind is tuple:
        size = len(b)
        if size > 32:
            charge(size >> 4)
        # What is not in the list for Python is not in it for Starlark, which tells more
        # values apart.
        if type(a) is str or (type(a) is int and a not in b):
            return a in b
        charge(size)
        return any(equals(a, element) for element in b)
    if isinstance(b, dict):
        return has_key(b, a)
    if kind is range:
        return type(a) is int and a in b
    if isinstance(b, Value):
        result = b.contains(a)
        if result is NotImplemented:
            result = b.binary("in", a, True)
        if result is not NotImplemented:
            return bool(result)
    if kind is bytes and type(a) in (int, bytes):
        if type(a) is int and not 0 <= a <= 255:
            raise EvaluationError(f"int in bytes: {a} out of range")
        return a in b
    _unsupported("in", a, b)


def not_in(a: Any, b: Any) -> bool:
    return not contains(a, b)
