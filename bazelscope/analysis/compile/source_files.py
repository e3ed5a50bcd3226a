"""The sources that a C++ rule compiles, in order, and the objects that they become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bazelscope.analysis.compile.toolchain import (
    ASSEMBLE,
    C_COMPILE,
    CPP_COMPILE,
    PREPROCESS_ASSEMBLE,
    Action,
)
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown

_ACTIONS: dict[str, Action] = {
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".cl"), CPP_COMPILE),
    ".c": C_COMPILE,
    ".S": PREPROCESS_ASSEMBLE,
    **dict.fromkeys((".s", ".asm"), ASSEMBLE),
}
ARCHIVES = (".a", ".lib", ".pic.a", ".lo", ".pic.lo")
_HEADERS = (
    *(".h", ".hh", ".hpp", ".ipp", ".hxx", ".h++", ".inc", ".inl", ".tlh", ".tli", ".H", ".tcc"),
)
_OF_SEVERAL_ENDINGS = (".pic.a", ".nopic.a", ".pic.lo")


@dataclass(frozen=True, slots=True)
class CcSource:
    """A file to compile: its path, the label in `srcs` that it stands behind, what compiles it,
    and what its object is called without ending, below `_objs/TARGET`."""

    path: str
    label: Label
    action: Action
    object_name: str


def compile_action(path: str) -> Action | None:
    """What compiles a file by the ending of its name; None for headers and the like."""
    dot = path.rpartition("/")[2].rfind(".")
    return _ACTIONS.get(path.rpartition("/")[2][dot:]) if dot > 0 else None


def is_shared_library(path: str) -> bool:
    """Whether a file is a shared library: `x.so`, `x.so.1`, `x.dylib`."""
    name = path.rpartition("/")[2]
    stem, so, rest = name.partition(".so")
    if so and stem and (not rest or all(p.isdigit() for p in rest[1:].split("."))):
        return True
    return name.endswith((".dylib", ".dll"))


def ready_objects(paths: Iterable[str], is_pic: bool) -> tuple[str, ...]:
    """The object files among sources that can be linked into what is position independent, or
    (not `is_pic`) into what need not be. Bazel: `PrecompiledFiles.getObjectFiles`."""
    objects = (path for path in paths if path.endswith((".o", ".obj")))
    if is_pic:
        return tuple(path for path in objects if not path.endswith(".nopic.o"))
    return tuple(path for path in objects if not path.endswith(".pic.o"))


def may_have_objects(label: Label) -> bool:
    """Whether Bazel takes an entry of `srcs`, by its name alone, for something with objects. Bazel:
    `CcLibrary.appearsToHaveObjectFiles`."""
    name = label.name
    return not (name.endswith((*_HEADERS, *ARCHIVES)) or is_shared_library(name))


def library_identifier(path: str) -> str:
    """What is the same for the static, the position independent and the shared file of a library.
    Bazel: `CcLinkingOutputs.libraryIdentifierOf`."""
    for ending in _OF_SEVERAL_ENDINGS:
        if path.endswith(ending):
            return path.removesuffix(ending)
    head, slash, name = path.rpartition("/")
    return f"{head}{slash}{name.rpartition('.')[0] or name}"


def sources_of(
    files: Iterable[tuple[Label, tuple[str, ...] | Unknown]],
) -> tuple[tuple[CcSource, ...], tuple[Unknown, ...]]:
    """The sources among the files of `srcs`, and what of it cannot be told.

    Two of one name go to folders with numbers, in order. Bazel:
    `CcCompilationHelper.calculateOutputNameMap`.
    """
    listed = list(files)
    unknowns = tuple(paths for _, paths in listed if isinstance(paths, Unknown))
    compiled: dict[str, tuple[Label, Action]] = {}
    for label, paths in listed:
        for path in paths if not isinstance(paths, Unknown) else ():
            action = compile_action(path)
            if action is not None:
                compiled.setdefault(path, (label, action))
    return tuple(_named(compiled)), unknowns


def _named(compiled: dict[str, tuple[Label, Action]]) -> Iterator[CcSource]:
    counts = Counter(_base(path).lower() for path in compiled)
    met: Counter[str] = Counter()
    for path, (label, action) in compiled.items():
        base = _base(path)
        key = base.lower()
        yield CcSource(path, label, action, f"{met[key]}/{base}" if counts[key] > 1 else base)
        met[key] += 1


def _base(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[: name.rfind(".")] if name.rfind(".") > 0 else name
