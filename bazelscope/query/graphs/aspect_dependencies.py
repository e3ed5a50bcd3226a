"""What aspects on the dependencies of configured targets need.

An aspect on a target rests on that target, on what the target's attributes lead to, and on what
its own attributes and toolchains do. `bazel cquery --include_aspects` shows all of that as
dependencies of the rule whose attribute carries the aspect; of the aspects of one class that meet
below a rule it looks at the first. Bazel: `AspectFunction`,
`PostAnalysisQueryEnvironment.targetifyValues`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from bazelscope.analysis.conditions.alias_dependencies import TOOLCHAINS
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.aliases import through_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.of_asked_aspects import ASPECTS, AskedAspects
from bazelscope.analysis.rules.aspects import AspectNode, Descriptor
from bazelscope.analysis.rules.aspects_on_targets import AspectsOnTargets, others_along
from bazelscope.analysis.rules.attributes import labels_of, written_name
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.native_aspects import native_specs
from bazelscope.analysis.rules.provided import not_modelled
from bazelscope.base import budget
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import INPUT_TYPES, KEEPS_TOOLCHAINS, ToolchainRequirement
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.packages.targets import InputFile, OutputFile, Rule

_ALONG = (EdgeKind.ATTRIBUTE, EdgeKind.IMPLICIT)
_Along = tuple[Descriptor, ...]


class Met(NamedTuple):
    """An aspect at a configured target, and the aliases and the generated file through which it
    has come there."""

    key: AspectNode
    through: tuple[ConfiguredNode, ...] = ()
    is_of_file: bool = False
    """Whether it has come through a generated file, behind which cquery does not look."""


class Needs(NamedTuple):
    """What an aspect at a target rests on: targets, and other aspects."""

    targets: tuple[ConfiguredNode, ...]
    aspects: tuple[Met, ...]


class AspectDependencies:
    """Finds the aspects on what the targets of one graph lead to, and what these need.

    `doubts`: why there may be more than was found so far.
    """

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        self.doubts: dict[Unknown, None] = {}

    @cached_property
    def asked(self) -> AskedAspects | None:
        """The aspects that `--aspects` names, if it names any."""
        if not self._graph.configuration.value(ASPECTS).values:
            return None
        return AskedAspects(self._graph, self._implementations)

    def on_top(self, top: ConfiguredNode) -> tuple[Met, ...]:
        """The aspects that the command line has run on a target that is asked for."""
        return tuple(map(Met, self.asked.on(top))) if self.asked is not None else ()

    @cached_property
    def _implementations(self) -> Implementations:
        return Implementations(self._graph)

    @property
    def _aspects(self) -> AspectsOnTargets:
        return self._implementations.aspects

    @memoized
    def carried_by(self, node: ConfiguredNode) -> tuple[Met, ...]:
        """The aspects that the attributes of a target carry to what they lead to."""
        rule = self._graph.target(node)
        return tuple(self._below(node, rule, ())) if isinstance(rule, Rule) else ()

    @memoized
    def of(self, key: AspectNode) -> Needs:
        """What an aspect at a target rests on."""
        node, rule = key.node, self._graph.target(key.node)
        targets: dict[ConfiguredNode, None] = {node: None}
        aspects = [Met(one) for one in key.seen]
        if not isinstance(rule, Rule):
            return Needs(tuple(targets), tuple(aspects))
        own = self._own_attributes(key)
        for edge in self._graph.taken(node):
            if edge.edge.attribute != TOOLCHAINS and written_name(edge.edge.attribute) not in own:
                targets[edge.target] = None
        aspects += self._below(node, rule, key.path(), own)
        for name, (one, spec) in own.items():
            along = self._along(rule, name, spec, others_along(key.path(), one, name))
            for target in self._own_targets(key, name, spec):
                targets[target] = None
                aspects += self._met(target, along)
        requirements = key.own.aspect.options.get("toolchains")
        listed = requirements if isinstance(requirements, tuple) else ()
        types = [one for one in listed if isinstance(one, ToolchainRequirement)]
        keeps = key.own.aspect.options.get(KEEPS_TOOLCHAINS) is True
        targets.update(dict.fromkeys(self._graph.unwritten.of_types(node, types, keeps)))
        return Needs(tuple(targets), tuple(aspects))

    def _own_attributes(self, key: AspectNode) -> dict[str, tuple[AspectNode, AttributeSpec]]:
        """The attributes of an aspect and of those below it, by name: the highest has its say.
        Bazel: `DependencyResolver.addAspectAttributes`."""
        found: dict[str, tuple[AspectNode, AttributeSpec]] = {}
        for one in (key, *reversed(key.below())):
            for name, spec in one.own.aspect.specs.items():
                found.setdefault(name, (one, spec))
        return found

    def _own_targets(
        self, key: AspectNode, name: str, spec: AttributeSpec
    ) -> Iterator[ConfiguredNode]:
        if spec.type not in INPUT_TYPES:
            return
        if spec.compute is not None or (spec.late_bound and spec.default is None):
            self.doubts[not_modelled(f"{name} of the aspect", "it is computed")] = None
            return
        own = self._graph.configuration_of(key.node)
        named = self._graph.unwritten.named_instead(own) if spec.late_bound else {}
        for label in labels_of(spec.default):
            if isinstance(label, Label):
                definition = spec.definition(name)
                label = named.get(label, label)
                for target, _ in self._graph.nodes.prerequisites(key.node, definition, label):
                    yield target

    def _below(
        self, node: ConfiguredNode, rule: Rule, path: _Along, passed_over: Iterable[str] = ()
    ) -> Iterator[Met]:
        """The aspects on what a rule leads to where those of `path` are on itself."""
        specs = self._implementations.functions.specs_of(rule)
        if isinstance(specs, Unknown):
            self.doubts[specs] = None
            return
        specs = specs or native_specs(rule.rule_class, node.configuration)
        along: dict[str, _Along] = dict.fromkeys(passed_over, ())
        for edge in self._graph.taken(node):
            if edge.edge.kind not in _ALONG or edge.edge.attribute == TOOLCHAINS:
                continue
            name = written_name(edge.edge.attribute)
            if name not in along:
                along[name] = self._along(rule, name, specs.get(name), path)
            yield from self._met(edge.target, along[name])

    def _along(self, rule: Rule, name: str, spec: AttributeSpec | None, path: _Along) -> _Along:
        descriptors, doubt = self._aspects.descriptors(rule, name, spec, path)
        if doubt is not None:
            self.doubts[doubt] = None
        return descriptors

    def _met(self, node: ConfiguredNode, along: _Along) -> Iterator[Met]:
        if not along:
            return
        there, doubt = self._aspects.met(node, along)
        if doubt is not None:
            self.doubts[doubt] = None
        *aliases, last = through_aliases(self._graph, node)
        file = self._graph.target(last)
        is_of_file = isinstance(file, InputFile | OutputFile)
        if aliases and is_of_file:
            # Bazel asks for aspects on any alias, and for the file in the configuration of that.
            last = self._graph.nodes.given(last.label, node.configuration)
            there = there or tuple(AspectNode(last, one) for one in dict.fromkeys(along))
        through = tuple(aliases)
        if is_of_file and there:
            through = (*through, last)
        if isinstance(file, OutputFile) and there:
            own = self._graph.configuration_of(last)
            through = (*through, self._graph.node(file.generating_rule, own))
        for key in there:
            yield Met(key, through, is_of_file)

    # ---- As cquery shows it

    def shown(
        self, met: Iterable[Met], chosen: dict[str, None] | None = None
    ) -> Iterator[ConfiguredNode]:
        """What aspects need that are met one after the other, of each class the first; the names
        of those that are met elsewhere, too, are noted among the `chosen`."""
        classes: dict[object, AspectNode] = {}
        pending = [*met][::-1]
        while pending:
            budget.current().check()
            key, through, is_of_file = pending.pop()
            first = classes.setdefault(key.own.aspect, key)
            if first is not key:
                if chosen is not None and first.node != key.node:
                    chosen[key.own.aspect.name] = None
                if first.node.configuration != key.node.configuration:
                    self.doubts[_by_chance(first)] = None
                continue
            yield from through
            if is_of_file:
                continue
            needs = self.of(key)
            yield from needs.targets
            pending += needs.aspects[::-1]

    def dependents(
        self,
        tops: Iterable[ConfiguredNode],
        below: Callable[[ConfiguredNode], Iterable[ConfiguredNode]],
        carried_by: Callable[[ConfiguredNode], Iterable[Met]],
    ) -> dict[ConfiguredNode, list[Met]]:
        """The aspects that depend on each target, in the order in which the analysis of `tops`
        first asks for it: a target asks for what is `below` it, then for aspects there that it
        carries."""
        found: dict[ConfiguredNode, list[Met]] = {}
        seen: set[ConfiguredNode | Met] = set()
        asked_for = [*tops]
        named = [met for top in asked_for for met in self.on_top(top)]
        pending: list[ConfiguredNode | Met] = []
        pending += reversed(named)
        pending += reversed(asked_for)
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            if isinstance(one, Met):
                needs = self.of(one.key)
                for target in needs.targets:
                    found.setdefault(target, []).append(Met(one.key))
                for alias in one.through:
                    found.setdefault(alias, []).append(one)
                after: tuple[ConfiguredNode | Met, ...] = (*needs.targets, *needs.aspects)
            else:
                after = (*below(one), *carried_by(one))
            pending += reversed(after)
        return found


def _by_chance(first: AspectNode) -> Unknown:
    name = first.own.aspect.name
    detail = f"`{name}` meets targets in several configurations: Bazel shows one, by its hashes"
    return Unknown(Reason.NEEDS_ANALYSIS, f"the aspect on {first.node.label}", detail)
