"""Every function, class and constant of bazelscope is used by itself, or by its scripts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

CALLED_BY_NAME = (
    "bazelscope/starlark/syntax/tree_builder.py",  # by lark, for each rule of the grammar
    "bazelscope/starlark/run/methods.py",  # by the table of methods
    "bazelscope/starlark/run/string_methods.py",
    "bazelscope/editor/features.py",  # by the language server, for each message
)
"""Files whose functions something else calls by the names they bear."""

CALLED_FROM_OUTSIDE = {
    "format_commands",  # click's own method
    "names_of_table",  # says what an oracle may compare
    "report_server_error",  # pygls' own method
    "writable",  # asked by io.TextIOWrapper
    "shipped_schema",  # what docs/json.md names, and tests hold answers against
}


def _used(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _constants(tree: ast.Module) -> Iterator[ast.Name]:
    """The constants of a module, but those that are set together, as members of one list."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        yield from (target for target in targets if isinstance(target, ast.Name))


def test_nothing_is_there_for_tests_alone() -> None:
    used: set[str] = set()
    defined: dict[str, str] = {}
    for path in (*(ROOT / "bazelscope").rglob("*.py"), *(ROOT / "scripts").glob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        used.update(_used(nodes))
        if not name.startswith("bazelscope/") or name in CALLED_BY_NAME:
            continue
        for constant in _constants(tree):
            if not constant.id.startswith("__"):
                defined[constant.id] = f"{name}:{constant.lineno}"
        for node in nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            is_command = any("command" in ast.unparse(one) for one in node.decorator_list)
            is_visitor = node.name.startswith(("__", "visit_"))
            if not is_command and not is_visitor:
                defined[node.name] = f"{name}:{node.lineno}"
    assert len(defined) > 4000
    unused = {name: place for name, place in defined.items() if name not in used}
    assert {key: unused[key] for key in unused if key not in CALLED_FROM_OUTSIDE} == {}
