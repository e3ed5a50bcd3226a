"""`cquery --output=transitions`: which transition each dependency of the answer goes through.

Bazel: `TransitionsOutputFormatterCallback`. Only dependencies between targets of the answer are
shown, and none of what is in no configuration or in that of the host. The names of transitions
are those that 0.24.1 to 4.2.3 print; behind the arrow stands the kind of configuration, not its
hash. With `full`, each option that differs stands under its dependency, with its value and those
behind the transition. Bazel: `BuildOptions.diff`, `OptionsDiff`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.alias_dependencies import TOOLCHAINS
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.starlark_options import Elements
from bazelscope.analysis.graph.aliases import behind_aliases, cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.transition_runs import Held, shown_steps
from bazelscope.analysis.graph.transition_steps import Step
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition, Configured
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import OutputFile, Rule
from bazelscope.query.formats.option_texts import option_texts, setting_text
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.query_answer import QueriedConfigured

Texts = Mapping[str, str | Unknown]


class OptionChanges:
    """Compares configurations; what cannot be told is in `diagnostics`."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._transitions = ShownTransitions(graph)
        self._told: set[str] = set()

    def of(self, node: ConfiguredNode, edge: ConfiguredEdge) -> list[str]:
        """A line for each option that the transitions of an edge out of `node` change."""
        own = node.configuration
        assert own is not None
        made = self._transitions.of(node, edge)
        if isinstance(made, Unknown):
            self._tell(made)
            return []
        before: dict[str, str | Unknown] = {}
        after: dict[str, dict[str, None]] = {}
        plain = self._of(own, is_raw=False)
        for configuration, _ in made:
            if configuration is own:
                continue
            for name, text in self._of(configuration, is_raw=True).items():
                if text != plain[name]:
                    before[name] = plain[name]
                    after.setdefault(name, {})[self._shown(text)] = None
        lines = [
            f"{name}:{self._shown(text)} -> [{', '.join(after[name])}]"
            for name, text in before.items()
        ]
        held = self._transitions.held(own)
        for _, settings in made:
            for label, value in sorted(settings.items()):
                if label in held and held[label] != value:
                    old, new = setting_text(held[label]), setting_text(value)
                    lines.append(f"{label}:{old}{new}")
        return lines

    @memoized
    def _of(self, configuration: Configuration, is_raw: bool) -> Texts:
        return option_texts(configuration, is_raw)

    def _shown(self, text: str | Unknown) -> str:
        if isinstance(text, Unknown):
            self._tell(text)
            return "unknown"
        return text

    def _tell(self, unknown: Unknown) -> None:
        message = str(unknown)
        if message not in self._told:
            self._told.add(message)
            self.diagnostics.append(
                Diagnostic("unknown-option", message, severity=Severity.WARNING)
            )


_TRIMMING = "(TestTrimmingTransition + ConfigFeatureFlagTaggedTrimmingTransition)"
_OLD_TRIMMING = "AsPatchTransition"
_HOST = "HostTransition"
_OF_ATTRIBUTE = "FunctionSplitTransition"
_OF_RULE = "FunctionPatchTransition"
_OF_TOOLCHAINS = frozenset({EdgeKind.TOOLCHAIN, EdgeKind.IMPLICIT})
_NO_TRANSITION = frozenset({EdgeKind.CONDITION, EdgeKind.PACKAGE_GROUP, EdgeKind.ASPECT})


