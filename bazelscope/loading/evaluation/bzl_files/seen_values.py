"""What a BUILD file sees of the `.bzl` files that it loads, and hashes of it.

A changed `.bzl` file need not change a package: what counts are the values of the symbols that
its BUILD file loads, the code of the functions that it came by, and what these refer to. Code has
its places in it, since targets tell in which lines they were made. A value of which nobody can
tell whether it is the same has no hash: then the texts of the files decide.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule, transitive
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.bzl_files.rule_code import RuleCode
from bazelscope.loading.evaluation.bzl_files.value_hashes import (
    ValueHashes,
    hash_of,
    of_all,
    text_of,
)
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule

_Part = tuple[str, tuple[str, ...], tuple[str, ...], bytes]
"""A file, the symbols of it that were loaded, its functions that were called, and a hash of all
of them."""


Seen = tuple[tuple[str, ...], bytes, tuple[_Part, ...]]
"""The fields of `SeenValues`, as they come back from where they were kept."""


class SeenValues(NamedTuple):
    """What one BUILD file saw: the files that it loads; a hash of what they and all files below
    say besides values (their own loads, errors and unknowns); and the values, file by file.
    All of it plain data."""

    files: tuple[str, ...]
    said: bytes
    parts: tuple[_Part, ...]

    def packed(self) -> bytes:
        """Returns it as bytes, for the cache."""
        return _packed(self)


@lru_cache(maxsize=256)
def _packed(seen: SeenValues) -> bytes:
    """Packs what many BUILD files see alike, once."""
    return zlib.compress(marshal.dumps(tuple(seen)), 1)


class ModuleValues(ValueHashes):
    """Hashes of what the modules of one loader hold."""

    def __init__(
        self, modules: ModuleLoader, context: EvaluationContext, with_places: bool = True
    ) -> None:
        super().__init__(with_places)
        self._modules = modules
        self._context = context
        self._rule_code = RuleCode(modules, with_places=True)
        self._parts: dict[tuple[str, tuple[str, ...], tuple[str, ...]], bytes | None] = {}
        self._said: dict[Label, bytes] = {}

    def forget(self) -> None:
        """Drops all hashes: texts have changed, and modules are made anew."""
        for known in (self._parts, self._said, self._functions, self._values):
            known.clear()
        self._rule_code.forget()

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

    def anew(self, seen: SeenValues) -> SeenValues | None:
        """Returns what the same BUILD file sees now; None where it cannot be compared."""
        parts: list[_Part] = []
        for file, symbols, functions, _ in seen.parts:
            digest = self._part(file, symbols, functions)
            if digest is None:
                return None
            parts.append((file, symbols, functions, digest))
        return SeenValues(seen.files, self._all_said(map(decode_label, seen.files)), tuple(parts))

    def sees(self, seen: Seen) -> bool:
        """Whether a BUILD file would see the same here: `are_seen` of plain data."""
        return self.are_seen(SeenValues(*seen))

    def modules_of(self, seen: SeenValues) -> tuple[LoadedModule, ...]:
        """The modules that a BUILD file loads, and all below."""
        return transitive(self._modules.load(decode_label(file)) for file in seen.files)

    # ---- What files say besides values

    def _all_said(self, files: Iterable[Label]) -> bytes:
        modules = transitive(self._modules.load(file) for file in files)
        return hash_of(self._said_by(module) for module in modules)

    def _said_by(self, module: LoadedModule) -> bytes:
        known = self._said.get(module.label)
        if known is None:
            visible = self._context.load_visibility.get(module.label)
            said = _placed(module) if self.with_places else _unplaced(module)
            known = self._said[module.label] = hash_of((text_of((*said, visible)),))
        return known

    # ---- Values

    def _compound(self, value: object) -> bytes | None:
        own = super()._compound(value)
        if self.with_places and isinstance(value, StarlarkRule) and _has_transition(value):
            # Targets hold the class, and what a transition does is no part of that.
            return of_all((own, self._rule_code.of_rule(value)))
        return own

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
        return of_all(digests)


def said_of_modules(modules: Iterable[LoadedModule], doubts: Mapping[str, Unknown]) -> bytes:
    """A hash of what was found out about modules besides what the files of the workspace say, and
    of their `doubts`: of those of other repositories the texts, too."""
    told = [(path, _told(one)) for path, one in sorted(doubts.items())]
    said = []
    for module in modules:
        text = module.source.text if module.label.repository and module.source else ""
        said.append(hash_of((text_of((*_unplaced(module), text)),)))
    return hash_of((*said, text_of(tuple(told))))


def _has_transition(rule: StarlarkRule) -> bool:
    rule_class = rule.kind.rule_class
    attributes = rule_class.attributes.values()
    return rule_class.transition is not None or any(one.transition for one in attributes)


def _placed(module: LoadedModule) -> tuple[object, ...]:
    own = (module.label, module.provenance, module.unknown, module.diagnostics)
    return *own, module.unknowns, module.loads, module.path, module.doubt, module.refused


def _unplaced(module: LoadedModule) -> tuple[object, ...]:
    unknowns = (module.unknown, module.doubt, *module.unknowns)
    told = [(problem.code, problem.message) for problem in module.diagnostics]
    loads = [(load.label, load.provenance, _told(load.unknown)) for load in module.loads]
    own = (module.label, module.provenance, module.path, module.refused)
    return *own, told, loads, [_told(unknown) for unknown in unknowns]


def _told(unknown: Unknown | None) -> object:
    return unknown and (unknown.reason, unknown.subject, unknown.detail)
