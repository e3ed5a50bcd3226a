"""Many targets under one name: a whole repository, or a target pattern.

`path A @repo` asks why A needs anything of it, `rdeps //lib/...` who uses any of it. The
targets of a repository need not be known for that: those count that somebody depends on.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.paths.routes import covers
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PatternKind, TargetPattern, parse_pattern
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.loading.packages.targets import Provenance
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.world import World

_REPOSITORY = lazy_pattern(r"@@?[^/:]+\Z")


def group_named(world: World, text: str) -> TargetPattern | None:
    """Returns the pattern that a name of many targets stands for; None for the name of one.

    `@repo` is everything in it. (To Bazel it is `@repo//:repo`, which is one of them.)
    """
    if _REPOSITORY.match(text):
        text += "//..."
    if not text.startswith(("//", "@")):
        return None
    try:
        pattern = parse_pattern(text, MAIN_ROOT, world.loader.table.repo_mapping(""))
    except LabelError:
        return None
    return None if pattern.kind is PatternKind.TARGET else pattern


def is_there(world: World, pattern: TargetPattern) -> bool:
    """Tells whether something defines the repository of a group."""
    canonical = pattern.label.repository
    return not canonical or world.loader.table.get(canonical) is not None


def nothing_of(world: World, asked: str, pattern: TargetPattern, why: str) -> NameAnswer:
    """Answers for a group of which nothing is met: `why`, or there is no such repository."""
    canonical = pattern.label.repository
    repository = world.loader.table.get(canonical) if canonical else None
    if not canonical or (
        repository is not None
        and (repository.definition is not None or repository.provenance is not Provenance.UNKNOWN)
    ):
        return NameAnswer(asked, None, why=why)
    name = asked.lstrip("@").partition("//")[0]  # As it was written: the other may be made up.
    from bazelscope.questions.shared.likely_names import in_repository, likely_repositories

    rest = asked.lstrip("@").removeprefix(name)
    likely = likely_repositories(world.loader.table, name)
    near = (in_repository(one, rest or ("" if one else "//...")) for one in likely)
    why = f"{why}: nothing that is known defines a repository `@{name}`"
    return NameAnswer(asked, None, suggestions=tuple(near), why=why)


def nearest_member(
    world: World, pattern: TargetPattern, start: Label, configured: bool
) -> Label | None:
    """Finds the target of a group that `start` reaches first; None if it reaches none.

    With `configured`, one behind the branches that the flags choose is preferred.
    """
    if configured:
        member = _first(pattern, start, (node.label for node in world.configured.deps([start])))
        if member is not None:
            return member
    return _first(pattern, start, world.graph.deps([start]))


def _first(pattern: TargetPattern, start: Label, reached: Iterable[Label]) -> Label | None:
    return next((label for label in reached if label != start and covers(pattern, label)), None)