def to_transitions(
    queried: QueriedConfigured, level: str, label_text: Callable[[Label], str] = str
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text, and what could not be told in it; `level` is what `--transitions` says.

    Raises `QueryError` for a level that is none, and for `full` of another Bazel than 4.
    """
    is_full = level.lower() == "full"
    if not is_full and level.lower() != "lite":
        message = "set the `--transitions` flag explicitly to `lite` or `full`"
        raise QueryError(Diagnostic("query-output", message))
    graph = queried.environment.graph
    if is_full and not graph.configuration.release.full_transitions:
        known = Release.full_transitions.series
        message = f"which options `--transitions=full` shows is known of Bazel {known} alone"
        hint = "`--transitions=lite` shows the transitions without them"
        raise QueryError(Diagnostic("query-output", message, hint=hint))
    changes = OptionChanges(graph) if is_full else None
    shown = {node.label: label_text(node.label) for node in queried.nodes}
    lines = []
    for node in queried.nodes:
        lines += _lines(graph, node, label_text(cquery_label(graph, node)), shown, changes)
    return "".join(lines), tuple(changes.diagnostics) if changes is not None else _of_names(graph)


def _of_names(graph: ConfiguredGraph) -> tuple[Diagnostic, ...]:
    release = graph.configuration.release
    if release.transitions_have_known_names:
        return ()
    until = Release.transitions_have_known_names.first_without
    message = f"the names of transitions are those of Bazel before {until}; how Bazel {release}"
    message += " calls them is not known"
    return (Diagnostic("unknown-transitions", message, severity=Severity.WARNING),)


def _lines(
    graph: ConfiguredGraph,
    node: ConfiguredNode,
    name: str,
    shown: Mapping[Label, str],
    changes: OptionChanges | None,
) -> list[str]:
    target = graph.target(node)
    is_rule = isinstance(target, Rule)
    definitions = target.rule_class.attributes if isinstance(target, Rule) else {}
    own = f"{_OF_RULE} -> " if is_rule and _has_transition(graph, node.label) else ""
    lines = [f"{own}{name} ({node.configuration_name})\n"]
    # An alias has nothing of its own: Bazel takes it for its target here.
    if not is_rule or node.configuration is None or node.configuration.is_final:
        return lines
    if behind_aliases(graph, node) != node:
        return lines
    in_parentheses = node.configuration.release.transitions_in_parentheses
    reached: dict[tuple[str, Label, str], list[ConfiguredEdge]] = {}
    # Attributes come as the class of the rule has them, toolchains last.
    order = {name: index for index, name in enumerate(definitions)}
    places = sorted(graph.taken(node), key=lambda edge: _place(order, edge))
    for edge in places:
        if edge.edge.kind in _NO_TRANSITION or edge.target.configuration is None:
            continue
        what = _what(definitions, edge)
        if edge.target.label in shown and what is not None:
            key = (what, edge.target.label, _transition(graph, node, edge))
            reached.setdefault(key, []).append(edge)
    for (attribute, label, transition), edges in reached.items():
        names = ", ".join(edge.target.configuration_name for edge in edges)
        leads = f"-> {names}" if not in_parentheses else f"( -> {names})"
        lines.append(f"  {attribute}#{shown[label]}#{transition} {leads}\n")
        if changes is not None:
            lines += [f"    {line}\n" for line in changes.of(node, edges[0])]
    return lines


def _place(order: Mapping[str, int], edge: ConfiguredEdge) -> int:
    is_toolchain = edge.edge.kind in _OF_TOOLCHAINS and edge.edge.attribute == TOOLCHAINS
    return len(order) if is_toolchain else order.get(edge.edge.attribute, len(order))


def _what(definitions: Mapping[str, AttributeDefinition], edge: ConfiguredEdge) -> str | None:
    """What Bazel calls the attribute of a dependency; None for what it does not list: platforms
    and types of toolchains."""
    attribute = edge.edge.attribute
    if attribute == TOOLCHAINS and edge.edge.kind in _OF_TOOLCHAINS:
        return "[toolchain dependency]" if edge.edge.is_tool else None
    if attribute not in definitions:
        return None
    return f"${attribute[1:]}" if attribute.startswith("_") else attribute


def _transition(graph: ConfiguredGraph, node: ConfiguredNode, edge: ConfiguredEdge) -> str:
    if edge.target.configuration is not None and edge.target.configuration.is_final:
        return _HOST
    rule = graph.target(node)
    definitions = rule.rule_class.attributes if isinstance(rule, Rule) else {}
    definition = definitions.get(edge.edge.attribute)
    names = []
    if edge.edge.is_tool:
        names.append("exec")
    elif definition is not None and definition.configured is Configured.TRANSITION:
        names.append(_OF_ATTRIBUTE)
    if _has_transition(graph, edge.target.label):
        names.append(_OF_RULE)
    as_patch = graph.configuration.release.transitions_trim_as_patch
    trimming = _OLD_TRIMMING if as_patch else _TRIMMING
    if not names:
        return trimming
    before = names[0] if len(names) == 1 else f"({' + '.join(names)})"
    return f"({before} + {trimming})"


def _has_transition(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether the rule behind a label has a transition of its own."""
    target = graph.graph.node(label)
    if isinstance(target, OutputFile):
        target = graph.graph.node(target.generating_rule)
    return isinstance(target, Rule) and target.rule_class.transition is not None


class ShownTransitions:
    """Applies the transitions of a graph's edges, each once for a configuration."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        self._known: dict[tuple[object, ...], tuple[Held, ...] | Unknown] = {}

    def held(self, configuration: Configuration) -> Mapping[Label, Elements]:
        """The build settings that a configuration holds."""
        after = self._after(configuration, ())
        return {} if isinstance(after, Unknown) else after[0][1]

    def of(self, node: ConfiguredNode, edge: ConfiguredEdge) -> tuple[Held, ...] | Unknown:
        """What the transitions of an edge out of `node` make. `Unknown` where one cannot be
        run."""
        own = node.configuration
        assert own is not None
        if own.is_final:
            return self._after(own, ())
        rule = self._graph.target(node)
        definitions = rule.rule_class.attributes if isinstance(rule, Rule) else {}
        definition = definitions.get(edge.edge.attribute)
        steps = self._graph.nodes.rule_steps(edge.edge.target)
        if definition is not None and definition.configured is Configured.EXEC:
            return self._after(
                self._graph.nodes.configurations.exec_of(own, edge.edge.source), steps
            )
        if edge.edge.is_tool:
            return self._after(_host_of(own), ())
        if definition is not None and definition.configured is Configured.TRANSITION:
            assert isinstance(rule, Rule)
            steps = (Step(rule, edge.edge.attribute), *steps)
        return self._after(own, steps)

    def _after(
        self, configuration: Configuration, steps: tuple[Step, ...]
    ) -> tuple[Held, ...] | Unknown:
        key = (configuration, *((step.rule.label, step.attribute) for step in steps))
        known = self._known.get(key)
        if known is None:
            conditions = self._graph.conditions(configuration)
            known = self._known[key] = shown_steps(self._graph.graph.source, conditions, steps)
        return known


def _host_of(configuration: Configuration) -> Configuration:
    """The host's configuration as it is made of this one, though there is but one in the end.
    Bazel: `HostTransition`."""
    return replace(
        configuration,
        kind=ConfigurationKind.HOST,
        changes={},
        before_exec={**configuration.before_exec, **configuration.changes},
        execution_platform=None,
    )
