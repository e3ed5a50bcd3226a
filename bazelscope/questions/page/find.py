"""All that the explorer page knows of some targets: the answer to `page`.

The graph is collected once for each set of flags that counts for loading; formulas of all of
them share their variables, so that the page can turn flags by itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import TRUE
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.configuration.build_settings import is_label_setting
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.repositories.repository_facts import RepositoryFacts, repository_facts
from bazelscope.questions.configs.answer import NamedConfig
from bazelscope.questions.page.answer import LoadedSet, PageAnswer
from bazelscope.questions.page.collect_targets import ScopeNumbers, TargetCollector
from bazelscope.questions.page.collect_words import WordCollector
from bazelscope.questions.page.model import (
    DiagramNode,
    PageLoad,
    PageModel,
    PageTarget,
    PageVariable,
    Reason,
)
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.loading_words import Line, OpenLine, Words, instances_of
from bazelscope.questions.shared.macro_calls import edited_at

_MOST_REASONS = 24
NO_TIME = "some terms of expressions, which took too long to look up"
_TERM_SECONDS = 60.0
"""Time for looking up which term of an expression each label came from."""


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """What the page is to be about: `names` under the options `words`, beside the options
    `against`, on the first of `hosts` and the others; so many sets of packages at `most_loads`."""

    names: tuple[str, ...]
    words: Words
    against: Words | None
    hosts: tuple[str, ...]
    most_loads: int


def make_page(
    given: Line,
    open_line: OpenLine,
    envelope: Envelope,
    asked: PageQuestion,
    configs: Sequence[NamedConfig],
) -> tuple[PageAnswer, PageModel | None]:
    """Collects everything about the targets `asked` for. Returns what is said about it, and the
    page itself: None if a name means no target."""
    world = given.world
    names = tuple(which_target(world, name) for name in asked.names)
    starts = tuple(dict.fromkeys(name.label for name in names if name.label is not None))
    if not starts or any(name.label is None for name in names):
        closed = envelope.closed(how_complete(world.loader, starts))
        return PageAnswer(closed, names), None
    collector = _Collector(given, open_line, asked, starts, tuple(configs))
    model = collector.model(envelope)
    return _answer(names, model, collector.unloaded), model


def _answer(
    names: tuple[NameAnswer, ...], model: PageModel, unloaded: tuple[str, ...]
) -> PageAnswer:
    first = model.loads[0].targets
    loads: list[LoadedSet] = []
    seen: set[Label] = set()
    for load in model.loads:
        loads.append(LoadedSet(load.host, load.words, len(load.targets.keys() - seen)))
        seen.update(load.targets)
    return PageAnswer(
        model.envelope,
        names,
        model.starts,
        len(first),
        sum(len(target.edges) for target in first.values()),
        len(model.alternatives),
        tuple(loads),
        unloaded,
        model.left_out,
    )


class _Collector:
    """Collects one page."""

    def __init__(
        self,
        given: Line,
        open_line: OpenLine,
        asked: PageQuestion,
        starts: tuple[Label, ...],
        configs: tuple[NamedConfig, ...],
    ) -> None:
        self._given = given
        self._open = open_line
        self._asked = asked
        self._starts = starts
        self._configs = configs
        self._atoms = Atoms()
        self._scopes = ScopeNumbers()
        self.left_out: list[str] = []
        self.unloaded: tuple[str, ...] = ()
        host = asked.hosts[0]
        self._words = option_words(instances_of(given.flags), asked.words)
        self._against: tuple[Words, ...] | None = None
        candidates = dict.fromkeys(self._words)
        if asked.against is not None:
            other = open_line(host, asked.against)
            self._against = option_words(instances_of(other.flags), asked.against)
            candidates.update(dict.fromkeys(self._against))
        named = given.world.configs.effects.names()
        candidates.update(dict.fromkeys((f"--config={name}",) for name in named))
        self._bases = [WordCollector(name, open_line, tuple(candidates)) for name in asked.hosts]

    def model(self, envelope: Envelope) -> PageModel:
        """All of the page."""
        loads, first = self._loads()
        arrivals = first.arrivals()
        diagrams = self._atoms.diagrams
        formulas = set(_formulas(loads)) | set(arrivals.values())
        variables = tuple(self._variables())
        rows, numbers = diagrams.table(sorted(formulas))
        alternatives: dict[int, tuple[Reason, ...]] = {}
        for formula in sorted(formulas):
            if formula > TRUE:
                cubes, _ = diagrams.primes(formula, formula, _MOST_REASONS)
                alternatives[formula] = tuple(
                    Reason(tuple(sorted((*one.test, one.positive) for one in cube)))
                    for cube in cubes[:_MOST_REASONS]
                )
        world = self._given.world
        refusals = world.refusals_below(self._starts)
        closed = envelope.closed(
            how_complete(world.loader, self._starts, aside=world.packages_aside(*self._starts)),
            (),
            refusals,
        )
        accumulating = frozenset(
            name
            for base in self._bases
            for word in (base.base, *(one.line for one in base.words.values()))
            for name in {one.name for one in word.flags.parsed}
            if (known := world.catalog.find(name, "build")) is not None and known.repeats
        )
        return PageModel(
            closed,
            self._words,
            self._against,
            self._starts,
            self._scopes.texts(),
            variables,
            tuple(DiagramNode(*test, yes, no) for test, yes, no in rows),
            numbers,
            alternatives,
            arrivals,
            tuple(loads),
            tuple(base.describe(variables) for base in self._bases),
            self._configs,
            accumulating,
            tuple(self.left_out),
        )

    def _loads(self) -> tuple[list[PageLoad], TargetCollector]:
        """The graphs, that of the given line first, then of the lines that load something
        else: nothing but rc files, the line beside the given one, other hosts, and one word
        each."""
        base = self._bases[0]
        everything = tuple(word for group in self._words for word in group)
        wanted: dict[tuple[object, ...], tuple[WordCollector, tuple[Words, ...]]] = {}
        lines: list[tuple[WordCollector, tuple[Words, ...]]] = [(base, self._words), (base, ())]
        if self._against is not None:
            lines.append((base, self._against))
        lines += [(other, self._words) for other in self._bases[1:]]
        lines += [(base, (words,)) for words in base.words]
        for collector, groups in lines:
            wanted.setdefault(collector.key(groups), (collector, groups))
        kept = list(wanted.values())[: self._asked.most_loads]
        missing = list(wanted.values())[self._asked.most_loads :]
        self.unloaded = tuple(
            " ".join(word for group in groups for word in group) for _, groups in missing
        )
        first = TargetCollector(self._given.world, self._atoms, self._scopes, self._starts)
        loads: list[PageLoad] = []
        for collector, groups in kept:
            words = tuple(word for group in groups for word in group)
            is_given = not loads and words == everything
            line = self._given if is_given else self._open(collector.host, words)
            one = (
                first
                if is_given
                else TargetCollector(line.world, self._atoms, self._scopes, self._starts)
            )
            loads.append(self._load(collector, groups, one, loads[0] if loads else None))
        return loads, first

    def _load(
        self,
        collector: WordCollector,
        groups: tuple[Words, ...],
        targets_of: TargetCollector,
        first: PageLoad | None,
    ) -> PageLoad:
        targets: Mapping[Label, PageTarget] = targets_of.targets()
        if first is not None:
            known = first.targets
            targets = {t.label: t for t in targets.values() if known.get(t.label) != t}
        started = time.process_time()

        def has_time() -> bool:
            if time.process_time() - started < _TERM_SECONDS:
                return True
            if NO_TIME not in self.left_out:
                self.left_out.append(NO_TIME)
            return False

        return PageLoad(
            collector.host,
            tuple(word for group in groups for word in group),
            collector.environment_of(groups),
            collector.others(groups),
            targets,
            targets_of.attributes(targets, has_time),
            targets_of.start_scopes(),
            tuple(self._repositories(targets_of, targets)),
        )

    def _repositories(
        self, targets_of: TargetCollector, targets: Iterable[Label]
    ) -> Iterator[RepositoryFacts]:
        loader = targets_of.world.loader
        for name in sorted({label.repository for label in targets if label.repository}):
            facts = repository_facts(loader.table, name)
            if facts is not None:
                place = edited_at(loader.syntax_pieces, facts.call_stack)
                yield replace(facts, location=place or facts.location)

    def _variables(self) -> Iterator[PageVariable]:
        """The variables of all formulas, by number."""
        diagrams = self._atoms.diagrams
        for number, tests in enumerate(self._atoms.by_variable()):
            values = tuple(one for one in tests if isinstance(one, FlagRequirement))
            unknowns = [one for one in tests if isinstance(one, Unknown)]
            unknown = unknowns[0] if unknowns else None
            is_label = any(map(self._is_label, values))
            is_closed = is_label or diagrams.last_value(number) is not None
            subjects = tuple([one.subject for one in unknowns])
            yield PageVariable(values, unknown, subjects, is_closed, is_label)

    def _is_label(self, requirement: FlagRequirement) -> bool:
        """Whether the values of its flag are labels."""
        if requirement.is_constraint or not requirement.what.startswith(("//", "@")):
            return False
        rule = self._given.world.graph.node(parse_label(requirement.what, MAIN_ROOT))
        return isinstance(rule, Rule) and is_label_setting(rule)


def option_words(instances: Iterable[FlagInstance], words: Sequence[str]) -> tuple[Words, ...]:
    """Cuts the options of a command line apart: each with its value, where that is a word of
    its own."""
    starts = sorted({one.typed_word for one in instances if one.typed_word is not None})
    ends = [*starts[1:], len(words)][: len(starts)]
    return tuple(
        tuple(words[start:end]) for start, end in zip(starts, ends, strict=True) if start < end
    )


def _formulas(loads: Iterable[PageLoad]) -> Iterator[int]:
    for load in loads:
        for target in load.targets.values():
            for edge in target.edges:
                for way in edge.ways:
                    yield way.formula
            for _, formula in (*target.refused, *target.lacking):
                yield formula
        for attributes in load.attributes.values():
            for attribute in attributes:
                for part in attribute.parts:
                    yield part.refused
                    for branch in part.branches:
                        yield branch.formula
