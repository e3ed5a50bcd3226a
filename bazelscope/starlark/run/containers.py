"""Lists and dicts: their states, their keys, and equality at any depth.

The *class* of a list or dict is its state: one that a loop runs over is an `IteratedList`, a
frozen one a `FrozenList`. A value so costs no more memory than Python's, a check for "may be
changed" is one comparison, and a change of state copies nothing.

In Python `True == 1`, in Starlark not: `{1: "a", True: "b"}` has two keys. A dict that gets a
bool as a key, alone or inside a tuple, becomes an `OddDict`, which stores such keys in
disguise. So does one with a key that nobody knows, which may be any that is looked for. Every
other dict is Python's own all through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.run.state import RUNNING, charge, check_size
from bazelscope.starlark.run.values import TYPE_NAMES, Value, type_of


class List(list[Any]):
    """A Starlark list that may be changed."""

    __slots__ = ()
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return equals(self, other)

    def __ne__(self, other: object) -> bool:
        return not equals(self, other)


class IteratedList(List):
    """A list while a loop runs over it: it cannot be changed."""

    __slots__ = ()


class FrozenList(List):
    """A list of a module that has ended: it can never be changed again."""

    __slots__ = ()


class Dict(dict[Any, Any]):
    """A Starlark dict that may be changed."""

    __slots__ = ()
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return equals(self, other)

    def __ne__(self, other: object) -> bool:
        return not equals(self, other)


class IteratedDict(Dict):
    """A dict while a loop runs over it: it cannot be changed."""

    __slots__ = ()


class FrozenDict(Dict):
    """A dict of a module that has ended: it can never be changed again."""

    __slots__ = ()


# ---- Keys


class _Disguise:
    """A bool as a key. Python's `True` would be the same key as `1`."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value


_TRUE, _FALSE = _Disguise(True), _Disguise(False)
_MAX_KEY_DEPTH = 150
_HASH_MODULUS = (1 << 61) - 1
_LARGE_KEY_STEPS = 200


def stored_key(key: Any) -> Any:
    """`key` as dicts store it: itself, unless there is a bool in it.

    Also refuses tuples so deep that hashing them would overflow the stack, counts the parts of
    large ones (Python does not remember the hash of a tuple, and hashes a shared part again and
    again), and makes integers dear that can all be given the same hash.
    """
    kind = type(key)
    if kind is int:
        if not -_HASH_MODULUS < key < _HASH_MODULUS:
            charge(_LARGE_KEY_STEPS)
        return key
    if kind is bool:
        return _TRUE if key else _FALSE
    if kind is tuple:
        return _stored_tuple(key, 0)
    return key


def has_key(mapping: dict[Any, Any], key: Any) -> bool:
    """Whether `key` is one of a dictionary's keys, as far as anybody can tell."""
    if type(key) is str and not isinstance(mapping, OddDict):
        return dict.__contains__(mapping, key)
    is_there = dict.__contains__(mapping, stored_key(key))
    if is_there or not mapping or (isinstance(key, Value) and key.is_key_of(mapping)):
        return is_there or bool(mapping)
    if not isinstance(mapping, OddDict):
        return False
    return any(unknown.equals(key) for unknown in unknown_keys(mapping, key))


def unknown_keys(mapping: OddDict, key: Any) -> Iterator[Value]:
    """The keys of such a dictionary, or their parts, that may make `key` one of them, which is
    none as far as is known."""
    if not isinstance(key, Value):
        charge(len(mapping) >> 3)
        for one in dict.__iter__(mapping):
            unknown = _unknown_part(one)
            if unknown is not None and (unknown is one or _may_equal(one, key)):
                yield unknown


def later_unknown_keys(mapping: dict[Any, Any], key: Any) -> Iterator[Value]:
    """The unknown keys of a dictionary that came after `key`, which it has: one that is the same
    key has another value in the place of the one that is there."""
    if not isinstance(mapping, OddDict) or isinstance(key, Value):
        return
    charge(len(mapping) >> 3)
    wanted = hash_of(key)
    is_behind = False
    for one in dict.__iter__(mapping):
        unknown = _unknown_part(one) if is_behind else None
        if unknown is not None and (unknown is one or _may_equal(one, key)):
            yield unknown
        is_behind = is_behind or hash(one) == wanted


def size_of(mapping: dict[Any, Any]) -> int:
    """How many keys a dictionary has, as far as anybody can tell: two may be one."""
    size = len(mapping)
    if size > 1 and isinstance(mapping, OddDict):
        unknown = filter(None, map(_unknown_part, dict.__iter__(mapping)))
        size -= any(one.is_key_of(mapping) for one in unknown)
    return size


