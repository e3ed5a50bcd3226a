"""Generated programs, run by bazelscope and by starlark-rust, must mean the same.

A few hundred programs run with every test run; BAZELSCOPE_DIFFERENTIAL=20000 runs more.
"""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from tests.conformance.program_generator import program

pyo3: Any = pytest.importorskip("starlark")

COUNT = int(os.environ.get("BAZELSCOPE_DIFFERENTIAL", "400"))
_BATCH = 200
_NAMES = starlark.universe()


def ours(text: str) -> str | StarlarkError:
    """The printed result of a program, or its error."""
    source = SourceFile("x.star", text + "printed = repr(result)\n")
    try:
        compiled = starlark.load_program(source, starlark.FileKind.PLAIN, frozenset(_NAMES))
        module = starlark.execute(compiled, _NAMES, _no_load, starlark.Thread())
    except StarlarkError as error:
        return error
    return str(module.globals["printed"])


def _no_load(statement: starlark.LoadStatement) -> starlark.Module:
    raise AssertionError(statement)


def theirs(text: str) -> Any:
    """Likewise, by the other implementation."""
    try:
        parsed = pyo3.parse("x.star", text + "repr(result)\n", pyo3.Dialect.extended())
        return pyo3.eval(pyo3.Module(), parsed, pyo3.Globals.standard())
    except pyo3.StarlarkError as error:
        return error


_FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")


def agree(one: object, other: object) -> bool:
    """Whether two outcomes are the same, but for what the dialects print differently."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        # Bazel takes None for an absent optional argument, starlark-rust does not.
        if isinstance(one, Exception) and "actual `NoneType" in str(one):
            return True
        # starlark-rust iterates over an empty string, and lets `list += any iterable` be.
        lenient = ("type 'string' is not iterable", "unsupported binary operation: list + ")
        if isinstance(other, Exception) and any(words in str(other) for words in lenient):
            return True
        # Bazel orders lists by their first difference, so `[None] <= [None]` is no error.
        if isinstance(one, Exception) and "`NoneType` and `NoneType`" in str(one):
            return True
        return isinstance(one, Exception) and isinstance(other, Exception)
    left, right = str(one), str(other)
    # A value inside itself: Bazel prints `...`.
    left = left.replace("{...}", "...").replace("[...]", "...")
    if left == right:
        return True
    # starlark-rust prints six digits of a float.
    a, b = _FLOAT.findall(left), _FLOAT.findall(right)
    same_text = _FLOAT.sub("", left) == _FLOAT.sub("", right)
    return same_text and all(
        abs(float(x) - float(y)) <= 1e-5 * abs(float(y)) for x, y in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("first", range(0, COUNT, _BATCH))
def test_programs_mean_the_same(first: int) -> None:
    disagreements = []
    for seed in range(first, min(first + _BATCH, COUNT)):
        text = program(seed)
        one, other = theirs(text), ours(text)
        if not agree(one, other):
            disagreements.append(f"seed {seed}:\n{text}\ntheirs: {one}\nours: {other}")
    assert not disagreements, "\n\n".join(disagreements)


def test_most_programs_run() -> None:
    """A generator whose programs all fail would agree on nothing."""
    failing = sum(isinstance(ours(program(seed)), StarlarkError) for seed in range(200))
    assert failing < 80
