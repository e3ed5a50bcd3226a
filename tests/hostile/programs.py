"""Programs that reach for Python behind Starlark, or for syntax and names that only Python has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

_REACHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "string": ('""', (
        "__class__", "__doc__", "__format__", "__mro__", "__reduce_ex__", "__mod__",
        "__getattribute__", "encode", "translate", "maketrans", "format_map",
    )),
    "list": ("[]", ("__class__", "__init__", "__iadd__", "__reversed__", "sort", "copy")),
    "dict": ("{}", ("__class__", "__missing__", "__ior__", "__getitem__", "fromkeys", "copy")),
    "tuple": ("()", ("__class__", "__getnewargs__", "_replace", "_fields")),
    "integer": ("(1)", ("__class__", "to_bytes", "from_bytes", "real", "numerator")),
    "none": ("None", ("__class__", "__bool__")),
    "range": ("range(1)", ("__class__", "__reduce__", "start")),
    "function": ("f", (
        "__code__", "__closure__", "__defaults__", "__dict__", "__builtins__", "__kwdefaults__",
        "__module__", "__wrapped__", "__get__", "__call__", "func_globals",
    )),
    "lambda": ("(lambda: 1)", ("__code__", "__globals__", "__name__")),
    "builtin": ("len", ("__self__", "__module__", "__call__", "__func__", "__text_signature__")),
    "method": ('"".join', ("__self__", "__func__", "__objclass__", "__qualname__")),
    "items": ("{1: 2}.items()", ("mapping", "gi_frame")),
    "comprehension": ("[i for i in [1]]", ("gi_frame", "gi_code", "cr_frame")),
    "json": ("json", ("__dict__", "__loader__", "loads", "dumps", "decoder")),
}  # fmt: skip
"""Values, and what Python or another of its versions would give of them."""

_NAMES = (
    *("vars", "locals", "exec", "compile", "input", "memoryview", "object", "super", "property"),
    *(
        "setattr",
        "delattr",
        "id",
        "iter",
        "next",
        "breakpoint",
        "help",
        "exit",
        "quit",
        "bytearray",
    ),
    *("__loader__", "__spec__", "__file__", "__path__", "__annotations__", "__doc__"),
    *("__package__", "__build_class__", "__debug__", "callable", "copyright", "frozenset"),
)
_SYNTAX = {
    "class": "class C: pass",
    "try": "def f():\n    try:\n        g()\n    except: pass",
    "raise": 'raise "x"',
    "with": 'with f("/etc/passwd") as x: pass',
    "import": "import os",
    "from-import": "from os import path",
    "global": "def f():\n    global x\n    x = 1",
    "nonlocal": "def f():\n    nonlocal x",
    "del": "x = [1]\ndel x[0]",
    "yield": "def f():\n    yield 1",
    "async": "async def f(): pass",
    "await": "def f():\n    await g()",
    "assert": "assert False",
    "while": "def f():\n    while True: pass",
    "decorator": "@f\ndef g(): pass",
    "annotation": "x: int = 1",
    "walrus": "x = (y := 1)",
    "f-string": 'x = f"{len.__self__}"',
    "f-string-raw": 'x = rf"{len.__self__}"',
    "backticks": "x = `1`",
    "ellipsis": "x = ...",
    "is": "x = 1 is 1",
    "generator": "x = list(i for i in [1])",
    "set-display": "x = {1, 2}",
    "starred-target": "*a, b = [1, 2]",
    "power": "x = 9 ** 9 ** 9",
    "matrix-product": "x = [1] @ [2]",
    "chained-comparison": "x = 1 < 2 < 3",
    "old-inequality": "x = 1 <> 2",
    "complex": "x = 1j",
    "underscores-in-digits": "x = 1_000",
    "exec-statement": 'exec "x"',
    "print-statement": 'print >>f, "x"',
    "positional-only": "def f(a, /): pass",
    "match": "match 1:\n    case 1: pass",
    "attribute-assigned": "def f(): pass\nf.__code__ = len",
    "attribute-of-a-builtin-assigned": "len.x = 1",
    "string-index-assigned": '"a"[0] = "b"',
    "literal-assigned": "None = 1",
    "call-assigned": "len() = 1",
}
_FORMATS = {
    "attribute": '"{0.__class__.__mro__}".format("")',
    "keyword-attribute": '"{a.__globals__}".format(a = len)',
    "index": '"{0[__class__]}".format([])',
    "anonymous-index": '"{[0]}".format([1])',
    "anonymous-attribute": '"{.real}".format(1)',
    "repr-conversion": '"{0!r}".format("")',
    "ascii-conversion": '"{0!a}".format("")',
    "width": '"{:>9}".format("")',
    "nested-width": '"{:{}}".format("", 9)',
    "nested-name": '"{{0.__class__}}{".format("")',
    "keyword-is-python": '"{__class__}".format()',
    "negative": '"{-1}".format(1)',
    "percent-character": '"%c" % 65',
    "percent-star": '"%*d" % (9, 1)',
    "percent-name": '"%(join)s" % {"join": 1}',
    "percent-ascii": '"%a" % ""',
    "percent-index": '"%2$s" % (1, 2)',
    "percent-too-few": '"%s %s" % ("",)',
}
_MUTATIONS = {
    **{
        f"list-{name}": ("[1, 2]", step)
        for name, step in {
            "append": "x.append(1)",
            "insert": "x.insert(0, 1)",
            "remove": "x.remove(2)",
            "pop": "x.pop()",
            "clear": "x.clear()",
            "extend": "x.extend(x)",
            "plus": "x += [1]",
            "index": "x[0] = 3",
            "append-by-a-name": "[x][0].append(1)",
            "append-by-getattr": 'getattr(x, "append")(1)',
            "append-in-a-key": "sorted([1], key = lambda e: x.append(e))",
            "append-in-a-comprehension": "[x.append(e) for e in [1]]",
        }.items()
    },
    **{
        f"dict-{name}": ("{1: 1, 2: 2}", step)
        for name, step in {
            "index": "x[3] = 3",
            "pop": "x.pop(2)",
            "popitem": "x.popitem()",
            "clear": "x.clear()",
            "setdefault": "x.setdefault(3, 3)",
            "update": "x.update({3: 3})",
        }.items()
    },
}
_OTHER_PROGRAMS = {
    "json-of-a-builtin": "x = json.encode(len)",
    "json-of-a-function": "def f(): pass\nx = json.encode(f)",
    "json-of-itself": "x = json.encode(json)",
    "json-with-a-key-of-another-kind": "x = json.encode({1: 2})",
    "json-python-words": 'x = json.decode("None")',
    "json-nan": 'x = json.decode("NaN")',
    "json-infinity": 'x = json.decode("-Infinity")',
    "json-single-quotes": "x = json.decode(\"{'a': 1}\")",
    "json-comment": 'x = json.decode("1 // x")',
    "json-twice": "x = json.decode('{\"a\": 1, \"a\": 2}')",
    "hash-of-a-function": "x = hash(len)",
    "key-that-changes": "x = {[]: 1}",
    "key-holds-one-that-changes": "x = {([],): 1}",
    "argument-twice": "def f(a): pass\nf(1, a = 2)",
    "parameter-twice": "def f(a, a): pass",
    "keywords-twice": "def f(**k): pass\nf(a = 1, **{'a': 2})",
    "keywords-of-numbers": "def f(**k): pass\nf(**{1: 2})",
    "arguments-of-text": 'x = len(*"ab")',
    "type-of-three": 'x = type("X", (), {})',
    "dir-of-a-function-called": 'x = [getattr(len, n) for n in ["__call__"]]',
    "hasattr-then-getattr": 'x = getattr("", "__class__") if not hasattr("", "__class__") else 1',
    "getattr-of-a-number": 'x = getattr("", 1)',
    "getattr-of-escapes": 'x = getattr("", "\\x5f_class__")',
    "getattr-of-a-join": 'x = getattr("", "__".join(["", "class", ""]))',
    "getattr-of-a-reverse": 'x = getattr("", "__ssalc__"[::-1])',
    "comprehension-variable-kept": "x = [i for i in [1]]\ny = i",
    "comprehension-sees-python": "x = [__class__ for i in [1]]",
    "global-twice": "x = 1\nx = 2",
    "global-from-a-function": "x = 1\ndef f():\n    x += 1\nf()",
    "use-before-it-is": "def f():\n    return y\n    y = 1\nf()",
    "error-text": 'x = fail("a", sep = "b", __traceback__ = 1)',
    "integer-of-python": 'x = int("1_0")',
    "integer-of-other-digits": 'x = int("\\u0661")',
    "integer-base": 'x = int("1", 99)',
    "range-step": "x = range(1, 2, 0)",
    "slice-step": 'x = "ab"[::0]',
    "enumerate-of-text": 'x = enumerate("ab")',
}  # fmt: skip


def _programs() -> Iterator[tuple[str, str]]:
    for kind, (value, names) in _REACHED.items():
        for name in names:
            before = "def f(): pass\n" if kind == "function" else ""
            yield f"dot-{kind}-{name}", f"{before}x = {value}.{name}"
            yield f"getattr-{kind}-{name}", f'{before}x = getattr({value}, "{name}")'
    for name in _NAMES:
        yield f"name-{name}", f"x = {name}"
    for name, text in _SYNTAX.items():
        yield f"syntax-{name}", text
    for name, text in _FORMATS.items():
        yield f"format-{name}", f"x = {text}"
    for name, (start, step) in _MUTATIONS.items():
        body = f"    x = {start}\n    for _ in x:\n        {step}\nf()"
        yield f"while-iterated-{name}", f"def f():\n{body}"
    for name, text in _OTHER_PROGRAMS.items():
        yield f"program-{name}", text


PROGRAMS: Mapping[str, str] = MappingProxyType(dict(_programs()))
