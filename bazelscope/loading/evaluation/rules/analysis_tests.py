"""`testing.analysis_test()`: a rule class and its one target, made in a single call.

Bazel: `StarlarkTestingModule.analysisTest`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bazelscope import starlark
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_makers import rule_makers
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def testing_functions(context: EvaluationContext) -> dict[str, Callable[..., object]]:
    """The functions of `testing` that declare targets, as this Bazel version has them."""

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
            made(name=name, **values)

    return {"analysis_test": analysis_test} if context.release.testing_analysis_test else {}
