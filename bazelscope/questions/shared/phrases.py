"""The wording that several answers share: places, causes, conditions, nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from bazelscope.analysis.conditions.match_result import MatchResult, Requirement
from bazelscope.base.source import Location
from bazelscope.flags.flag_values import FlagInstance, FromDefault, FromRc, Origin
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.questions.shared.nodes import EdgeAnswer, NodeAnswer, OptionNeed
from bazelscope.questions.shared.select_answers import SelectAnswer

if TYPE_CHECKING:
    from bazelscope.questions.shared.target_answers import ArgumentAnswer

_T = TypeVar("_T")
_LONGEST_ARGUMENTS = 24
_LONGEST_ARGUMENT = 40
_LONGEST_CALL = 70
_WORTH_NAMING = frozenset({TermKind.VARIABLE, TermKind.CALL, TermKind.DEFAULT})


def place_text(origin: Origin | None) -> str:
    """`.bazelrc:160`, `command line`, `default`."""
    if isinstance(origin, FromRc):
        return origin.span.start.short
    return "default" if isinstance(origin, FromDefault) else "command line"


def setting_place(instance: FlagInstance) -> str:
    """Says where an option was set and because of what: `.bazelrc:160, --config=mkl`."""
    causes = " > ".join(cause.text for cause in instance.chain[:-1])
    place = place_text(instance.origin)
    return f"{place}, {causes}" if causes else place


def origin_text(entry: Requirement | OptionNeed) -> str:
    """Says who made the value in force: `.bazelrc:160, --config=mkl`, or `default`."""
    if entry.set_by is not None:
        return setting_place(entry.set_by)
    if entry.provided_by is not None:
        return f"by its implementation, {entry.provided_by.short}"
    return "default"


def got_text(entry: Requirement) -> str:
    """Says what a requirement that does not hold met instead: `is k8 (default)`."""
    if entry.got is None:
        return "is not set"
    return f"is {entry.got or 'empty'} ({origin_text(entry)})"


def wants_texts(condition: MatchResult) -> list[str]:
    """Words what a condition lacks, each in a text; of ways of which any is enough, each is one."""
    ways = condition.unmet_ways
    if len(ways) == 1:
        return [wants_text(entry) for entry in ways[0]]
    texts = [" and ".join(wants_text(entry) for entry in way) for way in ways]
    return [*texts[:1], *(f"or {text}" for text in texts[1:])]


def wants_text(entry: Requirement) -> str:
    """Words a requirement that does not hold: `wants --cpu=x64_windows, is k8 (default)`."""
    return f"wants {entry.what}={entry.wanted}, {got_text(entry)}"


def location_text(location: Location | None) -> str:
    return location.short if location else ""


def macro_text(node: NodeAnswer) -> str:
    """Says how a target came about: `tf_cuda_library() at BUILD:57 > tensorflow.bzl:1305`.

    Calls inside of files that bazelscope ships say nothing about the workspace.
    """
    kind = node.shown_kind
    stack = list(node.call_stack)
    while len(stack) > 1 and stack[-1].location.is_shipped:
        stack.pop()
    if len(stack) < 2:
        return f"{kind}, {location_text(node.location)}" if node.location else kind
    calls = [f"{inner.function}() at {outer.location.short}" for outer, inner in pairwise(stack)]
    return f"{kind}, " + " > ".join([*calls, stack[-1].location.short])


def made_text(node: NodeAnswer, full: bool) -> str:
    """Says what made a target in short, `tf_cuda_library() at BUILD:57`: the call that one would
    edit; `full`: every call."""
    stack = [frame.location for frame in node.call_stack]
    if full or node.edited_at not in stack:
        return macro_text(node)
    place = node.edited_at.short
    below = node.call_stack[stack.index(node.edited_at) + 1 :]
    called = below[0] if below else None
    if called is None or called.location.is_shipped:
        return f"{node.shown_kind}, {place}"
    return f"{node.shown_kind}, {called.function}() at {place}"


def cause_text(instance: FlagInstance) -> str:
    """Says where an option was set and what is nearest to it of its causes: `.bazelrc:160,
    --config=mkl`."""
    place, causes = place_text(instance.origin), instance.chain[:-1]
    return f"{place}, {causes[-1].text}" if causes else place


def term_text(term: Term, known_place: Location | None = None, with_places: bool = True) -> str:
    """Words the term that a label came from, outermost first: `COMMON_PIP_DEPS (BUILD:91)`.

    Empty for a literal, and for a term that could not be followed. `known_place` is told
    beside it anyway, and not repeated.
    """
    parts = []
    for part in _chain(term):
        if part.kind not in _WORTH_NAMING:
            continue
        text = _short_call(part.text)
        if with_places and part.defined_at and part.defined_at != known_place:
            text += f" ({part.defined_at.short})"
        parts.append(text)
    return " > ".join(parts)


def edge_term_text(edge: EdgeAnswer, full: bool = True) -> str:
    """Words the term that an edge's label came from; its select() is told apart. Unless `full`,
    without the places where its variables are set."""
    select_at = edge.branch.select_at if edge.branch else None
    return term_text(edge.term, select_at, full) if edge.term else ""


def _chain(term: Term) -> Iterator[Term]:
    yield term
    for inner in term.via:
        yield from _chain(inner)


def select_term_text(select: SelectAnswer) -> str:
    """Names the call that made a select(), `mkl_deps()`; `select()` if it is written out."""
    return _short_call(select.call.text) if select.call is not None else "select()"


def _short_call(text: str) -> str:
    name, bracket, arguments = text.partition("(")
    return f"{name}(...)" if bracket and len(arguments) > _LONGEST_ARGUMENTS else text


def argument_texts(arguments: Sequence[ArgumentAnswer], full: bool) -> list[str]:
    """Returns the arguments of a call as written, long ones cut: `name = "a", deps = [...]`."""
    texts: list[str] = []
    for argument in arguments:
        text = _argument_text(argument, full)
        if not full and texts and sum(map(len, texts)) + len(text) > _LONGEST_CALL:
            return [*texts, "..."]
        texts.append(text)
    return texts


def _argument_text(argument: ArgumentAnswer, full: bool) -> str:
    text = argument.text
    if not full and len(text) > _LONGEST_ARGUMENT:
        ends = {"[": "[...]", "{": "{...}"}
        closed = text[-1:] in "]}" and text.count(text[0]) == 1
        cut = text[: _LONGEST_ARGUMENT - 4].rpartition(" ")[0] or text[: _LONGEST_ARGUMENT - 4]
        text = ends[text[0]] if text[0] in ends and closed else f"{cut} ..."
    if argument.name.startswith("*"):
        return f"{argument.name}{text}"
    return f"{argument.name} = {text}" if argument.name else text


def begun(texts: Sequence[_T], most: int, full: bool) -> Sequence[_T]:
    """The first of many: so many that what is left out is worth a line that says so."""
    return texts if full or len(texts) <= most + 1 else texts[:most]


_NOT_DOWNLOADED = "not downloaded"


def content_text(provenance: str, why: str) -> str:
    """Says where the content of a repository is from, and `why` some of it is not known."""
    text = CONTENTS.get(provenance, provenance)
    if provenance == "overlay":
        is_plain = why in ("", _NOT_DOWNLOADED)
        return f"{text}; archive {_NOT_DOWNLOADED if is_plain else f'not known ({why})'}"
    return f"{text} ({why})" if why else text


CONTENTS = {
    "workspace": "the workspace itself",
    "override": "a directory given by --override_repository",
    "local": "a directory of this machine",
    "vendored": "what `bazel vendor` keeps in the directory of --vendor_dir",
    "output-base": "what Bazel has fetched on this machine",
    "overlay": "BUILD file from the workspace",
    "dry-run": "simulated",
    "model": "modelled by bazelscope",
    "unknown": "unknown",
}
"""What each `Provenance` is to a reader."""


def more_text(count: int, how: str = " (--full)") -> str:
    """` and 3 more (--full)`; empty for none. `how` says how they are seen."""
    return f" and {count:,} more{how}" if count > 0 else ""


def listed(texts: Sequence[str], shown: int | None, how: str = " (--full)") -> str:
    """The first of many in one line (`shown`: so many; None: all), and how many more there are."""
    first = texts[:shown]
    return ", ".join(first) + more_text(len(texts) - len(first), how)


def begun_list(texts: Sequence[str], most: int, full: bool, how: str = " (--full)") -> str:
    """The first of many in one line, as many as `begun` takes, and how many more there are."""
    return listed(texts, len(begun(texts, most, full)), how)
