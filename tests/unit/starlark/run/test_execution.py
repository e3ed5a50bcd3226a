"""Running programs: modules, loads, stacks, recovery, chunks, freezing, host values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import pytest

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LabelError, LimitError, StarlarkError
from bazelscope.base.source import CallStack, Frame, Location, SourceFile
from bazelscope.starlark import FileKind, Limits, LoadStatement, Module, Thread
from tests.unit.starlark.starlark_programs import failure, no_load, predeclared, run


class World:
    """Files in memory that can load each other."""

    def __init__(self, **files: str) -> None:
        self.files = files
        self.names = predeclared()
        self.loaded: list[str] = []
        self.modules: dict[str, Module] = {}

    def load(self, statement: LoadStatement) -> Module:
        name = statement.module
        self.loaded.append(name)
        if name not in self.modules:
            program = starlark.load_program(
                SourceFile(name, self.files[name]), FileKind.BZL, frozenset(self.names)
            )
            self.modules[name] = starlark.execute(program, self.names, self.load, Thread())
        return self.modules[name]

    def run(self, text: str, kind: FileKind = FileKind.BUILD) -> dict[str, Any]:
        return run(text, kind, load=self.load, path="BUILD")


def test_loads_run_where_they_stand() -> None:
    seen: list[object] = []
    world = World(a="x = 1", b="y = 2")
    world.names["note"] = seen.append
    text = 'load("a", "x")\nnote(("first", x))\nload("b", z = "y")\nnote(z)\n'
    run(text, FileKind.BUILD, load=world.load, note=seen.append)
    assert world.loaded == ["a", "b"]
    assert seen == [("first", 1), 2]


def test_loaded_names_are_not_exported() -> None:
    world = World(a="x = 1\n_p = 2", b='load("a", "x")\ny = x + 1')
    assert world.run('load("b", "y")\nz = y') == {"z": 2}
    with pytest.raises(StarlarkError, match="does not contain symbol 'x'"):
        world.run('load("b", "x")')


def test_a_missing_symbol_has_a_place_and_a_suggestion() -> None:
    world = World(a="cc_library = 1")
    with pytest.raises(StarlarkError) as caught:
        world.run('\nload("a", "cc_libary")')
    diagnostic = caught.value.diagnostic
    assert str(diagnostic.span) == "BUILD:2:5"
    assert diagnostic.hint == "did you mean `cc_library`?"


def test_an_error_inside_a_loaded_file_is_placed_there() -> None:
    world = World(a="def f(x):\n    return x.y\n\nf(1)")
    with pytest.raises(StarlarkError) as caught:
        world.run('load("a", "f")')
    assert caught.value.diagnostic.call_stack == (
        Frame("<toplevel>", Location("a", 4, 2)),
        Frame("f", Location("a", 2, 13)),
    )


def test_functions_of_loaded_modules_are_in_the_stack() -> None:
    world = World(a="def f(x):\n    return [g(y) for y in x]\n\ndef g(y):\n    return y + 1")
    with pytest.raises(StarlarkError) as caught:
        world.run('load("a", "f")\nr = f(["s"])')
    assert caught.value.diagnostic.call_stack == (
        Frame("<toplevel>", Location("BUILD", 2, 6)),
        Frame("f", Location("a", 2, 14)),
        Frame("g", Location("a", 5, 14)),
    )


def test_call_stacks_are_located_at_the_parenthesis() -> None:
    stacks: list[CallStack] = []
    raw: list[starlark.RawStack] = []

    def here(**kwargs: object) -> None:
        stacks.append(starlark.call_stack())
        raw.append(starlark.capture_stack())

    text = (
        "def macro(name):\n"
        "    here(\n"
        "        name = name,\n"
        "    )\n"
        "\n"
        "def lists():\n"
        "    [macro(name = x) for x in ['a']]\n"
        "    {x: (lambda: macro(name = x))() for x in ['a']}\n"
        "\n"
        "macro(name = 'b')\n"
        "lists()\n"
    )
    run(text, here=here)
    top = Location("test.star", 10, 6)
    assert stacks[0] == (
        Frame("<toplevel>", top),
        Frame("macro", Location("test.star", 2, 9)),
    )
    assert stacks[1] == (
        Frame("<toplevel>", Location("test.star", 11, 6)),
        Frame("lists", Location("test.star", 7, 11)),
        Frame("macro", Location("test.star", 2, 9)),
    )
    assert [frame.function for frame in stacks[2]] == ["<toplevel>", "lists", "lambda", "macro"]
    assert stacks[2][1].location == Location("test.star", 8, 34)
    assert stacks[2][2].location == Location("test.star", 8, 23)
    assert [starlark.decode_stack(captured) for captured in raw] == stacks


def test_a_stack_ends_at_its_own_evaluation() -> None:
    stacks: list[CallStack] = []
    names = predeclared(here=lambda: stacks.append(starlark.call_stack()))
    program = starlark.load_program(SourceFile("inner", "here()"), FileKind.BZL, frozenset(names))

    def load(statement: LoadStatement) -> Module:
        return starlark.execute(program, names, no_load, Thread())

    run("def f():\n    enter()\nf()", enter=lambda: load(None))  # type: ignore[arg-type]
    assert stacks == [(Frame("<toplevel>", Location("inner", 1, 5)),)]


def test_columns_and_lines_beyond_what_a_word_holds() -> None:
    text = "\n" * 70000 + "x = [" + '"a", ' * 1000 + "1 // 0]"
    location = failure(text).diagnostic.call_stack[-1].location
    assert (location.line, location.column) == (70001, 2047)


def test_definition_of_a_function() -> None:
    found = run("x = 1\ndef f():\n    pass\ng = lambda: 1\n")
    assert starlark.definition(found["f"]) == Frame("f", Location("test.star", 2, 1))
    assert starlark.definition(found["g"]) == Frame("lambda", Location("test.star", 4, 5))
    assert starlark.is_function(found["f"])
    assert not starlark.is_function(len)


# ---- Recovery


def test_recovery_goes_on_with_the_next_statement() -> None:
    errors: list[StarlarkError] = []
    asked: list[tuple[str, Location]] = []

    def on_missing(name: str, location: Location) -> object:
        asked.append((name, location))
        return f"<{name}>"

    text = "a = 1 // 0\nb = 2\nc, d = [1].e, 2\nf = [a, b, c]\n"
    found = run(text, FileKind.BUILD, recover=errors.append, on_missing=on_missing)
    assert found == {"a": "<a>", "b": 2, "c": "<c>", "d": "<d>", "f": ["<a>", 2, "<c>"]}
    assert [str(error) for error in errors] == [
        "test.star:1:7: integer division by zero",
        "test.star:3:11: 'list' value has no field or method 'e'",
    ]
    assert asked[0] == ("a", Location("test.star", 1, 1))
    assert [name for name, _ in asked] == ["a", "c", "d"]


def test_recovery_after_a_failed_load() -> None:
    errors: list[StarlarkError] = []

    def load(statement: LoadStatement) -> Module:
        raise LabelError(Diagnostic("bad-label", "no such module"))

    found = run(
        'load("x", "y", z = "w")\na = [y, z]', FileKind.BUILD, load=load,
        recover=errors.append, on_missing=lambda name, place: name.upper(),
    )  # fmt: skip
    assert found == {"a": ["Y", "Z"]}
    assert str(errors[0]) == "test.star:1:5: no such module"
    assert errors[0].diagnostic.code == "bad-label"


def test_a_name_that_is_bound_already_keeps_its_value() -> None:
    errors: list[StarlarkError] = []
    found = run("a = 1\na = 1 // 0\nb = a", FileKind.BUILD, recover=errors.append)
    assert found["b"] == 1
    assert len(errors) == 1


def test_recovery_unlocks_what_the_failed_loop_had_locked() -> None:
    text = (
        "def f(x, fails):\n"
        "    for y in x:\n"
        "        if fails:\n"
        "            fail('stop')\n"
        "l = [1]\n"
        "f(l, True)\n"
        "f(l, False)\n"
        "[f([1], True) for i in l]\n"
        "l.append(2)\n"
    )
    errors: list[StarlarkError] = []
    found = run(text, recover=errors.append)
    assert [error.diagnostic.message for error in errors] == ["stop", "stop"]
    assert found["l"] == [1, 2]


def test_a_limit_ends_a_file_in_spite_of_recovery() -> None:
    with pytest.raises(LimitError):
        run("x = [1 for _ in range(1000)]\ny = 1", recover=print, limits=Limits(steps=10))


# ---- WORKSPACE


def test_a_workspace_is_cut_at_its_loads() -> None:
    names = predeclared()
    text = 'load("a", "x")\nload("b", "y")\nz = 1\nload("c", "w")\nv = z + 1\n'
    program = starlark.load_program(
        SourceFile("WORKSPACE", text), FileKind.WORKSPACE, frozenset(names)
    )
    assert [load.module for load in program.loads] == ["a", "b", "c"]
    assert program.loads[2].location == Location("WORKSPACE", 4, 1)
    assert len(program.chunks) == 2
    loaded: list[str] = []

    def load(statement: LoadStatement) -> Module:
        loaded.append(statement.module)
        values: dict[str, object] = {exported: 1 for _, exported in statement.bindings}
        return Module(statement.module, values, {})

    first = starlark.execute(program, names, load, Thread(), chunk=0)
    assert (loaded, first.globals) == (["a", "b"], {"z": 1})
    second = starlark.execute(program, names, load, Thread(), chunk=1, module=first)
    assert (loaded, second.globals) == (["a", "b", "c"], {"z": 1, "v": 2})


# ---- Freezing


def test_globals_are_frozen_with_all_they_reach() -> None:
    text = (
        "inner = [1]\nouter = {'k': (inner, [2])}\n"
        "def f(x = [3]):\n    x.append(4)\n"
        "def make():\n    hidden = [5]\n    return lambda: hidden.append(6)\ng = make()\n"
        "s = set([1])\n"
    )
    world = World(a=text)
    for statement in (
        "inner.append(2)", "outer['k'][0].append(2)", "outer['x'] = 1", "outer.update(a = 1)",
        "outer['k'][1].append(1)", "f()", "g()", "inner.clear()", "inner.pop()", "s.add(2)",
    ):  # fmt: skip
        with pytest.raises(StarlarkError, match="trying to mutate a frozen"):
            world.run(f'load("a", "inner", "outer", "f", "g", "s")\n{statement}')


def test_a_frozen_list_can_be_copied() -> None:
    world = World(a="x = [1]")
    assert world.run('load("a", "x")\ny = x + [2]\nz = list(x)')["y"] == [1, 2]


# ---- Host values


class Point(starlark.Value):
    """A host value that implements everything."""

    __slots__ = ("frozen", "x", "y")
    starlark_type: ClassVar[str] = "point"

    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y
        self.frozen = False

    def get_attr(self, name: str) -> object:
        if name in ("x", "y"):
            return getattr(self, name)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("x", "y")

    def set_attr(self, name: str, value: object) -> None:
        if name != "x":
            raise AttributeError(name)
        self.x = value  # type: ignore[assignment]

    def truth(self) -> bool:
        return bool(self.x or self.y)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op == "+" and isinstance(other, Point):
            return Point(self.x + other.x, self.y + other.y)
        if op == "*" and isinstance(other, int):
            return Point(self.x * other, self.y * other)
        return NotImplemented

    def unary(self, op: str) -> object:
        return Point(-self.x, -self.y) if op == "-" else NotImplemented

    def index(self, key: object) -> object:
        return (self.x, self.y)[key]  # type: ignore[index]

    def contains(self, key: object) -> object:
        return key in (self.x, self.y)

    def iterate(self) -> Iterable[object]:
        return (self.x, self.y)

    def length(self) -> int:
        return 2

    def freeze(self) -> None:
        self.frozen = True

    def equals(self, other: object) -> bool:
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def hash(self) -> int:
        return hash((self.x, self.y))

    def compare(self, other: object) -> int:
        assert isinstance(other, Point)
        return self.x - other.x

    def to_repr(self) -> str:
        return f"point({self.x}, {self.y})"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("p.x", 1),
        ("p + p", Point(2, 4)),
        ("3 * p", Point(3, 6)),
        ("p * 3", Point(3, 6)),
        ("-p", Point(-1, -2)),
        ("p[1]", 2),
        ("2 in p", True),
        ("3 not in p", True),
        ("[c for c in p]", [1, 2]),
        ("list(p)", [1, 2]),
        ("len(p)", 2),
        ("p == point(1, 2)", True),
        ("p != point(1, 3)", True),
        ("[p] == [point(1, 2)]", True),
        ("{p: 1}[point(1, 2)]", 1),
        ("p < point(2, 0)", True),
        ("sorted([point(2, 0), p])[0].x", 1),
        ("not point(0, 0)", True),
        ("str([p])", "[point(1, 2)]"),
        ("'%s %r' % (p, p)", "point(1, 2) point(1, 2)"),
        ("type(p)", "point"),
        ("dir(p)", ["x", "y"]),
        ("hasattr(p, 'x')", True),
        ("hasattr(p, 'frozen')", False),
        ("getattr(p, 'z', 5)", 5),
        ("(lambda a, b: a + b)(*p)", 3),
        ("[a + b for a, b in [p]]", [3]),
    ],
)
def test_host_values(expression: str, expected: object) -> None:
    found = run(f"p = point(1, 2)\nresult = {expression}", point=Point)["result"]
    assert starlark.equals(found, expected), found


def test_host_values_may_be_assigned_to_and_are_frozen() -> None:
    found = run("def f():\n    p = point(1, 2)\n    p.x = 5\n    return p\nq = f()", point=Point)
    assert found["q"].x == 5
    assert found["q"].frozen


def test_what_a_host_value_cannot_do() -> None:
    for text, message in (
        ("p.z", "'point' value has no field or method 'z'"),
        ("p.frozen", "'point' value has no field or method 'frozen'"),
        ("p - 1", "unsupported binary operation: point - int"),
        ("~p", "unsupported unary operation: ~point"),
        ("p()", "'point' object is not callable"),
    ):
        error = failure(f"p = point(1, 2)\nx = {text}", point=Point)
        assert error.diagnostic.message == message
        assert error.diagnostic.span is not None
        assert error.diagnostic.span.line == 2


def test_a_python_exception_of_the_host_becomes_an_error() -> None:
    def broken(**kwargs: object) -> None:
        raise ValueError("the host is broken")

    error = failure("def f():\n    broken(name = 1)\nf()", broken=broken)
    assert str(error) == "test.star:2:11: the host is broken"
    assert len(error.diagnostic.call_stack) == 2


def test_fail_with_takes_the_place_of_the_call() -> None:
    def native(name: object) -> None:
        starlark.fail_with("names are strings", hint="quote it")

    error = failure("native(name = 1)", native=native)
    assert str(error) == "test.star:1:7: names are strings"
    assert error.diagnostic.hint == "quote it"


def test_the_host_calls_functions() -> None:
    function = run("def f(x, y = 2):\n    return g(x) * y\ndef g(x):\n    return 10 // x\n")["f"]
    assert starlark.call(function, (5,), {"y": 3}, Thread()) == 6
    with pytest.raises(StarlarkError) as caught:
        starlark.call(function, (0,), {}, Thread())
    assert [frame.function for frame in caught.value.diagnostic.call_stack] == ["f", "g"]
    with pytest.raises(StarlarkError, match="missing 1 required positional argument: x"):
        starlark.call(function, (), {}, Thread())


def test_print_goes_to_the_thread() -> None:
    lines: list[str] = []
    run("print('a', 1)\nprint('b', [2], sep = '-')", print_handler=lines.append)
    assert lines == ["a 1", "b-[2]"]


def test_builtins_have_names() -> None:
    twice = starlark.Builtin("twice", lambda x: x * 2)
    found = run("x = twice(2)\ny = str(twice)\nz = type(twice)\nw = str(len)", twice=twice)
    assert found == {
        "x": 4, "y": "<built-in function twice>", "z": "builtin_function_or_method",
        "w": "<built-in function len>",
    }  # fmt: skip


# ---- Limits


def test_steps_are_counted_and_limited() -> None:
    thread = Thread()
    names = predeclared()
    program = starlark.load_program(
        SourceFile("x", "def f():\n    g()\ndef g():\n    len([])\n[f() for _ in range(10)]"),
        FileKind.BZL, frozenset(names),
    )  # fmt: skip
    starlark.execute(program, names, no_load, thread)
    assert thread.steps == 30
    with pytest.raises(LimitError, match="evaluation takes more than 29 steps"):
        starlark.execute(program, names, no_load, Thread(Limits(steps=29)))


def test_the_depth_of_calls_is_limited() -> None:
    text = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(20)) + "def f20(): pass\n"
    run(text + "f0()", limits=Limits(depth=20))
    error = failure(text + "f0()", limits=Limits(depth=19))
    assert isinstance(error, LimitError)
    assert error.diagnostic.message == "calls nest deeper than 19"


def test_sizes_are_limited() -> None:
    limits = Limits(size=1000)
    for text in ("'x' * 1001", "[0] * 1001", "list(range(1001))", "'%s' % ('x' * 1000) + 'y'"):
        error = failure(f"x = {text}", limits=limits)
        assert isinstance(error, LimitError), text
        assert "exceeds the limit of 1000" in error.diagnostic.message


def test_check_warns_of_unused_loads() -> None:
    source = SourceFile("b.bzl", 'load("a", "x", "y", z = "w")\nv = y\n')
    warnings = starlark.check(source, FileKind.BZL, frozenset())
    assert [str(warning.span) for warning in warnings] == ["b.bzl:1:11", "b.bzl:1:21"]
    assert warnings[1].message == "loaded symbol 'z' is never used"
    broken = starlark.check(SourceFile("b.bzl", "x ="), FileKind.BZL, frozenset())
    assert [problem.code for problem in broken] == ["starlark-syntax"]
