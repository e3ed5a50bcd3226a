"""Facts about targets: a condition, an attribute, a dependency, an external repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.base.label import Label, at_sign
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.loading.origins.term import Term
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Provenance, Rule
from bazelscope.questions.path.answer import PathAnswer
from bazelscope.questions.path.find import PathQuestion, find_path
from bazelscope.questions.repos.find import describe_repositories
from bazelscope.questions.shared.attribute_facts import (
    kind_of,
    what_attributes_hold,
    what_it_depends_on,
)
from bazelscope.questions.shared.conditions.holding import ways_to_hold
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.explained_targets import explain_select
from bazelscope.questions.shared.macro_calls import calls_of, which_calls
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.reach import Reach
from bazelscope.questions.shared.select_answers import SelectAnswer
from bazelscope.questions.shared.target_answers import CallAnswer
from bazelscope.questions.shared.world import World
from bazelscope.questions.why.answer import (
    Fact,
    FactKind,
    Link,
    Relation,
    cause_of_select,
    cause_of_setting,
    causes_of_condition,
    merged,
)


class TargetFactsFinder:
    """Finds the facts about the targets `labels` that a name means."""

    def __init__(
        self, world: World, envelope: Envelope, labels: Sequence[Label], reach: Reach
    ) -> None:
        self._world = world
        self._envelope = envelope
        self._labels = tuple(labels)
        self._reach = reach

    # ---- Names ----

    def names(self) -> Iterator[str]:
        """The name of every such fact, the nearest to the targets first."""
        for rule in self._rules():
            yield from rule.attributes
        yield from map(str, self._reach.asked_by)
        yield from (at_sign(name) for name in sorted(self._repository_names))
        yield from map(str, self._reach.first_named_by)
        yield from (at_sign(name) for name in sorted(self._world.loader.table.definitions))
        yield from self._world.loader.table.variables()

    def find(self, word: str) -> Iterator[Fact]:
        """The facts that one name means."""
        attributes = tuple(self._attributes(word))
        yield from attributes
        if attributes:
            return
        yield from self._repositories(word)
        for label in self._labels_of(word):
            yield from self._of_label(label)
        yield from self._values(word)

    def _rules(self) -> Iterator[Rule]:
        for label in self._labels:
            target = self._world.graph.node(label)
            if isinstance(target, Rule):
                yield target

    def _labels_of(self, word: str) -> Iterator[Label]:
        """The targets that a word means: a label, or the short name of one that is reached."""
        if word.startswith(("//", "@", ":")):
            label = self._world.label_of(word, self._labels)
            if label is not None:
                yield label
            return
        known = (*self._labels, *self._reach.asked_by, *self._reach.first_named_by)
        named = [label for label in dict.fromkeys(known) if label.name == word]
        settled = [label for label in named if label in self._reach.asked_by]
        rules = [label for label in named if kind_of(self._world, label) != "source file"]
        yield from settled or rules[:1] or named[:1]

    # ---- Conditions ----

    def _of_label(self, label: Label) -> Iterator[Fact]:
        if label == DEFAULT_CONDITION:
            yield from self._defaults()
            return
        if label in self._reach.asked_by or self._is_setting(label):
            yield self._condition(label)
        if label in self._labels:
            yield from self._target(label)
        elif label not in self._reach.asked_by:
            yield from self._dependency(label)

    def _is_setting(self, label: Label) -> bool:
        target = self._world.graph.node(label)
        kinds = ("config_setting", "constraint_value")
        return isinstance(target, Rule) and target.rule_class.name in kinds

    def _condition(self, label: Label) -> Fact:
        match = self._world.conditions.match(label)
        causes = list(causes_of_condition(match, self._world.flags.rc_files))
        if match.outcome is Outcome.DOES_NOT_HOLD:
            ways, _ = ways_to_hold(self._world, label)
            causes += [Link(Relation.HOLDS_WITH, " ".join(way.words), way.location) for way in ways]
        askers = self._reach.asked_by.get(label, ())
        own = [asker for asker in askers if asker in self._labels]
        for asker in own:
            causes += self._selects_on(asker, label)
        causes += [
            Link(Relation.ASKED_BY, str(asker), self._place(asker))
            for asker in askers
            if asker not in own
        ]
        return Fact(
            FactKind.CONDITION, str(label), match.outcome.value, match.location, tuple(causes)
        )

    def _selects_on(self, target: Label, condition: Label) -> Iterator[Link]:
        """The select()s of a target that have the condition as a key."""
        for select in self._selects(target):
            for branch in select.branches:
                if branch.condition.condition == condition:
                    taken = "takes its branch" if branch.is_chosen else "takes another branch"
                    place = select.call.location if select.call else select.location
                    text = f"{target}.{select.attribute}"
                    yield Link(Relation.ASKED_BY, text, place, taken)

    def _defaults(self) -> Iterator[Fact]:
        for target in self._labels:
            for select in self._selects(target):
                chosen = select.chosen
                if chosen is not None and chosen.is_default:
                    causes = (cause_of_select(select, self._world.flags.rc_files),)
                    name = f"{target}.{select.attribute}"
                    yield Fact(FactKind.CONDITION, name, "default branch", select.location, causes)

    def _selects(self, label: Label) -> Iterator[SelectAnswer]:
        target = self._world.graph.node(label)
        if isinstance(target, Rule):
            configuration = self._world.configured.top(label).configuration
            for choice in self._world.configured.selects(label, configuration):
                yield explain_select(self._world, target, choice)

    def _place(self, label: Label) -> Location | None:
        return describe_node(self._world, label).location

    # ---- Targets and their attributes ----

    def _target(self, label: Label) -> Iterator[Fact]:
        node = describe_node(self._world, label)
        target = self._world.graph.node(label)
        causes: list[Link] = []
        if isinstance(target, Rule):
            causes += _calls(which_calls(self._world.loader, target))
            incompatible = self._world.incompatible(label)
            if incompatible is not None:
                causes += [
                    Link(Relation.WANTS, f"{entry.what}={entry.wanted}", incompatible.location)
                    for entry in incompatible.missing
                ]
        if node.unknown is not None:
            causes.append(Link(Relation.UNKNOWN, str(node.unknown), node.unknown.location))
        kind = node.shown_kind
        yield Fact(FactKind.TARGET, str(label), kind, node.location, tuple(causes))

    def _attributes(self, word: str) -> Iterator[Fact]:
        for rule in self._rules():
            prefix = f"{rule.label}."
            if word.removeprefix(prefix) not in rule.attributes:
                continue
            yield self._attribute(rule, word.removeprefix(prefix))

    def _values(self, word: str) -> Iterator[Fact]:
        """The attributes that have `word` as a value which is no label."""
        if word.startswith(("//", "@", "-")):
            return
        for rule in self._rules():
            for attribute in what_attributes_hold(self._world, rule):
                if any(value.text == word for value in attribute.values):
                    yield self._attribute(rule, attribute.name)

    def _attribute(self, rule: Rule, name: str) -> Fact:
        rc_files = self._world.flags.rc_files
        held = next(a for a in what_attributes_hold(self._world, rule) if a.name == name)
        causes: list[Link] = []
        for group in what_it_depends_on(self._world, rule):
            if group.attribute == name and group.branch is None:
                gives = tuple(Link(Relation.GIVES, str(d.label)) for d in group.dependencies)
                term = replace(group.term, via=()) if group.term is not None else None
                causes.append(_term(term, gives))
        causes += [
            cause_of_select(select, rc_files)
            for select in self._selects(rule.label)
            if select.attribute == name
        ]
        if not causes:
            causes += [Link(Relation.GIVES, value.text) for value in held.values]
        causes += _calls(which_calls(self._world.loader, rule))
        count = f"{len(held.values)} value" + ("" if len(held.values) == 1 else "s")
        value = held.values[0].text if len(held.values) == 1 else count
        return Fact(FactKind.ATTRIBUTE, f"{rule.label}.{name}", value, rule.location, tuple(causes))

    # ---- Dependencies ----

    def _dependency(self, label: Label) -> Iterator[Fact]:
        for start in self._labels:
            asked = PathQuestion((str(start), str(label)), configured=True)
            answer = find_path(self._world, self._envelope, asked)
            if not answer.steps:
                continue
            is_found = answer.outcome is PathOutcome.FOUND
            value = "cut off by the flags"
            if is_found:
                value = (
                    "direct" if len(answer.steps) == 2 else f"{len(answer.steps) - 1} steps away"
                )
            location = self._place(label)
            causes = (*self._steps(answer), *self._cuts(answer))
            yield Fact(FactKind.DEPENDENCY, str(label), value, location, causes)
            return

    def _steps(self, answer: PathAnswer) -> Iterator[Link]:
        for step in answer.steps:
            if step.edge is None:
                continue
            yield Link(
                Relation.STEP,
                str(step.edge.source),
                step.node.location,
                step.edge.attribute or step.edge.kind,
                (*self._made(step.node), *self._joined(step.edge)),
            )

    def _made(self, node: NodeAnswer) -> Iterable[Link]:
        if len(node.call_stack) < 2:
            return ()
        kind = node.shown_kind
        return _calls(calls_of(self._world.loader.syntax_pieces, node.call_stack, kind))

    def _joined(self, edge: EdgeAnswer) -> Iterator[Link]:
        branch = edge.branch
        inner = (self._branch(branch),) if branch is not None else ()
        if edge.term is not None:
            yield _term(edge.term, inner)
        else:
            yield from inner

    def _branch(self, branch: BranchAnswer) -> Link:
        rc_files = self._world.flags.rc_files
        causes: list[Link] = []
        if branch.select_at is not None:
            causes.append(Link(Relation.DEFINED, "select()", branch.select_at))
        for need in branch.needs:
            inner = (cause_of_setting(need.set_by, rc_files),) if need.set_by is not None else ()
            relation = Relation.MEETS if need.holds else Relation.WANTS
            got = "" if need.holds else f"is {need.got}" if need.got else "is not set"
            causes.append(Link(relation, need.text, need.location, got, inner))
        return Link(Relation.TAKES, str(branch.condition), causes=tuple(causes))

    def _cuts(self, answer: PathAnswer) -> Iterator[Link]:
        for cut in answer.cuts:
            condition = cut.condition
            text = str(condition.condition) if condition else str(DEFAULT_CONDITION)
            causes = (
                causes_of_condition(condition, self._world.flags.rc_files)
                if condition is not None
                else ()
            )
            place = condition.location if condition is not None else None
            yield Link(Relation.NOT_TAKEN, text, place, causes=causes)

    # ---- Repositories ----

    @cached_property
    def _repository_names(self) -> frozenset[str]:
        """The repositories by name alone: to look into each would run its rule."""
        loader = self._world.loader
        return frozenset({*loader.table.definitions, *loader.options.override_repositories})

    def _repositories(self, word: str) -> Iterator[Fact]:
        name = word.removeprefix("@").removesuffix("//").removesuffix("//:")
        if "/" in name or ":" in name or not name:
            return
        if not word.startswith("@") and name not in self._repository_names:
            return
        answer = describe_repositories(self._world, self._envelope, name, None, True)
        for facts in (repository.facts for repository in answer.repositories):
            if facts.rule_class is None and facts.provenance is Provenance.UNKNOWN:
                continue
            definition = self._world.loader.table.definitions.get(name)
            causes: list[Link] = []
            if definition is not None:
                pieces = self._world.loader.syntax_pieces
                calls = calls_of(pieces, definition.call_stack, definition.rule_class)
                causes += _calls(calls, Relation.DEFINED)
            causes += [
                Link(
                    Relation.SHADOWS, f"{other.rule_class}()", other.location, ", ".join(other.urls)
                )
                for other in facts.shadowed
            ]
            causes += [Link(Relation.CONTENT, url) for url in facts.urls]
            if facts.build_file is not None:
                causes.append(Link(Relation.CONTENT, str(facts.build_file)))
            if facts.unknown is not None:
                unknown = facts.unknown
                why = unknown.detail or unknown.reason.value
                causes.append(Link(Relation.UNKNOWN, why, unknown.location))
            causes += self._needed(name)
            location = facts.location
            yield Fact(
                FactKind.REPOSITORY, at_sign(name), facts.provenance.value, location, merged(causes)
            )

    def _needed(self, name: str) -> Iterator[Link]:
        """How the targets come to need a repository: the way to the nearest target in it."""
        inside = [label for label in self._reach.first_named_by if label.repository == name]
        if inside:
            for fact in self._dependency(inside[0]):
                yield Link(Relation.JOINED_BY, fact.name, fact.location, fact.value, fact.causes)
        packages = dict.fromkeys(label.package_id for label in self._reach.first_named_by)
        loads: dict[Label, Location] = {}
        for id in packages:
            package = self._world.loader.package(id)
            for loaded in package.loads if isinstance(package, Package) else ():
                if loaded.label.repository == name:
                    loads.setdefault(loaded.label, loaded.location)
        yield from (Link(Relation.LOADED, str(file), place) for file, place in loads.items())


def _calls(calls: Sequence[CallAnswer], relation: Relation = Relation.CALLED) -> tuple[Link, ...]:
    """Nested calls, the innermost first: it is what made the thing."""
    made: tuple[Link, ...] = ()
    for position, call in enumerate(calls, 1):
        arguments = ", ".join(
            f"{a.name} = {a.text}" if a.name.isidentifier() else f"{a.name}{a.text}"
            for a in call.arguments
        )
        text = f"{call.function}({arguments})" if call.is_readable else f"{call.function}(...)"
        how = relation if position == len(calls) else Relation.INSIDE
        made = (Link(how, text, call.location, causes=made),)
    return made


def _term(term: Term | None, inner: tuple[Link, ...]) -> Link:
    """The piece of an expression that something comes from, and the pieces inside it."""
    if term is None:
        return Link(Relation.TERM, "", causes=inner)
    parts = tuple(_term(part, ()) for part in term.via)
    if term.defined_at is not None:
        parts = (Link(Relation.DEFINED, term.text, term.defined_at), *parts)
    return Link(Relation.TERM, term.text, term.location, causes=(*parts, *inner))
