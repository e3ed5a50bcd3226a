"""Which aspects run where an attribute leads, and what they add to the target there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.aspects import (
    AspectNode,
    Descriptor,
    advertised_by,
    applied_twice,
    carried,
    merged,
    met,
)
from bazelscope.analysis.rules.attribute_targets import AttributeTargets, Entry, Targets
from bazelscope.analysis.rules.attributes import AttributeOf, labels_of, written_name
from bazelscope.analysis.rules.native import NativeTargets
from bazelscope.analysis.rules.provided import FailsBelow, Implemented, TargetValue, not_modelled
from bazelscope.analysis.rules.rule_functions import RuleFunctions
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import INPUT_TYPES, Configured
from bazelscope.loading.dry_run.run_result import FAIL
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.packages.targets import OutputFile, Rule

TWICE = "aspect-applied-twice"
Result = Implemented | Unknown
Node = ConfiguredNode | AspectNode
"""What can be run: a target, or an aspect on one."""


@dataclass(eq=False)
class AspectsOnTargets:
    """Finds the aspects on what targets of one graph depend on, and merges what they add.

    `results`: what has been found out, of targets and of the aspects on them.
    """

    _graph: ConfiguredGraph
    _source: ModuleSource | None
    _functions: RuleFunctions
    _attributes: AttributeTargets
    _results: Mapping[Node, Result]
    _with_aspects: dict[tuple[int, tuple[AspectNode, ...]], tuple[Implemented, Implemented]] = (
        field(default_factory=dict)
    )

    def result_of(self, entry: tuple[ConfiguredNode, Unknown | None]) -> Result:
        """What a dependency provides, by the name that an alias gives it."""
        node, doubt = entry
        result = doubt or self._results.get(node) or cycle(node.label)
        if isinstance(result, Implemented) and not result.failure and result.label != node.label:
            assert self._source is not None
            style = self._source.context.label_style
            shown = f"<alias target {style(node.label)} of {style(result.label)}>"
            return replace(result, shown=shown)
        return result

    def descriptors(
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

    def met(
        self, node: ConfiguredNode, descriptors: tuple[Descriptor, ...]
    ) -> tuple[tuple[AspectNode, ...], Unknown | None]:
        """The aspects that run where an attribute leads to `node`."""
        if not descriptors:
            return (), None
        node, descriptors = self.behind(node, descriptors)
        target = self._graph.target(node)
        if not isinstance(target, Rule):
            return (), None
        advertised = None
        if target.rule_class.defined_at and any(
            one.aspect.options.get("required_providers") for one in descriptors
        ):
            made = self._functions.rule_of(target)
            advertised = None if isinstance(made, Unknown) else advertised_by(made.options)
        fits = [one.may_meet(advertised) for one in descriptors]
        there = met((one for one, fit in zip(descriptors, fits, strict=True) if fit), node)
        subject = f"aspects on {node.label}"
        doubt = not_modelled(subject, "what its rule provides is not known")
        return there, doubt if None in fits else None

    def behind(
        self, node: ConfiguredNode, descriptors: tuple[Descriptor, ...]
    ) -> tuple[ConfiguredNode, tuple[Descriptor, ...]]:
        """The target that aspects run on where they come to `node`, and which of them do."""
        node = behind_aliases(self._graph, node)
        target = self._graph.target(node)
        if not isinstance(target, OutputFile):
            return node, descriptors
        descriptors = tuple(
            one for one in descriptors if one.aspect.options.get("apply_to_generating_rules")
        )
        if descriptors:
            node = self._graph.node(target.generating_rule, self._graph.configuration_of(node))
        return node, descriptors

    def values(
        self,
        entries: Targets,
        rule: Rule,
        descriptors: tuple[Descriptor, ...],
        doubt: Unknown | None,
        native: NativeTargets,
    ) -> dict[Label, TargetValue | Unknown] | FailsBelow | Diagnostic:
        """What the targets in an attribute of `rule`, or of an aspect on it, provide with their
        aspects; `doubt` says why all of them may provide more. The error of one if it fails."""
        assert self._source is not None
        targets: dict[Label, TargetValue | Unknown] = {}
        for label, entry in entries.items():
            seen = self._seen(entry, rule, descriptors)
            if isinstance(seen, FailsBelow | Diagnostic):
                return seen
            result, more = seen
            if isinstance(result, Unknown):
                result = native.unknown(label, result)
            targets[label] = TargetValue(self._source.context, result, doubt or more, label)
        return targets

    def _seen(
        self, entry: Entry, rule: Rule, descriptors: tuple[Descriptor, ...]
    ) -> tuple[Result, Unknown | None] | FailsBelow | Diagnostic:
        """A dependency of `rule` with its aspects, and why it may provide more."""
        if isinstance(entry, Unknown):
            return entry, None
        aspects, doubt = self.met(entry[0], descriptors)
        twice = applied_twice(descriptors) if aspects else None
        if twice is not None:
            return self._applied_twice(*twice, aspects[0].node)
        return self.merged(self.result_of(entry), aspects, rule, doubt)

    def _applied_twice(
        self, one: Descriptor, other: Descriptor, node: ConfiguredNode
    ) -> Diagnostic:
        assert self._source is not None
        style = self._source.context.label_style
        target = self._graph.target(node)
        return Diagnostic(
            TWICE,
            f"Aspect {one.aspect.shown(style)} is applied twice, both before and after aspect"
            f" {other.aspect.shown(style)} (when propagating to {style(node.label)})",
            target.location.span if isinstance(target, Rule) else None,
        )

    def merged(
        self,
        result: Result,
        aspects: tuple[AspectNode, ...],
        rule: Rule,
        doubt: Unknown | None = None,
    ) -> tuple[Result, Unknown | None] | FailsBelow | Diagnostic:
        """A dependency of `rule` with what aspects add to it, and why it may provide more; their
        error if one fails."""
        if isinstance(result, Implemented) and result.failure is not None:
            return FailsBelow(Reason.FAILED, str(rule.label), f"`{result.label}` fails")
        if isinstance(result, FailsBelow):
            return result
        added: list[Implemented] = []
        for one in aspects:
            of_aspect = self._results.get(one) or cycle(one.node.label)
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
            return Diagnostic(FAIL, f"{result.label}: {with_aspects}", rule.location.span)
        self._with_aspects[id(result), aspects] = result, with_aspects
        return with_aspects, doubt

    def own_attributes(
        self, key: AspectNode, native: NativeTargets, rule: Rule, path: tuple[Descriptor, ...]
    ) -> dict[str, AttributeOf] | FailsBelow | Diagnostic:
        """What the attributes of an aspect itself hold, with those of `path` on it that go along
        them; the error of one if it fails."""
        assert self._source is not None
        attributes: dict[str, AttributeOf] = {}
        parameters = dict(key.own.parameters)
        for name, spec in key.own.aspect.specs.items():
            along, doubt = others_along(path, key, name), _doubt_of_aspects(spec, name)
            entries = self.own_entries(key, name, spec)
            targets = self.values(entries, rule, along, doubt, native)
            if isinstance(targets, FailsBelow | Diagnostic):
                return targets
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

    def own_entries(self, key: AspectNode, name: str, spec: AttributeSpec) -> Targets:
        """What the labels in an attribute of an aspect itself lead to."""
        targets: Targets = {}
        definition = spec.definition(name)
        if spec.type in INPUT_TYPES and not (spec.late_bound or spec.compute):
            for label in labels_of(spec.default):
                if isinstance(label, Label):
                    nodes = self._graph.nodes.prerequisites(key.node, definition, label)
                    splits = not_modelled(str(label), "its transition splits")
                    targets[label] = nodes[0] if len(nodes) == 1 else splits
        return targets

    def needs(self, key: AspectNode) -> Iterator[Node]:
        """What has to be run before an aspect."""
        rule = self._graph.target(key.node)
        if not isinstance(rule, Rule) or self._source is None:
            return
        specs = self._functions.specs_of(rule)
        if isinstance(specs, Unknown):
            return
        yield key.node
        yield from key.seen
        for one in (*key.below(), key):
            for name, spec in one.own.aspect.specs.items():
                for entry in self.own_entries(one, name, spec).values():
                    if not isinstance(entry, Unknown):
                        yield entry[0]
                        yield from self.met(entry[0], others_along(key.path(), one, name))[0]
        for name in rule.rule_class.attributes:
            yield from self.needs_of_attribute(key.node, rule, name, specs, key.path())

    def needs_of_attribute(
        self,
        node: ConfiguredNode,
        rule: Rule,
        name: str,
        specs: Mapping[str, AttributeSpec],
        path: tuple[Descriptor, ...] = (),
    ) -> Iterator[Node]:
        """What has to be run before who reads an attribute: targets, and aspects on them."""
        written = written_name(name)
        descriptors, _ = self.descriptors(rule, written, specs.get(written), path)
        for entry in self._attributes.of(node, rule, name)[1].values():
            if not isinstance(entry, Unknown):
                yield entry[0]
                yield from self.met(entry[0], descriptors)[0]


def others_along(
    path: tuple[Descriptor, ...], key: AspectNode, name: str
) -> tuple[Descriptor, ...]:
    """Those of `path` that go along an attribute of the aspect `key`, which itself never does."""
    return tuple(one for one in path if one.aspect is not key.own.aspect and one.goes_along(name))


def cycle(label: Label) -> Unknown:
    """Why nobody can tell what a target on a cycle provides."""
    return Unknown(Reason.FAILED, str(label), "it depends on itself")


def _doubt_of_aspects(spec: AttributeSpec, name: str) -> Unknown | None:
    if not spec.aspects:
        return None
    return not_modelled(f"ctx.attr.{name}", "aspects on an aspect's own attributes")
