"""What a command line amounts to: the answer to `explain`, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from bazelscope.flags.flag_values import FlagValue, ResolvedFlags
from bazelscope.questions.explain.answer import ConditionScope, Explanation
from bazelscope.questions.explain.word_effects import WordAnswer, what_words_do
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.named_configs import which_configs
from bazelscope.questions.shared.sections import OF_THE_CLOSURE, Section

if TYPE_CHECKING:
    from bazelscope.analysis.compile.option_effects import OptionEffect
    from bazelscope.analysis.conditions.match_result import MatchResult
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.base.errors import Diagnostic
    from bazelscope.base.label import PackageId
    from bazelscope.questions.shared.built_targets import LineTargets
    from bazelscope.questions.shared.target_answers import RepositoryNeed
    from bazelscope.questions.shared.world import World

_T = TypeVar("_T")


def explain_flags(
    envelope: Envelope,
    flags: ResolvedFlags,
    sections: frozenset[Section],
    compiler: Sequence[OptionEffect],
) -> Explanation:
    """What rc files and command line amount to; no package is looked at. `compiler` is what
    options come to for the compiler and the linker."""
    return Explanation(
        envelope=envelope,
        rc_files=flags.rc_files if Section.RC_FILES in sections else (),
        configs=which_configs(flags) if Section.CONFIGS in sections else (),
        options=_options(flags) if Section.FLAGS in sections else (),
        starlark_flags=_sorted(flags.starlark_flags) if Section.FLAGS in sections else (),
        defines=_sorted(flags.defines) if Section.DEFINES in sections else (),
        sections=tuple(section for section in Section if section in sections),
        words=what_words_do(flags, compiler=compiler) if Section.LINE in sections else (),
    )


def _options(flags: ResolvedFlags) -> tuple[FlagValue, ...]:
    """Every option that was set, by name; `--config` and `--define` have sections of their own."""
    return tuple(v for v in _sorted(flags.values) if v.name not in ("config", "define"))


def _sorted(values: Mapping[str, _T]) -> tuple[_T, ...]:
    return tuple(value for _, value in sorted(values.items()))


def explain_build(
    envelope: Envelope,
    world: World,
    texts: Sequence[str],
    directory: PackageId,
    sections: frozenset[Section],
    compiler: Sequence[OptionEffect],
) -> Explanation:
    """The flags, and what the targets that `texts` name make of them: their selects, and
    what their dependencies ask about and need. Without targets, the conditions of the whole
    workspace."""
    from dataclasses import replace

    from bazelscope.questions.shared.completeness import how_complete
    from bazelscope.questions.shared.explained_targets import (
        decided,
        explain_targets,
        which_conditions_of_the_workspace,
    )
    from bazelscope.questions.shared.missing_dependencies import (
        absent_files_among,
        missing_among,
    )
    from bazelscope.questions.shared.reach import what_is_reached, which_repositories_are_needed
    from bazelscope.questions.shared.refused_commands import (
        refused_by_command,
        refused_without_targets,
    )

    answer = explain_flags(envelope, world.flags, sections, compiler)
    shows_conditions = Section.CONDITIONS in sections

    def words_under(
        conditions: tuple[MatchResult, ...], needs: tuple[RepositoryNeed, ...] = ()
    ) -> tuple[WordAnswer, ...]:
        if Section.LINE not in sections:
            return ()
        needed = {need.name for need in needs}

        def readers_of(variable: str) -> tuple[str, ...]:
            readers = world.loader.table.readers_of(variable)
            return tuple(name for name in readers if not needed or name in needed)

        sources = world.rc_files.sources
        variables = world.loader.table.variables
        return what_words_do(world.flags, conditions, readers_of, compiler, sources, variables)

    if not texts:
        conditions = which_conditions_of_the_workspace(world) if shows_conditions else ()
        refused = world.refused_line or world.refused_files
        return replace(
            answer,
            condition_scope=ConditionScope.WORKSPACE,
            conditions=conditions,
            words=words_under(conditions),
            envelope=envelope.closed(
                how_complete(world.loader, ()),
                refusals=refused or tuple(refused_without_targets(world)),
            ),
        )
    explained = explain_targets(world, texts, directory, sections)
    line = explained.line
    missing: tuple[Diagnostic, ...] = ()
    if sections & OF_THE_CLOSURE:
        reach = what_is_reached(world, line.labels)
        conditions = decided(world, reach.asked_by)
        shows_needs = Section.REPOSITORIES in sections
        needs = which_repositories_are_needed(world, reach) if shows_needs else ()
        named_by = reach.first_named_by
        missing = missing_among(world, named_by)
        missing += absent_files_among(world, reach.files, named_by)
        answer = replace(
            answer,
            conditions=conditions if shows_conditions else (),
            words=words_under(conditions, needs),
            repositories=needs,
            reached=len(named_by),
        )
    return replace(
        answer,
        condition_scope=ConditionScope.TARGETS,
        targets=explained.targets,
        patterns=explained.patterns,
        left_out=line.left_out,
        envelope=envelope.closed(
            how_complete(world.loader, line.labels, assumed=world.assumed, aside=line.aside),
            missing,
            tuple(_refused(line, sections)) or tuple(refused_by_command(line)),
        ),
    )


def _refused(line: LineTargets, sections: frozenset[Section]) -> Iterator[Refusal]:
    """What Bazel refuses of the targets, of what they come to where that is told of, and of the
    packages that are looked into though none of their targets is."""
    world = line.world
    if sections & OF_THE_CLOSURE:
        yield from world.refusals_below(line.labels, line.by_label)
    else:
        yield from world.refusals_of([world.configured.top(label) for label in line.labels])
    looked_at = {label.package_id for label in line.labels}
    yield from world.refusals_of_packages(id for id in line.packages if id not in looked_at)
