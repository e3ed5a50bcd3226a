"""`ctx.super()`: the implementation of the rule that a rule extends, run with the same `ctx`.

Bazel: `StarlarkRuleContext.callParent`.
"""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.analysis.rules.actions import Actions
from bazelscope.analysis.rules.rule_functions import runnable
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class SuperCalls:
    """Runs implementations of parents, each once, within that of one rule."""

    def __init__(
        self, made: StarlarkRule | Aspect, actions: Actions, evaluation: EvaluationContext
    ) -> None:
        self._made = made
        self._actions = actions
        self._evaluation = evaluation
        self._is_done = False

    def run(self, context: object) -> object:
        """Returns the providers of the parent's implementation, which gets the `ctx` of all."""
        made = self._made
        if isinstance(made, Aspect):
            starlark.fail_with("Can't use 'super' call in an aspect.")
        parent = made.parent
        if parent is None:
            starlark.fail_with("Can't use 'super' call, the rule has no parent.")
        if self._is_done:
            starlark.fail_with("'super' called the second time.")
        function = runnable(parent.options.get("implementation"), parent.name)
        if isinstance(function, Unknown):
            self._is_done = self._actions.others_act = True
            return UnknownValue(function, "ctx.super()", self._evaluation)
        self._made = parent
        result = function(context)
        self.check(f"in {parent.name} rule: ")
        self._made, self._is_done = made, True
        if isinstance(result, Struct):
            if result.provider is None:
                starlark.fail_with(
                    "Parent rule returned struct providers. Rules returning struct providers can't"
                    " be extended."
                )
            return starlark.List([result])
        return starlark.List([]) if result is None else result

    def check(self, where: str = "") -> None:
        """Fails if what runs has a parent whose implementation was not run."""
        made = self._made
        is_told = not self._actions.others_act
        if isinstance(made, StarlarkRule) and made.parent and not self._is_done and is_told:
            starlark.fail_with(f"{where}'super' was not called.")
