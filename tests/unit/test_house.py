"""The package as a whole: no modules that import each other, no crowded folders."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import networkx

import bazelscope

ROOT = Path(bazelscope.__file__).parent


@cache
def _modules() -> dict[str, tuple[Path, ast.Module]]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = (path, ast.parse(path.read_text("utf-8")))
    return found


def _imports(tree: ast.Module) -> Iterator[str]:
    """The modules that a module imports: inside functions, and for types alone, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where things are"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in _modules() else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_modules_import_each_other() -> None:
    graph = networkx.DiGraph()
    for name, (_, tree) in _modules().items():
        graph.add_edges_from((name, other) for other in _imports(tree) if other in _modules())
    circles = [sorted(ring) for ring in networkx.strongly_connected_components(graph)]
    assert [ring for ring in circles if len(ring) > 1] == []


def test_no_folder_is_crowded() -> None:
    sizes = Counter(path.parent for path, _ in _modules().values())
    assert {str(folder): size for folder, size in sizes.items() if size > 40} == {}


def _where(is_wrong: Callable[[ast.AST], bool]) -> list[str]:
    """File and line of each statement and expression for which `is_wrong` holds."""
    return [
        f"{path.name}:{node.lineno}"
        for path, tree in _modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.expr) and is_wrong(node)
    ]


_LEANING = ("The same", "Likewise")


def _text_of(node: ast.AST) -> str:
    """The text that an expression is; none of any other."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else ""


def test_no_docstring_needs_the_one_above() -> None:
    """What is read alone, in an editor, has nothing above that it could be the same as."""

    def leans(node: ast.AST) -> bool:
        return isinstance(node, ast.Expr) and _text_of(node.value).startswith(_LEANING)

    assert _where(leans) == []


def test_no_text_is_taken_for_its_letters() -> None:
    """`*("x")` lacks the comma that makes it a row of one."""
    assert _where(lambda node: isinstance(node, ast.Starred) and bool(_text_of(node.value))) == []
