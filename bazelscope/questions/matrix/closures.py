"""What a target depends on under many lines: lines that decide every condition alike have one
closure, which is walked once."""

from __future__ import annotations

from dataclasses import field

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.match_result import MatchResult, UnknownMatch
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.evaluation.rules.rule_transitions import OPTION_PREFIX
from bazelscope.loading.loader import Loader
from bazelscope.loading.shared_packages import Rests, rests_on, would_make
from bazelscope.loading.tree.loading_options import LoadingOptions
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


_ANY = "*"


@dataclass(slots=True)
class Closure:
    """Every target that one depends on, and the one that first names it. `asked` are the
    conditions that decided, each with the kind of the configuration, and what came of them."""

    first_named_by: dict[Label, Label | None] = field(default_factory=dict)
    asked: dict[tuple[Label, ConfigurationKind], str] = field(default_factory=dict)
    users: dict[ConfigurationKind, Label] = field(default_factory=dict)
    absent: dict[Label, bool] = field(default_factory=dict)
    """Targets that it lacks: whether what cannot be told may lead to them."""
    loading: LoadingOptions | None = None
    """What its packages were loaded under."""
    rests: Rests | None = None
    """What these are made from; None if that cannot be told."""
    is_plain: bool = True
    """Whether transitions that were met set nothing that decides about edges: what is decided
    under the line's own configuration, and under that of tools, is decided everywhere."""

    def way(self, label: Label) -> tuple[Label, ...]:
        """From the start to a target of the closure."""
        way = [label]
        while (above := self.first_named_by[way[-1]]) is not None:
            way.append(above)
        return tuple(reversed(way))


class Closures:
    """Closures of targets, under lines of which most load the same packages."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, object], NameAnswer] = {}
        self._known: dict[tuple[Label, object], list[Closure]] = {}

    def named(self, world: World, name: str) -> NameAnswer:
        """The target that a name means, which no flag decides but those that decide what is
        loaded."""
        key = name, world.loader.options.key()
        if key not in self._names:
            self._names[key] = which_target(world, name)
        return self._names[key]

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
            if (
                closure.is_plain
                and _loads_alike(world.loader, closure)
                and _decides_alike(world.configured, closure)
            ):
                return closure
        made = _walked(world.configured, label)
        made.loading, made.rests = world.loader.options, rests_on(world.loader)
        known.append(made)
        return made


def _walked(graph: ConfiguredGraph, start: Label) -> Closure:
    made = Closure()
    top = graph.top(start)
    pending: list[ConfiguredNode] = [top]
    seen = {top}
    made.first_named_by[start] = None
    looked_at: set[str] = set()
    for node in pending:
        own = node.configuration
        if own is None:
            continue
        for edge in graph.taken(node):
            if edge.edge.kind is EdgeKind.CONDITION:
                key = edge.target.label, own.kind
                if key not in made.asked:
                    match = graph.conditions(own).match(edge.target.label)
                    made.asked[key] = type(match).__name__
                    looked_at |= _flags_of(match)
            target = edge.target
            if target not in seen:
                seen.add(target)
                pending.append(target)
                made.first_named_by.setdefault(target.label, node.label)
                if target.configuration is not None:
                    made.users.setdefault(target.configuration.kind, node.label)
    made.is_plain = _is_plain(graph.set_by_transitions, looked_at)
    return made


def _flags_of(match: MatchResult) -> set[str]:
    """The native options that a condition looks at, or one that all transitions are for."""
    if isinstance(match, UnknownMatch):
        return {_ANY}
    return {entry.what.removeprefix("--").partition("=")[0] for entry in match.entries}


def _is_plain(set_by_transitions: frozenset[str] | None, looked_at: set[str]) -> bool:
    if not set_by_transitions:
        return set_by_transitions is not None
    names = {name.removeprefix(OPTION_PREFIX) for name in set_by_transitions}
    if not all(name.startswith(OPTION_PREFIX) for name in set_by_transitions):
        return False  # A build setting may be what an alias or a label_flag stands for.
    # Tools have the values of options that begin with `host_`.
    names |= {name.removeprefix("host_") for name in names}
    return _ANY not in looked_at and names.isdisjoint({*looked_at, *_RESOLUTION})


def _outcome(graph: ConfiguredGraph, configuration: Configuration, label: Label) -> str:
    return type(graph.conditions(configuration).match(label)).__name__


def _loads_alike(loader: Loader, closure: Closure) -> bool:
    if closure.loading is not None and closure.loading.key() == loader.options.key():
        return True
    return closure.rests is not None and would_make(loader, closure.rests)


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
