"""`testing.analysis_test()`: a rule class and its one target, made in a single call.

Bazel: `StarlarkTestingModule.analysisTest`.
"""

from __future__ import annotations

from typing import Any

from bazelscope import starlark
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_makers import rule_makers
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.structs import OpaqueProvider

_IDENTIFIER = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def testing_members(context: EvaluationContext) -> dict[str, object]:
    """The members of `testing` that are modelled, as this Bazel version has them. That
    `testing.ExecutionInfo` is always the same is how rule sets tell Bazel 6 from Bazel 5."""

    def analysis_test(
        name: str,
        implementation: object,
        attrs: object = None,
        fragments: object = (),
        toolchains: object = (),
        attr_values: Any = None,
    ) -> None:
        values = dict(attr_values or {})
        if not isinstance(name, str) or not _IDENTIFIER.match(name):
            starlark.fail_with(f"'name' is limited to Starlark identifiers, got {name}")
        if context.package is None:
            starlark.fail_with("analysis_test can only be called in a BUILD thread")
        if "name" in values:
            starlark.fail_with("'name' cannot be set or overridden in 'attr_values'")
        made = rule_makers(context)["rule"](
            implementation,
            attrs=attrs,
            fragments=fragments,
            toolchains=toolchains,
            analysis_test=True,
        )
        if isinstance(made, StarlarkRule):
            problem = made.export(f"{name}_test")
            if problem is not None:
                starlark.fail_with(problem.message)
            context.analysis_tests.setdefault(context.package.id, {})[made.name] = made
            made(name=name, **values)

    if not context.release.testing_analysis_test:
        return {}
    execution_info = OpaqueProvider(
        "ExecutionInfo", lambda name: context.unknown(Reason.NOT_MODELLED, name)
    )
    return {
        "analysis_test": starlark.Builtin("analysis_test", analysis_test),
        "ExecutionInfo": execution_info,
    }
