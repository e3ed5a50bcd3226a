"""The rules behind the classes of targets, and the functions that implement them."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType

from bazelscope import starlark
from bazelscope.analysis.rules.provided import not_modelled
from bazelscope.analysis.rules.reach import reach
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource, find_rule
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule


def runnable(
    function: object, name: str, location: Location | None = None
) -> FunctionType | Unknown:
    """Returns the implementation of the rule or aspect `name`, if it can be run at all."""
    if isinstance(function, UnknownValue):
        return function.as_unknown()
    if not isinstance(function, FunctionType) or not starlark.is_function(function):
        return not_modelled(name, "its implementation is no function")
    stub = reach(function).stub
    if stub is not None:
        detail = f"bazelscope's model of it has no implementation (`{stub}`)"
        return Unknown(Reason.NOT_MODELLED, name, detail, location)
    return function


class RuleFunctions:
    """Finds what `rule()` returned for the classes of targets, each once."""

    def __init__(self, source: ModuleSource | None) -> None:
        """`source` evaluates the files that define rules; None where there are none."""
        self._source = source
        self._rules: IdentityTable[RuleClass, StarlarkRule | Unknown] = IdentityTable(self._find)

    def rule_of(self, rule: Rule) -> StarlarkRule | Unknown:
        """What `rule()` returned for the class of a target."""
        return self._rules[rule.rule_class]

    def _find(self, rule_class: RuleClass) -> StarlarkRule | Unknown:
        assert self._source is not None
        return find_rule(self._source, rule_class)

    def implementation_of(self, rule: Rule) -> FunctionType | Unknown:
        """The implementation function of a Starlark rule, if it can be run at all."""
        made = self.rule_of(rule)
        if isinstance(made, Unknown):
            return made
        function = made.options.get("implementation")
        return runnable(function, rule.rule_class.name, rule.location)

    def specs_of(self, rule: Rule) -> Mapping[str, AttributeSpec] | Unknown:
        """The attributes of a rule as its `.bzl` file declares them."""
        if not rule.rule_class.defined_at:
            return {}
        made = self.rule_of(rule)
        return made if isinstance(made, Unknown) else made.specs

    def lacks_attributes(self, rule: Rule) -> bool:
        """Whether a Starlark rule may have attributes that are not known."""
        made = self.rule_of(rule) if rule.rule_class.defined_at else None
        return isinstance(made, StarlarkRule) and made.options.get("lacks") is not None
