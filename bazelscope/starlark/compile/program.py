"""Programs: files that are parsed, resolved and compiled, ready to be executed."""

from __future__ import annotations

from types import CodeType

from bazelscope.base.errors import BazelscopeError, Diagnostic, StarlarkError, fault
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.starlark.compile.emitter import COLUMN_BITS, MAX_COLUMN
from bazelscope.starlark.syntax.file_kind import FileKind


@dataclass(frozen=True, slots=True)
class LoadStatement:
    """One load: the module's label as written, and (local, exported) names."""

    module: str
    bindings: tuple[tuple[str, str], ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled file. `chunks` are code objects; all but WORKSPACE files have one."""

    path: str
    kind: FileKind
    digest: str
    chunks: tuple[CodeType, ...]
    loads: tuple[LoadStatement, ...]
    globals: tuple[str, ...]
    """What the file defines at top level, sorted; loaded names are not among them."""
    statements: tuple[tuple[str, ...], ...]
    """The names that each top-level statement binds, by its number in the code."""
    lines: tuple[int, ...]
    """The lines on which these statements begin."""
    shadowing: frozenset[str]


def digest_of(source: SourceFile, kind: FileKind) -> str:
    """The content hash of a file of a kind."""
    text = f"{kind.value}\0{source.text}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=32).hexdigest()


def compile_program(
    source: SourceFile, kind: FileKind, predeclared: frozenset[str], *, binds_late: bool = False
) -> Program:
    """The program of `source`, compiled now. Where it binds late, a global that has a predeclared
    name stands for that until it is bound."""
    # Imported here: a run that finds every program in the cache needs none of it.
    from bazelscope.starlark.compile.compiler import bound_in_later_chunks, compile_file
    from bazelscope.starlark.syntax.parser import parse
    from bazelscope.starlark.syntax.resolver import resolve

    try:
        file = parse(source, kind)
        resolution = resolve(file, predeclared)
        bound = frozenset() if binds_late else resolution.globals | resolution.loaded
        shadowing = bound & predeclared
        if shadowing and kind is FileKind.WORKSPACE:
            shadowing -= bound_in_later_chunks(file, shadowing)
        compiled = compile_file(file, shadowing)
    except (RecursionError, MemoryError, SyntaxError) as error:
        # Python's compiler has limits of its own: on loops inside loops, for one.
        word = error.lineno if isinstance(error, SyntaxError) and error.lineno else 0
        line, column = max(word >> COLUMN_BITS, 1), max(word & MAX_COLUMN, 1)
        span = Span(source.path, line, column, line, column + 1)
        message = "code is nested too deeply"
        raise StarlarkError(Diagnostic("starlark-syntax", message, span)) from None
    except BazelscopeError:
        raise
    except Exception as error:
        raise StarlarkError(fault(error, Span(source.path, 1, 1, 1, 2))) from error
    loads = tuple(
        LoadStatement(
            str(load.module.value),
            tuple((binding.local, binding.exported) for binding in load.bindings),
            source.location(load.start),
        )
        for load in compiled.loads
    )
    return Program(
        path=source.path,
        kind=kind,
        digest=digest_of(source, kind),
        chunks=compiled.chunks,
        loads=loads,
        globals=tuple(sorted(resolution.globals)),
        statements=compiled.statements,
        lines=compiled.lines,
        shadowing=shadowing,
    )
