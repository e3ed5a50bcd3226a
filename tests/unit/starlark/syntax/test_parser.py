"""Trees and their places: what is read, and where it stands."""

from __future__ import annotations

import pytest

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.errors import LimitError, StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import FileKind
from bazelscope.starlark.syntax import parser
from bazelscope.starlark.syntax import tree as s


def parse(text: str) -> s.File:
    return starlark.parse(SourceFile("x.bzl", text), FileKind.BZL)


def expression(text: str) -> s.Expression:
    (statement,) = parse(text).statements
    assert isinstance(statement, s.ExpressionStatement)
    return statement.value


def shape(node: object) -> object:
    """A tree without its places."""
    if isinstance(node, s.Literal):
        return node.value
    if isinstance(node, s.Name):
        return node.name
    if isinstance(node, s.Binary):
        return (shape(node.left), node.operator, shape(node.right))
    if isinstance(node, s.Unary):
        return (node.operator, shape(node.operand))
    if isinstance(node, s.Conditional):
        return ("if", shape(node.condition), shape(node.when_true), shape(node.when_false))
    if isinstance(node, s.TupleExpression):
        return ("tuple", *map(shape, node.elements))
    if isinstance(node, s.ListExpression):
        return ["list", *map(shape, node.elements)]
    if isinstance(node, s.Dot):
        return (shape(node.object), ".", node.name)
    if isinstance(node, s.Call):
        return (shape(node.function), "()", *(shape(part.value) for part in node.arguments))
    if isinstance(node, s.Index):
        return (shape(node.object), "[]", shape(node.key))
    if isinstance(node, s.Slice):
        return (shape(node.object), "[:]", *map(shape, (node.low, node.high, node.step)))
    if isinstance(node, s.Lambda):
        return ("lambda", *(part.name for part in node.parameters), shape(node.body))
    return node


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4", ((1, "+", (2, "*", 3)), "-", 4)),
        ("(1 + 2) * 3", ((1, "+", 2), "*", 3)),
        ("-a.b(c)[d] + e", (("-", ((("a", ".", "b"), "()", "c"), "[]", "d")), "+", "e")),
        ("not a in b and c or d", ((("not", ("a", "in", "b")), "and", "c"), "or", "d")),
        ("a not in b", ("a", "not in", "b")),
        ("a | b ^ c & d << e", ("a", "|", ("b", "^", ("c", "&", ("d", "<<", "e"))))),
        ("a if b else c if d else e", ("if", "b", "a", ("if", "d", "c", "e"))),
        ("a < b | c", ("a", "<", ("b", "|", "c"))),
        ("lambda x, *y, z = 1: x, 2", ("tuple", ("lambda", "x", "y", "z", "x"), 2)),
        ("a[1:2], a[:], a[::3], a[1:]", (
            "tuple", ("a", "[:]", 1, 2, None), ("a", "[:]", None, None, None),
            ("a", "[:]", None, None, 3), ("a", "[:]", 1, None, None),
        )),
        ("a[1, 2]", ("a", "[]", ("tuple", 1, 2))),
        ("()", ("tuple",)),
        ("(1,)", ("tuple", 1)),
        ("(1, 2,)", ("tuple", 1, 2)),
        ("(1)", 1),
        ("[1, 2,]", ["list", 1, 2]),
        ("0xFF + 0o17 + 0b11", ((255, "+", 15), "+", 3)),
        (".5 + 1. + 1e3", ((0.5, "+", 1.0), "+", 1000.0)),
        (r"'a\'b' + r'\d' + '''x'y'''", (("a'b", "+", "\\d"), "+", "x'y")),
        (r'"\a\x41\101\u00e9\U0001F600\
"', "\aAAé😀"),
        (r'"\." + "\8"', ("\\.", "+", "\\8")),
        (r'b"a\xff" + rb"\n"', (b"a\xff", "+", b"\\n")),
        ('"""a\r\nb"""', "a\nb"),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: object) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("\n\n# only a comment", 0),
        ("x = 1", 1),
        ("x = 1; y = 2;", 2),
        ("x = 1\r\ny = 2\r\n", 2),
        ("x = \\\n  1\n", 1),
        ("x = [\n# comment\n\n  1,  # one\n]\n  # indented comment\ny = 2", 2),
        ("def f(): pass\ndef g():\n  pass\n\n\n  # deeper\n  pass\nx = 1", 3),
        ("if x: pass\nelif y: pass\nelse:\n  pass\n", 1),
        ("def f(a, b = 1, *c, d, **e) -> x: return a\n", 1),
        ("def f(a: int, *, b: str = ''): pass", 1),
        ("for a, (b, c) in d: a[0], b.c = 1, 2", 1),
        ("x = 1 # no newline at the end", 1),
    ],
)
def test_layout(text: str, count: int) -> None:
    assert len(parse(text).statements) == count


