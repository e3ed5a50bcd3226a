"""The answer to `when` as a drawing: a decision tree, from flag to flag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bazelscope.base.source import Location
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.phrases import listed
from bazelscope.questions.when.answer import WhenAnswer
from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, clean, wrapped

_YES, _NO = 1, 3
_MOST_QUESTIONS = 12
_CONFIGS = 2
_WIDEST = 40
"""Letters of a line that says which configs set a flag, where one alone takes no more."""

_Words = frozenset[tuple[str, bool]]
"""Texts of flags that have to be so, or not so, together."""


def draw_decisions(
    answer: WhenAnswer, link: Callable[[Location | None], str] = lambda location: ""
) -> Drawing:
    """A box for each flag that has to be asked for, whose arrows lead on to the next, or to what
    comes of it; what holds now has a thick border. `link` makes of a place what a click leads
    to."""
    condition = answer.condition
    source = answer.source.label
    title: tuple[str, ...]
    if answer.target is None:
        ends, title = ("can be built", "is refused"), (f"when {source} can be built",)
    else:
        target = answer.target.label or answer.target.asked
        ends, title = ("needed", "not needed"), (f"when {source}", f"needs {target}")
    if condition is None:
        return Drawing("decisions", (), ())
    told: tuple[FlagCombination, ...] = ()
    now = {Now.YES: ends[0], Now.NO: ends[1]}.get(condition.now, "")
    if condition.verdict is Verdict.ALWAYS:
        ends = ends[::-1]
    elif condition.exceptions and condition.tells_exceptions:
        told, ends = condition.exceptions, ends[::-1]
    else:
        told = condition.alternatives
    # What is not known of all cases says nothing where none of the known ones holds.
    rest = ends[1] if condition.is_complete and condition.verdict is not Verdict.TOO_MANY else ""
    tree = _Tree(told, ends[0], rest, ends[0] in ("needed", "can be built"), now, link)
    tree.grow()
    return Drawing(
        "decisions",
        tuple(tree.nodes.values()),
        tuple(tree.edges),
        hidden=tuple(map(clean, title)),
        has_legend=False,
        folds=False,
        nouns="flags",
        title=clean(" ".join(title)),
    )


@dataclass
class _Tree:
    """Questions from the first on. `so` is what holds where one of `told` does, `rest` where none
    does; empty where nobody knows."""

    told: tuple[FlagCombination, ...]
    so: str
    rest: str
    is_good: bool
    now: str
    """What is so now, even where it is not known of all that none of `told` is about."""
    link: Callable[[Location | None], str]
    nodes: dict[str, DrawnNode] = field(default_factory=dict)
    edges: list[DrawnEdge] = field(default_factory=list)

    def grow(self) -> None:
        """Asks the flag that most cases hang on first; cases that are left alike share a box."""
        words = {word.need.text: word for one in self.told for word in one.words}
        cases = frozenset(
            frozenset((word.need.text, word.is_so) for word in one.words) for one in self.told
        )
        keys = {cases: self._key(cases)}
        pending = [cases]
        now = {}
        for left in pending:
            if keys[left] in self.nodes:
                continue
            text = _most_asked(left, words)
            if text is None or len(self.nodes) > _MOST_QUESTIONS:
                self._end(keys[left], left)
                continue
            word = words[text]
            self._ask(keys[left], word)
            for is_so in (True, False):
                further = _given(left, text, is_so)
                keys.setdefault(further, self._key(further))
                answer = "yes" if is_so else "no"
                tooltip = f"{'with' if is_so else 'without'} {text}"
                self.edges.append(DrawnEdge(keys[left], keys[further], (answer,), clean(tooltip)))
                pending.append(further)
                if word.need.holds == is_so:
                    now[keys[left]] = keys[further]
        at, before = keys[cases], ""
        while at in now:
            at, before = now[at], at
        if before and at == "rest" and not self.rest and self.now:
            self._end_now(before)
            at = "now"
        self.nodes[at] = replace(self.nodes[at], is_end=True)

    def _key(self, left: frozenset[_Words]) -> str:
        if frozenset() in left:
            return "so"
        return "rest" if not left else f"q{len(self.nodes) + len(self.edges)}"

    def _ask(self, key: str, word: FlagWord) -> None:
        need = word.need
        place = f"\n{need.location.short}" if need.location else ""
        tooltip = f"{need.text}\n{'holds' if need.holds else 'does not hold'} now{place}"
        self.nodes[key] = DrawnNode(
            key,
            (*wrapped(clean(need.text)),),
            clean(tooltip),
            is_unknown=word.unknown is not None,
            kind=clean(_set_by([one.config for one in need.configs])),
            link=self.link(need.location),
        )

    def _end(self, key: str, left: frozenset[_Words]) -> None:
        if left and frozenset() not in left:
            text, fill = f"{plural(len(left), 'more case')} (--full)", 0
        elif left:
            text, fill = self.so, _YES if self.is_good else _NO
        else:
            text, fill = self.rest or "not known", _NO if self.is_good else _YES
        self.nodes[key] = DrawnNode(key, (text,), text, fill=fill, is_unknown=text == "not known")

    def _end_now(self, before: str) -> None:
        """Ends what holds now, and leads there from box `before`, apart from what is not known."""
        fill = _YES if (self.now == self.so) == self.is_good else _NO
        self.nodes["now"] = DrawnNode("now", (self.now,), f"{self.now} now", fill=fill, kind="now")
        self.edges = [
            replace(edge, target="now") if (edge.source, edge.target) == (before, "rest") else edge
            for edge in self.edges
        ]


def _set_by(configs: Sequence[str]) -> str:
    """Which configs set a flag: the first of them, and how many more."""
    text = ""
    words = [f"--config={one}" for one in configs]
    for count in range(min(_CONFIGS, len(words)), 0, -1):
        text = f"set by {listed(words, count, '')}"
        if len(text) <= _WIDEST:
            break
    return text


def _most_asked(left: frozenset[_Words], words: Mapping[str, FlagWord]) -> str | None:
    """The flag that most cases hang on, of several one that holds now; None where nothing is left
    to ask."""
    if frozenset() in left:
        return None
    counts = Counter(text for case in left for text, _ in case)

    def order(text: str) -> tuple[int, bool, str]:
        return -counts[text], words[text].need.holds is not True, text

    return min(counts, key=order, default=None)


def _given(left: frozenset[_Words], text: str, is_so: bool) -> frozenset[_Words]:
    """The cases that are left where a flag is so, or not, without what that answers."""
    return frozenset(case - {(text, is_so)} for case in left if (text, not is_so) not in case)
