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

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from functools import partial

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.aliases import behind_aliases, is_stand_in, stands_for_others
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.analysis.rules.aspect_context import AspectContext, provided_by_aspect
from bazelscope.analysis.rules.aspects import AspectNode, Descriptor
from bazelscope.analysis.rules.aspects_on_targets import AspectsOnTargets, Node, Result, cycle
from bazelscope.analysis.rules.attribute_targets import AttributeTargets
from bazelscope.analysis.rules.attributes import AttributeOf, labels_of, written_name
from bazelscope.analysis.rules.calls import called
from bazelscope.analysis.rules.context import RuleContext
from bazelscope.analysis.rules.context_members import ExecutionGroups
from bazelscope.analysis.rules.files import FileValue, file_in
from bazelscope.analysis.rules.native import (
    HOST_XCODES,
    NativeTargets,
    grouped,
    handed_on,
    lacks_xcode,
)
from bazelscope.analysis.rules.native_files import LOOKED_INTO, NativeFiles
from bazelscope.analysis.rules.prerequisites import (
    MISPLACED_GROUP,
    Problem,
    problems_of,
    takes_package_groups,
)
from bazelscope.analysis.rules.provided import (
    FailsBelow,
    Implemented,
    TargetValue,
    not_modelled,
)
from bazelscope.analysis.rules.returned import nothing, returned
from bazelscope.analysis.rules.rule_functions import RuleFunctions, runnable
from bazelscope.analysis.rules.surroundings import SurroundingsOfTargets
from bazelscope.analysis.rules.toolchain_values import (
    TOOLCHAIN_INFO,
    ToolchainValues,
    toolchains_of_aspect,
)
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Configured, DictValue
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule, Transition
from bazelscope.loading.packages.encoded_targets import RULE, output_names, shape_of
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
)

_ALLOWLISTS = ("_allowlist_function_transition", "_whitelist_function_transition")
"""Attributes whose package group says who may use a transition."""


