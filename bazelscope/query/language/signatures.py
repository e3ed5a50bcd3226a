"""The functions of the query language: what each takes, and which Bazels and commands have it."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.facts.fact import Fact
from bazelscope.bazel.release import Release


class Parameter(enum.Enum):
    EXPRESSION = "an expression"
    WORD = "a word"
    NUMBER = "a number"


class Command(enum.Enum):
    """The command that the expression is given to."""

    QUERY = "query"
    CQUERY = "cquery"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes. The last parameter may be repeated if `repeats`.

    `needs_universe` functions exist in `query` only with `--universe_scope` and without
    an order of results. Bazel: `SkyQueryEnvironment`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    mandatory: int
    shape: str
    repeats: bool = False
    commands: frozenset[Command] = frozenset(Command)
    needs_universe: bool = False

    def parameter(self, index: int) -> Parameter:
        return self.parameters[min(index, len(self.parameters) - 1)]


_E, _W, _N = Parameter.EXPRESSION, Parameter.WORD, Parameter.NUMBER
_CQUERY = frozenset({Command.CQUERY})

_ALL = (
    Signature("allpaths", (_E, _E), 2, "allpaths(FROM, TO)"),
    Signature("allrdeps", (_E, _N), 1, "allrdeps(EXPR[, DEPTH])", needs_universe=True),
    Signature("attr", (_W, _W, _E), 3, "attr(ATTRIBUTE, PATTERN, EXPR)"),
    Signature("buildfiles", (_E,), 1, "buildfiles(EXPR)"),
    Signature("config", (_E, _W), 2, "config(EXPR, CONFIGURATION)", commands=_CQUERY),
    Signature("deps", (_E, _N), 1, "deps(EXPR[, DEPTH])"),
    Signature("executables", (_E,), 1, "executables(EXPR)"),
    Signature("filter", (_W, _E), 2, "filter(PATTERN, EXPR)"),
    Signature("kind", (_W, _E), 2, "kind(PATTERN, EXPR)"),
    Signature("labels", (_W, _E), 2, "labels(ATTRIBUTE, EXPR)"),
    Signature("loadfiles", (_E,), 1, "loadfiles(EXPR)"),
    Signature("rbuildfiles", (_W,), 1, "rbuildfiles(FILE, ...)", repeats=True, needs_universe=True),
    Signature("rdeps", (_E, _E, _N), 2, "rdeps(UNIVERSE, EXPR[, DEPTH])"),
    Signature("same_pkg_direct_rdeps", (_E,), 1, "same_pkg_direct_rdeps(EXPR)"),
    Signature("siblings", (_E,), 1, "siblings(EXPR)"),
    Signature("some", (_E, _N), 1, "some(EXPR[, COUNT])"),
    Signature("somepath", (_E, _E), 2, "somepath(FROM, TO)"),
    Signature("tests", (_E,), 1, "tests(EXPR)"),
    Signature("visible", (_E, _E), 2, "visible(FROM, EXPR)"),
)

SIGNATURES = {signature.name: signature for signature in _ALL}
LATER: Mapping[str, Fact] = {"executables": Release.query_executables}
"""The functions that not every release has, and which have them."""
SIMPLE_SOME = Signature("some", (_E,), 1, "some(EXPR)")


def signature_of(name: str, release: Release) -> Signature | None:
    """The function of that name in a release of Bazel; None if it has none such."""
    if name in LATER and not LATER[name].holds(release):
        return None
    if name == "some" and not release.query_some_count:
        return SIMPLE_SOME
    return SIGNATURES.get(name)
