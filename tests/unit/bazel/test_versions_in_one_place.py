"""What differs between releases is asked by name: nobody outside `bazel/` compares versions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bazelscope

ROOT = Path(bazelscope.__file__).parent
MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*.py")
    if path.relative_to(ROOT).parts[0] != "bazel"
)

OTHER_VERSIONS = {
    "questions/shared/toolkit_facts.py": "releases of CUDA, compilers and the like",
    "check/toolkits/toolkit_rules.py": "releases of CUDA, compilers and the like",
    "loading/modules/module_versions.py": "versions of modules",
    "loading/repositories/model_content.py": "releases of repositories",
}
"""Modules that compare versions of something else than Bazel."""

ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
READERS = frozenset({"split", "rsplit", "partition", "rpartition", "startswith"})
SENTENCE = re.compile(r"\b(Bazel|since|before|until) \d+\b(?!%)|\b(since|before|until) \d+\.\d")
"""What a text says of releases: a fact has it as `first` or `series`."""
MAKERS = frozenset({"at_least", "fullmatch", "int", "match", "version_key"})


def name_of(node: ast.AST) -> str:
    """The last name of `a.b.c`, of a call of it, or of an index into it."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return name_of(node.func)
    return name_of(node.value) if isinstance(node, ast.Subscript) else ""


def is_version(node: ast.AST) -> bool:
    name = name_of(node).lower()
    return name.endswith(("version", "release", "numbers"))


def is_numbers(node: ast.AST) -> bool:
    """Whether it is written as a tuple of whole numbers: `(4, 2, 3)`."""
    return isinstance(node, ast.Tuple) and all(
        isinstance(part, ast.Constant) and type(part.value) is int for part in node.elts
    )


def nodes_of(code: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(code)))


@pytest.fixture(scope="module")
def modules() -> dict[str, tuple[ast.AST, ...]]:
    """All that is written in each module that may not speak of releases."""
    return {
        module: nodes_of((ROOT / module).read_text("utf-8"))
        for module in MODULES
        if module not in OTHER_VERSIONS
    }


def comparisons(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            ordered = any(isinstance(operator, ORDERS) for operator in node.ops)
            if ordered and any(map(is_version, sides)):
                yield node.lineno, "orders versions"
            elif any(map(is_version, sides)) and any(map(is_numbers, sides)):
                yield node.lineno, "compares a version with numbers"
        elif isinstance(node, ast.Attribute) and node.attr in READERS and is_version(node.value):
            yield node.lineno, f"reads a version with `{node.attr}`"
        elif (
            isinstance(node, ast.Call)
            and name_of(node) in MAKERS
            and any(map(is_version, node.args))
        ):
            yield node.lineno, f"reads a version with `{name_of(node)}`"


def sentences(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    """Texts, docstrings aside, with the number of a release in them."""
    told = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if (
            isinstance(node, ast.Constant)
            and id(node) not in told
            and SENTENCE.search(str(node.value))
        ):
            yield node.lineno, str(node.value)


def test_no_text_elsewhere_has_the_number_of_a_release(
    modules: dict[str, tuple[ast.AST, ...]],
) -> None:
    """A sentence about releases takes the number from the fact that the code goes by."""
    telling = {module: texts for module in modules if (texts := list(sentences(modules[module])))}
    assert telling == {}


@pytest.mark.parametrize(
    "text", ["before Bazel 6, it is quoted", "Bazel has it since 6.3.0", "came with Bazel 6.2"]
)
def test_the_search_finds_sentences(text: str) -> None:
    assert list(sentences(nodes_of(f"hint = f'{text}: {{word}}'")))
    assert not list(sentences(nodes_of(f"def f():\n    'Measured: {text}.'")))


def test_no_module_elsewhere_compares_or_reads_versions(
    modules: dict[str, tuple[ast.AST, ...]],
) -> None:
    """What is found belongs among the facts in `bazelscope/bazel/facts/`."""
    assert len(MODULES) > 300
    comparing = {
        module: problems for module in modules if (problems := list(comparisons(modules[module])))
    }
    assert comparing == {}


@pytest.mark.parametrize(
    "code",
    [
        "version >= (4, 0, 0)",
        "context.version == (4, 2, 3)",
        "self.release.numbers[0] < 6",
        "release < other",
        "at_least(settings.bazel_version, 6)",
        "bazel_version.split('.')",
        "int(bazel_version[0])",
        "_VERSION.match(version)",
    ],
)
def test_the_search_finds(code: str) -> None:
    assert list(comparisons(nodes_of(code)))


def test_the_search_leaves_alone() -> None:
    harmless = "setup.table_version != setup.bazel_version; release.always_section; x >= (1, 2)"
    assert not list(comparisons(nodes_of(harmless)))
