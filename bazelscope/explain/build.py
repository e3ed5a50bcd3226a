"""What a command line amounts to: the answer to `explain`, put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bazelscope.explain.configs import UndefinedConfig, which_configs
from bazelscope.explain.explanation import ConditionScope, Explanation, Setup
from bazelscope.explain.options import which_defines, which_options, which_starlark_flags
from bazelscope.flags.values import ResolvedFlags

if TYPE_CHECKING:
    from bazelscope.explain.world import World
    from bazelscope.label import PackageId


def explain_flags(
    setup: Setup, flags: ResolvedFlags, undefined_configs: tuple[UndefinedConfig, ...]
) -> Explanation:
    """What rc files and command line amount to; no package is looked at."""
    return Explanation(
        setup=setup,
        rc_files=flags.rc_files,
        configs=which_configs(flags),
        undefined_configs=undefined_configs,
        options=which_options(flags),
        starlark_flags=which_starlark_flags(flags),
        defines=which_defines(flags),
        diagnostics=flags.diagnostics,
    )


def explain_build(
    setup: Setup,
    world: World,
    undefined_configs: tuple[UndefinedConfig, ...],
    texts: Sequence[str],
    directory: PackageId,
) -> Explanation:
    """The flags, and what the targets that `texts` name make of them: their selects, and
    the conditions that their dependencies ask about. Without targets, the conditions of
    the whole workspace."""
    from dataclasses import replace

    from bazelscope.explain.completeness import how_complete
    from bazelscope.explain.targets import (
        explain_targets,
        which_conditions,
        which_conditions_of_the_workspace,
    )

    flags = explain_flags(setup, world.flags, undefined_configs)
    if not texts:
        return replace(
            flags,
            condition_scope=ConditionScope.WORKSPACE,
            conditions=which_conditions_of_the_workspace(world),
            completeness=how_complete(world.loader, ()),
        )
    targets, patterns, labels = explain_targets(world, texts, directory)
    return replace(
        flags,
        condition_scope=ConditionScope.TARGETS,
        conditions=which_conditions(world, labels),
        targets=targets,
        patterns=patterns,
        completeness=how_complete(world.loader, labels),
    )
