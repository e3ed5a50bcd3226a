"""What two command lines make different: options, conditions, branches, dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.compile.link_lines import CcLinks
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags
from bazelscope.questions.deps.find import first_edges_below
from bazelscope.questions.diff.answer import (
    ConditionDifference,
    DependencyDifference,
    DifferenceAnswer,
    LineAnswer,
    LineDifference,
    OptionDifference,
    SelectDifference,
)
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoints import unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.explained_targets import decided, explain_target
from bazelscope.questions.shared.reach import what_is_reached, which_repositories_are_needed
from bazelscope.questions.shared.sections import Section
from bazelscope.questions.shared.world import World

_DIRECTORY = lazy_pattern(r"bazel-out/[^/ ]+/")
_NAMES = frozenset({"output", "its objects", "source"})
"""What words stand for that name files of the target: they differ with every mode."""
_Lines = Mapping[tuple[str, str], tuple[Word, ...]]

# What they stand for is compared; by themselves they do nothing.
_NO_SETTINGS = frozenset({"config", "define"})


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two lines; `environment` is the client's, in which Bazel looks for compilers."""

    world: World
    words: tuple[str, ...]
    environment: Mapping[str, str]


def what_differs(
    envelope: Envelope, before: Side, after: Side, names: Iterable[str]
) -> DifferenceAnswer:
    """What the line `after` changes, compared with `before`: for the targets that `names`
    mean and all they depend on; without names, of the options alone."""
    asked = tuple(names)
    targets = tuple(which_target(after.world, name) for name in asked)
    answer = DifferenceAnswer(
        envelope,
        LineAnswer(before.words),
        LineAnswer(after.words),
        targets,
        options=tuple(_options(before.world.flags, after.world.flags)),
    )
    labels = [target.label for target in targets if target.label is not None]
    if len(labels) < len(targets):
        closed = unnamed(after.world, envelope, *asked)
        return replace(answer, envelope=closed)
    if not labels:
        return answer
    answer_of_targets = _of_targets(answer, before.world, after.world, labels)
    lines = tuple(
        difference
        for label in labels
        for difference in lines_that_differ(before.world, after.world, label, after.environment)
    )
    return replace(answer_of_targets, lines=lines)


def _of_targets(
    answer: DifferenceAnswer, before: World, after: World, labels: list[Label]
) -> DifferenceAnswer:
    old, new = what_is_reached(before, labels), what_is_reached(after, labels)
    asked = {*old.asked_by, *new.asked_by}
    conditions = [
        ConditionDifference(first, second)
        for first, second in zip(decided(before, asked), decided(after, asked), strict=True)
        if first.outcome is not second.outcome
    ]
    old_edges, new_edges = _edges(before, labels), _edges(after, labels)
    gained = _parting(after, labels, new_edges, old_edges)
    lost = _parting(before, labels, old_edges, new_edges)
    needed = {need.name: need for need in which_repositories_are_needed(before, old)}
    needs = {need.name: need for need in which_repositories_are_needed(after, new)}
    shown = [*labels, *(difference.node.label for difference in gained)]
    selects = tuple(difference for label in labels for difference in _selects(before, after, label))
    return replace(
        answer,
        envelope=answer.envelope.closed(
            how_complete(after.loader, shown),
            refusals=tuple(
                dict.fromkeys((*before.refusals_below(labels), *after.refusals_below(labels)))
            ),
        ),
        before=replace(answer.before, reached=len(old_edges) + len(labels)),
        after=replace(answer.after, reached=len(new_edges) + len(labels)),
        conditions=tuple(sorted(conditions, key=lambda c: (not c.begins_to_hold, c.condition))),
        selects=selects,
        gained=gained,
        lost=lost,
        more=len(new_edges.keys() - old_edges.keys()),
        fewer=len(old_edges.keys() - new_edges.keys()),
        repositories_gained=tuple(needs[name] for name in sorted(needs.keys() - needed.keys())),
        repositories_lost=tuple(needed[name] for name in sorted(needed.keys() - needs.keys())),
    )


# ---- Options ----


def _options(before: ResolvedFlags, after: ResolvedFlags) -> Iterator[OptionDifference]:
    old, new = _in_force(before), _in_force(after)
    for name in sorted({*old, *new}):
        mine, theirs = old.get(name, []), new.get(name, [])
        if [instance.value for instance in mine] != [instance.value for instance in theirs]:
            yield OptionDifference(name, _without(mine, theirs), _without(theirs, mine))


def _in_force(flags: ResolvedFlags) -> dict[str, list[FlagInstance]]:
    """What counts, by option; a define by its name."""
    instances_of: dict[str, list[FlagInstance]] = {
        name: list(value.instances)
        for name, value in (*flags.values.items(), *flags.starlark_flags.items())
        if name not in _NO_SETTINGS
    }
    for define in flags.defines.values():
        instances_of[f"define={define.name}"] = [define.instance]
    return instances_of


