"""Programs that try to break out, to hang, or to use up the memory; runs one or all of them.

    python attacks.py

prints for each a line of JSON: how it ended, and what it took. Each runs in a process of its
own whose memory is limited, so that none can harm the others.
"""

from __future__ import annotations

import json
import os
import resource
import time

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import FileKind, LoadStatement, Module, Thread

MEMORY = 500 << 20


def _loop(setup: str, body: str, times: int = 1_000_000_000) -> str:
    """A function that does `body` very often."""
    return f"def f():\n    {setup}\n    for _ in range({times}):\n        {body}\n    return x\nf()"


def _nested(times: int, step: str, end: str, start: str = "[]") -> str:
    """A value nested `times` deep, by `step`, and then `end`."""
    return (
        f"def f():\n    x = {start}\n    y = {start}\n    for _ in range({times}):\n"
        f"        x, y = {step}\n    return {end}\nf()"
    )


_PAIRS = "[x, x], [y, y]"
_CHAIN = "[x], [y]"
_TUPLES = "(x, x), (y, y)"
_TUPLE_CHAIN = "(x,), (y,)"
_CALLS = "def f0(): return 1\n" + "".join(
    f"def f{i + 1}(): return f{i}() + f{i}()\n" for i in range(60)
)
_LAMBDAS = "f0 = lambda: 1\n" + "".join(f"f{i + 1} = lambda: f{i}() + f{i}()\n" for i in range(60))

ESCAPES: dict[str, str] = {
    "class": 'x = "".__class__',
    "class-by-getattr": 'x = getattr("", "__class__")',
    "globals": "def f(): pass\nx = f.__globals__",
    "globals-by-getattr": 'def f(): pass\nx = getattr(f, "__globals__")',
    "code-of-a-builtin": 'x = getattr(len, "__code__")',
    "self-of-a-method": 'x = getattr("".join, "__self__")',
    "python-method-of-a-list": "x = [].__init__",
    "python-method-of-a-dict": "x = {}.fromkeys",
    "mangled-method": 'x = "".string_join',
    "builtins": "x = __builtins__",
    "builtins-in-a-function": "def f():\n    return __builtins__\nx = f()",
    "builtins-assigned": '__builtins__ = {"len": 1}\nfail(len([]), __builtins__)',
    "builtins-as-a-parameter": "def f(__builtins__): return len(__builtins__)\nfail(f([]))",
    "name-of-a-module": "x = __name__",
    "import": 'x = __import__("os")',
    "eval": 'x = eval("1")',
    "open": 'x = open("/etc/passwd")',
    "helper-name": 'x = globals()["@add"]',
    "mangled-name": "x = $len",
    "format-attribute": 'x = "{0.__class__}".format("")',
    "format-index": 'x = "{a[__globals__]}".format(a = len)',
    "format-conversion": 'x = "{!r}".format(1)',
    "percent-mapping": 'x = "%(__class__)s" % {}',
    "debug-assigned": "__debug__ = 1",
    "debug-as-a-parameter": "def f(__debug__): pass",
    "debug-as-a-keyword": "x = dict(__debug__ = 1)",
    "null": "x = 1\0",
    "surrogate": 'x = "\\ud800"',
}

