"""Calls of subrules in the implementation of a rule or of an aspect: who may call which, and the
context and the dependencies that each gets.

Bazel: `StarlarkSubrule`, `SubruleContext`. Read from its sources and tests, not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.rules.actions import Actions
from bazelscope.analysis.rules.attribute_views import AttributeViews
from bazelscope.analysis.rules.attributes import AttributeOf
from bazelscope.analysis.rules.context_members import Toolchains
from bazelscope.analysis.rules.fragments import Fragments
from bazelscope.analysis.rules.provided import unmodelled
from bazelscope.base.label import Label
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.rules.subrules import Subrule
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class SubruleContext(starlark.Value):
    """`ctx` of a subrule's implementation."""

    starlark_type: ClassVar[str] = "subrule_ctx"
    __slots__ = ("_fields", "is_over")

    def __init__(self, fields: Mapping[str, Callable[[], object]]) -> None:
        self._fields = fields
        self.is_over = False

    def get_attr(self, name: str) -> object:
        if self.is_over:
            starlark.fail_with(
                f"cannot access field or method '{name}' of subrule context outside of its own"
                " implementation function"
            )
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(name)
        return field()

    def attr_names(self) -> Iterable[str]:
        return sorted(self._fields)


class SubruleCalls:
    """Runs what one implementation calls of the subrules that its rule, or its aspect, names."""

    def __init__(
        self,
        made: StarlarkRule | Aspect,
        label: Label,
        views: AttributeViews,
        attributes: Mapping[str, AttributeOf],
        actions: Actions,
        configuration: Configuration,
        toolchains: Mapping[Label, object],
        context: EvaluationContext,
    ) -> None:
        self._context = context
        self._caller = f"rule '{made.name}'"
        if isinstance(made, Aspect):
            self._caller = f"aspect '{made.file}%{made.name}'"
        self._declared = made.options.get("subrules")
        self._label = label
        self._views = views
        self._attributes = attributes
        self._actions = actions
        self._configuration = configuration
        self._toolchains = toolchains

    def __call__(
        self, subrule: Subrule, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> object:
        """Returns what a subrule comes to."""
        self._context.run_subrule = self  # What the subrule calls, it has to name.
        self._check(subrule)
        given = {name: self._dependency(subrule, name) for name in subrule.specs}
        own = self._configuration
        context = SubruleContext(
            {
                "actions": lambda: self._actions,
                "fragments": lambda: Fragments(self._context, own, subrule.fragments, subrule.name),
                "label": lambda: self._context.label_value(self._label),
                "toolchains": lambda: Toolchains(self._context, self._toolchains_of(subrule)),
            }
        )
        before = self._caller, self._declared
        self._caller, self._declared = f"subrule {subrule.name}", subrule.below
        is_inner, self._actions.is_of_subrule = self._actions.is_of_subrule, True
        try:
            return subrule.implementation(context, *arguments, **keywords, **given)
        finally:
            self._caller, self._declared = before
            self._actions.is_of_subrule = is_inner
            context.is_over = True

    def _check(self, subrule: Subrule) -> None:
        """Fails if what runs does not name the subrule."""
        declared = self._declared if isinstance(self._declared, list | tuple) else ()
        is_told = not any(isinstance(one, UnknownValue) for one in (self._declared, *declared))
        if is_told and all(one is not subrule for one in declared):
            quote = "" if self._caller.startswith("subrule") else "'"
            starlark.fail_with(
                f"{self._caller} must declare {quote}{subrule.name}{quote} in 'subrules'"
            )

    def _dependency(self, subrule: Subrule, name: str) -> object:
        """What a parameter gets that is an attribute of a subrule."""
        attribute = self._attributes.get(subrule.attribute(name))
        if attribute is not None:
            return self._views.of_subrule(attribute)
        what = f"{subrule.name}({name})"
        return unmodelled(what, self._context)

    def _toolchains_of(self, subrule: Subrule) -> Mapping[Label, object]:
        asked = {getattr(one, "type", None) for one in subrule.toolchains}
        return {type_: one for type_, one in self._toolchains.items() if type_ in asked}