def _unknown_part(key: object) -> Value | None:
    """What nobody knows of a key. Of a text with an unknown piece, a dry run asks by itself whether
    it is one of the keys."""
    for part in key if type(key) is tuple else (key,):
        if isinstance(part, str) or not isinstance(part, Value):
            continue
        if part.in_place_of("{}") is not NotImplemented:
            return part
    return None


def _may_equal(one: tuple[Any, ...], key: Any) -> bool:
    if type(key) is not tuple or len(key) != len(one):
        return False
    return all(
        _unknown_part(part) is not None or equals(part, of)
        for part, of in zip(one, key, strict=True)
    )


def _stored_tuple(key: tuple[Any, ...], depth: int) -> tuple[Any, ...]:
    if depth > _MAX_KEY_DEPTH:
        raise LimitExceededError("a tuple is nested too deeply to be a key")
    if depth or len(key) > 16:
        charge(1 + (len(key) >> 2))
    changed = False
    parts: list[Any] = []
    for part in key:
        kind = type(part)
        if kind is bool:
            parts.append(_TRUE if part else _FALSE)
            changed = True
        elif kind is int:
            parts.append(stored_key(part))
        elif kind is tuple:
            stored = _stored_tuple(part, depth + 1)
            changed = changed or stored is not part
            parts.append(stored)
        else:
            parts.append(part)
    return tuple(parts) if changed else key


def hash_of(value: Any) -> int:
    """The hash of a value, its parts counted; TypeError for one that has none."""
    return hash(stored_key(value))


def hash_of_part(value: Any) -> int:
    """The hash of a value in a structure that is a key: there, a list or a dict that can never be
    changed again is allowed. Bazel: `StarlarkInfo.isImmutable`."""
    kind = type(value)
    if kind is tuple or kind is FrozenList:
        charge(1 + len(value))
        return hash(tuple(hash_of_part(part) for part in value))
    if kind is FrozenDict or kind is FrozenOddDict:
        charge(1 + len(value))
        for part in dict.values(value):
            hash_of_part(part)
        return hash(frozenset(dict.__iter__(value)))
    return hash_of(value)


def _original_key(key: Any) -> Any:
    kind = type(key)
    if kind is _Disguise:
        return key.value
    if kind is tuple:
        return tuple(_original_key(part) for part in key)
    return key


