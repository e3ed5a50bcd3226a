"""Hashes of Starlark values: plain data, functions by their code, rules by their classes.

Two values of one hash do the same in whatever package they are used. A value of which nobody can
tell whether it is the same has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import CodeType, FunctionType

from bazelscope import starlark
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import OpaqueProvider, Provider, Struct
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectCall,
    SelectValue,
    UnknownValue,
)


class ValueHashes:
    """Hashes values. `with_places`: which lines functions stand in is part of them."""

    def __init__(self, with_places: bool) -> None:
        self.with_places = with_places
        self._functions: dict[FunctionType, bytes | None] = {}
        self._values: dict[int, tuple[object, bytes | None]] = {}
        """By identity; the value is held so that no other one gets its place in memory."""

    def _called(self, function: FunctionType) -> bytes | None:
        """A function with all that its code refers to; of functions that it names, nothing but
        which they are: those that it calls are told by themselves."""
        if function not in self._functions:
            self._functions[function] = None  # It may refer to itself.
            self._functions[function] = self._function(function)
        return self._functions[function]

    def _function(self, function: FunctionType) -> bytes | None:
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        scope = function.__globals__
        names = sorted({name for name in _names(function.__code__) if name in scope})
        values = (*defaults, *(scope[name] for name in names if not name.startswith("@")))
        code = _code(function.__code__, self.with_places)
        return of_all((code, *map(self._value, values)))

    def _value(self, value: object) -> bytes | None:
        if value is None or type(value) in _PLAIN:
            return f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")
        known = self._values.get(id(value))
        if known is None:
            # Until it is told, a value that holds itself cannot be compared.
            self._values[id(value)] = value, None
            known = self._values[id(value)] = value, self._compound(value)
        return known[1]

    def _compound(self, value: object) -> bytes | None:
        if isinstance(value, list | tuple):
            return self._all("list" if isinstance(value, list) else "tuple", value)
        if isinstance(value, dict):
            return self._all("dict", (part for pair in value.items() for part in pair))
        if starlark.is_function(value):
            assert isinstance(value, FunctionType)
            return self._named(value)
        if isinstance(value, starlark.Builtin):
            return b"builtin " + value.name.encode()
        if isinstance(value, LabelValue):
            return b"label " + str(value.label).encode()
        if isinstance(value, UnknownValue):
            return text_of(("unknown", value.text, value.unknown))
        if isinstance(value, Struct) and value.is_plain:
            names = sorted(value.fields)
            parts = (value.provider, *names, *(value.fields[name] for name in names))
            return self._all("struct", parts)
        if type(value) is Provider and value.name:
            fields = None if value.fields is None else sorted(value.fields)
            return self._all(repr(("provider", value.name, value.file, fields)), (value.init,))
        if isinstance(value, Depset):
            return self._all(f"depset {value.order}", (value.direct, value.transitive))
        if isinstance(value, OpaqueProvider):
            return b"provider " + value.name.encode()
        if isinstance(value, SelectValue):
            return self._all("select", value.parts)
        if isinstance(value, SelectCall):
            raw = value.stack
            stack: object = raw
            if not isinstance(raw, int):
                stack = starlark.decode_stack(raw) if self.with_places else ()
            entries = (part for entry in value.entries for part in entry)
            return self._all(repr((value.no_match_error, stack)), entries)
        if isinstance(value, StarlarkRule) and value.name:
            kind = value.kind
            defined_at = kind.rule_class.defined_at if self.with_places else ()
            rule_class = replace(kind.rule_class, defined_at=defined_at)
            home = value.options["home"] if value.takes_private else None
            said = repr((rule_class, kind.outputs, sorted(kind.computed), home))
            functions = (kind.outputs_function, *kind.computed.values())
            return self._all(said, (*functions, *value.initializers))
        return None

    def _named(self, function: FunctionType) -> bytes | None:
        """A function as something that is at hand: which one it is, and the code too of one of
        which nobody is told that it was called."""
        if not starlark.is_global(function):
            return None
        name = text_of((function.__code__.co_filename, function.__code__.co_name))
        return name if starlark.is_guarded(function) else of_all((name, self._called(function)))

    def _all(self, kind: str, parts: Iterable[object]) -> bytes | None:
        return of_all((kind.encode("utf-8", "surrogatepass"), *map(self._value, parts)))


_PLAIN = frozenset({bool, int, float, str, bytes})


def text_of(said: tuple[object, ...]) -> bytes:
    return repr(said).encode("utf-8", "surrogatepass")


def of_all(digests: Iterable[bytes | None]) -> bytes | None:
    told: list[bytes] = []
    for digest in digests:
        if digest is None:
            return None
        told.append(digest)
    return hash_of(told)


def hash_of(parts: Iterable[bytes]) -> bytes:
    state = blake2b(digest_size=16)
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


def _names(code: CodeType) -> Iterator[str]:
    """All names that code, and the code of functions inside, looks up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def mentions(code: CodeType, word: str) -> bool:
    """Whether a name or a text in a function, or in one inside of it, is `word`."""
    return word in code.co_names or any(
        mentions(constant, word) if isinstance(constant, CodeType) else word in _texts(constant)
        for constant in code.co_consts
    )


def _texts(constant: object) -> tuple[object, ...]:
    return constant if isinstance(constant, tuple) else (constant,)


def _code(code: CodeType, with_places: bool) -> bytes:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    place: tuple[object, ...] = (code.co_filename, code.co_name)
    if with_places:
        place += (code.co_firstlineno, tuple(code.co_lines()))
    constants = (
        _code(constant, with_places)
        if isinstance(constant, CodeType)
        else text_of((constant if with_places else _unplaced(constant),))
        for constant in code.co_consts
    )
    return hash_of((code.co_code, text_of((counts, names, place)), *constants))


def _unplaced(constant: object) -> object:
    """A constant of code, without what tells where the code stands."""
    if type(constant) is bytes and _WORDS.fullmatch(constant):
        return None  # Places of a dictionary's entries.
    if type(constant) is str and "\0" in constant:
        # The guard of a function has its number in the file.
        return _GUARD.sub("\0", constant)
    return constant


_WORDS = lazy_pattern(rb"[0-9 ]+")
_GUARD = lazy_pattern(r"\0\d+\0")
