"""What a command line amounts to: the answer to `explain`, put together from its parts."""

from __future__ import annotations

from bazelscope.explain.completeness import COMPLETE, Completeness
from bazelscope.explain.conditions import ConditionAnswer, TargetAnswer
from bazelscope.explain.configs import UndefinedConfig, which_configs
from bazelscope.explain.explanation import ConditionScope, Explanation, Setup
from bazelscope.explain.options import which_defines, which_options, which_starlark_flags
from bazelscope.flags.values import ResolvedFlags


def explain_build(
    setup: Setup,
    flags: ResolvedFlags,
    undefined_configs: tuple[UndefinedConfig, ...],
    *,
    scope: ConditionScope = ConditionScope.NONE,
    conditions: tuple[ConditionAnswer, ...] = (),
    targets: tuple[TargetAnswer, ...] = (),
    completeness: Completeness = COMPLETE,
) -> Explanation:
    """The whole explanation; what is about packages comes ready from the caller."""
    return Explanation(
        setup=setup,
        rc_files=flags.rc_files,
        configs=which_configs(flags),
        undefined_configs=undefined_configs,
        options=which_options(flags),
        starlark_flags=which_starlark_flags(flags),
        defines=which_defines(flags),
        condition_scope=scope,
        conditions=conditions,
        targets=targets,
        diagnostics=flags.diagnostics,
        completeness=completeness,
    )