class OddDict(Dict):
    """A dict with a bool among its keys, in disguise, or with a key that nobody knows."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, stored_key(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        dict.__setitem__(self, stored_key(key), value)

    def __contains__(self, key: Any) -> bool:
        return dict.__contains__(self, stored_key(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return dict.get(self, stored_key(key), default)

    def __iter__(self) -> Iterator[Any]:
        return map(_original_key, dict.__iter__(self))

    def keys(self) -> Any:
        return list(self)

    def items(self) -> Any:
        return [(_original_key(key), value) for key, value in dict.items(self)]


class IteratedOddDict(OddDict):
    """An odd dict while a loop runs over it."""

    __slots__ = ()


class FrozenOddDict(OddDict):
    """An odd dict of a module that has ended."""

    __slots__ = ()


ITERATED: dict[type, type] = {List: IteratedList, Dict: IteratedDict, OddDict: IteratedOddDict}
RELEASED: dict[type, type] = {iterated: mutable for mutable, iterated in ITERATED.items()}
FROZEN: dict[type, type] = {
    List: FrozenList,
    IteratedList: FrozenList,
    Dict: FrozenDict,
    IteratedDict: FrozenDict,
    OddDict: FrozenOddDict,
    IteratedOddDict: FrozenOddDict,
}
LISTS = (List, IteratedList, FrozenList)
DICTS = (Dict, IteratedDict, FrozenDict, OddDict, IteratedOddDict, FrozenOddDict)
TYPE_NAMES.update(dict.fromkeys(LISTS, "list"))
TYPE_NAMES.update(dict.fromkeys(DICTS, "dict"))


LOCKED: list[Any] = []
"""The lists and dicts that loops have locked, in the order of the loops."""


def unlock(count: int) -> None:
    """Unlocks all but the first `count`: the loops of the others have ended by an error."""
    while len(LOCKED) > count:
        value = LOCKED.pop()
        value.__class__ = RELEASED.get(type(value), type(value))


def check_mutable(value: object) -> None:
    """EvaluationError if `value`, a list or dict, may not be changed now."""
    if type(value) not in ITERATED:
        _refuse(value, type_of(value))


def _refuse(value: object, what: str) -> NoReturn:
    if type(value) in RELEASED:
        raise EvaluationError(
            f"{what} value is temporarily immutable due to active for-loop iteration"
        )
    raise EvaluationError(f"trying to mutate a frozen {what} value")


def check_mutable_set(elements: Dict) -> None:
    """EvaluationError if the set that has this dict may not be changed now."""
    if type(elements) not in ITERATED:
        _refuse(elements, "set")


def extend_list(target: list[Any], more: Any) -> None:
    """Adds the elements of `more`, which has a length, to a list; only they cost steps."""
    if len(target) + len(more) > RUNNING.max_size:
        check_size(len(target) + len(more), "a list")
    check_size(len(more), "a list")
    target.extend(more)


# ---- Changing dicts; the caller has checked that they may be changed


def put(target: dict[Any, Any], key: Any, value: Any) -> None:
    """`target[key] = value`."""
    if type(key) is str:
        dict.__setitem__(target, key, value)
        return
    if isinstance(key, Value):
        key = key.as_key_of(target)
    stored = stored_key(key)
    is_odd = stored is not key or _unknown_part(key) is not None
    if is_odd and not isinstance(target, OddDict):
        target.__class__ = OddDict
    dict.__setitem__(target, stored, value)


def merge(target: Dict, more: dict[Any, Any]) -> None:
    """Adds all entries of the dict `more` to `target`."""
    check_size(len(target) + len(more), "a dict")
    charge(len(more) >> 1)
    if isinstance(more, OddDict):
        if not isinstance(target, OddDict):
            target.__class__ = OddDict
        dict.update(target, dict.items(more))
    else:
        dict.update(target, more)


def copy_of(value: dict[Any, Any]) -> Dict:
    """A new dict with the entries of `value`."""
    made = Dict()
    merge(made, value)
    return made


def take(target: Dict, key: Any, default: Any) -> Any:
    """Removes `key` and returns its value, or `default`; for a key that cannot be one, too."""
    try:
        value = dict.pop(target, stored_key(key), default)
    except TypeError:
        return default
    _shrink(target)
    return value


def _shrink(target: Dict) -> None:
    """Python never makes the table of a dict smaller, and walks all of it at each look."""
    if dict.__sizeof__(target) > 1000 * (len(target) + 8):
        entries = list(dict.items(target))
        dict.clear(target)
        dict.update(target, entries)


def pop_first(target: Dict) -> tuple[Any, Any]:
    """Removes and returns the first entry of a dict that has one."""
    charge(dict.__sizeof__(target) >> 9)  # it walks over what was taken before
    key = next(dict.__iter__(target))
    return _original_key(key), dict.pop(target, key)


def dict_of_pairs(pairs: Iterable[tuple[Any, Any]]) -> Dict:
    """The dict of a dict comprehension: later entries win."""
    made = Dict()
    for key, value in pairs:
        put(made, key, value)
    return made


# ---- Equality


def equals(a: Any, b: Any) -> bool:
    """Starlark's `==`: a bool equals no number, a list no tuple, at any depth."""
    kind = type(a)
    if kind is str or kind is bytes or a is None:
        if a is not None and len(a) > 4096:
            charge(len(a) >> 10)
        return bool(a == b)
    if a is b:
        return a == a if kind is float else True
    if isinstance(b, Value) and not isinstance(a, Value):
        return b.equals(a)
    if kind is bool or type(b) is bool:
        return False  # a bool equals only itself
    if kind is int or kind is float:
        return type(b) in (int, float) and bool(a == b)
    if isinstance(a, list):
        return isinstance(b, list) and _equal_sequences(a, b)
    if kind is tuple:
        return type(b) is tuple and _equal_sequences(a, b)
    if isinstance(a, dict):
        return isinstance(b, dict) and _equal_dicts(a, b)
    if isinstance(a, Value):
        return a.equals(b)
    if isinstance(b, Value):
        return b.equals(a)
    return bool(a == b)


def _equal_sequences(a: Any, b: Any) -> bool:
    charge(len(a) + 2)
    for part in (*a, *b):
        if isinstance(part, Value):
            result = part.equals_part_of(a, b)
            if result is not NotImplemented:
                return bool(result)
    return len(a) == len(b) and all(map(equals, a, b))


_MISSING = object()


def _equal_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    if size_of(a) != size_of(b):
        return False
    charge(len(a))
    for key, value in dict.items(a):
        other = dict.get(b, key, _MISSING)
        if not (has_key(b, key) if other is _MISSING else equals(value, other)):
            return False
    return True


# ---- Iteration


def iterate(value: Any) -> Iterable[Any]:
    """The elements of an iterable value; EvaluationError for anything else (strings too)."""
    if isinstance(value, (list, tuple, dict, range)):
        return value
    if isinstance(value, Value):
        return value.iterate()
    raise EvaluationError(f"type '{type_of(value)}' is not iterable")


def elements_of(value: Any) -> Any:
    """The elements of an iterable value as something that has a length."""
    elements = iterate(value)
    return elements if hasattr(elements, "__len__") else tuple(elements)