FLOODS: dict[str, str] = {
    "brackets": "x = " + "[" * 10_000 + "]" * 10_000,
    "parentheses": "x = " + "(" * 10_000 + ")" * 10_000,
    "open-brackets": "[" * 100_000,
    "unary": "x = " + "-" * 10_000 + "1",
    "not": "x = " + "not " * 10_000 + "1",
    "calls": "x = len" + "()" * 10_000,
    "dots": "x = len" + ".b" * 10_000,
    "indexes": "x = len" + "[0]" * 10_000,
    "lambdas": "x = " + "lambda: " * 10_000 + "1",
    "conditionals": "x = " + "1 if 1 else " * 10_000 + "1",
    "sum": "x = " + "1 + " * 100_000 + "1",
    "mixed-sum": "x = " + "1 + 2 - " * 4_000 + "1",
    "blocks": "def f():\n" + "".join(" " * i + "if 1:\n" for i in range(1, 3000)),
    "functions": "".join(" " * i + "def f():\n" for i in range(3000)),
    "elifs": "def f(x):\n if x: pass\n" + " elif x: pass\n" * 20_000,
    "loops": "def f():\n" + "".join(" " * i + "for x in []:\n" for i in range(1, 40))
    + " " * 40 + "pass",
    "unclosed-string": 'x = "' + "a" * 1_000_000,
    "unclosed-escapes": 'x = """' + 'a\\"' * 500_000,
    "quotes": '"' * 1_000_001,
    "long-integer": "x = " + "9" * 1_000_000,
    "uneven-indentation": "".join(" " * (i % 2) + "x\n" for i in range(100_000)),
    "recursion": "def f(n): return f(n + 1)\nf(0)",
    "mutual-recursion": "def f(n): return g(n)\ndef g(n): return f(n)\nf(0)",
    "lambda-recursion": "f = lambda g, n: g(g, n + 1)\nf(f, 0)",
    "recursion-by-sorted": "f = lambda n: sorted([1], key = f)\nf(0)",
    "depth": "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(2000))
    + "def f2000(): pass\nf0()",
    "exponential-calls": _CALLS + "f60()",
    "exponential-lambdas": _LAMBDAS + "f60()",
    "range": "x = range(1000000000000)",
    "list-of-range": "x = list(range(2000000000))",
    "sorted-range": "x = sorted(range(2000000000))",
    "max-of-range": "x = max(range(2000000000))",
    "set-of-range": "x = set(range(2000000000))",
    "arguments-of-range": "x = print(*range(2000000000))",
    "unpacked-range": "a, b = range(2000000000)",
    "reversed-range": "x = list(range(2000000000)[::-1])",
    "comprehension": "x = [i for i in range(2000000000)]",
    "dict-comprehension": "x = {i: 1 for i in range(2000000000)}",
    "nested-comprehension": "x = [1 for i in range(100000) for j in range(100000)]",
    "loop": _loop("x = 1", "pass"),
    "nested-loop": _loop("x = 1", "for _ in range(1000000000): pass"),
    "repeated-string": 'x = "x" * 1000000000',
    "repeated-list": "x = [0] * 1000000000",
    "doubled-string": _loop('x = "aaaa"', "x = x + x"),
    "doubled-string-in-place": _loop('x = "aaaa"', "x += x"),
    "doubled-list": _loop("x = [1]", "x = x + x"),
    "doubled-list-in-place": _loop("x = [1]", "x += x"),
    "extended-by-itself": _loop("x = [1]", "x.extend(x)"),
    "doubled-tuple": _loop("x = (1,)", "x = x + x"),
    "replace": 'x = ("a" * 1000000).replace("a", "b" * 1000000)',
    "replace-doubles": _loop('x = "a"', 'x = x.replace("a", "aa")'),
    "join": 'x = ("x" * 1000).join(["y" * 1000] * 1000000)',
    "percent-width": 'x = "%1000000000d" % 1',
    "format-width": 'x = "{:1000000000}".format(1)',
    "percent-many": 'x = "%s" * 1000000 % (("x" * 1000,) * 1000000)',
    "squares": _loop("x = 10", "x = x * x"),
    "shift": "x = 1 << 1000000000",
    "shifts": _loop("x = 1", "x = x << 500"),
    "digits": _loop("x = 3 << 511", "x = str(x * x * x * x * x * x) and x"),
    "integer-of-text": 'x = int("9" * 1000000)',
    "repr-of-pairs": _nested(60, _PAIRS, "repr(x)"),
    "format-of-pairs": _nested(60, _PAIRS, '"{}".format(x)'),
    "equal-pairs": _nested(60, _PAIRS, "x == y"),
    "json-of-pairs": _nested(60, _PAIRS, "json.encode(x)"),
    "key-of-pairs": _nested(60, _TUPLES, "{x: 1}", "()"),
    "pairs-in-a-dict": _nested(60, _TUPLES, "x in {}", "()"),
    "set-of-pairs": _nested(60, _TUPLES, "set([x])", "()"),
    "repr-of-a-chain": _nested(100_000, _CHAIN, "repr(x)"),
    "equal-chains": _nested(100_000, _CHAIN, "x == y"),
    "equal-tuple-chains": _nested(100_000, _TUPLE_CHAIN, "x == y", "()"),
    "key-of-a-chain": _nested(100_000, _TUPLE_CHAIN, "{x: 1}", "()"),
    "json-of-a-chain": _nested(100_000, _CHAIN, "json.encode(x)"),
    "json-decoded": 'x = json.decode("[" * 1000000)',
    "equal-cycles": "x = []\nx.append(x)\ny = []\ny.append(y)\nz = x == y",
    "ordered-cycles": "x = []\nx.append(x)\ny = []\ny.append(y)\nz = x < y",
    "json-of-a-cycle": "x = []\nx.append(x)\nz = json.encode(x)",
    "strings-kept": _loop('x = []\n    s = "x" * 2000000', 'x.append(s + "y")'),
    "lists-kept": _loop("x = []\n    s = list(range(100000))", "x.append(s[:])"),
    "items-kept": _loop("x = []\n    d = {i: i for i in range(10000)}", "x.append(d.items())"),
    "dicts-kept": _loop("x = []\n    d = {i: i for i in range(10000)}", "x.append(dict(d))"),
    "pieces-kept": _loop('x = []\n    s = "x " * 100000', 'x.append(s.split(" "))'),
    "zips-kept": "x = [zip(range(100000), range(100000)) for _ in range(100000)]",
    "finds": _loop('x = "x" * 4000000', 'x.find("y")'),
    "hashes": _loop('x = "x" * 400000', "hash(x)"),
    "memberships": _loop("x = list(range(100000))", "[-1] in x"),
    "equalities": _loop("x = list(range(100000))\n    y = list(range(100000))", "x == y"),
    "insertions": _loop("x = list(range(100000))", "x.insert(0, x.pop())"),
    "colliding-keys": "x = {i * ((1 << 61) - 1): i for i in range(1000000)}",
    "colliding-tuples": "x = {(i * ((1 << 61) - 1),): i for i in range(1000000)}",
    "emptied-dict": "def f():\n    d = {i: i for i in range(300000)}\n"
    "    for i in range(299999): d.pop(i)\n"
    "    for _ in range(1000000000): d.keys()\nf()",
    "first-items": "def f():\n    d = {i: i for i in range(300000)}\n"
    "    for i in range(300000): d.popitem()\nf()",
    "search-backwards": 'x = ("a" * 2000000).rfind("b" + "a" * 1000000)',
    "split-backwards": 'x = ("a" * 2000000).rsplit("b" + "a" * 1000000)',
    "search-forwards": _loop('x = "a" * 2000000', 'x.find("a" * 1000000 + "b")'),
    "strip": 's = "".join(["%s" % i for i in range(50000)])\n'
    'fail(len(("a" * 2000000).strip(s + "a" * 1000000)))',
    "open-braces": 'x = ("{{" * 2000000).format() and ("{" * 3000001).format()',
    "sorts": _loop("x = [(i,) for i in range(10000)]", "sorted(x)"),
}  # fmt: skip


def _no_load(statement: LoadStatement) -> Module:
    raise AssertionError


def _attempt(text: str) -> tuple[str, str]:
    """How a program ends: the error's class and text."""
    names = starlark.universe()
    try:
        program = starlark.load_program(
            SourceFile("x", text + "\n"), FileKind.BZL, frozenset(names)
        )
        module = starlark.execute(program, names, _no_load, Thread())
    except StarlarkError as error:
        return type(error).__name__, str(error)
    except BaseException as error:
        return "escaped", repr(error)
    return "ran", repr(sorted(module.globals))


def main() -> None:
    from bazelscope.starlark.syntax import parser

    parser.prepare()
    for name, text in {**ESCAPES, **FLOODS}.items():
        process = os.fork()
        if process == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
            start = time.process_time()
            ending, message = _attempt(text)
            seconds = time.process_time() - start
            found = {"name": name, "ending": ending, "message": message, "seconds": seconds}
            os.write(1, (json.dumps(found) + "\n").encode())
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if status:
            found = {"name": name, "ending": "killed", "message": str(status), "seconds": 10.0}
            os.write(1, (json.dumps(found) + "\n").encode())


if __name__ == "__main__":
    main()
