"""What the text of a MODULE.bazel may not have, beyond what the language's own resolver refuses.

Bazel: `CompiledModuleFile.checkModuleFileSyntax`, `DotBazelFileSyntaxChecker`.
"""

from __future__ import annotations

from typing import NoReturn

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release
from bazelscope.starlark.syntax import tree as s

_INCLUDE = "include"


def module_check(release: Release) -> starlark.TextRules:
    """Returns what `release` asks of the text of a MODULE.bazel: it raises `StarlarkError`."""
    has_stars, has_include = release.module_stars, release.module_include

    def run(source: SourceFile) -> None:
        file = starlark.parse(source, starlark.FileKind.MODULE)
        if not has_stars:
            _refuse_stars(file)
        if has_include:
            _check_includes(file)

    return starlark.TextRules(f"MODULE.bazel {has_stars} {has_include}", run)


def _refuse_stars(file: s.File) -> None:
    for statement in file.statements:
        for node in s.walk(statement):
            if isinstance(node, s.Argument) and node.form == "**":
                message = (
                    "**kwargs arguments are not allowed in MODULE.bazel files. Pass the arguments"
                    " in explicitly."
                )
                _refuse(file, node, message)


def _check_includes(file: s.File) -> None:
    """Only a statement calls `include`, with a text: Bazel follows it before anything is run.
    Where the name is assigned to, it is any other from there on."""
    for statement in file.statements:
        if isinstance(statement, s.Assignment) and _is_include(statement.target):
            return
        call = statement.value if isinstance(statement, s.ExpressionStatement) else None
        if isinstance(call, s.Call) and _is_include(call.function):
            form = [(one.form, _is_text(one.value)) for one in call.arguments]
            if form != [("", True)]:
                message = (
                    "the `include` directive MUST be called with exactly one positional argument"
                    " that is a string literal"
                )
                _refuse(file, statement, message)
            continue
        for node in s.walk(statement):
            if _is_include(node):
                message = "the `include` directive MUST be called directly at the top-level"
                _refuse(file, node, message)


def _is_include(node: s.Node) -> bool:
    return isinstance(node, s.Name) and node.name == _INCLUDE


def _is_text(node: s.Expression) -> bool:
    return isinstance(node, s.Literal) and isinstance(node.value, str)


def _refuse(file: s.File, node: s.Node, message: str) -> NoReturn:
    raise StarlarkError(Diagnostic("starlark-resolve", message, file.span(node)))