def test_every_node_knows_its_text() -> None:
    text = (
        'load("//a:b.bzl", "c", d = "e")\n'
        "\n"
        "def f(x, *y, z = [1, 2], **k):\n"
        '    return g(x, *y, z = {"a": -1}, **k)[0].h if not x else (lambda q: q + 1)\n'
        "\n"
        "l = [a for a, b in c if a != b]\n"
    )
    file = parse(text)
    load, function, comprehension = file.statements
    assert file.text(load) == 'load("//a:b.bzl", "c", d = "e")'
    assert isinstance(load, s.Load)
    assert [file.text(binding) for binding in load.bindings] == ['"c"', 'd = "e"']
    assert [(binding.local, binding.exported) for binding in load.bindings] == [
        ("c", "c"),
        ("d", "e"),
    ]
    assert isinstance(function, s.Def)
    assert [file.text(part) for part in function.parameters] == [
        "x", "*y", "z = [1, 2]", "**k",
    ]  # fmt: skip
    calls = [node for node in s.walk(function) if isinstance(node, s.Call)]
    assert [file.text(call) for call in calls] == ['g(x, *y, z = {"a": -1}, **k)']
    assert str(file.location(calls[0].opening)) == "x.bzl:4:13"
    assert [file.text(part) for part in calls[0].arguments] == [
        "x", "*y", 'z = {"a": -1}', "**k",
    ]  # fmt: skip
    assert str(file.span(comprehension)) == "x.bzl:6:1"
    assert file.text(comprehension) == "l = [a for a, b in c if a != b]"
    names = [node.name for node in s.walk(comprehension) if isinstance(node, s.Name)]
    assert sorted(names) == ["a", "a", "a", "b", "b", "c", "l"]


def test_children_come_in_the_order_of_the_text() -> None:
    text = "x = f(a, b = [c, (d, e)])[g:h] + {i: j}\n"
    (statement,) = parse(text).statements
    starts = [node.start for node in s.walk(statement) if isinstance(node, s.Name)]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1 2", "x = ,", "f(,)", "x = 1 if 2", "def f(a b): pass", "(a, b", "x = 'a\n'",
        "x = 1,", "for x in y,: pass", "a = b = ", "return", "lambda: (yield)", "x = {1}",
        "x = {1: 2, 3}", "x = [1 if x for y in z]", "f(*)", "def f(*a, *b): pass", "1 = x",
        "x += y += z", "x = 08", "x = 1__0", "if x:\n", "else: pass", "x = `1`", "x = $",
        "def f(**k, a): pass", "f(**k, *a)", "f(a = 1, 2)", "[a, b] += c", "x = a not b",
        "load()", "load('a')", "load('a', *b)", "load('a', 'b-c')", "x = @a", "print 'a'",
    ],
)  # fmt: skip
def test_what_is_no_starlark(text: str) -> None:
    with pytest.raises(StarlarkError) as caught:
        starlark.load_program(SourceFile("x.bzl", text), FileKind.BZL, frozenset("abcfxyz"))
    assert caught.value.diagnostic.code.startswith("starlark-")
    assert caught.value.diagnostic.span is not None


def test_a_byte_order_mark_is_no_character_of_a_program() -> None:
    # Bazel 4.2.3: invalid character, for each of its three bytes.
    with pytest.raises(StarlarkError, match="invalid character '\\\\ufeff'") as caught:
        parse("\ufeffx = 1\n")
    assert caught.value.diagnostic.hint is not None
    assert "byte order mark" in caught.value.diagnostic.hint


@pytest.mark.parametrize(
    "text",
    [
        'f(srcs = ["a.cc", \'b.cc\',\n    "c.cc",\n], deps = [] + ["d"])\n',
        'x = ["a"][0] + ["b"].index\n',
        'x = [\n    # said of it\n    "a",\n    "b",\n]\n',
        'x = ["""a""", "b\\n", r"c", "d" + "e"]\n',
        'x = [ "a" ]\nfor y in ["a", "b"]:\n    z = ["c", "d"]\n',
        "x = (" * 150 + '["a"]' + ")" * 150 + "\n",
        "x = f([" * 100 + "x = [" + "])" * 100 + "\n",
        "x = " + "[" * 199 + ' + ["a"]',
        'x = ["a" "b"]\n',
        'x = ["a", "b"] "c"\n',
        'x = ["a", "b",, ]\n',
        'load(x = ["a"], y = "b")\n',
        '["a"] = ["b"] = x\n',
        'x = ["a", "b\n',
    ],
)
def test_lists_of_plain_strings_are_what_their_tokens_are(text: str) -> None:
    def read(with_lists: bool) -> object:
        source = SourceFile("x.bzl", text)
        try:
            if with_lists:
                return parser.prepare().parse(source)
            return parser.prepare()._parse(source, lexer.tokens(source, with_lists=False))
        except StarlarkError as error:
            return error.diagnostic

    lexer = parser.prepare()._lexer
    assert repr(read(True)) == repr(read(False))


def test_lists_of_plain_strings_count_for_the_limit_of_tokens() -> None:
    text = "x = [" + '"a",' * 1000 + "]\n"
    limits = budget.BudgetLimits(None, 1, 300)
    with budget.spending(limits), pytest.raises(LimitError):
        parser.prepare()._lexer.tokens(SourceFile("x.bzl", text))
