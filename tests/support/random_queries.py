"""Random questions in the query language, each made from its seed and the words of a workspace.

A question is written with every operator, function, quotation and kind of blank, over patterns
that match and some that do not, and comes with random options of `query`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


def _split(words: str, between: str = " ") -> tuple[str, ...]:
    return tuple(words.split(between))


_REGEX = _split(
    r"|.|a|^//a|//a:.*|b$|\.txt$|\Q.txt\E|\p{Lower}+|(?i)MAIN|[a-z&&[^b]]$|x*+y|a++|"
    r"(?<n>a).*\k<n>|\z|t\Z|\Aa|[^:]+:[^:]{4}$|\w+_test|\bleaf\b|\d|\D$|\x61|\u0061b?|"
    r"(?:ma)|(?=main)|(?<=//)a|(?!x)a|\[|^\[.*\]$|[\[\]]|^$|^.$|\p{Alpha}|\P{L}|"
    r"\p{javaLowerCase}|a{2}|a{1,}|(a)(i)?n\1?|.*+|\h|\R|\s|\S\s\S|(?s).|(?x) m a i n|"
    r"(?m)^a|\01|\0141|[a-c[l-n]]$|[a\-z]$|\e|\cA|\p{IsLatin}|\p{Lu}|[\w&&[^a-l]]$|@|\$|"
    r"^_|rule$|file|generated file|test rule|^cc_|config_setting|{}|(|[z-a]|\p{Foo}|a**",
    "|",
)
_VALUES = _split(
    r"1|0|true|^1$|^0$|\[\]|public|private|__pkg__|k=v|//a:leaf|leaf, |^\[//|small|"
    r"eternal|3|-1|none|notice|fast|^\[fast, x\]$|my_macro|/a/BUILD|BUILD:\d+|is_|opt|"
    r"two$|touch|t1, t2|1, 2|v, w|\{k=\[v, w\]\}|old|PY3",
    "|",
)
_ATTRIBUTES = _split(
    "name visibility tags testonly deprecation features licenses distribs generator_name "
    "generator_function generator_location srcs data deps tools toolchains "
    "compatible_with exec_compatible_with target_compatible_with $implicit_tests "
    "$private _private $launcher :action_listener $config_dependencies text texts ints "
    "sdict sldict keyed out outs flag count tool hosttool cmd size timeout flaky "
    "shard_count local actual tests values define_values constraint_values linkstatic "
    "linkopts copts hdrs malloc srcs_version imports args stamp nosuch packages"
)
_OF_LABELS = _split(
    "srcs deps data tool hosttool out outs actual tests $implicit_tests keyed $private "
    "$hidden _private tools visibility malloc hdrs constraint_values "
    "$config_dependencies written"
)
_LOADED = _split(
    "lib/consts.bzl lib/rules.bzl a/BUILD b/BUILD x/BUILD ext/BUILD ext/defs.bzl "
    "nosuch.bzl lib/BUILD"
)
_ODD = _split(
    "//a:nosuch //nopkg:x //nopkg/... @nosuch//:x //a:b:c a/a.txt a/nosuch //a//b :all "
    "@ext @ext//:nosuch ///a b/t.sh //x:z //x:with*space x b b/BUILD BUILD"
)
_OUTPUTS = (
    *(("label",) * 4),
    *("label_kind", "location", "package", "build", "xml", "proto", "streamed_proto"),
    *("graph", "graph", "minrank", "maxrank"),
)
_UNORDERED = frozenset({"proto", "streamed_proto", "graph", "minrank", "maxrank"})
"""Formats whose order is Bazel's own affair unless `--order_output=full`."""
_LINES = ("label", "label_kind", "location", "package")


@dataclass(frozen=True)
class Question:
    """One `bazel query`. `is_ordered`: whether the order of the answer is told."""

    seed: int
    expression: str
    flags: tuple[str, ...]
    is_ordered: bool

    @property
    def output(self) -> str:
        """The format of the answer."""
        name, _, value = self.flags[0].partition("=")
        return value if name == "--output" else name.removeprefix("--")

    def __str__(self) -> str:
        return f"{self.seed}: {' '.join(self.flags)} {self.expression!r}"


def make_question(seed: int, labels: Sequence[str], patterns: Sequence[str]) -> Question:
    """The question of a seed about a workspace with these targets and wildcards."""
    return QuestionMaker(seed, labels, patterns).make()


