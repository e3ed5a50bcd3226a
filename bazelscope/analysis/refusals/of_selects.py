"""What Bazel refuses of a target before it looks at its dependencies: toolchains, the keys of
its select()s, and what these come to, in all attributes.

Bazel: `ConfiguredTargetFunction`, `ConfigConditions`, `ConfiguredAttributeMapper`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.condition_visibility import condition_is_visible
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, SelectChoice
from bazelscope.analysis.conditions.match_result import Match, NoMatch, UnknownMatch
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    NoBranch,
    SelectResult,
    UnknownChoice,
    is_settled_by_keys,
    resolve_value,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import HAS_SELECTS
from bazelscope.analysis.refusals.causes import cause_of, meaning_of
from bazelscope.analysis.refusals.of_toolchains import ToolchainChecks
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label, PackageId
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import CallStack
from bazelscope.base.unknown import Reason
from bazelscope.bazel.encoded_values import SELECT, SELECTS, Encoded, decode_label, selects_in
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    computed_values,
    explicit_values,
    shape_of,
)
from bazelscope.loading.packages.targets import Absent, InputFile, NoSuchTarget, Rule

_SETTING = "config_setting"
_SOME = -1
_MISSING = (RefusalKind.MISSING_PACKAGE, RefusalKind.MISSING_TARGET)


class _Written(NamedTuple):
    """A select() as it is kept: its keys, and its branches with their values."""

    keys: tuple[str, ...]
    branches: tuple[tuple[str, Encoded], ...]


class SelectChecks:
    """The checks, over one configured graph."""

    def __init__(self, graph: ConfiguredGraph, toolchains: ToolchainChecks) -> None:
        self._graph = graph
        self._source = graph.graph.source
        self._toolchains = toolchains
        self._release = graph.configuration.release
        self._may_repeat: dict[Label, tuple[str, ...]] = {}
        """The attributes of a rule of whose parts several have the same text."""
        self._settled: dict[tuple[PackageId, bool, int], dict[tuple[str, ...], int]] = {}
        """By who asks (the package, and whether its class takes part in toolchain resolution)
        and by the conditions of a configuration: keys of select()s with which nothing is wrong,
        and the branch that they choose, whatever it holds (`_SOME`: it cannot be told)."""
        self._sound_keys: set[tuple[Label, PackageId, int]] = set()
        """Keys with nothing wrong, by who asks and by the conditions of a configuration."""
        self._blocked: set[Label] = set()
        """Rules that have a config_setting in error as a key."""

    def refused(self, node: ConfiguredNode) -> tuple[list[Refusal], bool]:
        """The first thing of these that is wrong with a target, if anything is (several keys in
        error are told together); and whether Bazel comes no further, as also where a
        config_setting that is a key is in error, of which it tells by itself."""
        refused = self._refused(node)
        return refused, bool(refused) or node.label in self._blocked

    def _refused(self, node: ConfiguredNode) -> list[Refusal]:
        own = node.configuration
        if own is None:
            return []
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None:
            return []
        if rule_class.name == _SETTING:
            return list(self._of_setting(node.label, own))
        refused = list(self._toolchains.refused(node, rule_class))
        if refused:
            if not self._release.keys_before_toolchains:
                return refused
            keys = self._of_keys_alone(node, own)
            return keys if keys or node.label in self._blocked else refused
        written = self._selects_of(node.label)
        if not written:
            return []
        conditions = self._graph.conditions(own)
        takes_part = takes_part_in_resolution(rule_class, conditions.release)
        asker = (node.label.package_id, takes_part, id(conditions))
        settled = self._settled.setdefault(asker, {})
        if all(self._is_sound(one, settled) for one in written):
            return list(self._of_repeats(node.label, conditions))
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return []
        order = {name: index for index, name in enumerate(rule_class.attributes)}
        choices = tuple(
            sorted(
                self._graph.selects(node.label, own),
                key=lambda choice: order.get(choice.attribute, len(order)),
            )
        )
        refused = self._first_of_keys(rule, choices, conditions)
        if rule.label in self._blocked:
            return []
        if refused:
            return refused
        for choice in choices:
            refusal = self._of_choice(rule, choice, conditions)
            if refusal is not None:
                return [refusal]
        self._settle(written, choices, settled)
        return list(self._of_repeats(node.label, conditions))

    def _of_keys_alone(self, node: ConfiguredNode, own: Configuration) -> list[Refusal]:
        """What is wrong with the keys of a target's select()s, whatever these come to."""
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return []
        choices = self._graph.selects(node.label, own)
        return self._first_of_keys(rule, tuple(choices), self._graph.conditions(own))

    def _of_repeats(self, label: Label, conditions: Conditions) -> Iterator[Refusal]:
        """Labels that several of the chosen branches of one attribute have."""
        for name in self._may_repeat.get(label, ()):
            rule = self._graph.graph.node(label)
            attribute = rule.attribute(name) if isinstance(rule, Rule) else None
            if attribute is None or not isinstance(rule, Rule):
                continue
            resolved = resolve_value(attribute.value, conditions)
            if not all(isinstance(choice, Chosen) for choice in resolved.choices):
                continue
            chosen = resolved.value if isinstance(resolved.value, tuple) else ()
            labels = [one for one in chosen if isinstance(one, Label)]
            for twice in dict.fromkeys(one for one in labels if labels.count(one) > 1):
                yield Refusal(
                    RefusalKind.OTHER,
                    f"in {name} attribute of {rule.kind} {label}: Label '{twice}' is duplicated",
                    label,
                    name,
                    rule.location,
                    remedy="take it out of all but one of the branches that are chosen",
                )

    @memoized
    def _selects_of(self, label: Label) -> tuple[_Written, ...]:
        """The select()s that a rule was written with; looked up without decoding it."""
        graph = self._graph.graph
        target = graph.encoded(label) if graph.is_marked(label, HAS_SELECTS) else None
        if target is None or shape_of(target) != RULE:
            return ()
        if self._release.duplicates_by_choice:
            repeated = [
                name
                for name, value in explicit_values(target)
                if type(value) is list and _repeats(value)
            ]
            if repeated:
                self._may_repeat[label] = tuple(repeated)
        return tuple(
            [
                _Written(tuple([key for key, _ in branches]), branches)
                for _, value in (*explicit_values(target), *computed_values(target))
                if type(value) is list
                for branches in selects_in(value)
            ]
        )

    def _is_sound(self, written: _Written, settled: Mapping[tuple[str, ...], int]) -> bool:
        """Whether a select() is known to be well; if not, it is looked at as a whole."""
        chosen = settled.get(written.keys)
        if chosen is None:
            return False
        return (
            chosen == _SOME
            or not self._release.mandatory_refuses_none
            or written.branches[chosen][1] is not None
        )

    def _settle(
        self,
        written: tuple[_Written, ...],
        choices: tuple[SelectChoice, ...],
        settled: dict[tuple[str, ...], int],
    ) -> None:
        """Remembers the keys of a rule with which nothing is wrong."""
        results: dict[tuple[Label, ...], SelectResult] = {}
        for choice in choices:
            results[tuple([branch.condition for branch in choice.selector.branches])] = (
                choice.result
            )
        for keys, _ in written:
            labels = tuple(map(decode_label, keys))
            result = results.get(labels)
            if isinstance(result, UnknownChoice):
                settled[keys] = _SOME
            elif result is not None and is_settled_by_keys(result):
                # Of two spellings of one label, the last counts.
                last = labels[::-1].index(result.branch.condition)
                settled[keys] = len(labels) - 1 - last

    def _of_setting(self, label: Label, own: Configuration) -> Iterator[Refusal]:
        result = self._graph.conditions(own).match(label)
        if isinstance(result, UnknownMatch) and result.unknown.reason is Reason.FAILED:
            target = self._graph.graph.node(label)
            place = target.location if isinstance(target, Rule) else None
            yield Refusal(
                RefusalKind.CONDITION,
                result.unknown.detail or str(result.unknown),
                label,
                location=result.unknown.location or place,
            )

    def _first_of_keys(
        self, rule: Rule, choices: tuple[SelectChoice, ...], conditions: Conditions
    ) -> list[Refusal]:
        """What Bazel tells of the keys of a rule: those that are not there; or else the first that
        is no condition; or else those that the rule may not see. Measured: 2.1.0, 4.2.3."""
        refused = list(dict.fromkeys(self._of_keys(rule, choices, conditions)))
        missing = [one for one in refused if one.kind in _MISSING]
        odd = [one for one in refused if one.kind is RefusalKind.CONDITION]
        return missing or odd[:1] or refused

    def _of_keys(
        self, rule: Rule, choices: tuple[SelectChoice, ...], conditions: Conditions
    ) -> Iterator[Refusal]:
        """Keys that are no conditions, that are not there, or that the rule may not see."""
        for choice in choices:
            for key in (one.condition for one in choice.selector.branches if not one.is_default):
                asked = (key, rule.label.package_id, id(conditions))
                if asked in self._sound_keys:
                    continue
                refusal = self._of_key(key, rule, choice, conditions)
                if refusal is not None:
                    yield refusal
                elif rule.label not in self._blocked:
                    self._sound_keys.add(asked)
            refused = conditions.constraint_without_toolchains(rule, choice.selector)
            if refused is not None:
                remedy = "use a config_setting with `constraint_values` as the key"
                message = self._not_a_condition(refused, rule)
                yield _refusal(RefusalKind.CONDITION, message, rule, choice, remedy=remedy)

    def _of_key(
        self, key: Label, rule: Rule, choice: SelectChoice, conditions: Conditions
    ) -> Refusal | None:
        target = self._source.target(key)
        if isinstance(target, Absent):
            kind, message = RefusalKind.MISSING_PACKAGE, target.message
            if isinstance(target, NoSuchTarget):
                kind = RefusalKind.MISSING_TARGET
                message = f"While resolving configuration keys for {rule.label}: {message}"
            return _refusal(kind, message, rule, choice, remedy=target.remedy, key=key)
        package = rule.label.package_id
        if isinstance(target, Rule) and not condition_is_visible(
            self._source, self._graph.configuration, target, package
        ):
            return _refusal(
                RefusalKind.VISIBILITY,
                f"target '{key}' is not visible from target '{rule.label}'",
                rule,
                choice,
                (RefusalCause(f"{key} is declared here", target.location),),
                f"give {key} a `visibility` that lets {package} in",
            )
        match = conditions.match(key)
        if not isinstance(match, UnknownMatch) or match.unknown.reason is not Reason.FAILED:
            return None
        actual = follow_aliases(self._source, key)
        behind = self._source.target(actual) if isinstance(actual, Label) else None
        if isinstance(behind, Rule) and behind.rule_class.name == _SETTING:
            # Told of the config_setting itself, which the walk comes to.
            self._blocked.add(rule.label)
            return None
        cause = RefusalCause(match.unknown.detail, match.unknown.location)
        is_file = isinstance(behind, InputFile) and not self._source.may_lie_there(behind.label)
        remedy = meaning_of(key, self._source) if is_file else ""
        absent = key if is_file else None
        if isinstance(actual, Label) and self._release.keys_are_named_behind_aliases:
            key = actual
        message = self._not_a_condition(key, rule)
        return _refusal(RefusalKind.CONDITION, message, rule, choice, (cause,), remedy, key=absent)

    def _of_choice(
        self, rule: Rule, choice: SelectChoice, conditions: Conditions
    ) -> Refusal | None:
        result, stack = choice.result, choice.selector.call_stack
        if isinstance(result, Ambiguous):
            keys = [branch.condition for branch in result.candidates]
            matches = ((key, conditions.match(key)) for key in keys)
            causes = tuple(
                cause_of(requirement, key)
                for key, match in matches
                if isinstance(match, Match)
                for requirement in match.requirements
            )
            names = "\n".join(str(key) for key in keys)
            return _refusal(
                RefusalKind.AMBIGUOUS_SELECT,
                f'Illegal ambiguous match on configurable attribute "{choice.attribute}" in'
                f" {rule.label}:\n{names}\nMultiple matches are not allowed unless one is"
                " unambiguously more specialized.",
                rule,
                choice,
                causes,
                "leave out the flags that make all but one of these hold, or add a"
                " config_setting that includes the values of all of them",
                stack,
            )
        if isinstance(result, NoBranch):
            causes = tuple(
                cause_of(requirement, outcome.branch.condition)
                for outcome in result.outcomes
                if isinstance(outcome.match, NoMatch)
                for requirement in outcome.match.diffs
            )
            remedy = (
                "make one of the conditions hold, or give the select() a"
                " `//conditions:default` branch"
            )
            message = self._no_match(rule, choice)
            return _refusal(
                RefusalKind.UNMATCHED_SELECT, message, rule, choice, causes, remedy, stack
            )
        is_none = isinstance(result, Chosen) and result.branch.value is None
        definition = rule.rule_class.attributes.get(choice.attribute)
        if not (is_none and self._release.mandatory_refuses_none and definition is not None):
            return None
        if not definition.mandatory:
            return None
        message = (
            f"Mandatory attribute '{choice.attribute}' resolved to 'None' after"
            " evaluation of 'select' expression"
        )
        return _refusal(RefusalKind.MANDATORY, message, rule, choice, call_stack=stack)

    def _not_a_condition(self, key: Label, rule: Rule) -> str:
        """How Bazel says that a target is no key of a select(). Bazel: `ConfiguredTargetFunction`,
        later `DependencyResolver`."""
        what = "select() condition" if self._release.says_select_condition else "configuration key"
        return f"{key} is not a valid {what} for {rule.label}"

    def _no_match(self, rule: Rule, choice: SelectChoice) -> str:
        """How Bazel says that no branch is taken. Bazel: `ConfiguredAttributeMapper`."""
        if self._release.unmatched_select_names_target:
            problem = f'configurable attribute "{choice.attribute}" in {rule.label}'
            advice = ". Would a default condition help?\n"
        else:
            problem = f'Configurable attribute "{choice.attribute}"'
            advice = " (would a default condition help?)."
        problem += " doesn't match this configuration"
        if choice.selector.no_match_error:
            return f"{problem}: {choice.selector.no_match_error}"
        keys = "".join(f"\n {branch.condition}" for branch in choice.selector.branches)
        return f"{problem}{advice}\nConditions checked:{keys}"


def _refusal(
    kind: RefusalKind,
    message: str,
    rule: Rule,
    choice: SelectChoice,
    causes: tuple[RefusalCause, ...] = (),
    remedy: str = "",
    call_stack: CallStack = (),
    key: Label | None = None,
) -> Refusal:
    """The refusal of a rule for one of its select()s, or for a `key` of it that is not there."""
    place, attribute = choice.selector.location or rule.location, choice.attribute
    return Refusal(
        kind, message, rule.label, attribute, place, causes, remedy, call_stack, dependency=key
    )


def _repeats(value: list[Encoded]) -> bool:
    """Whether parts of a sum of lists have a text in common."""
    if value[0] != SELECTS:
        return False
    seen: set[Encoded] = set()
    for part in value[1]:
        if type(part) is list and part[0] == SELECT:
            lists = [one for _, one in part[1] if type(one) is tuple]
        else:
            lists = [part] if type(part) is tuple else []
        texts = {text for one in lists for text in one if type(text) is str}
        if not texts.isdisjoint(seen):
            return True
        seen |= texts
    return False
