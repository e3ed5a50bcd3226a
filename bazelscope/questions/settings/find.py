"""Every config_setting of the workspace: whether it holds, why, and what turns on it."""

from __future__ import annotations

import fnmatch
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import field

from bazelscope.analysis.conditions.matcher import CONDITION_ALIASES, is_condition
from bazelscope.analysis.configuration.platforms import actual_label, actual_target, follow_aliases
from bazelscope.analysis.paths.routes import covers
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, PatternKind, parse_pattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.bazel.attribute_types import selectors_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.settings.answer import SettingAnswer, SettingsAnswer
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.world import World

_SHOWN = CONDITION_ALIASES | {"config_setting"}


@dataclass(slots=True)
class _Uses:
    """What turns on one condition: how many select()s, in which targets."""

    selects: int = 0
    targets: set[Label] = field(default_factory=set)


def why_settings(
    world: World, envelope: Envelope, pattern: str | None, directory: PackageId
) -> SettingsAnswer:
    """The config_settings that `pattern` is about, decided: a target pattern, part of a
    label, or one with wildcards (`*mkl*`). None for all of the workspace's own.

    `directory` is where relative target patterns start from.
    """
    world.loader.prepare(world.loader.trees.packages())
    uses = _uses(world)
    wanted = _wanted(world, pattern, directory)
    if isinstance(wanted, str):
        return SettingsAnswer(envelope, pattern, (), problem=wanted)
    own = _conditions_of(world, world.loader.trees.packages())
    every = {**own, **{label: "" for label in uses if label not in own}}
    shown = [label for label in sorted(every) if wanted(label)]
    # A whole label, as Bazel takes it where the line stands, is part of no other.
    whole = {f"//{pattern}", f"//{directory.package}/{pattern}"}
    shown = [label for label in shown if str(label) in whole] or shown
    if pattern is None:
        shown = [label for label in shown if label in own]
    settings = []
    for label in shown:
        kind = every[label] or _kind(world, label)
        use = uses.get(label, _Uses())
        result = world.graph.node(label)
        settings.append(
            SettingAnswer(
                kind,
                world.conditions.match(label),
                result.location if isinstance(result, Rule) else None,
                use.selects,
                len(use.targets),
            )
        )
    problem = ""
    suggestions: tuple[str, ...] = ()
    if not settings and pattern is not None:
        problem = f"no config_setting is meant by `{pattern}`"
        names = {label.name: str(label) for label in every}
        close = nearest(pattern.rpartition(":")[2], names)
        suggestions = tuple(names[name] for name in close)
        if any(str(label).startswith(f"{pattern}:") for label in every):
            suggestions = (f"{pattern}:all",)
    return SettingsAnswer(
        envelope=envelope.closed(
            how_complete(world.loader, shown),
            refusals=world.refusals_of([world.configured.top(label) for label in shown]),
        ),
        pattern=pattern,
        settings=tuple(settings),
        elsewhere=len(every) - len(own) if pattern is None else 0,
        problem=problem,
        suggestions=suggestions,
    )


def _wanted(
    world: World, pattern: str | None, directory: PackageId
) -> Callable[[Label], bool] | str:
    """Which labels a pattern is about, or what is wrong with it."""
    if pattern is None:
        return lambda label: True
    if not pattern.startswith(("//", "@", ":")) and "..." not in pattern:
        if any(sign in pattern for sign in "*?["):
            return lambda label: (
                fnmatch.fnmatchcase(str(label), pattern) or fnmatch.fnmatchcase(label.name, pattern)
            )
        return lambda label: pattern in str(label)
    try:
        parsed = parse_pattern(pattern, directory, world.loader.table.typed_names)
    except LabelError as error:
        return str(error)
    if parsed.kind is PatternKind.TARGET:
        actual = follow_aliases(world.graph.source, parsed.label)
        meant = {parsed.label, actual}
        return lambda label: label in meant
    return lambda label: covers(parsed, label)


def _conditions_of(world: World, packages: tuple[PackageId, ...]) -> dict[Label, str]:
    """Every config_setting of `packages`, and every alias of a select() among conditions."""
    kinds: dict[Label, str] = {}
    for package in _loaded(world, packages):
        for rule in package.targets.rules_of(_SHOWN):
            if rule.rule_class.name == "config_setting":
                kinds[rule.label] = "config_setting"
            elif _is_group(world, rule):
                kinds[rule.label] = "group"
    return kinds


def _is_group(world: World, rule: Rule) -> bool:
    """Whether an alias is a group: a select() between conditions. The further links that
    a macro makes for one are none of their own."""
    if rule.generator_name not in (None, rule.label.name):
        return False
    attribute = rule.attribute("actual")
    selectors = list(selectors_of(attribute.value)) if attribute is not None else []
    if len(selectors) != 1:
        return False
    values = (branch.value for branch in selectors[0].branches if isinstance(branch.value, Label))
    targets = (actual_target(world.graph.source, value) for value in values)
    return any(isinstance(target, Rule) and is_condition(target) for target in targets)


def _kind(world: World, label: Label) -> str:
    result = world.graph.node(label)
    if not isinstance(result, Rule):
        return "unknown"
    return "group" if result.rule_class.name in CONDITION_ALIASES else result.rule_class.name


def _uses(world: World) -> dict[Label, _Uses]:
    """For each condition behind a select() key of the workspace, what turns on it."""
    uses_of: dict[Label, _Uses] = defaultdict(_Uses)
    known: dict[tuple[Label, ...], Collection[Label]] = {}
    for package in _loaded(world, world.loader.trees.packages()):
        for name, keys in package.targets.select_keys():
            conditions = known.get(keys)
            if conditions is None:
                conditions = known[keys] = {actual_label(world.graph.source, key) for key in keys}
            label = Label(*package.id, name)
            for condition in conditions:
                uses = uses_of[condition]
                uses.selects += 1
                uses.targets.add(label)
    return dict(uses_of)


def _loaded(world: World, packages: tuple[PackageId, ...]) -> Iterator[Package]:
    for id in packages:
        package = world.loader.package(id)
        if isinstance(package, Package):
            yield package
