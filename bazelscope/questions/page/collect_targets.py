"""All targets below some, in every configuration that is told apart, with each edge's formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from bazelscope.analysis.conditions.diagrams import FALSE, TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.paths.reach import DISTINCT, Reaches, State
from bazelscope.analysis.paths.transition_scopes import TOP, Scope
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import Selector, parts_of
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.page.model import (
    PageAttribute,
    PageBranch,
    PageEdge,
    PagePart,
    PageTarget,
    Way,
)
from bazelscope.questions.shared.attribute_facts import OF_MACROS, first_label
from bazelscope.questions.shared.described_selects import value_texts
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.world import World

Ways = dict[int, dict[int, tuple[int, int]]]
"""By the place of an edge among those of its source, by scope: its formula and target's scope."""


@dataclass(slots=True)
class ScopeNumbers:
    """The configurations that the page tells apart, each by a number; 0 is the one at the top."""

    numbers: dict[Scope, int] = field(default_factory=lambda: {TOP: 0})

    def of(self, scope: Scope) -> int:
        return self.numbers.setdefault(scope, len(self.numbers))

    def texts(self) -> tuple[str, ...]:
        """How to call each of them."""
        return tuple(map(_scope_text, self.numbers))


def _scope_text(scope: Scope) -> str:
    base = "" if not scope.is_exec else "host" if scope.is_final else "execution platform"
    changed = scope.names
    parts = [base, f"transition sets {', '.join(changed)}" if changed else ""]
    if scope.is_open:
        parts.append("behind a transition that cannot be told")
    return "; ".join(part for part in parts if part) or "target"


@dataclass(slots=True)
class TargetCollector:
    """Collects what one world has below its `starts`. Collectors of one page share `atoms` and
    `scopes`."""

    world: World
    atoms: Atoms
    scopes: ScopeNumbers
    starts: tuple[Label, ...]
    reaches: Reaches = field(init=False)
    _edges: dict[Label, Ways] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.world
        option = DISTINCT.removeprefix("--")
        is_set = option in world.flags.values or bool(world.configs.effects.setters(option))
        formulas = world.formulas(self.atoms)
        self.reaches = Reaches(world.graph, formulas, may_share_host=is_set)

    def start_scopes(self) -> tuple[tuple[Label, int], ...]:
        """The targets that were asked for, each with its configuration."""
        states = map(self.reaches.start, self.starts)
        return tuple((state.label, self.scopes.of(state.scope)) for state in states)

    def targets(self) -> dict[Label, PageTarget]:
        """Every target that may be reached under any flags, nearest first."""

        def following(state: State) -> list[State]:
            return [one.target for one in self.reaches.steps(state) if one.formula != FALSE]

        by_label: dict[Label, list[State]] = {}
        for state in distances(map(self.reaches.start, self.starts), following):
            by_label.setdefault(state.label, []).append(state)
        return {label: self._target(label, states) for label, states in by_label.items()}

    def _target(self, label: Label, states: list[State]) -> PageTarget:
        budget.current().check()
        edges: dict[int, tuple[Edge, list[Way]]] = {}
        refused: list[tuple[int, int]] = []
        lacking: list[tuple[int, int]] = []
        for state in states:
            scope = self.scopes.of(state.scope)
            for step in self.reaches.steps(state):
                if step.formula == FALSE:
                    continue
                way = Way(scope, step.formula, self.scopes.of(step.target.scope))
                edges.setdefault(id(step.edge), (step.edge, []))[1].append(way)
            for formula, kept in (
                (self.reaches.refused_of(state), refused),
                (self.reaches.incompatible_of(state), lacking),
            ):
                if formula != FALSE:
                    kept.append((scope, formula))
        node = describe_node(self.world, label)
        is_missing = node.kind.startswith("missing: ")
        return PageTarget(
            label,
            "missing" if is_missing else node.kind.removesuffix(" rule"),
            node.location,
            node.call_stack,
            node.provenance or "",
            node.unknown,
            node.kind.removeprefix("missing: ") if is_missing else "",
            tuple(_edge(edge, tuple(sorted(ways))) for edge, ways in edges.values()),
            tuple(refused),
            tuple(lacking),
        )

    def attributes(
        self, labels: Iterable[Label], with_terms: Callable[[], bool]
    ) -> dict[Label, tuple[PageAttribute, ...]]:
        """What the attributes of rules hold, term by term for as long as `with_terms` says."""
        by_label: dict[Label, tuple[PageAttribute, ...]] = {}
        for label in labels:
            rule = self.world.graph.node(label)
            if isinstance(rule, Rule):
                budget.current().check()
                by_label[label] = tuple(self._attributes(rule, with_terms()))
        return by_label

    def _attributes(self, rule: Rule, with_terms: bool) -> Iterator[PageAttribute]:
        for attribute in rule.attributes.values():
            if attribute.name in OF_MACROS:
                continue
            parts: list[PagePart] = []
            for part in parts_of(attribute.value):
                if isinstance(part, Selector):
                    parts.append(self._select(rule, attribute.name, part, with_terms))
                else:
                    parts += self._plain(rule, attribute.name, part, with_terms)
            yield PageAttribute(attribute.name, tuple(parts))

    def _select(self, rule: Rule, attribute: str, selector: Selector, terms: bool) -> PagePart:
        formula = self.reaches.formulas.of_select(selector)
        branches = tuple(
            PageBranch(branch.condition, branch.is_default, taken, tuple(_values(branch.value)))
            for branch, taken in zip(formula.branches, formula.taken, strict=True)
        )
        label = first_label(selector) if terms else None
        term = None
        if label is not None:
            term = _told(why_label(self.world.loader, rule, attribute, label, selector))
        return PagePart((), branches, selector.location, term, formula.refused)

    def _plain(self, rule: Rule, attribute: str, value: object, terms: bool) -> Iterator[PagePart]:
        groups: list[tuple[Term | None, list[object]]] = []
        for one in _values(value):
            term = None
            if terms and isinstance(one, Label):
                term = _told(why_label(self.world.loader, rule, attribute, one))
            if not groups or groups[-1][0] != term:
                groups.append((term, []))
            groups[-1][1].append(one)
        for term, values in groups:
            yield PagePart(tuple(values), term=term)

    def arrivals(self) -> Mapping[Label, int]:
        """Under which flags each target is needed by one that was asked for; empty where there
        are too many cases."""
        diagrams = self.reaches.formulas.diagrams
        arrival: dict[Label, int] = {}
        try:
            for start in self.starts:
                for state, formula in self.reaches.of(start).arrival.items():
                    known = arrival.get(state.label, FALSE)
                    arrival[state.label] = diagrams.either(known, formula)
        except TooLargeError:
            return {}
        return arrival


def _edge(edge: Edge, ways: tuple[Way, ...]) -> PageEdge:
    condition = select_at = None
    if edge.branch is not None:
        condition = edge.branch.branch.condition
        select_at = edge.branch.selector.location
    return PageEdge(
        edge.target, edge.attribute, edge.kind.value, edge.is_tool, ways, condition, select_at
    )


def _values(value: object) -> Iterator[object]:
    """The elements of a value: labels as they are, all else as text."""
    if isinstance(value, Label):
        yield value
    elif isinstance(value, tuple):
        for element in value:
            yield from _values(element)
    else:
        yield from value_texts(value)


def _told(term: Term) -> Term | None:
    """A term that says more than the label itself."""
    return None if term.kind is TermKind.DEFAULT else term
