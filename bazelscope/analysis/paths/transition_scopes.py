"""What a condition further down a path asks of the flags at its top.

A dependency may be built in another configuration than what depends on it: for the
execution platform, where `--cpu` is what `--host_cpu` says, or behind a Starlark
transition, which sets flags itself. Requirements of different configurations do not
contradict each other, and are met by different flags.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import UNSET, FlagRequirement, in_force
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import (
    default_value,
    parse_setting,
    reaches_tools,
    setting_type,
)
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platform_mappings import PlatformMappings
from bazelscope.analysis.configuration.platforms import actual_label
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.transition_steps import Step as GraphStep
from bazelscope.base.errors import LabelError
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Configured, RuleClass
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.native_options import exec_value, exec_values, is_kept_for_exec
from bazelscope.flags.flag_values import FlagValue
from bazelscope.loading.evaluation.rules.rule_transitions import (
    OPTION_PREFIX,
    ModuleSource,
    find_transitions,
)
from bazelscope.loading.packages.targets import Rule

# Members that each edge is compared with: to look one up takes Python 3.11 its time.
_CONDITION, _GENERATED_BY = EdgeKind.CONDITION, EdgeKind.GENERATED_BY
_DEFINE = "--define="
_PLATFORM_OPTIONS = frozenset({"--platforms", "--cpu", "--crosstool_top"})
"""Who changes one of these changes the constraints that hold."""


Texts = tuple[str, ...]
Changes = tuple[tuple[str, Texts | None], ...]
"""Flags that transitions set, each with its value; None where that hangs on other flags."""


class Scope(NamedTuple):
    """In which configuration a target on a path is built.

    `changed` are the flags that transitions on the way set, as `FlagRequirement.what` writes
    them, `before` those that were set before it became one of the execution platform, each with
    its value; `is_open`: a transition that cannot be told may have set any. `is_final`: no
    transition leads out of it, as out of the host's configuration until Bazel 6.
    """

    is_exec: bool = False
    changed: Changes = ()
    is_open: bool = False
    before: Changes = ()
    is_final: bool = False

    @property
    def is_uncertain(self) -> bool:
        """Whether a transition on the way decides what cannot be told."""
        return self.is_open or any(texts is None for _, texts in (*self.changed, *self.before))

    def texts(self, name: str) -> Texts:
        """What transitions on the way set a flag to, as far as that is known."""
        changes = (*self.before, *self.changed)
        return tuple(text for what, texts in changes if what == name for text in texts or ())

    @property
    def names(self) -> list[str]:
        """The flags that transitions on the way set."""
        return sorted({name for name, _ in (*self.changed, *self.before)})


TOP = Scope()
_HOST = Scope(is_exec=True, is_final=True)
WITHOUT_TRANSITIONS = (TOP, Scope(is_exec=True), _HOST)
"""Where targets are reached if no transition is on the way."""


class Scopes:
    """Follows configurations along paths, and puts requirements into terms of the top one."""

    def __init__(
        self,
        graph: TargetGraph,
        conditions: Conditions,
        mappings: PlatformMappings,
        crosses: bool = True,
    ) -> None:
        """`crosses`: whether there may be transitions, but for those to tools."""
        self._crosses = crosses
        self._mappings = mappings
        self._mapped = {f"--{flag.name}" for flags in mappings.platforms.values() for flag in flags}
        self._choosing = {f"--{flag.name}" for one in mappings.flags for flag in one.flags}
        self._graph = graph
        self._conditions = conditions
        self._configuration = conditions.configuration
        self._machine = (self._configuration.host.os, self._configuration.release)
        self._has_host = self._configuration.release.host_configuration

    def start(self, label: Label) -> Scope:
        """The scope of a top-level target: its rule's own transition comes first."""
        return self._of_its_rule(label, TOP)

    def after(self, scope: Scope, edge: Edge) -> Scope:
        """The scope that an edge leads to."""
        source, target, attribute, kind, _, is_tool = edge
        if kind is _CONDITION or scope.is_final:
            return scope
        if is_tool:
            if self._has_host and not self._is_of_exec(edge):
                return _HOST
            before = _merged(scope.before, scope.changed)
            if scope.changed and "--platforms" not in dict(scope.changed):
                before = _merged(before, tuple((name, None) for name in sorted(self._mapped)))
            scope = scope._replace(is_exec=True, changed=(), before=before)
        if not self._crosses:
            return scope
        if kind is not _GENERATED_BY:
            crossing = self._crossing_of(source)
            if crossing is not None and attribute in crossing[1]:
                scope = self._changed(scope, crossing[0], attribute)
        return self._of_its_rule(target, scope)

    def _is_of_exec(self, edge: Edge) -> bool:
        """Whether an attribute's tools are for the execution platform, not for the host."""
        rule_class = self._graph.shape(edge.source).rule_class
        definition = rule_class.attributes.get(edge.attribute) if rule_class else None
        return definition is not None and definition.configured is Configured.EXEC

    def sources(self, scope: Scope, need: FlagRequirement) -> tuple[str, ...]:
        """The options that `need` is about at the top: the first that has a value counts."""
        name = need.what.removeprefix("--")
        if not scope.is_exec or need.is_constraint or not need.what.startswith("--"):
            return (name,)
        return self._configuration.exec_sources(name) or (name,)

    def at_top(
        self, scope: Scope, need: FlagRequirement, source: int = 0
    ) -> FlagRequirement | bool | Unknown:
        """What `need`, of a target in that scope, asks of the flags at the top, of the option
        `source` among its sources; True or False if it holds, or does not, whatever the flags;
        `Unknown` if a transition decides it."""
        if need.is_provided and (scope.is_exec or scope.changed or scope.before):
            return _decided_on_the_way(need)  # Nobody looks at which flags it goes by.
        decided = self._decided(scope, scope.changed, need)
        if decided is not None:
            return decided
        wanted = self._at_top(need, source) if scope.is_exec else need
        if isinstance(wanted, bool):
            return wanted
        decided = self._decided(scope, scope.before, wanted)
        if decided is not None:
            return decided
        if not (wanted.is_settable or wanted.is_constraint or wanted.is_provided or wanted.domain):
            return self._is_default(wanted)
        return wanted

    def mapped_again(
        self, scope: Scope, need: FlagRequirement
    ) -> Iterator[tuple[FlagRequirement, bool]]:
        """The platforms that set the flag of `need`, if they are chosen, and whether as needed:
        mappings are applied again to the configuration of tools and behind transitions."""
        option = "host_platform" if scope.is_exec else "platforms"
        is_made = scope.is_exec or scope.changed
        definition = self._configuration.definition(option)
        if not is_made or definition is None or "--platforms" in dict(scope.changed):
            return
        for platform in self._mappings.platforms:
            texts = self._of_platform(platform).get(_option(need))
            if texts is not None:
                wanted = parse_value(definition, str(platform)).text
                chosen = FlagRequirement(f"--{option}", wanted, need.setting, need.location)
                yield chosen, self._is_set(need, texts)

    def _of_platform(self, platform: Label) -> dict[str, Texts]:
        """What a platform sets, by `platform_mappings` or its own flags."""
        own = self._mappings.own_flags
        flags = own(platform) if own is not None else ()
        changes: dict[str, Texts] = {}
        for flag in flags or self._mappings.platforms.get(platform, ()):
            name = f"--{flag.name}" if flag.label is None else str(flag.label)
            changes[name] = (*changes.get(name, ()), flag.value)
        return changes

    def _with_mappings(self, changes: Changes) -> Changes:
        """What a transition sets, and what platform mappings make of that: of the platform that
        it chooses, or may choose by the flags that it sets."""
        values = dict(changes)
        platforms = values.get("--platforms", ())
        if platforms:
            with suppress(LabelError):
                values.update(self._of_platform(parse_label(platforms[0], MAIN_ROOT)))
        elif platforms is None or not self._choosing.isdisjoint(values):
            values.update(dict.fromkeys(("--platforms", *self._mapped)))
        return tuple(sorted(values.items()))

    def _decided(
        self, scope: Scope, changes: Changes, need: FlagRequirement
    ) -> bool | Unknown | None:
        """Whether transitions make `need` hold; None if they leave its flag alone."""
        if scope.is_open and not need.what.startswith(_DEFINE):
            return _decided_on_the_way(need)
        values = dict(changes)
        if need.is_constraint:
            if _PLATFORM_OPTIONS.isdisjoint(values):
                return None
            platforms = values.get("--platforms")
            if not platforms or need.of_exec:
                return _decided_on_the_way(need)
            return self._has_constraint(platforms[0], need)
        option = _option(need) if _option(need) in values else need.what
        if option not in values:
            return None
        texts = values[option]
        return _decided_on_the_way(need) if texts is None else self._is_set(need, texts)

    def _has_constraint(self, platform: str, need: FlagRequirement) -> bool | Unknown:
        """Whether a platform that a transition chooses has a constraint value."""
        configuration = self._configuration
        value = FlagValue("platforms", (platform,), ())
        changed = Conditions(
            self._conditions.source, configuration.with_changes({"platforms": value}, {})
        )
        if changed.platform.unknown is not None:
            return _decided_on_the_way(need)
        return in_force(need, changed).holds

    def _is_set(self, need: FlagRequirement, texts: Texts) -> bool:
        """Whether a flag that has been set so is as `need` says."""
        what, wanted = need.what, need.wanted
        if what.startswith(_DEFINE):
            pairs = [text.partition("=") for text in texts]
            given = [value for name, _, value in pairs if name == what.removeprefix(_DEFINE)]
            return given[-1:] == [wanted]
        if what.startswith("--"):
            if wanted == UNSET:
                return not texts
            definition = self._configuration.definition(what.removeprefix("--"))
            if not need.accumulates:
                return bool(texts) and _is(definition, texts[-1], wanted)
            is_list = definition is not None and definition.kind is FlagKind.LIST
            parts = [part for text in texts for part in (text.split(",") if is_list else (text,))]
            return wanted in parts or (is_list and not wanted and not any(parts))
        rule = self._conditions.source.target(parse_label(what, MAIN_ROOT))
        if not isinstance(rule, Rule):
            return wanted in texts
        context, release = rule.label.package_id, self._configuration.release
        try:
            kind = setting_type(rule)
            return any(parse_setting(one, kind, context, release)[1] == wanted for one in texts)
        except ValueTypeError:
            return wanted in texts

    def _at_top(self, need: FlagRequirement, source: int) -> FlagRequirement | bool:
        """The requirement that makes `need` hold for the execution platform; True or False
        if it holds, or does not, whatever the flags."""
        if need.is_constraint:
            return replace(need, of_exec=True)
        if need.what.startswith(_DEFINE):
            return need
        if not need.what.startswith("--"):
            rule = self._conditions.source.target(parse_label(need.what, MAIN_ROOT))
            if not isinstance(rule, Rule) or reaches_tools(rule, self._configuration):
                return need
            return self._is_default(need)
        name = need.what.removeprefix("--")
        configuration = self._configuration
        definition = configuration.definition(name)
        fixed = exec_value(name)
        if fixed is not None:
            return _is(definition, fixed, need.wanted)
        sources = configuration.exec_sources(name)
        if sources:
            if need.accumulates and need.wanted in exec_values(name, ("",), *self._machine):
                return True
            return replace(need, what=f"--{sources[source]}")
        if is_kept_for_exec(name, configuration.release):
            return need
        default = configuration.default(name)
        if need.accumulates:
            return need.wanted in default.values
        return default.value is not None and _is(definition, default.value, need.wanted)

    def _is_default(self, need: FlagRequirement) -> bool:
        """Whether a build setting that nothing sets is as `need` says."""
        rule = self._conditions.source.target(parse_label(need.what, MAIN_ROOT))
        if not isinstance(rule, Rule):
            return False
        try:
            default = default_value(rule, self._configuration.release)
        except ValueTypeError:
            return False
        return need.wanted in default.texts

    def _of_its_rule(self, label: Label, scope: Scope) -> Scope:
        if scope.is_final or not self._crosses:
            return scope
        owner = self.owner(label)
        return scope if owner is None else self._changed(scope, owner, None)

    @memoized
    def owner(self, label: Label) -> Rule | None:
        """The rule whose own transition `label` is built behind, if there is one."""
        return self._graph.rule_with_transition(label)

    @memoized
    def _crossing_of(self, label: Label) -> tuple[Rule, frozenset[str]] | None:
        """The rule `label`, and its attributes that have a transition; None for none."""
        rule_class = self._graph.shape(label).rule_class
        crossed = frozenset[str]() if rule_class is None else _crossed_in[rule_class]
        rule = self._graph.node(label) if crossed else None
        return (rule, crossed) if isinstance(rule, Rule) else None

    def _changed(self, scope: Scope, rule: Rule, attribute: str | None) -> Scope:
        outputs = self._outputs_of(rule.label, attribute)
        if outputs is None:
            return scope._replace(is_open=True)
        changed = _merged(scope.changed, outputs)
        return scope._replace(changed=self._with_mappings(changed) if outputs else changed)

    @memoized
    def _outputs_of(self, label: Label, attribute: str | None) -> Changes | None:
        """The flags that a transition of a rule sets; None if that cannot be told."""
        source: object = self._graph.source
        rule = self._graph.node(label)
        if not isinstance(source, ModuleSource) or not isinstance(rule, Rule):
            return None
        transitions = find_transitions(source, rule.rule_class, attribute)
        if isinstance(transitions, Unknown):
            return None
        from bazelscope.analysis.graph.transition_runs import constant_outputs

        step = GraphStep(rule, attribute)
        values: dict[str, tuple[str, ...] | None] = {}
        for transition in transitions:
            constant = constant_outputs(self._conditions, source, step, transition)
            values.update((key, constant.get(key)) for key in transition.outputs)
        return tuple(
            sorted(
                (
                    f"--{key.removeprefix(OPTION_PREFIX)}"
                    if key.startswith(OPTION_PREFIX)
                    else str(self._flag(key)),
                    value,
                )
                for key, value in values.items()
            )
        )

    def _flag(self, key: str) -> Label:
        """The build setting that a transition names, behind its aliases."""
        return actual_label(self._conditions.source, parse_label(key, MAIN_ROOT))


_crossed_in: IdentityTable[RuleClass, frozenset[str]] = IdentityTable(
    lambda rule_class: frozenset(
        definition.name
        for definition in rule_class.attributes.values()
        if definition.configured is Configured.TRANSITION
    )
)
"""The attributes of a rule class that have a transition."""


def _option(need: FlagRequirement) -> str:
    """The option that sets the flag of a requirement: `--define` for all of its."""
    return "--define" if need.what.startswith(_DEFINE) else need.what


def _merged(earlier: Changes, later: Changes) -> Changes:
    return tuple(sorted({**dict(earlier), **dict(later)}.items())) if earlier else later


def _decided_on_the_way(need: FlagRequirement) -> Unknown:
    detail = "a transition on the way decides it"
    return Unknown(Reason.NOT_MODELLED, need.text, detail, need.location)


def _is(definition: FlagDefinition | None, text: str, wanted: str) -> bool:
    if definition is None:
        return text == wanted
    try:
        return parse_value(definition, text).text == wanted
    except ValueTypeError:
        return text == wanted
