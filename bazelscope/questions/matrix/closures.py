"""What a target depends on under many lines: lines that decide every condition alike have one
closure, which is walked once."""

from __future__ import annotations

from dataclasses import field

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import which_target
from bazelscope.questions.shared.world import World

_RESOLUTION = (
    *("platforms", "host_platform", "cpu", "host_cpu", "compiler", "crosstool_top"),
    *(
        "extra_toolchains",
        "extra_execution_platforms",
        "incompatible_enable_cc_toolchain_resolution",
    ),
)
"""Besides conditions, what decides about edges: toolchains and execution platforms."""


@dataclass(slots=True)
class Closure:
    """Every target that one depends on, and the one that first names it. `asked` are the
    conditions that decided, each with the kind of the configuration, and what came of them."""

    first_named_by: dict[Label, Label | None] = field(default_factory=dict)
    asked: dict[tuple[Label, ConfigurationKind], str] = field(default_factory=dict)
    users: dict[ConfigurationKind, Label] = field(default_factory=dict)
    absent: dict[Label, bool] = field(default_factory=dict)
    """Targets that it lacks: whether what cannot be told may lead to them."""
    is_plain: bool = True
    """Whether no configuration was met but the line's own and that of tools."""

    def way(self, label: Label) -> tuple[Label, ...]:
        """From the start to a target of the closure."""
        way = [label]
        while (above := self.first_named_by[way[-1]]) is not None:
            way.append(above)
        return tuple(reversed(way))


class Closures:
    """Closures of targets, of worlds that share their packages."""

    def __init__(self) -> None:
        self._names: dict[str, NameAnswer] = {}
        self._known: dict[tuple[Label, object], list[Closure]] = {}

    def named(self, world: World, name: str) -> NameAnswer:
        """The target that a name means, which no flag decides."""
        if name not in self._names:
            self._names[name] = which_target(world, name)
        return self._names[name]

    def of(self, world: World, label: Label) -> Closure:
        """The closure of `label` under the flags of `world`."""
        configuration = world.configuration
        flags = configuration.flags.starlark_flags
        key = (
            label,
            (
                *(configuration.value(name).values for name in _RESOLUTION),
                tuple(sorted((name, value.values) for name, value in flags.items())),
            ),
        )
        known = self._known.setdefault(key, [])
        for closure in known:
            if closure.is_plain and _decides_alike(world.configured, closure):
                return closure
        made = _walked(world.configured, label)
        known.append(made)
        return made


def _walked(graph: ConfiguredGraph, start: Label) -> Closure:
    made = Closure()
    top = graph.top(start)
    pending: list[ConfiguredNode] = [top]
    seen = {top}
    made.first_named_by[start] = None
    made.is_plain = _is_plain(top.configuration)
    for node in pending:
        own = node.configuration
        if own is None:
            continue
        for edge in graph.taken(node):
            if edge.edge.kind is EdgeKind.CONDITION:
                key = edge.target.label, own.kind
                if key not in made.asked:
                    made.asked[key] = _outcome(graph, own, edge.target.label)
            target = edge.target
            if target not in seen:
                seen.add(target)
                pending.append(target)
                made.first_named_by.setdefault(target.label, node.label)
                if target.configuration is not None:
                    made.users.setdefault(target.configuration.kind, node.label)
                    made.is_plain = made.is_plain and _is_plain(target.configuration)
    return made


def _is_plain(configuration: Configuration | None) -> bool:
    return configuration is None or not (
        configuration.changes or configuration.starlark_changes or configuration.before_exec
    )


def _outcome(graph: ConfiguredGraph, configuration: Configuration, label: Label) -> str:
    return type(graph.conditions(configuration).match(label)).__name__


def _decides_alike(graph: ConfiguredGraph, closure: Closure) -> bool:
    own = graph.configuration
    for (label, kind), outcome in closure.asked.items():
        made = own
        if kind is ConfigurationKind.HOST:
            made = own.of_host()
        elif kind is ConfigurationKind.EXEC:
            made = graph.exec_of(own, closure.users[kind])
        if _outcome(graph, made, label) != outcome:
            return False
    return True
