"""What a BUILD file sees of the `.bzl` files that it loads, and hashes of it.

A changed `.bzl` file need not change a package: what counts are the values of the symbols that
its BUILD file loads, the code of the functions that it came by, and what these refer to. Code has
its places in it, since targets tell in which lines they were made. A value of which nobody can
tell whether it is the same has no hash: then the texts of the files decide.
"""

from __future__ import annotations

import hashlib
import marshal
import zlib
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import NamedTuple

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule, transitive
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectCall,
    SelectValue,
    UnknownValue,
)

_Part = tuple[str, tuple[str, ...], tuple[str, ...], bytes]
"""A file, the symbols of it that were loaded, its functions that were called, and a hash of all
of them."""


class SeenValues(NamedTuple):
    """What one BUILD file saw: the files that it loads; a hash of what they and all files below
    say besides values (their own loads, errors and unknowns); and the values, file by file.
    All of it plain data."""

    files: tuple[str, ...]
    said: bytes
    parts: tuple[_Part, ...]

    def packed(self) -> bytes:
        """The same as bytes."""
        return zlib.compress(marshal.dumps(tuple(self)), 1)


class ModuleValues:
    """Hashes of what the modules of one loader hold."""

    def __init__(self, modules: ModuleLoader, context: EvaluationContext) -> None:
        self._modules = modules
        self._context = context
        self._parts: dict[tuple[str, tuple[str, ...], tuple[str, ...]], bytes | None] = {}
        self._said: dict[Label, bytes] = {}
        self._functions: dict[FunctionType, bytes | None] = {}
        self._values: dict[int, tuple[object, bytes | None]] = {}
        """By identity; the value is held so that no other one gets its place in memory."""

    def forget(self) -> None:
        """Drops all hashes: texts have changed, and modules are made anew."""
        for known in (self._parts, self._said, self._functions, self._values):
            known.clear()

    def seen(
        self, loaded: Iterable[tuple[Label, str]], files: Sequence[Label], entered: Iterable[str]
    ) -> SeenValues | None:
        """What a BUILD file saw that loads `files` and of them those symbols, where functions
        were `entered` (see `Thread.entered`); None where it cannot be compared."""
        symbols: dict[str, set[str]] = {}
        functions: dict[str, set[str]] = {}
        for label, name in loaded:
            symbols.setdefault(str(label), set()).add(name)
        for guard in entered:
            path, name = starlark.function_of_guard(guard)
            owner = self._context.label_of_path.get(path)
            if owner is not None:
                functions.setdefault(str(owner), set()).add(name)
        parts: list[_Part] = []
        for text in sorted({*symbols, *functions}):
            names = tuple(sorted(symbols.get(text, ()))), tuple(sorted(functions.get(text, ())))
            digest = self._part(text, *names)
            if digest is None:
                return None
            parts.append((text, *names, digest))
        return SeenValues(tuple(map(str, files)), self._all_said(files), tuple(parts))

    def plain(self, packed: bytes) -> SeenValues | None:
        """What `SeenValues.packed` wrote; None for anything else."""
        try:
            return SeenValues(*marshal.loads(zlib.decompress(packed)))
        except (ValueError, EOFError, TypeError, zlib.error):
            return None

    def are_seen(self, seen: SeenValues) -> bool:
        """Whether a BUILD file would see the same here."""
        if self._all_said(map(decode_label, seen.files)) != seen.said:
            return False
        return all(self._part(*part[:3]) == part[3] for part in seen.parts)

    def modules_of(self, seen: SeenValues) -> tuple[LoadedModule, ...]:
        """The modules that a BUILD file loads, and all below."""
        return transitive(self._modules.load(decode_label(file)) for file in seen.files)

    # ---- What files say besides values

    def _all_said(self, files: Iterable[Label]) -> bytes:
        modules = transitive(self._modules.load(file) for file in files)
        return _hash(self._said_by(module) for module in modules)

    def _said_by(self, module: LoadedModule) -> bytes:
        known = self._said.get(module.label)
        if known is None:
            own = (module.label, module.provenance, module.unknown, module.diagnostics)
            rest = (module.unknowns, module.loads, module.path, module.doubt, module.refused)
            visible = self._context.load_visibility.get(module.label)
            known = self._said[module.label] = _hash((_text((*own, *rest, visible)),))
        return known

    # ---- Values

    def _part(
        self, file: str, symbols: tuple[str, ...], functions: tuple[str, ...]
    ) -> bytes | None:
        key = file, symbols, functions
        if key not in self._parts:
            self._parts[key] = self._part_of(*key)
        return self._parts[key]

    def _part_of(
        self, file: str, symbols: tuple[str, ...], functions: tuple[str, ...]
    ) -> bytes | None:
        module = self._modules.load(decode_label(file)).module
        if module is None:
            # Its symbols are unknown for the reason that it says.
            return b"" if not functions else None
        digests: list[bytes | None] = []
        for name in symbols:
            # Of one that is not there, it is told what else the file has.
            is_there = name in module.globals
            digests.append(self._value(module.globals[name]) if is_there else None)
        for name in functions:
            function = starlark.global_function(module, name)
            # One inside another function is part of that one's code.
            digests.append(b"-" if function is None else self._called(function))
        return _of_all(digests)

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
        return _of_all((_code(function.__code__), *map(self._value, values)))

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
            return _text(("unknown", value.text, value.unknown))
        if type(value) is Struct:
            names = sorted(value.fields)
            parts = (value.provider, *names, *(value.fields[name] for name in names))
            return self._all("struct", parts)
        if type(value) is Provider and value.name:
            fields = None if value.fields is None else sorted(value.fields)
            return self._all(_shown(("provider", value.name, value.file, fields)), (value.init,))
        if isinstance(value, SelectValue):
            return self._all("select", value.parts)
        if isinstance(value, SelectCall):
            stack = starlark.decode_stack(value.stack)
            entries = (part for entry in value.entries for part in entry)
            return self._all(_shown((value.no_match_error, stack)), entries)
        if isinstance(value, StarlarkRule) and value.name:
            kind = value.kind
            attributes = kind.rule_class.attributes.values()
            if kind.rule_class.transition or any(one.transition for one in attributes):
                return None  # What a transition does is no part of the class.
            said = _shown((kind.rule_class, kind.outputs, sorted(kind.computed)))
            functions = (kind.outputs_function, *kind.computed.values())
            return self._all(said, (*functions, *value.options["initializers"]))
        return None

    def _named(self, function: FunctionType) -> bytes | None:
        """A function as something that is at hand: which one it is, and the code too of one of
        which nobody is told that it was called."""
        if not starlark.is_global(function):
            return None
        name = _text((function.__code__.co_filename, function.__code__.co_name))
        return name if starlark.is_guarded(function) else _of_all((name, self._called(function)))

    def _all(self, kind: str, parts: Iterable[object]) -> bytes | None:
        return _of_all((kind.encode("utf-8", "surrogatepass"), *map(self._value, parts)))


_PLAIN = frozenset({bool, int, float, str, bytes})


def _shown(said: tuple[object, ...]) -> str:
    return repr(said)


def _text(said: tuple[object, ...]) -> bytes:
    return _shown(said).encode("utf-8", "surrogatepass")


def _of_all(digests: Iterable[bytes | None]) -> bytes | None:
    told: list[bytes] = []
    for digest in digests:
        if digest is None:
            return None
        told.append(digest)
    return _hash(told)


def _hash(parts: Iterable[bytes]) -> bytes:
    state = hashlib.blake2b(digest_size=16)
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


def _code(code: CodeType) -> bytes:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    place = (code.co_filename, code.co_name, code.co_firstlineno, tuple(code.co_lines()))
    constants = (
        _code(constant) if isinstance(constant, CodeType) else _text((constant,))
        for constant in code.co_consts
    )
    return _hash((code.co_code, _text((counts, names, place)), *constants))
