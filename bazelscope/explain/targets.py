"""The given targets, each select() of them resolved, and the conditions that matter."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from bazelscope.analysis.conditions import CONDITIONS
from bazelscope.analysis.configured import SelectChoice
from bazelscope.analysis.dependencies import labels_in
from bazelscope.analysis.edges import EdgeKind
from bazelscope.errors import Diagnostic, LabelError
from bazelscope.explain.conditions import (
    ConditionAnswer,
    PatternAnswer,
    SelectAnswer,
    TargetAnswer,
    why_condition,
    why_select,
)
from bazelscope.explain.describe import describe_node, describe_term
from bazelscope.explain.nodes import TermAnswer
from bazelscope.explain.paths import problem_of_package
from bazelscope.explain.world import World
from bazelscope.label import Label, PackageId, PatternKind, parse_pattern
from bazelscope.loading.package_scan import rules_of
from bazelscope.loading.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Package,
    Rule,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.terms import why_label

_NEAREST = 3


def explain_targets(
    world: World, texts: Sequence[str], directory: PackageId
) -> tuple[tuple[TargetAnswer, ...], tuple[PatternAnswer, ...], tuple[Label, ...]]:
    """The targets that `texts` name, the patterns among them, and the labels of both, those
    included that are no targets. `directory` is where relative patterns start from."""
    targets: list[TargetAnswer] = []
    patterns: list[PatternAnswer] = []
    labels: dict[Label, None] = {}
    for text in texts:
        try:
            pattern = parse_pattern(text, directory)
        except LabelError as error:
            targets.append(TargetAnswer(text, None, (), str(error)))
            continue
        expansion = world.loader.expand(pattern)
        found, problems = expansion.labels, expansion.diagnostics
        if pattern.excluded:
            labels = {label: None for label in labels if label not in set(found)}
        else:
            labels.update(dict.fromkeys(found))
        if pattern.kind is PatternKind.TARGET and not pattern.excluded:
            targets += [explain_target(world, text, label) for label in found]
            if not found:
                labels[pattern.label] = None
                targets.append(_missing(world, text, pattern.label, problems))
        else:
            problem = "; ".join(problem.message for problem in problems) if not found else ""
            patterns.append(PatternAnswer(text, len(found), pattern.excluded, problem))
    return tuple(targets), tuple(patterns), tuple(labels)


def _missing(world: World, text: str, label: Label, problems: Sequence[Diagnostic]) -> TargetAnswer:
    result = world.loader.target(label)
    broken = problem_of_package(world, label)
    if isinstance(result, NoSuchTarget) and broken is not None:
        return TargetAnswer(text, None, (), broken)
    if isinstance(result, NoSuchTarget):
        near = tuple(str(label.sibling(name)) for name in result.suggestions)
        if not near:
            package = world.loader.package(label.package_id)
            names = package.targets if isinstance(package, Package) else ()
            close = difflib.get_close_matches(label.name, names, _NEAREST, 0.6)
            near = tuple(str(label.sibling(name)) for name in close)
        return TargetAnswer(text, None, (), result.message, near)
    if isinstance(result, NoSuchPackage):
        known = [str(id) for id in world.loader.packages(label.repository)]
        near = tuple(difflib.get_close_matches(str(label.package_id), known, _NEAREST, 0.6))
        return TargetAnswer(text, None, (), result.message, near)
    if isinstance(result, UnknownPackage | UnknownTarget):
        return TargetAnswer(text, explain_target(world, text, label).node)
    message = "; ".join(problem.message for problem in problems)
    return TargetAnswer(text, None, (), message or f"`{text}` names no target")


def explain_target(world: World, text: str, label: Label) -> TargetAnswer:
    """What a target is, and the branch that each of its selects takes."""
    result = world.graph.node(label)
    node = describe_node(label, result, world.loader.package(label.package_id))
    if not isinstance(result, Rule):
        return TargetAnswer(text, node)
    choices = world.configured.selects(label)
    selects = tuple(explain_select(world, result, choice) for choice in choices)
    return TargetAnswer(text, node, selects)


def explain_select(world: World, rule: Rule, choice: SelectChoice) -> SelectAnswer:
    """One select() of `rule`, and the expression that made it."""
    selector = choice.selector
    term: TermAnswer | None = None
    for branch in selector.branches:
        label = next(labels_in(branch.value), None)
        if label is not None:
            found = why_label(world.loader, rule, choice.attribute, label, selector)
            term = describe_term(found)
            break
    return why_select(choice.attribute, choice.result, term)


def which_conditions(world: World, labels: Iterable[Label]) -> tuple[ConditionAnswer, ...]:
    """Every condition that a select() in the closure of `labels` asks about, by label."""
    asked: set[Label] = set()
    for label in world.graph.deps(labels):
        for edge in world.graph.edges(label):
            if edge.kind is EdgeKind.CONDITION:
                asked.add(edge.target)
    return _decided(world, asked)


def which_conditions_of_the_workspace(world: World) -> tuple[ConditionAnswer, ...]:
    """Every config_setting of the workspace's own packages, by label."""
    found: set[Label] = set()
    for id in world.loader.packages():
        package = world.loader.package(id)
        if isinstance(package, Package):
            found.update(rule.label for rule in rules_of(package, CONDITIONS))
    return _decided(world, found)


def _decided(world: World, labels: Iterable[Label]) -> tuple[ConditionAnswer, ...]:
    return tuple(why_condition(world.conditions.match(label)) for label in sorted(labels))
