"""How errors read, whole: each golden file holds a program and the diagnostic rendered.

    BAZELSCOPE_REGENERATE=1 python -m pytest tests/unit/starlark/test_errors.py

writes them anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.base.source import SourceFile
from bazelscope.render.console import to_text
from bazelscope.render.diagnostics import add_diagnostics
from bazelscope.render.document import Document
from bazelscope.starlark import FileKind
from bazelscope.starlark.__main__ import run_file
from tests.unit.starlark.starlark_programs import failure

GOLDEN = Path(__file__).parent / "golden"
KINDS = {"BUILD": FileKind.BUILD, "bzl": FileKind.BZL, "star": FileKind.PLAIN}

PROGRAMS = {
    "unclosed-bracket": ("BUILD", 'cc_library(\n    name = "a",\n    srcs = ["a.cc",\n)\n'),
    "never-closed": ("BUILD", 'x = [\n    "a",\n\ny = 1\n'),
    "missing-comma": ("BUILD", 'x = [\n    "a"\n    y,\n]\n'),
    "implicit-concatenation": ("bzl", 'x = ["a"\n     "b"]\n'),
    "missing-colon": ("bzl", "def f()\n    pass\n"),
    "missing-block": ("bzl", "def f():\nx = 1\n"),
    "stray-indentation": ("bzl", "x = 1\n  y = 2\n"),
    "uneven-indentation": ("bzl", "def f():\n    if 1:\n        pass\n      pass\n"),
    "tab": ("bzl", "def f():\n\tpass\n"),
    "chained-comparison": ("bzl", "x = 1 < 2 < 3\n"),
    "assignment-as-test": ("bzl", "def f(x):\n    if x = 1:\n        pass\n"),
    "unclosed-string": ("bzl", 'x = "abc\ny = 1\n'),
    "reserved-word": ("bzl", "def f(x):\n    while x:\n        pass\n"),
    "bad-character": ("bzl", "x = 1 ? 2\n"),
    "bang": ("bzl", "x = !y\n"),
    "def-in-build": ("BUILD", "def f():\n    pass\n"),
    "if-in-build": ("BUILD", "x = 1\nif x:\n    y = 2\n"),
    "for-in-bzl": ("bzl", "for x in [1]:\n    pass\n"),
    "return-outside": ("bzl", "return 1\n"),
    "break-outside": ("bzl", "def f():\n    break\n"),
    "reassigned": ("bzl", "COPTS = []\n\nCOPTS = [1]\n"),
    "loaded-twice": ("bzl", 'load("//a:b.bzl", "x")\nload("//c:d.bzl", "x")\n'),
    "private-load": ("bzl", 'load("//a:b.bzl", "_x")\n'),
    "load-without-names": ("bzl", 'load("//a:b.bzl")\n'),
    "load-of-a-variable": ("bzl", 'load(path, "x")\n'),
    "undefined-names": ("bzl", "x = lenn([])\ny = nowhere + lenn\nz = elsewhere\n"),
    "parameter-order": ("bzl", "def f(a = 1, b):\n    pass\n"),
    "duplicate-parameter": ("bzl", "def f(a, a):\n    pass\n"),
    "argument-order": ("bzl", "x = dict(a = 1, [])\n"),
    "duplicate-argument": ("bzl", "x = dict(a = 1, a = 2)\n"),
    "assign-to-call": ("bzl", "f() = 1\n"),
    "assign-to-true": ("bzl", "True = 1\n"),
    "wrong-types": ("bzl", 'srcs = ["a"] + "b"\n'),
    "no-attribute": ("bzl", 'x = "a,b".spilt(",")\n'),
    "call-stack": (
        "star",
        (
            "def inner(deps):\n    return [d.name for d in deps]\n\n"
            'def outer(name):\n    inner(deps = [name])\n\nouter(\n    name = "x",\n)\n'
        ),
    ),
    "missing-argument": ("star", "def f(name, deps):\n    pass\n\nf(deps = [])\n"),
    "recursion": ("star", "def f(n):\n    return f(n - 1)\n\nf(3)\n"),
    "mutation": ("star", "def f(x):\n    for y in x:\n        x.append(y)\n\nf([1])\n"),
    "fail": ("star", 'def f(x):\n    fail("no such mode:", x)\n\nf("fast")\n'),
    "limit": ("star", 'x = "x" * (1 << 30)\n'),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_error(name: str) -> None:
    kind, text = PROGRAMS[name]
    path = "pkg/BUILD" if kind == "BUILD" else f"pkg/defs.{kind}"
    error = failure(text, KINDS[kind], path=path)
    document = Document()
    add_diagnostics(document, [error.diagnostic], {path: SourceFile(path, text)}.get)
    found = f"Program ({kind}):\n\n{text}\nError:\n\n{to_text(document)}"
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("BAZELSCOPE_REGENERATE"):
        GOLDEN.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8")
    assert golden.exists(), f"{golden.name} is new: run with BAZELSCOPE_REGENERATE=1"
    assert found == golden.read_text(encoding="utf-8")


def test_every_golden_file_has_its_program() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(PROGRAMS)


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ('int("x")', "Error in int"),
        ("sorted(1)", "Error in sorted"),
        ('"".join([1])', "Error in join"),
        ("[].pop()", "Error in pop"),
        ("fail('no')", "Error in fail"),
        ("1 + []", "error"),
        ("[][0]", "error"),
        ("{}[1]", "error"),
    ],
)
def test_a_file_that_is_run_tells_the_function_that_fails(program: str, what: str) -> None:
    told = run_file("x.star", f"{program}\n", print)
    assert told is not None and f": {what}: " in told
