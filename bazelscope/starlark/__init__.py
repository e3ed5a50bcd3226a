"""The Starlark language, without Bazel: parse, resolve, compile and run.

    program = load_program(source, FileKind.BZL, frozenset(predeclared))
    module = execute(program, predeclared, load, Thread())

`predeclared` is `universe()` plus whatever the host adds: plain Python functions, `Builtin`s
and subclasses of `Value`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic
from bazelscope.base.source import SourceFile
from bazelscope.starlark.compile.program import LoadStatement, Program
from bazelscope.starlark.compile.program_cache import ProgramCache, TextRules, load_program
from bazelscope.starlark.run.builtins import universe
from bazelscope.starlark.run.containers import Dict, List, equals, hash_of, hash_of_part, iterate
from bazelscope.starlark.run.dialects import Dialect
from bazelscope.starlark.run.dialects import universe as universe_of
from bazelscope.starlark.run.evaluation import (
    Module,
    as_predeclared,
    call,
    doubt_here,
    doubt_of,
    execute,
    function_names,
    global_function,
    note_doubt,
)
from bazelscope.starlark.run.failures import as_starlark_error, fail_with
from bazelscope.starlark.run.faults import EVALUATION, EvaluationError, LimitExceededError
from bazelscope.starlark.run.freezing import freeze
from bazelscope.starlark.run.helpers import HELPERS_NAME
from bazelscope.starlark.run.json_module import encode as json_encode
from bazelscope.starlark.run.sets import Set
from bazelscope.starlark.run.stack import (
    COMPREHENSIONS,
    RawStack,
    behind_frame,
    call_stack,
    calling_owner,
    capture_stack,
    decode_stack,
    definition,
    ends_of_stack,
    function_of_guard,
    global_name,
    is_global,
    is_guarded,
)
from bazelscope.starlark.run.state import (
    Limits,
    Thread,
    charge,
    check_size,
    clock_of_a_file,
    look_at_limits,
)
from bazelscope.starlark.run.text_of_values import repr_of, str_of
from bazelscope.starlark.run.values import (
    Builtin,
    Bytes,
    Range,
    Value,
    is_function,
    type_of,
    wrong_element,
    wrong_type,
)
from bazelscope.starlark.syntax.file_kind import FileKind

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from bazelscope.starlark.syntax.tree import File

__all__ = [
    "COMPREHENSIONS", "EVALUATION", "HELPERS_NAME", "Builtin", "Bytes", "Dialect", "Dict",
    "EvaluationError", "FileKind", "LimitExceededError", "Limits", "List", "LoadStatement",
    "Module", "Program", "ProgramCache", "Range", "RawStack", "Set", "TextRules", "Thread", "Value",
    "as_predeclared", "as_starlark_error", "behind_frame", "call", "call_stack", "calling_owner",
    "capture_stack", "charge", "check", "check_size", "clock_of_a_file", "decode_stack",
    "definition", "doubt_here", "doubt_of", "ends_of_stack", "equals", "execute", "fail_with",
    "freeze", "function_names", "function_of_guard", "global_function", "global_name", "hash_of",
    "hash_of_part", "is_function", "is_global", "is_guarded", "iterate", "json_encode",
    "load_program", "look_at_limits", "note_doubt", "parse", "prepare", "repr_of", "sharing_tree",
    "str_of", "type_of", "universe", "universe_of", "wrong_element", "wrong_type",
]  # fmt: skip


def check(
    source: SourceFile, kind: FileKind, predeclared: frozenset[str]
) -> tuple[Diagnostic, ...]:
    """The error that keeps `source` from being run, or else warnings of unused loads."""
    from bazelscope.starlark.syntax import checking

    return checking.check(source, kind, predeclared)


def parse(source: SourceFile, kind: FileKind) -> File:
    """The syntax tree of `source`; StarlarkError at the first thing that is no Starlark."""
    from bazelscope.starlark.syntax import parser  # Most runs parse nothing.

    return parser.parse(source, kind)


def sharing_tree() -> AbstractContextManager[None]:
    """Inside, the text that was parsed last is not parsed again."""
    from bazelscope.starlark.syntax import parser

    return parser.sharing_tree()


def prepare() -> None:
    """Makes the parser: before this process is copied, so that no copy has to."""
    from bazelscope.starlark.syntax import parser

    parser.prepare()
