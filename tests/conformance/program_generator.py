"""Writes random Starlark programs: typed enough to run, wild enough to disagree about.

Every program ends with `result`, a list of values. Generated operands are mostly of the type
that an operation wants; now and then they are not, for errors must agree too. What the
dialects of Bazel and of the other implementation are known to do differently is not written.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TypeVar

Text = TypeVar("Text", str, list[str])

_WORDS = ["", "a", "ab", "abc", "b,c", "a b", "Hello World", "//foo:bar", "x=y", "%s", "aXbXc"]
_WORDS += ["  pad ", "line\\nbreak", "tab\\t", 'quote\\"', "{}", "{0}{1}", "123", "-7", "0x1F"]


class Generator:
    """One program. The same seed gives the same program.

    `old` leaves out what Bazel 4 did not have yet: lambda, `dict | dict`, `abs` and the like.
    """

    def __init__(self, seed: int, old: bool = False) -> None:
        self.random = random.Random(seed)
        self.old = old
        self.variables: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self.functions: list[tuple[str, list[str], str]] = []
        self.counter = 0

    # ---- Choices

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, options: list[str]) -> str:
        return self.random.choice(options)

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def choose(self, options: list[Callable[[], Text]]) -> Text:
        """One of the options, written out."""
        while True:
            text = self.random.choice(options)()
            if not self.old or not _NEW.search(text if isinstance(text, str) else "".join(text)):
                return text

    # ---- Expressions

    def expression(self, kind: str, depth: int) -> str:
        """An expression that is of type `kind`, most of the time."""
        if self.chance(0.008):
            kind = self.pick(["int", "str", "list", "dict", "bool", "tuple", "float", "none"])
        known = self.variables.get(kind, [])
        if known and self.chance(0.3):
            return self.pick(known)
        if depth <= 0:
            return self.leaf(kind)
        method = getattr(self, f"_{kind}")
        text: str = method(depth - 1)
        return text

    def base(self) -> str:
        return self.pick(["10", "16", "36", "8"])

    def divisor(self) -> str:
        return self.pick(
            ["1", "2", "-3", "7", "10", "-1", "5", str(2**65), "0" if self.chance(0.3) else "3"]
        )

    def word(self) -> str:
        """A string that is not empty."""
        return '"' + self.pick(_WORDS[1:]) + '"'

    def leaf(self, kind: str) -> str:
        number = self.random.randint
        leaves = {
            "int": lambda: self.pick(
                ["0", "1", "2", "-1", "7", str(number(-100, 100)), str(number(-(2**70), 2**70))]
            ),
            "small": lambda: str(number(-3, 6)),
            "float": lambda: self.pick(["0.0", "1.0", "-2.5", "4.0", "0.5", "100.0"]),
            "str": lambda: '"' + self.pick(_WORDS) + '"',
            "bool": lambda: self.pick(["True", "False"]),
            "none": lambda: "None",
            "list": lambda: self.pick(["[]", "[1, 2, 3]", '["a", "b"]', "[3, 1, 2]"]),
            "strings": lambda: self.pick(['["a", "b"]', '["x"]', "[]", '["b", "a", "c"]']),
            "dict": lambda: self.pick(["{}", '{"a": 1}', '{"k": [1], "j": 2}', "{1: 2, 3: 4}"]),
            "tuple": lambda: self.pick(["()", "(1,)", '("a", 2)', "(1, 2, 3)"]),
        }
        return leaves[kind]()

    def hashable(self) -> str:
        """A value that can be a key."""
        kinds = ["int", "str", "bool", "none", "float", "small"]
        return self.leaf(self.pick(kinds))

    def any(self, depth: int) -> str:
        kind = self.pick(["int", "str", "bool", "list", "dict", "tuple", "none", "float"])
        return self.expression(kind, depth)

    def _none(self, depth: int) -> str:
        return "None"

    def _small(self, depth: int) -> str:
        return self.leaf("small")

    def _int(self, d: int) -> str:
        e = self.expression
        options = [
            lambda: f"({e('int', d)} {self.pick(['+', '-', '*'])} {e('int', d)})",
            lambda: f"({e('int', d)} {self.pick(['//', '%'])} {self.divisor()})",
            lambda: f"({e('int', d)} {self.pick(['&', '|', '^'])} {e('int', d)})",
            lambda: f"({e('small', d)} {self.pick(['<<', '>>'])} {self.random.randint(0, 12)})",
            lambda: f"(-{e('int', d)})",
            lambda: f"(~{e('int', d)})",
            lambda: f"len({self.any(d)})" if self.chance(0.1) else f"len({e('list', d)})",
            lambda: f"len({e('str', d)})",
            lambda: f"int({e('bool', d)})",
            lambda: f"abs({e('int', d)})",
            lambda: f"max({e('int', d)}, {e('int', d)})",
            lambda: f"min([{e('int', d)}, {e('int', d)}])",
            lambda: f"{e('str', d)}.find({e('str', d)})",
            lambda: f"{e('str', d)}.rfind({self.word()}, {e('small', d)})",
            lambda: f"{e('str', d)}.count({e('str', d)})",
            lambda: f"({e('int', d)} if {e('bool', d)} else {e('int', d)})",
            lambda: f"[1, 2, 3].index({self.pick(['1', '2', '3', '3', '4'])})",
            lambda: f"{e('dict', d)}.get({self.hashable()}, {e('int', d)})",
            lambda: f'int("{self.pick(["12", "-7", "+10", "0101"])}", {self.base()})',
            lambda: f'int("{self.pick(["0x1f", "-0X1F", "0o17", "12"])}", 0)',
            lambda: f"hash({e('str', 0)})",
        ]
        return self.choose(options)

    def _float(self, d: int) -> str:
        e = self.expression
        options = [
            lambda: f"({e('float', d)} {self.pick(['+', '-', '*'])} {e('float', 0)})",
            lambda: f"({e('float', d)} + {e('small', d)})",
            lambda: f"({e('small', d)} / {self.pick(['1', '2', '-4', '0.5'])})",
            lambda: f"({e('float', d)} // {self.pick(['2.0', '-0.5', '4'])})",
            lambda: f"float({e('small', d)})",
        ]
        return self.choose(options)

    def _bool(self, d: int) -> str:
        e = self.expression
        compare = self.pick(["==", "!=", "<", "<=", ">", ">="])
        kind = self.pick(["int", "str", "list", "tuple", "float", "bool", "small"])
        options = [
            lambda: f"({e(kind, d)} {compare} {e(kind, d)})",
            lambda: f"({self.any(d)} {self.pick(['==', '!='])} {self.any(d)})",
            lambda: f"({e('str', d)} {self.pick(['in', 'not in'])} {e('str', d)})",
            lambda: f"({self.any(d)} {self.pick(['in', 'not in'])} {e('list', d)})",
            lambda: f"({e('str', d)} in {e('dict', d)})",
            lambda: f"(not {self.any(d)})",
            lambda: f"bool({self.any(d)})",
            lambda: f"({e('bool', d)} {self.pick(['and', 'or'])} {e('bool', d)})",
            lambda: f"{self.pick(['any', 'all'])}({e('list', d)})",
            lambda: f"{e('str', d)}.{self.pick(['startswith', 'endswith'])}({e('str', d)})",
            lambda: f"{e('str', d)}.{self.pick(['isdigit', 'isalpha', 'isspace', 'islower'])}()",
            lambda: f"{e('str', d)}.{self.pick(['isupper', 'isalnum', 'istitle'])}()",
            lambda: f"(type({self.any(d)}) == type({self.any(d)}))",
            lambda: f"hasattr({self.any(d)}, {self.pick(['append', 'join', 'keys'])!r})".replace(
                "'", '"'
            ),
        ]
        return self.choose(options)

    def _slice(self, d: int) -> str:
        part = lambda: self.leaf("small") if self.chance(0.6) else ""  # noqa: E731
        step = f":{self.pick(['', '1', '2', '-1', '-2'])}" if self.chance(0.4) else ""
        return f"[{part()}:{part()}{step}]"

    def _str(self, d: int) -> str:
        e = self.expression
        plain = self.pick(["upper", "lower", "title", "capitalize", "strip", "lstrip", "rstrip"])
        options = [
            lambda: f"({e('str', d)} + {e('str', d)})",
            lambda: f"({e('str', d)} * {e('small', d)})",
            lambda: f"{e('str', d)}.{plain}()",
            lambda: f"{e('str', d)}.{self.pick(['strip', 'lstrip', 'rstrip'])}({e('str', d)})",
            lambda: f"{e('str', d)}.replace({e('str', d)}, {e('str', d)})",
            lambda: f"{e('str', d)}.join({e('strings', d)})",
            lambda: f"{e('str', d)}{self._slice(d)}",
            lambda: f"{e('str', d)}[{e('small', d)}]" if self.chance(0.1) else '"abc"[-2]',
            lambda: f'("%s and %s" % ({self.any(d)}, {self.any(d)}))',
            lambda: f'("<%r>" % ({self.any(d)},))',
            lambda: f'("%d %x %o" % ({e("int", d)}, {e("int", d)}, {e("int", d)}))',
            lambda: f'("%s%%" % {e("str", d)})',
            lambda: f'"{{}}-{{}}".format({self.any(d)}, {self.any(d)})',
            lambda: f'"{{1}}{{0}}".format({e("str", d)}, {e("int", d)})',
            lambda: f'"{{x}}{{y}}".format(x = {e("str", d)}, y = {self.any(d)})',
            lambda: f"str({self.any(d)})",
            lambda: f"repr({self.any(d)})",
            lambda: f"type({self.any(d)})",
            lambda: f"({e('str', d)} if {self.any(d)} else {e('str', d)})",
            lambda: f"({e('str', d)} or {e('str', d)})",
            lambda: f"{e('str', d)}.removeprefix({e('str', d)})",
            lambda: f"{e('str', d)}.removesuffix({e('str', d)})",
            lambda: f'(["z"] + {e("strings", d)})[{self.pick(["0", "-1", "0", "1"])}]',
        ]
        return self.choose(options)

    def _strings(self, d: int) -> str:
        e = self.expression
        options = [
            lambda: f"[{e('str', d)}, {e('str', d)}]",
            lambda: f"{e('str', d)}.split({self.word()})",
            lambda: f"{e('str', d)}.split()",
            lambda: f"{e('str', d)}.rsplit({self.word()}, {self.random.randint(0, 3)})",
            lambda: f"{e('str', d)}.split({self.word()}, {self.random.randint(0, 3)})",
            lambda: f"{e('str', d)}.splitlines({self.pick(['', 'True'])})",
            lambda: f"list({e('str', d)}.elems())",
            lambda: f"sorted({e('strings', d)})",
            lambda: f"({e('strings', d)} + {e('strings', d)})",
            lambda: f"[x for x in {e('strings', d)} if x != {e('str', d)}]",
            lambda: f"[x.upper() for x in {e('strings', d)}]",
            lambda: f"{e('dict', d)}.keys()" if self.chance(0.1) else e("strings", d),
            lambda: f"list({e('str', d)}.partition({self.word()}))",
            lambda: f"list({e('str', d)}.rpartition({self.word()}))",
        ]
        return self.choose(options)

    def _list(self, d: int) -> str:
        e = self.expression
        name = self.fresh("v")
        options = [
            lambda: f"[{self.any(d)}, {self.any(d)}]",
            lambda: f"({e('list', d)} + {e('list', d)})",
            lambda: f"({e('list', d)} * {e('small', d)})",
            lambda: f"{e('list', d)}{self._slice(d)}",
            lambda: f"list({e('tuple', d)})",
            lambda: f"list(range({e('small', d)}, {e('small', d)}))",
            lambda: f"list(range({e('small', d)}, {e('small', d)}, {self.pick(['1', '2', '-1'])}))",
            lambda: f"reversed({e('list', d)})",
            lambda: f"sorted([{e('int', d)}, {e('int', d)}, {e('small', d)}])",
            lambda: f"sorted({e('strings', d)}, key = len, reverse = {e('bool', d)})",
            lambda: f"list(enumerate({e('strings', d)}, {e('small', d)}))",
            lambda: f"list(zip({e('list', d)}, {e('strings', d)}))",
            lambda: f"{e('dict', d)}.values()",
            lambda: f"{e('dict', d)}.items()",
            lambda: f"[{name} for {name} in {e('list', d)}]",
            lambda: f"[({name}, {self.any(d)}) for {name} in {e('list', d)} if {name}]",
            lambda: f"[{name}[0] for {name} in {e('strings', d)} if {name}]",
            lambda: f"[a + b for a in {e('strings', d)} for b in {e('strings', d)}]",
            lambda: f"[k for k, _ in {e('dict', d)}.items()]",
            lambda: f"{e('strings', d)}",
            lambda: f"({e('list', d)} or {e('list', d)})",
            lambda: f"(lambda x, y = {self.any(d)}: [x, y])({self.any(d)})",
        ]
        return self.choose(options)

    def _tuple(self, d: int) -> str:
        e = self.expression
        options = [
            lambda: f"({self.any(d)}, {self.any(d)})",
            lambda: f"({self.any(d)},)",
            lambda: f"tuple({e('list', d)})",
            lambda: f"({e('tuple', d)} + {e('tuple', d)})",
            lambda: f"({e('tuple', d)} * {e('small', d)})",
            lambda: f"{e('tuple', d)}{self._slice(d)}",
            lambda: f"{e('str', d)}.partition({self.word()})",
        ]
        return self.choose(options)

    def _dict(self, d: int) -> str:
        e = self.expression
        options = [
            lambda: f"{{{e('str', d)}: {self.any(d)}}}",
            lambda: f"{{{e('int', d)}: {self.any(d)}, {e('bool', d)}: {self.any(d)}}}",
            lambda: f"{{{e('tuple', 0)}: {self.any(d)}, {e('str', d)}: {self.any(d)}}}",
            lambda: f"dict({e('dict', d)}, key = {self.any(d)})",
            lambda: f"dict([({e('str', d)}, {self.any(d)})])",
            lambda: f"dict(zip({e('strings', d)}, {e('list', d)}))",
            lambda: f"{{x: len(x) for x in {e('strings', d)}}}",
            lambda: f"{{i: x for i, x in enumerate({e('list', d)})}}",
            lambda: f"({e('dict', d)} | {e('dict', d)})",
        ]
        return self.choose(options)

    # ---- Statements

    def assign(self, depth: int) -> None:
        kind = self.pick(["int", "str", "list", "strings", "dict", "tuple", "bool", "float"])
        value = self.expression(kind, depth)
        name = self.fresh("x")
        self.lines.append(f"{name} = {value}")
        self.variables.setdefault(kind, []).append(name)

    def body(self, names: dict[str, str], indent: str, depth: int) -> list[str]:
        """A function body that works on a list `out`, and on its parameters."""
        saved = self.variables
        self.variables = {kind: [name] for name, kind in names.items()}
        lines = [f"{indent}out = []"]
        for _ in range(self.random.randint(1, 4)):
            lines += self.step(indent, depth)
        result = self.pick(["out", f"(out, {self.any(depth)})", self.any(depth)])
        lines.append(f"{indent}return {result}")
        self.variables = saved
        return lines

    def step(self, indent: str, depth: int) -> list[str]:
        e = self.expression
        item = self.fresh("i")
        options = [
            lambda: [f"{indent}out.append({self.any(depth)})"],
            lambda: [f"{indent}out += {e('list', depth)}"],
            lambda: [f"{indent}out.extend({e('list', depth)})"],
            lambda: [f"{indent}out.insert({self.leaf('small')}, {self.any(depth)})"],
            lambda: [
                f"{indent}for {item} in {e('list', depth)}:",
                f"{indent}    if {self.any(depth)}:",
                f"{indent}        {self.pick(['continue', 'break', 'pass'])}",
                f"{indent}    out.append(({item}, {self.any(depth)}))",
            ],
            lambda: [
                f"{indent}for {item} in range({self.random.randint(0, 5)}):",
                f"{indent}    out.append({item} * {item} + {e('int', depth)})",
            ],
            lambda: [
                f"{indent}if {e('bool', depth)}:",
                f"{indent}    out.append({self.any(depth)})",
                f"{indent}elif {self.any(depth)}:",
                f"{indent}    return out",
                f"{indent}else:",
                f"{indent}    out.append({self.any(depth)})",
            ],
            lambda: [
                f"{indent}{item} = {e('dict', depth)}",
                f"{indent}{item}[{self.hashable()}] = {self.any(depth)}",
                f"{indent}out.append({item})",
            ],
            lambda: [
                f"{indent}{item} = {e('int', depth)}",
                f"{indent}{item} {self.pick(['+=', '-=', '*=', '|=', '//='])} {e('int', depth)}",
                f"{indent}out.append({item})",
            ],
            lambda: [
                f"{indent}a, b = ({e('tuple', depth)} + (1, 2))[:2]",
                f"{indent}out.append([b, a])",
            ],
            lambda: [
                f"{indent}{item} = {e('list', depth)} + [1]",
                f"{indent}out.append({item}.pop())",
                f"{indent}out.append({item})",
            ],
            lambda: [
                f"{indent}{item} = {e('list', depth)} + [1, None, 1]",
                f"{indent}{item}.remove({self.pick(['1', 'None', '1', '1.0', '2'])})",
                f"{indent}out.append({item})",
            ],
            lambda: [
                f"{indent}{item} = {e('dict', depth)}",
                f"{indent}out.append({item}.setdefault({self.hashable()}, {self.any(depth)}))",
                f"{indent}out.append({item}.pop({self.hashable()}, None))",
                f"{indent}out.append({item})",
            ],
            lambda: (
                [
                    f"{indent}for {item} in out:",
                    f"{indent}    out.append({self.any(depth)})",
                ]
                if self.chance(0.05)
                else [f"{indent}out.append(list(out))"]
            ),
        ]
        return self.choose(options)

    def function(self, depth: int) -> None:
        name = self.fresh("f")
        kinds = [self.pick(["int", "str", "list", "dict"]) for _ in range(2)]
        parameters = {"p": kinds[0], "q": kinds[1]}
        form = self.pick(["p, q", "p, q = {}", "p, *rest, q = {}", "p, q = {}, **more", "p, *, q"])
        default = self.expression(kinds[1], 0)
        self.lines.append(f"def {name}({form.format(default)}):")
        self.lines += self.body(parameters, "    ", depth)
        self.functions.append((name, kinds, form))

    def call(self, depth: int) -> str:
        name, kinds, _ = self.random.choice(self.functions)
        first = self.expression(kinds[0], depth)
        second = self.expression(kinds[1], depth)
        if self.chance(0.05):
            return f"{name}({first})"
        if self.chance(0.1):
            return f'{name}(*[{first}], **{{"q": {second}}})'
        return f"{name}({first}, q = {second})"

    def program(self) -> str:
        for _ in range(self.random.randint(0, 3)):
            self.assign(2)
        for _ in range(self.random.randint(0, 2)):
            self.function(2)
        values = [self.any(3) for _ in range(self.random.randint(1, 2))]
        if self.functions:
            values += [self.call(2) for _ in range(self.random.randint(1, 2))]
        self.lines.append(f"result = [{', '.join(values)}]")
        return "\n".join(self.lines) + "\n"


_NEW = re.compile(r"abs\(|removeprefix|removesuffix|lambda|%x|%o|split\(\)|\} \||\) \| |, 0\)|0b11")


def program(seed: int, old: bool = False) -> str:
    """The program of `seed`."""
    return Generator(seed, old).program()
