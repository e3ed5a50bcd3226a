"""The given targets, each select() of them resolved, and the conditions that matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import SelectChoice
from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.analysis.conditions.matcher import CONDITIONS
from bazelscope.analysis.configuration.build_settings import is_label_setting, label_behind
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.names.short_names import in_nearest_packages, is_full_label
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label, PackageId, PatternKind, parse_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.nearest import nearest
from bazelscope.loading.origins.term import Term
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    Absent,
    NoSuchPackage,
    NoSuchTarget,
    Rule,
    UnknownResult,
    UnknownTarget,
)
from bazelscope.loading.target_patterns import LINKS_OUT
from bazelscope.questions.shared.attribute_facts import (
    first_label,
    what_attributes_hold,
    what_it_depends_on,
)
from bazelscope.questions.shared.built_targets import (
    LineTargets,
    Named,
    compiled_rule,
    compiles_one,
    named_by,
    packages_looked_into,
)
from bazelscope.questions.shared.described_selects import why_select
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import (
    problem_of_package,
    respelt,
    typed_there,
    which_target,
)
from bazelscope.questions.shared.likely_names import meant_instead
from bazelscope.questions.shared.macro_calls import which_calls
from bazelscope.questions.shared.sections import EVERY_SECTION, Section
from bazelscope.questions.shared.select_answers import SelectAnswer
from bazelscope.questions.shared.target_answers import PatternAnswer, PointedAt, TargetAnswer
from bazelscope.questions.shared.world import World


class ExplainedTargets(NamedTuple):
    """The targets of a command line, the patterns among them that stand for many, and what is built
    for both."""

    targets: tuple[TargetAnswer, ...]
    patterns: tuple[PatternAnswer, ...]
    line: LineTargets


def explain_targets(
    world: World, texts: Sequence[str], directory: PackageId, sections: frozenset[Section]
) -> ExplainedTargets:
    """Explains the targets that `texts` name: as Bazel reads them, or, where that is no target, by
    their short name, as `path` does. Of what is no target, a label is given only where
    its package is in error, or nobody can tell (a misspelt name is told as one, and no more).
    `directory` is where relative patterns start from."""
    targets: list[TargetAnswer] = []
    patterns: list[PatternAnswer] = []
    all_named: list[Named] = []
    for text in texts:
        try:
            pattern = parse_pattern(text, directory, world.loader.table.pattern_names)
        except LabelError as error:
            there = typed_there(world, text)
            more, near = meant_instead(world, text, (there,) if there != text else ())
            targets.append(TargetAnswer(text, None, (), f"{error}{more}", near))
            continue
        expansion = world.loader.expand(pattern)
        one = named_by(world, pattern, expansion)
        named, problems = one.labels, expansion.diagnostics
        all_named.append(one)
        if pattern.kind is PatternKind.TARGET and not pattern.excluded:
            explain = _explain_compiled if compiles_one(world) else explain_target
            targets += [explain(world, text, label, sections) for label in named]
            meant = None if named else _by_short_name(world, text, pattern.label)
            if meant is not None and meant.label is not None:
                answer = explain_target(world, text, meant.label, sections)
                targets.append(replace(answer, candidates=meant.candidates))
                all_named.append(Named(pattern, (meant.label,), is_short=True))
            elif not named:
                answer = _missing(world, text, pattern.label, problems, meant)
                if text in world.catalog.commands:
                    near = (f"bazel {text} ...", *answer.suggestions)
                    answer = replace(answer, suggestions=near)
                targets.append(answer)
                if answer.node is not None or _is_in_error(world, pattern.label):
                    all_named.append(Named(pattern, (pattern.label,)))
        else:
            aside = [problem.message for problem in problems if problem.code == LINKS_OUT]
            problems = tuple(problem for problem in problems if problem.code != LINKS_OUT)
            why = problems[0].message if problems else ""
            if len(problems) > 1:
                why += f" (and {len(problems) - 1:,} more)"
            is_missing = _NOTHING_THERE.issuperset(problem.code for problem in problems) and not (
                named
                or not problems
                or world.refusals_of_packages(packages_looked_into(world, one))
            )
            if not (why or pattern.excluded) and compiles_one(world):
                # Nothing at all is built then.
                found = (compiled_rule(world, label).problem for label in named)
                why = next(filter(None, found), "")
                is_missing = bool(why)
            patterns.append(
                PatternAnswer(text, len(named), pattern.excluded, why, is_missing, "".join(aside))
            )
    return ExplainedTargets(tuple(targets), tuple(patterns), LineTargets(world, all_named))


def _explain_compiled(
    world: World, text: str, label: Label, sections: frozenset[Section]
) -> TargetAnswer:
    """Explains the rule that is built for a file, or says why there is none."""
    found = compiled_rule(world, label)
    if found.rule is None:
        return TargetAnswer(text, None, (), found.problem, unknown=found.unknown)
    return replace(explain_target(world, text, found.rule, sections), built_for=label)


def _is_in_error(world: World, label: Label) -> bool:
    """Whether the package of a label is in error, so that its targets may not be known."""
    package = world.loader.package(label.package_id)
    return isinstance(package, Package | NoSuchPackage) and bool(package.diagnostics)


_NOTHING_THERE = frozenset({"no-such-package", "no-such-target", "no-targets"})
"""The codes of patterns that name nothing."""

_NAMED_SHOWN = 3
"""So many targets are told to be called as one that is not there."""


def _by_short_name(world: World, text: str, label: Label) -> NameAnswer | None:
    """What `text`, which Bazel takes for `label`, means as a short name, or comes near as one.
    None for what is no short name, and where `label` may be there."""
    absent = world.loader.target(label)
    if is_full_label(text) or text.startswith(":") or problem_of_package(world.loader, label):
        return None
    if isinstance(absent, NoSuchPackage):
        is_absent = not absent.diagnostics
    else:
        is_absent = isinstance(absent, NoSuchTarget)
    return which_target(world, text) if is_absent else None


def _missing(
    world: World, text: str, label: Label, problems: Sequence[Diagnostic], short: NameAnswer | None
) -> TargetAnswer:
    result = world.loader.target(label)
    broken = problem_of_package(world.loader, label)
    if isinstance(result, NoSuchTarget) and broken is not None:
        return TargetAnswer(text, None, (), broken)
    if short is not None and (named := (*short.candidates, *short.suggestions)):
        message = result.message if isinstance(result, Absent) else short.why
        return TargetAnswer(text, None, (), message, tuple(map(str, named[:_NAMED_SHOWN])))
    if isinstance(result, NoSuchTarget):
        near = tuple(str(label.sibling(name)) for name in result.suggestions)
        if not near:
            package = world.loader.package(label.package_id)
            names = package.targets if isinstance(package, Package) else ()
            close = nearest(label.name, names)
            near = tuple(str(label.sibling(name)) for name in close)
        more, near = meant_instead(world, text, near)
        return TargetAnswer(text, None, (), result.message + more, near)
    if isinstance(result, NoSuchPackage):
        # A package with errors is there: it is no misspelt one.
        near = () if result.diagnostics else in_nearest_packages(world.loader, label)
        return TargetAnswer(text, None, (), result.message, near or respelt(world, text))
    if isinstance(result, UnknownTarget) and result.message:
        near = tuple(str(label.sibling(name)) for name in result.suggestions)
        return TargetAnswer(text, None, (), result.message, near, unknown=result.unknown)
    if isinstance(result, UnknownResult):
        return TargetAnswer(text, explain_target(world, text, label).node)
    message = "; ".join(problem.message for problem in problems)
    return TargetAnswer(text, None, (), message or f"`{text}` names no target")


def explain_target(
    world: World, text: str, label: Label, sections: frozenset[Section] = EVERY_SECTION
) -> TargetAnswer:
    """Says what a target is, which branch each of its selects takes, what its attributes hold
    and what it depends on: as much of that as `sections` ask for."""
    result = world.graph.node(label)
    node = describe_node(world, label)
    if not isinstance(result, Rule):
        return TargetAnswer(text, node, suggestions=respelt(world, text))
    selects: tuple[SelectAnswer, ...] = ()
    if Section.SELECTS in sections:
        choices = world.configured.selects(label, world.configured.top(label).configuration)
        selects = tuple(explain_select(world, result, choice) for choice in choices)
    depends = Section.DEPENDENCIES in sections
    return TargetAnswer(
        text,
        node,
        selects,
        calls=which_calls(world.loader, result) if Section.TARGETS in sections else (),
        attributes=what_attributes_hold(world, result) if Section.ATTRIBUTES in sections else (),
        dependencies=what_it_depends_on(world, result) if depends else (),
        hidden=world.graph.unknown_edges(label) if depends else (),
        incompatible=world.incompatible(label) if Section.TARGETS in sections else None,
        points_at=_pointed_at(world, result) if Section.TARGETS in sections else None,
    )


def _pointed_at(world: World, rule: Rule) -> PointedAt | None:
    if not is_label_setting(rule):
        return None
    given = world.configuration.starlark_value(rule.label)
    instance = given.set_by if given is not None else None
    try:
        return PointedAt(label_behind(rule, world.configuration), instance)
    except ValueTypeError as error:
        return PointedAt(None, instance, str(error))


def explain_select(world: World, rule: Rule, choice: SelectChoice) -> SelectAnswer:
    """Explains one select() of `rule`, with the expression that made it."""
    term: Term | None = None
    label = first_label(choice.selector)
    if label is not None:
        term = why_label(world.loader, rule, choice.attribute, label, choice.selector)
    return why_select(choice.attribute, choice.result, term)


def which_conditions_of_the_workspace(world: World) -> tuple[MatchResult, ...]:
    """Decides every config_setting of the workspace's own packages, by label."""
    conditions: set[Label] = set()
    for id in world.loader.trees.packages():
        package = world.loader.package(id)
        if isinstance(package, Package):
            conditions.update(rule.label for rule in package.targets.rules_of(CONDITIONS))
    return decided(world, conditions)


def decided(world: World, labels: Iterable[Label]) -> tuple[MatchResult, ...]:
    """Decides each condition under the command line's configuration, by label."""
    return tuple(world.conditions.match(label) for label in sorted(labels))
