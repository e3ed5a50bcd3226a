"""Runs the implementations of Starlark rules dry, each once for a configured target.

    implementations = Implementations(graph)
    found = implementations.run(graph.top(label))
    if isinstance(found, Unknown): ...           # it cannot be followed: found.detail says why
    elif found.failure is not None: ...          # it ends in this error: Bazel refuses the target
    else:
        found.files()                            # DefaultInfo.files, in Bazel's order
        found.provider(provider)                 # an instance, None, or Unknown
        found.providers                          # all that it returned, by `key_of`
        for action in found.actions:             # what it registered, in order
            action.mnemonic, action.outputs, action.given["inputs"], action.words()

Dependencies are run first, as far as they matter: Starlark rules, and native rules that hand
files on. An implementation that decides by something unknown is unknown as a whole, never
guessed; one that a limit ends, too. An error counts as the rule's only where nothing before it
was decided so. Bazel: `StarlarkRuleConfiguredTargetUtil`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from types import FunctionType

from bazelscope import starlark
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.build_settings import SettingValue, current_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.aliases import behind_aliases, is_stand_in
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.analysis.rules.aspect_context import AspectContext, provided_by_aspect
from bazelscope.analysis.rules.aspects import (
    AspectNode,
    Descriptor,
    advertised_by,
    carried,
    merged,
    met,
)
from bazelscope.analysis.rules.attributes import AttributeOf, labels_of, written_name
from bazelscope.analysis.rules.context import RuleContext, Surroundings
from bazelscope.analysis.rules.context_members import ExecutionGroups, Toolchains
from bazelscope.analysis.rules.files import FileRoot, FileValue
from bazelscope.analysis.rules.native import HANDED_ON, HOST_XCODES, SCRIPTS, NativeTargets
from bazelscope.analysis.rules.prerequisites import Problem, problems_of
from bazelscope.analysis.rules.provided import (
    FailsBelow,
    Implemented,
    TargetValue,
    not_modelled,
)
from bazelscope.analysis.rules.reach import reach
from bazelscope.analysis.rules.returned import nothing, returned
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, LimitError, StarlarkError, is_of_ours
from bazelscope.base.label import Label
from bazelscope.base.source import Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition, Configured, DictValue
from bazelscope.bazel.rule_classes import INPUT_TYPES
from bazelscope.loading.dry_run.run_result import FAIL
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource, find_rule
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule, Transition
from bazelscope.loading.evaluation.rules.toolchain_types import ExecutionGroup
from bazelscope.loading.evaluation.values.structs import Provider, unknown_in
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue, doubted
from bazelscope.loading.packages.encoded_targets import RULE, output_names, shape_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule

LIMITS = starlark.Limits(steps=2_000_000)
_OF_UNKNOWN = re.compile(r"\bunknown\b|to_json|to_proto")
"""What stands in the error of an operation that takes nothing unknown; or of the methods of
structs, which `dir()` lists in some releases."""
_TOOLCHAIN_INFO = Provider("ToolchainInfo")

Result = Implemented | Unknown
_Key = ConfiguredNode | AspectNode
_Targets = dict[Label, tuple[ConfiguredNode, Unknown | None] | Unknown]


class Implementations:
    """What the configured targets of one graph provide, each found out when it is asked for."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        directory: Callable[[Configuration], str | Unknown] = output_directory,
    ) -> None:
        """`directory` names the directory of a configuration's outputs."""
        self._graph = graph
        self._directory = directory
        source = graph.graph.source
        self._source = source if isinstance(source, ModuleSource) else None
        self.results: dict[_Key, Result] = {}
        """What has been found out, of targets and of the aspects on them."""
        self._with_aspects: dict[
            tuple[int, tuple[AspectNode, ...]], tuple[Implemented, Implemented]
        ] = {}
        self._files: dict[ConfiguredNode, tuple[FileValue, ...] | Unknown] = {}
        self._rules: dict[int, StarlarkRule | Unknown] = {}
        self._attributes: dict[ConfiguredNode, dict[str, tuple[object, _Targets]]] = {}
        self._roots: dict[tuple[Configuration | None, str], FileRoot] = {}

    def run(self, node: ConfiguredNode) -> Result:
        """What a configured target provides, or why that cannot be told."""
        pending: list[_Key] = [node]
        entered: set[_Key] = set()
        while pending:
            budget.current().check()
            last = pending[-1]
            if last in self.results:
                pending.pop()
            elif last in entered:
                pending.pop()
                self.results[last] = (
                    self._run_aspect(last) if isinstance(last, AspectNode) else self._find(last)
                )
            else:
                entered.add(last)
                # A target that was entered and has no result is on the way round a cycle.
                pending += [one for one in self._needs(last) if one not in entered]
        return self.results[node]

    def files(self, node: ConfiguredNode) -> tuple[FileValue, ...] | Unknown:
        """The files that a configured target is built to, or why that cannot be told."""
        files = self._files.get(node)
        if files is None:
            result = self.run(node)
            if isinstance(result, Unknown):
                files = result
            elif result.failure is not None:
                files = Unknown(Reason.FAILED, str(node.label), result.failure.message)
            else:
                files = result.files()
            self._files[node] = files
        return files

    def generated_by(self, node: ConfiguredNode) -> Iterator[FileValue]:
        """The files that a rule of Bazel's own was written to generate."""
        target = self._graph.graph.encoded(node.label)
        if self._source is not None and target is not None and shape_of(target) == RULE:
            root, label = self._native_root(node), node.label
            for name in output_names(target):
                yield _file(root, label.sibling(name), label)

    def rule_of(self, rule: Rule) -> StarlarkRule | Unknown:
        """What `rule()` returned for the class of a target."""
        key = id(rule.rule_class)
        known = self._rules.get(key)
        if known is None:
            assert self._source is not None
            known = self._rules[key] = find_rule(self._source, rule.rule_class)
        return known

    def implementation_of(self, rule: Rule) -> FunctionType | Unknown:
        """The implementation function of a Starlark rule, if it can be run at all."""
        made = self.rule_of(rule)
        if isinstance(made, Unknown):
            return made
        function = made.options.get("implementation")
        if isinstance(function, UnknownValue):
            return function.as_unknown()
        if not isinstance(function, FunctionType) or not starlark.is_function(function):
            return not_modelled(rule.rule_class.name, "its implementation is no function")
        stub = reach(function).stub
        if stub is not None:
            detail = f"bazelscope's model of it has no implementation (`{stub}`)"
            return Unknown(Reason.NOT_MODELLED, rule.rule_class.name, detail, rule.location)
        return function

    def settings_of(self, node: ConfiguredNode) -> Iterator[tuple[Label, SettingValue]]:
        """The build settings that a target depends on and that something sets, with their
        values."""
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return
        for below in dict.fromkeys(self._dependencies(node, rule)):
            behind = behind_aliases(self._graph, below)
            setting = self._graph.target(behind)
            if not isinstance(setting, Rule) or not setting.rule_class.is_build_setting:
                continue
            with suppress(ValueTypeError):
                value = current_value(setting, self._own(behind), behind.label)
                if value.instance is not None:
                    yield behind.label, value

    def problems_of(
        self, node: ConfiguredNode, passed_over: Container[ConfiguredNode]
    ) -> Iterator[Problem]:
        """What the attributes of a Starlark rule do not take of what they are given, but for what
        is `passed_over`; a model says less of that than the original."""
        rule = self._graph.target(node)
        if self._source is None or not isinstance(rule, Rule):
            return
        if isinstance(self.implementation_of(rule), Unknown):
            return
        made = self.rule_of(rule)
        assert isinstance(made, StarlarkRule)
        if rule.rule_class.defined_at[0].location.is_shipped:
            return
        for name, spec in made.specs.items():
            if spec.late_bound or name not in rule.rule_class.attributes:
                continue
            value, entries = self._attribute(node, rule, name)
            if not spec.may_be_empty and value in ((), DictValue(())):
                yield Problem(name, "attribute must be non empty")
            for entry in entries.values():
                if isinstance(entry, Unknown) or is_stand_in(self._graph, entry[0]):
                    continue
                if entry[0] in passed_over:
                    continue
                result = self._result_of(entry)
                if isinstance(result, Implemented) and result.failure is None:
                    yield from problems_of(rule.rule_class.name, name, spec, result)

    # ---- What comes first

    def _needs(self, node: _Key) -> Iterator[_Key]:
        if isinstance(node, AspectNode):
            yield from self._needs_of_aspect(node)
            return
        target = self._graph.target(node)
        if not isinstance(target, Rule) or self._source is None:
            return
        behind = behind_aliases(self._graph, node)
        if behind is not node:
            yield behind
            return
        rule_class = target.rule_class
        if not rule_class.defined_at:
            if rule_class.name in HANDED_ON or rule_class.name in SCRIPTS:
                had = [one for one in ("srcs", "deps", "data") if one in rule_class.attributes]
                yield from self._dependencies(node, target, had)
            return
        if isinstance(self.implementation_of(target), Unknown):
            return
        made = self.rule_of(target)
        assert isinstance(made, StarlarkRule)
        for name in rule_class.attributes:
            yield from self._needs_of_attribute(node, target, name, made.specs)
        for one in self._graph.unwritten.toolchains(node):
            if one.implementation is not None:
                yield self._graph.nodes.toolchain_node(node, one.implementation)[0]

    def _dependencies(
        self, node: ConfiguredNode, rule: Rule, names: Iterable[str] | None = None
    ) -> Iterator[ConfiguredNode]:
        for name in names if names is not None else rule.rule_class.attributes:
            for target in self._attribute(node, rule, name)[1].values():
                if not isinstance(target, Unknown):
                    yield target[0]

    def _attribute(self, node: ConfiguredNode, rule: Rule, name: str) -> tuple[object, _Targets]:
        """The resolved value of an attribute, and what its labels lead to."""
        known = self._attributes.setdefault(node, {})
        resolved = known.get(name)
        if resolved is None:
            resolved = known[name] = self._resolved(node, rule, rule.rule_class.attributes[name])
        return resolved

    def _resolved(
        self, node: ConfiguredNode, rule: Rule, definition: AttributeDefinition
    ) -> tuple[object, _Targets]:
        if definition.name == "name":
            return rule.label.name, {}
        attribute = rule.attribute(definition.name)
        value = attribute.value if attribute is not None else definition.default
        conditions = self._graph.conditions(node.configuration)
        value = resolve_value(value, conditions, definition.default).value
        targets: _Targets = {}
        if definition.type in INPUT_TYPES and not definition.nodep:
            for label in labels_of(value):
                if isinstance(label, Unknown):
                    continue
                nodes = self._graph.nodes.prerequisites(node, definition, label)
                if len(nodes) != 1:
                    return not_modelled(str(label), "its transition splits"), {}
                targets[label] = nodes[0]
        return value, targets

    # ---- One target

    def _find(self, node: ConfiguredNode) -> Result:
        target = self._graph.target(node)
        label = node.label
        if self._source is None:
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "there are no files to run it from")
        native = NativeTargets(self._source.context)
        if isinstance(target, InputFile):
            file = _file(self._root(None), label, label)
            return native.of_file(label, file, is_source=True)
        if isinstance(target, OutputFile):
            maker = self._graph.graph.shape(target.generating_rule).rule_class
            is_native = maker is None or not maker.defined_at
            root = self._native_root(node) if is_native else self._root(self._own(node))
            file = _file(root, label, target.generating_rule)
            return native.of_file(label, file, is_source=False)
        if isinstance(target, PackageGroup):
            return not_modelled(str(label), "a package group provides nothing that is known")
        if not isinstance(target, Rule):
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "it is not known what it is")
        behind = behind_aliases(self._graph, node)
        if behind is not node:
            return self.results.get(behind) or _cycle(label)
        if not target.rule_class.is_known:
            detail = f"it is not known what `{target.rule_class.name}` is"
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), detail, target.location)
        if not target.rule_class.defined_at:
            root = self._native_root(node)
            made = native.of_rule(
                target, root, lambda name: self._targets(node, target, name, native)
            )
            files = made.files()
            return files if isinstance(files, FailsBelow) else made
        return self._run(node, target, native)

    def _targets(
        self, node: ConfiguredNode, rule: Rule, name: str, native: NativeTargets
    ) -> list[Implemented] | Unknown:
        """The targets in an attribute of a rule of Bazel's own."""
        if name not in rule.rule_class.attributes:
            return []
        value, targets = self._attribute(node, rule, name)
        implemented: list[Implemented] = []
        for label in labels_of(value):
            entry = label if isinstance(label, Unknown) else targets[label]
            if isinstance(entry, Unknown):
                return entry
            result = self._result_of(entry)
            if isinstance(result, FailsBelow):
                return result
            if isinstance(result, Implemented) and result.failure is not None:
                return FailsBelow(Reason.FAILED, str(rule.label), f"`{label}` fails")
            if isinstance(result, Unknown):
                result = native.unknown(entry[0].label, result)
            implemented.append(result)
        return implemented

    def _run(self, node: ConfiguredNode, rule: Rule, native: NativeTargets) -> Result:
        function = self.implementation_of(rule)
        if isinstance(function, Unknown):
            return function
        made = self.rule_of(rule)
        assert isinstance(made, StarlarkRule) and self._source is not None
        attributes = self._attributes_of(node, rule, made.specs, native)
        if isinstance(attributes, FailsBelow):
            return attributes
        evaluation = self._source.context
        if isinstance(attributes, Diagnostic):
            return nothing(rule.label, evaluation, attributes)
        toolchains = self._toolchains(node)
        surroundings = self._surroundings(node, rule, toolchains, self._groups(rule, toolchains))
        context = RuleContext(rule, made, attributes, surroundings)
        return self._called(
            function,
            (context,),
            context,
            rule,
            lambda value: returned(value, context, rule, made, evaluation),
        )

    def _attributes_of(
        self,
        node: ConfiguredNode,
        rule: Rule,
        specs: Mapping[str, AttributeSpec],
        native: NativeTargets,
        path: tuple[Descriptor, ...] = (),
    ) -> dict[str, AttributeOf] | FailsBelow | Diagnostic:
        """What the attributes of a target hold, with the aspects on them, and with those of
        `path` that go along them; the error of an aspect if one fails."""
        assert self._source is not None
        attributes: dict[str, AttributeOf] = {}
        for name, definition in rule.rule_class.attributes.items():
            written = written_name(name)
            if path and not rule.rule_class.defined_at and written != name:
                continue  # Nobody can tell what Bazel's own rules have there.
            value, entries = self._attribute(node, rule, name)
            targets: dict[Label, TargetValue | Unknown] = {}
            spec = specs.get(written)
            descriptors, doubt = self._descriptors(rule, written, spec, path)
            for label, entry in entries.items():
                seen = self._seen(entry, rule, descriptors)
                if isinstance(seen, FailsBelow | Diagnostic):
                    return seen
                result, more = seen
                if isinstance(result, Unknown):
                    result = native.unknown(label, result)
                targets[label] = TargetValue(self._source.context, result, doubt or more)
            if spec is not None and spec.late_bound:
                value = not_modelled(f"ctx.attr.{written}", "configuration_field()")
                if spec.default in HOST_XCODES and self._lacks_xcode(node):
                    value = xcodes = spec.default
                    of_xcodes = native.of_xcodes(xcodes)
                    targets = {xcodes: TargetValue(self._source.context, of_xcodes)}
            elif spec is None and path and definition.computed_default:
                value = not_modelled(f"ctx.rule.attr.{written}")
            is_split = definition.configured is Configured.TRANSITION
            if is_split and (spec is None or not isinstance(spec.cfg, Transition)):
                value = not_modelled(f"ctx.attr.{written}", "a transition of Bazel's own")
            single = spec is not None and spec.is_single_file
            attributes[written] = AttributeOf(definition, value, targets, is_split, single)
        return attributes

    # ---- Aspects

    def _descriptors(
        self,
        rule: Rule,
        written: str,
        spec: AttributeSpec | None,
        path: tuple[Descriptor, ...] = (),
    ) -> tuple[tuple[Descriptor, ...], Unknown | None]:
        """The aspects that an attribute hands on, and why there may be more."""
        along = tuple(one for one in path if one.goes_along(written))
        if spec is None or not spec.aspects:
            return along, None
        own, doubt = carried(spec.aspects, rule)
        unknown = not_modelled(f"ctx.attr.{written}", doubt) if doubt is not None else None
        return (*own, *along), unknown

    def _met(
        self, node: ConfiguredNode, descriptors: tuple[Descriptor, ...]
    ) -> tuple[tuple[AspectNode, ...], Unknown | None]:
        """The aspects that run where an attribute leads to `node`."""
        if not descriptors:
            return (), None
        node = behind_aliases(self._graph, node)
        target = self._graph.target(node)
        if isinstance(target, OutputFile):
            descriptors = tuple(
                one for one in descriptors if one.aspect.options.get("apply_to_generating_rules")
            )
            if descriptors:
                node = self._graph.node(target.generating_rule, self._own(node))
                target = self._graph.target(node)
        if not isinstance(target, Rule):
            return (), None
        advertised = None
        if target.rule_class.defined_at and any(
            one.aspect.options.get("required_providers") for one in descriptors
        ):
            made = self.rule_of(target)
            advertised = None if isinstance(made, Unknown) else advertised_by(made.options)
        fits = [one.may_meet(advertised) for one in descriptors]
        there = met((one for one, fit in zip(descriptors, fits, strict=True) if fit), node)
        subject = f"aspects on {node.label}"
        doubt = not_modelled(subject, "what its rule provides is not known")
        return there, doubt if None in fits else None

    def _seen(
        self,
        entry: tuple[ConfiguredNode, Unknown | None] | Unknown,
        rule: Rule,
        descriptors: tuple[Descriptor, ...],
    ) -> tuple[Result, Unknown | None] | FailsBelow | Diagnostic:
        """A dependency of `rule` with its aspects, and why it may provide more."""
        if isinstance(entry, Unknown):
            return entry, None
        aspects, doubt = self._met(entry[0], descriptors)
        return self._merged(self._result_of(entry), aspects, rule, doubt)

    def _merged(
        self,
        result: Result,
        aspects: tuple[AspectNode, ...],
        rule: Rule,
        doubt: Unknown | None = None,
    ) -> tuple[Result, Unknown | None] | FailsBelow | Diagnostic:
        if isinstance(result, Implemented) and result.failure is not None:
            return FailsBelow(Reason.FAILED, str(rule.label), f"`{result.label}` fails")
        if isinstance(result, FailsBelow):
            return result
        added: list[Implemented] = []
        for one in aspects:
            of_aspect = self.results.get(one) or _cycle(one.node.label)
            if isinstance(of_aspect, FailsBelow):
                return of_aspect
            if isinstance(of_aspect, Unknown):
                doubt = doubt or of_aspect
            elif of_aspect.failure is not None:
                return of_aspect.failure
            else:
                added.append(of_aspect)
        if isinstance(result, Unknown) or not added:
            return result, doubt
        known = self._with_aspects.get((id(result), aspects))
        if known is not None and known[0] is result:
            return known[1], doubt
        with_aspects = merged(result, added)
        if isinstance(with_aspects, str):
            place = rule.location
            span = Span(place.path, place.line, place.column, place.line, place.column + 1)
            return Diagnostic(FAIL, f"{result.label}: {with_aspects}", span)
        self._with_aspects[id(result), aspects] = result, with_aspects
        return with_aspects, doubt

    def _run_aspect(self, key: AspectNode) -> Result:
        """What an aspect adds to a target."""
        label, aspect = key.node.label, key.own.aspect
        rule, function = self._graph.target(key.node), aspect.options.get("implementation")
        if isinstance(function, UnknownValue):
            return function.as_unknown()
        if not isinstance(rule, Rule) or not rule.rule_class.is_known or self._source is None:
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "it is not known what it is")
        if not isinstance(function, FunctionType) or not starlark.is_function(function):
            return not_modelled(aspect.name, "its implementation is no function")
        stub = reach(function).stub
        if stub is not None:
            detail = f"bazelscope's model of it has no implementation (`{stub}`)"
            return Unknown(Reason.NOT_MODELLED, aspect.name, detail)
        specs = self._specs_of(rule)
        if isinstance(specs, Unknown):
            return specs
        if is_stand_in(self._graph, key.node) or self._lacks_attributes(rule):
            return not_modelled(str(label), "only a model tells what attributes its rule has")
        evaluation = self._source.context
        native = NativeTargets(evaluation)
        base = self._merged(self.results.get(key.node) or _cycle(label), key.seen, rule)
        if isinstance(base, FailsBelow):
            return base
        of_rule = self._attributes_of(key.node, rule, specs, native, key.path())
        if isinstance(of_rule, FailsBelow):
            return of_rule
        failure = base if isinstance(base, Diagnostic) else of_rule
        if isinstance(failure, Diagnostic):
            return nothing(label, evaluation, failure)
        assert not isinstance(of_rule, Diagnostic) and not isinstance(base, Diagnostic)
        result, doubt = base
        if isinstance(result, Unknown):
            result = native.unknown(label, result)
        own = self._own_attributes(key, native)
        if isinstance(own, FailsBelow):
            return own
        types = aspect.options.get("toolchains")
        toolchains: dict[Label, object] = {
            one.type: UnknownValue(not_modelled(f"ctx.toolchains[{one.type}]"), "", evaluation)
            for one in (types if isinstance(types, tuple) else ())
            if not isinstance(one, Unknown)
        }
        groups = ExecutionGroups(evaluation, {})
        surroundings = self._surroundings(key.node, rule, toolchains, groups)
        context = AspectContext(rule, key, own, of_rule, surroundings)
        return self._called(
            function,
            (TargetValue(evaluation, result, doubt), context),
            context,
            rule,
            lambda value: provided_by_aspect(value, context, key, evaluation),
        )

    def _specs_of(self, rule: Rule) -> Mapping[str, AttributeSpec] | Unknown:
        if not rule.rule_class.defined_at:
            return {}
        made = self.rule_of(rule)
        return made if isinstance(made, Unknown) else made.specs

    def _lacks_attributes(self, rule: Rule) -> bool:
        """Whether a Starlark rule may have attributes that are not known."""
        made = self.rule_of(rule) if rule.rule_class.defined_at else None
        return isinstance(made, StarlarkRule) and made.options.get("lacks") is not None

    def _own_entries(self, key: AspectNode, name: str, spec: AttributeSpec) -> _Targets:
        """What the labels in an attribute of an aspect itself lead to."""
        targets: _Targets = {}
        definition = spec.definition(name)
        if spec.type in INPUT_TYPES and not (spec.late_bound or spec.compute):
            for label in labels_of(spec.default):
                if isinstance(label, Label):
                    nodes = self._graph.nodes.prerequisites(key.node, definition, label)
                    splits = not_modelled(str(label), "its transition splits")
                    targets[label] = nodes[0] if len(nodes) == 1 else splits
        return targets

    def _own_attributes(
        self, key: AspectNode, native: NativeTargets
    ) -> dict[str, AttributeOf] | FailsBelow:
        assert self._source is not None
        attributes: dict[str, AttributeOf] = {}
        parameters = dict(key.own.parameters)
        for name, spec in key.own.aspect.specs.items():
            targets: dict[Label, TargetValue | Unknown] = {}
            doubt = self._doubt_of_aspects(spec, name)
            for label, entry in self._own_entries(key, name, spec).items():
                result = entry if isinstance(entry, Unknown) else self._result_of(entry)
                if isinstance(result, Implemented) and result.failure is not None:
                    return FailsBelow(Reason.FAILED, str(key.node.label), f"`{label}` fails")
                if isinstance(result, FailsBelow):
                    return result
                if isinstance(result, Unknown):
                    result = native.unknown(label, result)
                targets[label] = TargetValue(self._source.context, result, doubt)
            value = parameters.get(name, spec.default)
            if spec.late_bound or spec.compute is not None:
                value = not_modelled(f"ctx.attr.{name}", "it is computed")
            is_split = spec.configured is Configured.TRANSITION
            if is_split:
                value = not_modelled(f"ctx.attr.{name}", "it has a transition")
            attributes[name] = AttributeOf(
                spec.definition(name), value, targets, is_split, spec.is_single_file
            )
        return attributes

    @staticmethod
    def _doubt_of_aspects(spec: AttributeSpec, name: str) -> Unknown | None:
        if not spec.aspects:
            return None
        return not_modelled(f"ctx.attr.{name}", "aspects on an aspect's own attributes")

    def _needs_of_aspect(self, key: AspectNode) -> Iterator[_Key]:
        rule = self._graph.target(key.node)
        if not isinstance(rule, Rule) or self._source is None:
            return
        specs = self._specs_of(rule)
        if isinstance(specs, Unknown):
            return
        yield key.node
        yield from key.seen
        for name, spec in key.own.aspect.specs.items():
            for entry in self._own_entries(key, name, spec).values():
                if not isinstance(entry, Unknown):
                    yield entry[0]
        for name in rule.rule_class.attributes:
            if rule.rule_class.defined_at or written_name(name) == name:
                yield from self._needs_of_attribute(key.node, rule, name, specs, key.path())

    def _needs_of_attribute(
        self,
        node: ConfiguredNode,
        rule: Rule,
        name: str,
        specs: Mapping[str, AttributeSpec],
        path: tuple[Descriptor, ...] = (),
    ) -> Iterator[_Key]:
        written = written_name(name)
        descriptors, _ = self._descriptors(rule, written, specs.get(written), path)
        for entry in self._attribute(node, rule, name)[1].values():
            if not isinstance(entry, Unknown):
                yield entry[0]
                yield from self._met(entry[0], descriptors)[0]

    def _lacks_xcode(self, node: ConfiguredNode) -> bool:
        """Whether Bazel takes no Xcode into account: there is none but on macOS."""
        own = self._own(node)
        told = (own.value(name).instances for name in ("xcode_version", "xcode_version_config"))
        return own.host.os != "macos" and not any(told)

    def _result_of(self, entry: tuple[ConfiguredNode, Unknown | None]) -> Result:
        node, doubt = entry
        result = doubt or self.results.get(node) or _cycle(node.label)
        if isinstance(result, Implemented) and not result.failure and result.label != node.label:
            assert self._source is not None
            style = self._source.context.label_style
            shown = f"<alias target {style(node.label)} of {style(result.label)}>"
            return replace(result, shown=shown)
        return result

    def _called(
        self,
        function: FunctionType,
        arguments: tuple[object, ...],
        context: RuleContext,
        rule: Rule,
        finished: Callable[[object], Implemented],
    ) -> Result:
        assert self._source is not None
        evaluation = self._source.context
        thread = starlark.Thread(LIMITS)
        unknowns, evaluation.unknowns = evaluation.unknowns, []
        calls = evaluation.unknown_calls
        subject = str(rule.label)
        try:
            with evaluation.evaluating():
                evaluation.is_analysis = True
                value = starlark.call(function, arguments, {}, thread)
                context.actions.others_act |= evaluation.unknown_calls > calls
                result = finished(value)
        except LimitError as error:
            return Unknown(Reason.LIMIT, subject, error.diagnostic.message, rule.location)
        except StarlarkError as error:
            doubt = _doubt_of(thread, subject)
            doubt = doubt or doubted(error.diagnostic, evaluation.doubtful_files)
            if doubt is not None:
                return doubt
            is_own = error.diagnostic.code == FAIL
            if is_of_ours(error.diagnostic) or (
                not is_own and _OF_UNKNOWN.search(error.diagnostic.message)
            ):
                return Unknown(Reason.NOT_MODELLED, subject, error.diagnostic.message)
            return nothing(rule.label, evaluation, _placed(error.diagnostic, function))
        finally:
            evaluation.unknowns = unknowns
            context.actions.is_over = True
        texts = unknown_in([*result.providers.values(), *result.legacy.values()], only_texts=True)
        return _doubt_of(thread, subject) or texts or result

    def _surroundings(
        self,
        node: ConfiguredNode,
        rule: Rule,
        toolchains: Mapping[Label, object],
        groups: ExecutionGroups,
    ) -> Surroundings:
        assert self._source is not None
        package = self._graph.graph.source.package(rule.label.package_id)
        table = getattr(self._graph.graph.source, "table", None)
        return Surroundings(
            self._source,
            self._own(node),
            self._root(self._own(node)),
            self._outside,
            str(getattr(table, "workspace_name", "") or "__main__"),
            package.path if isinstance(package, Package) else "",
            package.features if isinstance(package, Package) else (),
            toolchains,
            groups,
        )

    def _groups(self, rule: Rule, toolchains: Mapping[Label, object]) -> ExecutionGroups:
        """The execution groups of a target. One that asks for the types that the rule itself asks
        for, and nothing else, gets the same toolchains."""
        assert self._source is not None
        made = self.rule_of(rule)
        options = made.options if isinstance(made, StarlarkRule) else {}
        own, given = options.get("toolchains"), options.get("exec_groups")
        constraints = rule.attribute("exec_compatible_with")
        is_free = not options.get("exec_compatible_with")
        is_free = is_free and (constraints is None or not constraints.value)
        groups: dict[str, Toolchains | None] = {}
        for name, group in given.items() if isinstance(given, dict) else ():
            is_alike = isinstance(group, ExecutionGroup) and group.fields.keys() <= {"toolchains"}
            same = is_free and is_alike and isinstance(own, tuple) and {*group.toolchains} == {*own}
            groups[name] = Toolchains(self._source.context, toolchains) if same else None
        return ExecutionGroups(self._source.context, groups)

    def _toolchains(self, node: ConfiguredNode) -> Mapping[Label, object]:
        assert self._source is not None
        providers: dict[Label, object] = {}
        for one in self._graph.unwritten.toolchains(node):
            result: object = one.doubt
            if one.doubt is None and one.implementation is not None:
                result = self._result_of(self._graph.nodes.toolchain_node(node, one.implementation))
                if isinstance(result, Implemented):
                    result = result.provider(_TOOLCHAIN_INFO)
            if isinstance(result, Unknown):
                what = f"ctx.toolchains[{one.requirement.type}]"
                result = UnknownValue(result, what, self._source.context)
            providers[one.requirement.type] = result
            actual = follow_aliases(self._graph.graph.source, one.requirement.type)
            if isinstance(actual, Label):
                providers[actual] = result
        return providers

    def no_toolchains_of(self, node: ConfiguredNode) -> Iterator[tuple[Label, Label]]:
        """The toolchain types of a rule, and what they have come to that surely is no toolchain."""
        for one in self._graph.unwritten.toolchains(node):
            if one.doubt is None and one.implementation is not None:
                target, doubt = self._graph.nodes.toolchain_node(node, one.implementation)
                result = doubt or self.run(target)
                if isinstance(result, Implemented) and result.failure is None:
                    is_open = is_stand_in(self._graph, target)
                    if not is_open and result.provider(_TOOLCHAIN_INFO) is None:
                        yield one.requirement.type, one.implementation

    # ---- Roots

    def _own(self, node: ConfiguredNode) -> Configuration:
        return node.configuration or self._graph.configuration

    def _root(self, configuration: Configuration | None, folder: str = "bin") -> FileRoot:
        """Where the files of a configuration lie; those of None are source files."""
        known = self._roots.get((configuration, folder))
        if known is None:
            assert self._source is not None
            path: str | Unknown = ""
            if configuration is not None:
                directory = self._directory(configuration)
                path = directory if isinstance(directory, Unknown) else f"{directory}/{folder}"
            known = FileRoot(self._source.context, path, configuration is None)
            self._roots[configuration, folder] = known
        return known

    def _native_root(self, node: ConfiguredNode) -> FileRoot:
        """Where rules of Bazel's own put what they generate."""
        own = self._own(node)
        return self._root(own, "genfiles" if own.release.cc_has_genfiles else "bin")

    @cached_property
    def _outside(self) -> FileRoot:
        assert self._source is not None
        return FileRoot(self._source.context, "bazel-out", is_source=False)


def _file(root: FileRoot, label: Label, owner: Label) -> FileValue:
    return FileValue(root, label.repository, label.path, owner)


def _placed(error: Diagnostic, function: FunctionType) -> Diagnostic:
    """The error at the implementation itself, where it is of what that returned."""
    if error.span is not None:
        return error
    place = starlark.definition(function).location
    return replace(
        error, span=Span(place.path, place.line, place.column, place.line, place.column + 1)
    )


def _cycle(label: Label) -> Unknown:
    return Unknown(Reason.FAILED, str(label), "it depends on itself")


def _doubt_of(thread: starlark.Thread, subject: str) -> Unknown | None:
    """What the implementation decided by without knowing it."""
    for doubt in thread.doubts.values():
        if isinstance(doubt, Unknown):
            return Unknown(Reason.DEPENDS_ON_UNKNOWN, subject, str(doubt), doubt.location)
    return None
