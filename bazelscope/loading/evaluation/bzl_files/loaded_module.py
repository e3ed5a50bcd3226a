"""A `.bzl` file that was loaded: its module, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, Note, fault, is_bazels_error
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.bzl_files.module_files import NO_FILE
from bazelscope.loading.evaluation.values.symbolic_values import Recorder, UnknownValue
from bazelscope.loading.packages.targets import LoadedFile, Provenance


@dataclass(slots=True)
class LoadedModule:
    """A module and what became of it; `loads` are its own loads, with all below them."""

    label: Label
    provenance: Provenance
    module: starlark.Module | None
    unknown: Unknown | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    loads: tuple[LoadedFile, ...] = ()
    children: tuple[LoadedModule, ...] = field(default=(), repr=False)
    source: SourceFile | None = field(default=None, repr=False)
    path: str = ""
    """The file's display path."""
    real_path: str | None = None
    """The file on this machine that was read; None for a model or a generated text."""
    doubt: Unknown | None = None
    """What of the file's text is not known."""
    may_lack: Unknown | None = None
    """Why the real file may define more: a model of its repository's rule has written this one."""
    refused: str = ""
    """Why nothing that loads it can be had, in Bazel's words: it, or a file below it, is not
    there or fails. A model's faults are not the tree's, nor are those of a text in doubt."""
    remedy: str = ""
    """What would bring the file, it or one below it, that is not there."""
    taken_as_empty: Unknown | None = None
    """What the file, or one that it loads, took for empty without knowing it: values that it hands
    on may lack what is there."""
    notes: tuple[Note, ...] = ()
    """Where the repository of the file cannot be made, and why it is not there."""

    @property
    def is_patched(self) -> bool:
        """Whether the file is a model of one that the definition of its repository patches."""
        return self.provenance is Provenance.MODEL and self.doubt is not None

    @property
    def is_known(self) -> bool:
        """Whether it surely has no other names than these."""
        is_sound = not (self.diagnostics or self.unknowns or self.unknown)
        is_real = self.provenance is not Provenance.MODEL and self.may_lack is None
        return is_sound and self.doubt is None and is_real


def faulty(label: Label, error: Exception) -> LoadedModule:
    """A module that bazelscope stumbled over outside of its own code."""
    path = label.path
    problem = fault(error, Span(path, 1, 1, 1, 2))
    unknown = Unknown(Reason.FAILED, str(label), problem.message)
    return LoadedModule(label, Provenance.UNKNOWN, None, unknown, (problem,), path=path)


def may_lack(statement: starlark.LoadStatement, loaded: LoadedModule) -> Unknown | None:
    """Why nobody can tell of symbols that a load statement asks for; None if that is known of
    all of them."""
    if loaded.module is not None:
        missing = [name for _, name in statement.bindings if name not in loaded.module.globals]
        if not missing:
            return None
        if loaded.may_lack is not None:
            return loaded.may_lack
        if loaded.provenance is Provenance.MODEL:
            lacks = "a model of the file: the real one may define more"
            return Unknown(Reason.NOT_MODELLED, str(loaded.label), lacks)
        if not loaded.diagnostics:
            return None
    return loaded.unknown or Unknown(
        Reason.FAILED, str(loaded.label), "the file fails when it is evaluated"
    )


def as_seen(
    statement: starlark.LoadStatement,
    loaded: LoadedModule,
    unknown: Unknown | None,
    recorder: Recorder,
) -> starlark.Module:
    if unknown is None:
        assert loaded.module is not None
        return loaded.module
    names = dict(loaded.module.globals) if loaded.module is not None else {}
    for _, name in statement.bindings:
        if name not in names:
            names[name] = UnknownValue(unknown, name, recorder)
    return starlark.Module(str(loaded.label), names, {})


def loaded_file(loaded: LoadedModule, place: Location) -> LoadedFile:
    """What a load statement at `place` got."""
    return LoadedFile(loaded.label, place, loaded.provenance, loaded.unknown or loaded.doubt)


def missing_module(loaded: LoadedModule, place: Location) -> Diagnostic | None:
    """Bazel's error for a load of a file that certainly is not there."""
    message = _words_of_missing(loaded)
    if message is None:
        return None
    return Diagnostic("missing-module", message, place.span, loaded.notes, loaded.remedy or None)


def _words_of_missing(loaded: LoadedModule) -> str | None:
    unknown = loaded.unknown
    if unknown is None or unknown.reason is not Reason.FILE_MISSING:
        return None
    is_plain = unknown.detail == NO_FILE
    return f"cannot load '{loaded.label}': {unknown.detail}" if is_plain else unknown.detail


_BEFORE_RUNNING = frozenset({"starlark-name", "starlark-resolve", "starlark-syntax"})


def refusal_of(loaded: LoadedModule) -> str:
    """Why nothing that loads a module can be had, in Bazel's words; empty if it can."""
    missing = _words_of_missing(loaded)
    if missing is not None:
        return missing
    if loaded.provenance is Provenance.MODEL or loaded.doubt is not None:
        return ""
    for child in loaded.children:
        if child.refused:
            return f"in {loaded.path}: {child.refused}"
    for problem in loaded.diagnostics:
        if problem.code == "load-cycle":
            return problem.message
        if is_bazels_error(problem):
            name = f"{loaded.label.package}/{loaded.label.name}".lstrip("/")
            kind = "Extension" if problem.code in _BEFORE_RUNNING else "Extension file"
            return f"{kind} '{name}' has errors"
    return ""


def transitive(modules: Iterable[LoadedModule]) -> tuple[LoadedModule, ...]:
    """The modules and all that they load, each once, in load order."""
    seen: dict[Label, LoadedModule] = {}
    pending = list(modules)[::-1]
    while pending:
        module = pending.pop()
        if module.label not in seen:
            seen[module.label] = module
            pending.extend(reversed(module.children))
    return tuple(seen.values())