def _without(mine: list[FlagInstance], theirs: list[FlagInstance]) -> tuple[FlagInstance, ...]:
    """The settings that the other line lacks; all of them where only the order differs."""
    values = {instance.value for instance in theirs}
    return tuple(instance for instance in mine if instance.value not in values) or tuple(
        mine if len(mine) == len(theirs) else ()
    )


# ---- Targets ----


def _selects(before: World, after: World, label: Label) -> Iterator[SelectDifference]:
    sections = frozenset({Section.SELECTS})
    old = explain_target(before, str(label), label, sections).selects
    new = explain_target(after, str(label), label, sections).selects
    if [one.location for one in old] != [one.location for one in new]:
        return  # The package itself is another one.
    for first, second in zip(old, new, strict=True):
        taken = [one.chosen.condition.condition if one.chosen else None for one in (first, second)]
        if taken[0] != taken[1] or first.outcome is not second.outcome:
            yield SelectDifference(label, first, second)


_Edges = Mapping[Label, ConfiguredEdge]
"""Every target below the ones asked about, and how it was first reached."""


def _edges(world: World, labels: Iterable[Label]) -> _Edges:
    first_edges: dict[Label, ConfiguredEdge] = {}
    graph = world.configured
    for start in labels:
        for node, (_, edge) in first_edges_below(graph, graph.top(start)).items():
            first_edges.setdefault(node.label, edge)
    return first_edges


def _parting(
    world: World, labels: list[Label], mine: _Edges, theirs: _Edges
) -> tuple[DependencyDifference, ...]:
    """Where dependencies begin that only `mine` has, those that bring the most first."""
    alone = [label for label in mine if label not in theirs and label not in labels]
    entrance: dict[Label, Label] = {}
    brings: dict[Label, int] = {}
    for label in alone:  # Nearest first, so that what names it is known already.
        source = mine[label].edge.source
        entrance[label] = entrance.get(source, label)
        brings[entrance[label]] = brings.get(entrance[label], 0) + 1
    differences = []
    finder = ConditionFinder(world, free=True)
    for label in sorted(brings, key=lambda label: (-brings[label], label)):
        first_edge = mine[label]
        node = describe_node(world, label)
        edge = finder.edges.described(first_edge.edge, first_edge.uncertain, with_term=True)
        differences.append(DependencyDifference(node, edge, brings[label]))
    return tuple(differences)


def lines_that_differ(
    before: World, after: World, label: Label, environment: Mapping[str, str]
) -> Iterator[LineDifference]:
    """The words that an action of a target has under one line alone; sources with the same
    differences together. Names of objects, and of the directory of outputs, are not compared."""
    old, new = _lines(before, label, environment), _lines(after, label, environment)
    differences: dict[object, LineDifference] = {}
    for key in [*new, *(key for key in old if key not in new)]:
        removed, added = _difference(old.get(key, ()), new.get(key, ()))
        if not removed and not added:
            continue
        mnemonic, subject = key
        same = (mnemonic, tuple(w.text for w in removed), tuple(w.text for w in added))
        first = differences.get(same)
        subjects = (*first.subjects, subject) if first is not None else (subject,)
        differences[same] = LineDifference(label, mnemonic, subjects, removed, added)
    yield from differences.values()


def _lines(world: World, label: Label, environment: Mapping[str, str]) -> _Lines:
    graph = world.configured
    node = behind_aliases(graph, graph.top(label))
    seen = {**environment, **world.loader.options.repo_env}
    actions = CcActions(graph, world.loader, seen)
    compiled = actions.compiled(node)
    if compiled is None:
        return {}
    node = compiled
    if actions.setting(node).refusal is not None:
        return {}
    lines: dict[tuple[str, str], tuple[Word, ...]] = {}
    for one in actions.compilations(node):
        lines.setdefault(("CppCompile", one.source.path), tuple(_compared(one.words)))
    for link in CcLinks(actions).of(node):
        # An archive has its objects, and nothing that flags change.
        if not link.output.endswith((".a", ".lo", ".lib")):
            lines[("CppLink", _plain(link.output))] = tuple(_compared(link.words))
    return lines


def _compared(words: Iterable[Word]) -> Iterator[Word]:
    for word in words:
        origin = word.origin
        is_name = isinstance(origin, FromBazel) and origin.what in _NAMES
        if not is_name and not isinstance(origin, FromDependency):
            yield word


def _difference(
    old: tuple[Word, ...], new: tuple[Word, ...]
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    first_texts, last_texts = ([_plain(word.text) for word in words] for words in (old, new))
    matcher = SequenceMatcher(None, first_texts, last_texts, autojunk=False)
    removed: list[Word] = []
    added: list[Word] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            removed += old[first:last]
            added += new[start:end]
    return tuple(removed), tuple(added)


def _plain(text: str) -> str:
    return _DIRECTORY.sub("bazel-out/*/", text)