class QuestionMaker:
    """Writes one question for `query`."""

    command = "query"

    def __init__(self, seed: int, labels: Sequence[str], patterns: Sequence[str]) -> None:
        self.random = random.Random(f"{self.command} {seed}")
        self.seed = seed
        self.labels = labels
        self.patterns = patterns
        self.bound: list[str] = []
        self.has_universe = False

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def make(self) -> Question:
        choose = self.random.choice
        output = choose(_OUTPUTS)
        order = choose(("auto", "auto", "auto", "full", "full", "no", "deps"))
        if order == "auto" and output in _UNORDERED:
            order = "full"
        self.has_universe = self.chance(0.12)
        if self.has_universe:
            order = "no"
        if order in ("no", "deps"):
            output = choose(_LINES)
        expression = self.expression(choose((1, 2, 2, 3, 3)))
        flags = [f"--output={output}", f"--order_output={order}"]
        # Bazel tells what it left out only if it is to keep going, and we always do.
        flags.append("--keep_going")
        if self.has_universe:
            flags.append("--universe_scope=//...,@ext//...")
        flags += [flag for flag, share in self.options(output) if self.chance(share)]
        return Question(self.seed, expression, tuple(flags), order in ("auto", "full"))

    def options(self, output: str) -> list[tuple[str, float]]:
        limit = self.random.choice((-1, 0, 1, 3, 10, 60))
        found = [
            ("--noimplicit_deps", 0.85),
            (self.random.choice(("--notool_deps", "--tool_deps")), 0.2),
            ("--nonodep_deps", 0.12),
            ("--strict_test_suite", 0.12),
            ("--relative_locations", 0.3),
            ("--incompatible_display_source_file_location", 0.1),
            ("--line_terminator_null", 0.07),
        ]
        if output == "graph":
            found += [
                ("--nograph:factored", 0.35),
                (f"--graph:conditional_edges_limit={limit}", 0.35),
                (f"--graph:node_limit={limit}", 0.35),
            ]
        elif output == "xml":
            found += [("--xml:default_values", 0.3), ("--noxml:line_numbers", 0.3)]
        elif "proto" in output:
            found += [
                ("--noproto:flatten_selects", 0.2),
                ("--noproto:default_values", 0.2),
                ("--noproto:locations", 0.2),
                ("--noproto:rule_inputs_and_outputs", 0.2),
                ("--proto:output_rule_attrs=srcs,deps,name", 0.2),
                ("--proto:instantiation_stack", 0.2),
                ("--proto:definition_stack", 0.2),
            ]
        return found

    # ---- Words

    def blank(self) -> str:
        return self.random.choice(("", "", "", " ", "\n", "\t"))

    def word(self, text: str) -> str:
        """A word, quoted where it must be and now and then where it need not."""
        is_plain = bool(text) and text[0] not in "-*"
        is_plain = is_plain and all(char.isalnum() or char in "*/@.-_:$~" for char in text)
        if is_plain and not self.chance(0.12):
            return text
        return f'"{text}"' if "'" in text or self.chance(0.3) else f"'{text}'"

    def pattern(self) -> str:
        share = self.random.random()
        if share < 0.58:
            return self.word(self.random.choice(self.labels))
        return self.word(self.random.choice(self.patterns if share < 0.93 else _ODD))

    def regex(self) -> str:
        return self.word(self.random.choice(_REGEX))

    def call(self, function: str, *arguments: str) -> str:
        name = self.word(function) if self.chance(0.05) else function
        inner = f"{self.blank()},{self.blank()}".join(arguments)
        return f"{name}{self.blank()}({self.blank()}{inner}{self.blank()})"

    def depth(self) -> list[str]:
        if self.chance(0.5):
            return []
        return [self.word(str(self.random.choice((0, 1, 1, 2, 2, 3, 4, 10, 100))))]

    # ---- Expressions

    def expression(self, depth: int) -> str:
        share = self.random.random()
        if depth <= 0 or share < 0.18:
            if self.bound and self.chance(0.4):
                return f"${self.random.choice(self.bound)}"
            return self.pattern()
        if share < 0.36:
            sign = self.random.choice(
                (" + ", "+", " - ", "^", " union ", " except ", " intersect ")
            )
            left, right = self.expression(depth - 1), self.expression(depth - 1)
            return f"({left}){sign}({right})" if self.chance(0.5) else f"({left}){sign}{right}"
        if share < 0.41:
            return f"set({' '.join(self.pattern() for _ in range(self.random.randint(0, 4)))})"
        if share < 0.46:
            return self.let(depth)
        return self.function(depth)

    def let(self, depth: int) -> str:
        name = self.random.choice(("x", "y", "v_1", "_", "X9"))
        value = self.expression(depth - 1)
        self.bound.append(name)
        body = self.expression(depth - 1)
        self.bound.pop()
        return f"(let {name} = {value} in {body})"

    def function(self, depth: int) -> str:
        names = [*("deps", "rdeps", "kind", "attr", "labels") * 4, *("allpaths", "filter") * 3]
        names += ["tests", "visible", "buildfiles", "loadfiles", "siblings"] * 2
        names += ["same_pkg_direct_rdeps"] * (0 if self.has_universe else 2)
        if self.has_universe:
            # One in another makes a real Bazel wait for itself.
            names += ["rbuildfiles"] * 20
        return self.named(self.random.choice(names), depth)

    def named(self, name: str, depth: int) -> str:
        """A call of that function, whatever it takes."""

        def inner() -> str:
            return self.expression(depth - 1)

        if name == "deps":
            return self.call(name, inner(), *self.depth())
        if name == "rdeps":
            return self.call(name, inner(), inner(), *self.depth())
        if name in ("allpaths", "visible"):
            return self.call(name, inner(), inner())
        if name in ("kind", "filter"):
            return self.call(name, self.regex(), inner())
        if name == "attr":
            value = self.word(self.random.choice(_VALUES)) if self.chance(0.7) else self.regex()
            return self.call(name, self.word(self.random.choice(_ATTRIBUTES)), value, inner())
        if name == "labels":
            return self.call(name, self.word(self.random.choice(_OF_LABELS)), inner())
        if name == "rbuildfiles":
            return self.call(name, *(self.word(w) for w in self.random.sample(_LOADED, 2)))
        return self.call(name, inner())
