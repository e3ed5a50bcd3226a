"""The targets and attributes that a question about paths names beside its ends."""

from __future__ import annotations

from bazelscope.analysis.names.short_names import (
    AmbiguousName,
    NoSuchName,
    candidates,
    is_full_label,
)
from bazelscope.analysis.paths.routes import Route
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PatternKind, TargetPattern, parse_pattern
from bazelscope.questions.path.answer import RouteAnswer
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import unresolved
from bazelscope.questions.shared.world import World


def which_route(
    world: World,
    ends: tuple[Label, Label],
    avoid: tuple[str, ...],
    via: tuple[str, ...],
    through: tuple[str, ...],
) -> tuple[Route, RouteAnswer]:
    """What the words of the question mean.

    A name to avoid means every target so named; a name to come by means the one of them
    that lies between the ends.
    """
    problems: list[NameAnswer] = []
    patterns: list[TargetPattern] = []
    for text in avoid:
        meant = _patterns(world, text)
        if isinstance(meant, NameAnswer):
            problems.append(meant)
        else:
            patterns += meant
    stops: list[Label] = []
    for text in via:
        stop = _stop(world, ends, text)
        if isinstance(stop, NameAnswer):
            problems.append(stop)
        else:
            stops.append(stop)
    route = Route(tuple(patterns), tuple(stops), frozenset(through))
    avoided = tuple(pattern.text for pattern in patterns)
    kept = tuple(sorted(route.through))
    return route, RouteAnswer(avoided, route.via, kept, tuple(problems))


def _patterns(world: World, text: str) -> list[TargetPattern] | NameAnswer:
    if is_full_label(text):
        try:
            pattern = parse_pattern(text, MAIN_ROOT, world.loader.table.typed_names)
        except LabelError as error:
            return NameAnswer(text, None, why=str(error))
        if pattern.kind is not PatternKind.TARGET:
            return [pattern]
    targets = candidates(world.loader, text, world.loader.table.typed_names)
    if isinstance(targets, NoSuchName):
        return unresolved(world, targets)
    return [TargetPattern(str(label), label, PatternKind.TARGET) for label in targets]


def _stop(world: World, ends: tuple[Label, Label], text: str) -> Label | NameAnswer:
    targets = candidates(world.loader, text, world.loader.table.typed_names)
    if isinstance(targets, NoSuchName):
        return unresolved(world, targets)
    if len(targets) == 1:
        return targets[0]
    start, end = ends
    reached = world.graph.deps([start])
    between = [one for one in targets if one in reached and end in world.graph.deps([one])]
    if len(between) == 1:
        return between[0]
    ambiguous = AmbiguousName(text, tuple(between) or targets)
    count = len(ambiguous.candidates)
    where = " on the way" if between else ""
    why = f"`{text}` is the name of {count} targets{where}; say which"
    return NameAnswer(text, None, ambiguous.candidates, (), why)
