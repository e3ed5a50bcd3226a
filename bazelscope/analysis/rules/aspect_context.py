"""`ctx` of an aspect's implementation, and what the implementation may return.

Bazel: `StarlarkRuleContext` with an aspect, `StarlarkAspectFactory`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from bazelscope import starlark
from bazelscope.analysis.rules.action_checks import check_all_made
from bazelscope.analysis.rules.aspects import AspectNode, advertised_by
from bazelscope.analysis.rules.attributes import AttributeOf
from bazelscope.analysis.rules.context import RuleContext, Surroundings
from bazelscope.analysis.rules.context_members import Members
from bazelscope.analysis.rules.provided import (
    DefaultParts,
    Implemented,
    OutputGroups,
    Runfiles,
    name_of,
    not_modelled,
    unmodelled,
)
from bazelscope.analysis.rules.returned import groups_of
from bazelscope.analysis.rules.returned_checks import check_struct, key_of_instance, takes_dict
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of, shown_kind
from bazelscope.loading.evaluation.values.depsets import depset
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule

_GROUPS = "OutputGroupInfo"
_OF_RULES = ("outputs", "split_attr")
_EVERY_TARGET_HAS = ("DefaultInfo", _GROUPS)


class _RuleMembers(Members):
    """`ctx.rule.attr` and its like: of a rule of Bazel's own, private attributes are not known."""

    __slots__ = ("_of_rule", "_unknown")

    def __init__(self, of_rule: object, unknown: Callable[[str], UnknownValue | None]) -> None:
        assert isinstance(of_rule, Members)
        super().__init__(of_rule.name, {})
        self._of_rule = of_rule
        self._unknown = unknown

    def get_attr(self, name: str) -> object:
        if not self._of_rule.has(name):
            unknown = self._unknown(name)
            if unknown is not None:
                return unknown.get_attr(name)
        return self._of_rule.get_attr(name)

    def attr_names(self) -> Iterator[str]:
        yield from self._of_rule.attr_names()


class AspectContext(RuleContext):
    """`ctx` of one aspect at one configured target."""

    __slots__ = ("_aspect_fields",)

    def __init__(
        self,
        rule: Rule,
        node: AspectNode,
        own: Mapping[str, AttributeOf],
        of_rule: Mapping[str, AttributeOf],
        surroundings: Surroundings,
    ) -> None:
        """`own` are the attributes of the aspect, `of_rule` those of the target."""
        aspect = node.own.aspect
        super().__init__(rule, aspect, own, surroundings)
        inner = RuleContext(rule, aspect, of_rule, surroundings)
        context = surroundings.source.context
        is_native = not rule.rule_class.defined_at

        def hidden(name: str) -> UnknownValue | None:
            what = f"ctx.rule.{name}"
            is_hidden = is_native and name.startswith("_")
            return unmodelled(what, context) if is_hidden else None

        def single(name: str) -> UnknownValue | None:
            """Which labels of Bazel's own rules are single files, or programs, is not known."""
            what = f"ctx.rule.file.{name}"
            is_one = is_native and name in of_rule and not isinstance(of_rule[name].value, tuple)
            return unmodelled(what, context) if is_one else hidden(name)

        def part(name: str) -> Callable[[], object]:
            members = inner.get_attr(name)
            return lambda: _RuleMembers(
                members, single if name in ("file", "executable") else hidden
            )

        def unknown(name: str) -> Callable[[], object]:
            what = f"ctx.{name}"
            return lambda: unmodelled(what, context)

        of_target = {name: part(name) for name in ("attr", "executable", "file", "files")}
        of_target["kind"] = lambda: rule.rule_class.name
        for name in ("toolchains", "exec_groups", "var"):
            of_target[name] = unknown(f"rule.{name}")
        members = Members("rule_attributes", of_target)
        # Whatever an aspect expands, or takes for a feature, is the rule's.
        self._expansion = inner._expansion
        names = ("expand_location", "expand_make_variables", "features", "tokenize", "var")
        self._fields |= {name: inner._fields[name] for name in (*names, "disabled_features")}
        self._aspect_fields = {"rule": lambda: members, "aspect_ids": unknown("aspect_ids")}

    def get_attr(self, name: str) -> object:
        if not self.actions.is_over:
            if name in self._aspect_fields:
                return self._aspect_fields[name]()
            if name in _OF_RULES:
                starlark.fail_with(f"'{name}' is not defined")
        return super().get_attr(name)

    def _collected(self, is_data: bool) -> list[Runfiles] | UnknownValue:
        return self._unknown(not_modelled("ctx.runfiles(...)"))


def provided_by_aspect(
    value: object, context: AspectContext, node: AspectNode, evaluation: EvaluationContext
) -> Implemented:
    """What an aspect adds whose implementation returned `value`. Raises what Starlark does where
    Bazel refuses it."""
    starlark.freeze(value)
    listed, legacy = value, {}
    if isinstance(value, Struct):
        listed = [value]
        if value.provider is None:
            check_struct("aspect", context.configuration)
            listed = value.fields.get("providers", ())
            legacy = {name: one for name, one in value.fields.items() if name != "providers"}
    providers: dict[Hashable, object] = {}
    others: Unknown | None = None
    for one in _instances(listed, evaluation):
        if isinstance(one, UnknownValue):
            others = others or one.as_unknown()
        elif isinstance(one, Struct):
            providers[key_of_instance(one)] = one
        else:
            starlark.fail_with(
                f"A return value of an aspect implementation function should be a sequence of"
                f" declared providers, instead got a {shown_kind(one)}"
            )
    groups = groups_of(providers.get(_GROUPS), legacy)
    if isinstance(groups, UnknownValue):
        others = others or groups.as_unknown()
    if others is None:
        _check_advertised(node, {*providers, *legacy})
    actions = context.actions
    if not actions.others_act and others is None:
        made = [file for action in actions.recorded for file in action.outputs]
        check_all_made(actions.declared, made)
    providers.pop("struct", None)
    if isinstance(groups, OutputGroups):
        providers[_GROUPS] = groups
    empty = context.default_runfiles()
    return Implemented(
        node.node.label,
        DefaultParts(depset(), None, empty, empty),
        providers,
        others,
        legacy=legacy,
        actions=tuple(actions.recorded),
        outputs=tuple(actions.declared),
    )


def _instances(listed: object, evaluation: EvaluationContext) -> Iterator[object]:
    if isinstance(listed, UnknownValue):
        yield listed
    elif isinstance(listed, list | tuple):
        yield from listed
    elif not (isinstance(listed, dict) and takes_dict(listed, evaluation.release)):
        got = starlark.type_of(listed) if kinds_of(listed) or listed is None else "something else"
        starlark.fail_with(
            "Aspect implementation should return a struct, a list, or a provider instance, but"
            f" got {got}"
        )


def _check_advertised(node: AspectNode, returned: set[Hashable]) -> None:
    aspect = node.own.aspect
    for key in advertised_by(aspect.options) - returned - {*_EVERY_TARGET_HAS}:
        starlark.fail_with(
            f"aspect '{aspect.name}' does not provide '{name_of(key)}', which it advertises"
        )