class Implementations:
    """What the configured targets of one graph provide, each found out when it is asked for."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        directory: Callable[[Configuration], str | Unknown] = output_directory,
    ) -> None:
        """`directory` names the directory of a configuration's outputs."""
        self._graph = graph
        source = graph.graph.source
        self._source = source if isinstance(source, ModuleSource) else None
        self.results: dict[Node, Result] = {}
        """What has been found out, of targets and of the aspects on them."""
        self.functions = RuleFunctions(self._source)
        self.attributes = AttributeTargets(graph)
        self._surroundings = SurroundingsOfTargets(graph, self._source, directory)
        self.aspects = AspectsOnTargets(
            graph, self._source, self.functions, self.attributes, self.results
        )
        """Which aspects run where."""
        self._toolchains = ToolchainValues(graph, self.aspects.result_of)

    def run(self, node: Node) -> Result:
        """What a configured target provides, or an aspect adds; or why that cannot be told."""
        pending: list[Node] = [node]
        entered: set[Node] = set()
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
                pending += [one for one in self.needs(last) if one not in entered]
        return self.results[node]

    @memoized
    def files(self, node: ConfiguredNode) -> tuple[FileValue, ...] | Unknown:
        """The files that a configured target is built to, or why that cannot be told."""
        result = self.run(node)
        if isinstance(result, Unknown):
            return result
        if result.failure is not None:
            return Unknown(Reason.FAILED, str(node.label), result.failure.message)
        return result.files()

    def generated_by(self, node: ConfiguredNode) -> Iterator[FileValue]:
        """The files that a rule of Bazel's own was written to generate."""
        target = self._graph.graph.encoded(node.label)
        if self._source is not None and target is not None and shape_of(target) == RULE:
            root, label = self._surroundings.native_root(node), node.label
            for name in output_names(target):
                yield file_in(root, label.sibling(name), label)

    def problems_of(
        self, node: ConfiguredNode, passed_over: Container[ConfiguredNode]
    ) -> Iterator[Problem]:
        """What the attributes of a Starlark rule do not take of what they are given, but for what
        is `passed_over`; a model says less of that than the original."""
        rule = self._graph.target(node)
        if self._source is None or not isinstance(rule, Rule):
            return
        if isinstance(self.functions.implementation_of(rule), Unknown):
            return
        made = self.functions.rule_of(rule)
        assert isinstance(made, StarlarkRule)
        if rule.rule_class.defined_at[0].location.is_shipped:
            return
        for name, spec in made.specs.items():
            if spec.late_bound or name not in rule.rule_class.attributes:
                continue
            value, entries = self.attributes.of(node, rule, name)
            if not spec.may_be_empty and value in ((), DictValue(())):
                yield Problem(name, "attribute must be non empty")
            for entry in entries.values():
                if isinstance(entry, Unknown) or is_stand_in(self._graph, entry[0]):
                    continue
                if entry[0] in passed_over:
                    continue
                label = behind_aliases(self._graph, entry[0]).label
                if isinstance(self._graph.graph.node(label), PackageGroup):
                    if name not in _ALLOWLISTS and not takes_package_groups(spec):
                        yield Problem(name, MISPLACED_GROUP.format(label))
                    continue
                result = self.aspects.result_of(entry)
                if isinstance(result, Implemented) and result.failure is None:
                    kind = rule.rule_class.name
                    yield from problems_of(kind, name, spec, result, self._graph, entry[0])

    # ---- What comes first

    def needs(self, node: Node) -> Iterator[Node]:
        """What has to be run before a target or an aspect."""
        if isinstance(node, AspectNode):
            yield from self.aspects.needs(node)
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
            if rule_class.name in LOOKED_INTO:
                had = [one for one in ("srcs", "deps", "data") if one in rule_class.attributes]
                yield from self.attributes.dependencies(node, target, had)
            return
        if isinstance(self.functions.implementation_of(target), Unknown):
            return
        made = self.functions.rule_of(target)
        assert isinstance(made, StarlarkRule)
        for name in rule_class.attributes:
            yield from self.aspects.needs_of_attribute(node, target, name, made.specs)
        for one in self._graph.unwritten.toolchains(node):
            if one.implementation is not None:
                yield self._graph.nodes.toolchain_node(node, one.implementation)[0]

    # ---- One target

    def _find(self, node: ConfiguredNode) -> Result:
        target = self._graph.target(node)
        label = node.label
        if self._source is None:
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "there are no files to run it from")
        native = NativeTargets(self._source.context)
        if isinstance(target, InputFile):
            file = file_in(self._surroundings.root(None), label, label)
            return native.of_file(label, file, is_source=True)
        if isinstance(target, OutputFile):
            maker = self._graph.graph.shape(target.generating_rule).rule_class
            is_native = maker is None or not maker.defined_at
            root = (
                self._surroundings.native_root(node)
                if is_native
                else self._surroundings.root(self._graph.configuration_of(node))
            )
            file = file_in(root, label, target.generating_rule)
            return native.of_file(label, file, is_source=False)
        if isinstance(target, PackageGroup | EnvironmentGroup):
            return not_modelled(str(label), f"{target.kind}s provide nothing that is known")
        if not isinstance(target, Rule):
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "it is not known what it is")
        behind = behind_aliases(self._graph, node)
        if behind is not node:
            return self.results.get(behind) or cycle(label)
        if stands_for_others(self._graph, node):
            detail = "it cannot be told what it stands for"
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), detail, target.location)
        if not target.rule_class.is_known:
            detail = f"it is not known what `{target.rule_class.name}` is"
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), detail, target.location)
        if not target.rule_class.defined_at:
            return self._of_native(node, target, native)
        return self._run(node, target, native)

    def _of_native(self, node: ConfiguredNode, rule: Rule, native: NativeTargets) -> Result:
        def targets(name: str) -> list[Implemented] | Unknown:
            return self._targets(node, rule, name, native)

        own = self._graph.configuration_of(node)
        package = self._graph.graph.source.package(node.label.package_id)
        built = NativeFiles(
            rule,
            self._surroundings.root(own),
            self._surroundings.native_root(node),
            own,
            getattr(package, "features", ()),
            partial(handed_on, targets),
            partial(grouped, targets),
        )
        made = native.of_rule(built, targets)
        files = made.files()
        if isinstance(files, FailsBelow):
            return files
        many = isinstance(files, Unknown) and self._builds_many(node, built)
        return replace(made, has_many_files=True) if many else made

    def _builds_many(self, node: ConfiguredNode, built: NativeFiles) -> bool:
        """Whether a rule of Bazel's own surely is built to more than one file."""
        if built.rule.rule_class.name != "cc_library":
            return False
        _, sources = self.attributes.of(node, built.rule, "srcs")
        graph = self._graph.graph
        return built.builds_many(one.name for one in sources if graph.shape(one).rule_class is None)

    def _targets(
        self, node: ConfiguredNode, rule: Rule, name: str, native: NativeTargets
    ) -> list[Implemented] | Unknown:
        """The targets in an attribute of a rule of Bazel's own."""
        if name not in rule.rule_class.attributes:
            return []
        value, targets = self.attributes.of(node, rule, name)
        implemented: list[Implemented] = []
        for label in labels_of(value):
            entry = label if isinstance(label, Unknown) else targets[label]
            if isinstance(entry, Unknown):
                return entry
            result = self.aspects.result_of(entry)
            if isinstance(result, FailsBelow):
                return result
            if isinstance(result, Implemented) and result.failure is not None:
                return FailsBelow(Reason.FAILED, str(rule.label), f"`{label}` fails")
            if isinstance(result, Unknown):
                result = native.unknown(entry[0].label, result)
            implemented.append(result)
        return implemented

    def _run(self, node: ConfiguredNode, rule: Rule, native: NativeTargets) -> Result:
        function = self.functions.implementation_of(rule)
        if isinstance(function, Unknown):
            return function
        made = self.functions.rule_of(rule)
        assert isinstance(made, StarlarkRule) and self._source is not None
        attributes = self._attributes_of(node, rule, made.specs, native)
        if isinstance(attributes, FailsBelow):
            return attributes
        evaluation = self._source.context
        if isinstance(attributes, Diagnostic):
            return nothing(rule.label, evaluation, attributes)
        by_group = {
            group.name: self._toolchains.provided(node, resolved, evaluation)
            for group, resolved in self._graph.unwritten.toolchains_of_groups(node)
        }
        named = {group.name for group in rule.rule_class.exec_groups if group.name}
        toolchains: dict[Label, object] = {}
        for name, resolved in by_group.items():
            if name not in named:  # The rule's own, and those that are automatic.
                toolchains |= resolved
        around = self._surroundings
        groups = around.groups(rule, made, by_group)
        surroundings = around.of(node, rule, toolchains, groups, self._toolchains.variables(node))
        context = RuleContext(rule, made, attributes, surroundings)
        return called(
            evaluation,
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
        own = self._graph.configuration_of(node)
        attributes: dict[str, AttributeOf] = {}
        for name, definition in rule.rule_class.attributes.items():
            written = written_name(name)
            if path and not rule.rule_class.defined_at and written != name:
                continue  # Nobody can tell what Bazel's own rules have there.
            value, entries = self.attributes.of(node, rule, name)
            spec = specs.get(written)
            descriptors, doubt = self.aspects.descriptors(rule, written, spec, path)
            targets = self.aspects.values(entries, rule, descriptors, doubt, native)
            if isinstance(targets, FailsBelow | Diagnostic):
                return targets
            if spec is not None and spec.late_bound:
                value = not_modelled(f"ctx.attr.{written}", "configuration_field()")
                if spec.default in HOST_XCODES and lacks_xcode(own):
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

    def _run_aspect(self, key: AspectNode) -> Result:
        """What an aspect adds to a target."""
        label, aspect = key.node.label, key.own.aspect
        rule = self._graph.target(key.node)
        function = runnable(aspect.options.get("implementation"), aspect.name)
        if not isinstance(rule, Rule) or not rule.rule_class.is_known or self._source is None:
            return Unknown(Reason.NEEDS_ANALYSIS, str(label), "it is not known what it is")
        if isinstance(function, Unknown):
            return function
        specs = self.functions.specs_of(rule)
        if isinstance(specs, Unknown):
            return specs
        if is_stand_in(self._graph, key.node) or self.functions.lacks_attributes(rule):
            return not_modelled(str(label), "only a model tells what attributes its rule has")
        evaluation = self._source.context
        native = NativeTargets(evaluation)
        base = self.aspects.merged(self.results.get(key.node) or cycle(label), key.seen, rule)
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
        own: dict[str, AttributeOf] = {}
        for one in (*key.below(), key):
            made = self.aspects.own_attributes(one, native, rule, key.path())
            if isinstance(made, FailsBelow):
                return made
            if isinstance(made, Diagnostic):
                return nothing(label, evaluation, made)
            if one is key:
                own = made
            else:  # The first of a name counts. Bazel: `AspectAwareAttributeMapper`.
                of_rule = {**made, **of_rule}
        toolchains = toolchains_of_aspect(aspect.options.get("toolchains"), evaluation)
        groups = ExecutionGroups(evaluation, {})
        surroundings = self._surroundings.of(key.node, rule, toolchains, groups)
        context = AspectContext(rule, key, own, of_rule, surroundings)
        return called(
            evaluation,
            function,
            (TargetValue(evaluation, result, doubt), context),
            context,
            rule,
            lambda value: provided_by_aspect(value, context, key, evaluation),
        )

    def no_toolchains_of(self, node: ConfiguredNode) -> Iterator[tuple[Label, Label]]:
        """The toolchain types of a rule, and what they have come to that surely is no toolchain."""
        for one in self._graph.unwritten.toolchains(node):
            if one.doubt is None and one.implementation is not None:
                target, doubt = self._graph.nodes.toolchain_node(node, one.implementation)
                result = doubt or self.run(target)
                if isinstance(result, Implemented) and result.failure is None:
                    is_open = is_stand_in(self._graph, target)
                    if not is_open and result.provider(TOOLCHAIN_INFO) is None:
                        yield one.requirement.type, one.implementation
