"""What a target depends on under many lines: lines that decide every condition alike have one
closure, and where a few conditions turn, only what turns on them is looked at anew."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.match_result import MatchResult, UnknownMatch
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base import budget
from bazelscope.base.graph_walk import way_to
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.evaluation.rules.rule_transitions import OPTION_PREFIX
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package, PackageResult
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
        "distinct_host_configuration",
    ),
)
"""Besides conditions, what decides about edges: toolchains and execution platforms."""


_ANY = "*"
_NEAR = 3
"""So many closures keep their edges besides the first, for others to be made from."""

_Place = tuple[Label, str]
"""A target, and the kind of its configuration; empty for what has none, as files."""


@dataclass(slots=True)
class Closure:
    """Every target that one depends on, and the one that first names it.

    It is kept by kinds of configurations. `below` is what each target depends on, in the order of
    its edges, and `turns_on` the conditions of its select()s. `asked` are all conditions that
    decided, and what came of them; `of_toolchains` those of them that toolchains ask for.
    """

    first_named_by: dict[Label, Label | None] = field(default_factory=dict)
    below: dict[_Place, tuple[_Place, ...]] = field(default_factory=dict)
    turns_on: dict[_Place, tuple[_Place, ...]] = field(default_factory=dict)
    asked: dict[_Place, str] = field(default_factory=dict)
    of_toolchains: set[_Place] = field(default_factory=set)
    looked_at: set[str] = field(default_factory=set)
    """The native options that conditions looked at, or one that all transitions are for."""
    set_by_transitions: frozenset[str] | None = frozenset()
    """The flags that transitions on the way may set; None if that cannot be told."""
    users: dict[str, Label] = field(default_factory=dict)
    packages: dict[PackageId, PackageResult] = field(default_factory=dict)
    absent: dict[Label, bool] = field(default_factory=dict)
    """Targets that it lacks: whether what cannot be told may lead to them."""
    loading: LoadingOptions | None = None
    """What its packages were loaded under."""
    rests: Rests | None = None
    """What these are made from; None if that cannot be told."""
    is_plain: bool = True
    """Whether what is decided under the line's own configuration, and under that of tools, is
    decided so everywhere: transitions on the way set nothing that decides about edges, and all
    tools are for one platform."""

    def way(self, label: Label) -> tuple[Label, ...]:
        """From the start to a target of the closure."""
        return tuple(way_to(label, self.first_named_by))

    def ask(self, graph: ConfiguredGraph, own: Configuration, condition: Label) -> _Place:
        """Notes what comes of a condition in a configuration; returns it with its kind."""
        place = condition, own.kind.value
        if place not in self.asked:
            match = graph.conditions(own).match(condition)
            self.asked[place] = type(match).__name__
            self.looked_at |= _flags_of(match)
        return place

    def expand(self, graph: ConfiguredGraph, node: ConfiguredNode) -> list[ConfiguredNode]:
        """Notes what a target depends on, and on which conditions that turns."""
        own = node.configuration
        assert own is not None
        edges = graph.taken(node)
        place = node.label, own.kind.value
        self.below[place] = tuple([_place(edge.target) for edge in edges])
        turns_on = [
            self.ask(graph, own, edge.target.label)
            for edge in edges
            if edge.edge.kind is EdgeKind.CONDITION
        ]
        if turns_on:
            self.turns_on[place] = tuple(turns_on)
        return [edge.target for edge in edges]

    def leave_edges(self) -> None:
        """Forgets the edges, so that no other closure is made from them."""
        self.below, self.turns_on, self.packages = {}, {}, {}

    def name(self, place: _Place, by: Label | None) -> None:
        """Notes the target that first names a place, and who first has a configuration of its
        kind."""
        self.first_named_by.setdefault(place[0], by)
        if place[1] and by is not None:
            self.users.setdefault(place[1], by)

    def end(self, world: World) -> None:
        """Notes what besides the conditions of edges has decided about them."""
        graph, loader = world.configured, world.loader
        for own, label in graph.nodes.settings_of_toolchains():
            self.of_toolchains.add(self.ask(graph, own, label))
        met, known = graph.nodes.set_by_transitions, self.set_by_transitions
        self.set_by_transitions = None if met is None or known is None else met | known
        self.is_plain &= _is_plain(self.set_by_transitions, self.looked_at)
        self.loading, self.rests = loader.options, rests_on(loader)
        ids = {label.package_id for label in self.first_named_by}
        self.packages = {id: loader.package(id) for id in ids}


class Closures:
    """Closures of targets, under lines of which most load the same packages."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, object], NameAnswer] = {}
        self._known: dict[tuple[Label, object], list[Closure]] = {}
        self.most_below = 0
        """So many targets of one are looked at for what Bazel refuses."""

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
        nearest: Closure | None = None
        fewest: set[_Place] = set()
        for closure in known:
            if not closure.is_plain:
                continue
            turned = _turned(world.configured, closure)
            if not turned and _loads_alike(world.loader, closure):
                return closure
            if closure.below and (nearest is None or len(turned) < len(fewest)):
                nearest, fewest = closure, turned
        made = _walked_near(world, label, nearest, fewest) if nearest is not None else None
        if made is None:
            made = _walked(world, label)
        known.append(made)
        for closure in known[1:-_NEAR]:
            closure.leave_edges()
        return made


def _walked(world: World, start: Label) -> Closure:
    graph, made = world.configured, Closure()
    top = graph.top(start)
    pending: list[ConfiguredNode] = [top]
    seen = {top}
    made.name(_place(top), None)
    platforms: dict[ConfigurationKind, Label | None] = {}
    for node in pending:
        own = node.configuration
        if own is None:
            continue
        platform = own.execution_platform
        made.is_plain &= platforms.setdefault(own.kind, platform) == platform
        for target in made.expand(graph, node):
            if target not in seen:
                seen.add(target)
                pending.append(target)
                made.name(_place(target), node.label)
    made.end(world)
    return made


def _walked_near(world: World, start: Label, near: Closure, turned: set[_Place]) -> Closure | None:
    """The closure, where of that under another line these conditions have turned: what neither
    turns on them nor lies in a package that is another here is taken over. None where more may
    differ."""
    if not turned.isdisjoint(near.of_toolchains):
        return None
    graph, check = world.configured, budget.current().check
    made = Closure(
        of_toolchains=set(near.of_toolchains),
        looked_at=set(near.looked_at),
        set_by_transitions=near.set_by_transitions,
    )
    top = graph.top(start)
    configurations = {top.configuration.kind.value: top.configuration} if top.configuration else {}
    other = _other_packages(world.loader, near)
    pending = [_place(top)]
    seen = set(pending)
    made.name(pending[0], None)
    for place in pending:
        label, kind = place
        if not kind:
            continue
        check()
        below = near.below.get(place)
        turns_on = near.turns_on.get(place, ())
        if below is None or not turned.isdisjoint(turns_on) or _touches(other, label, below):
            own = configurations.get(kind)
            if own is None:
                own = configurations[kind] = _of_kind(graph, kind, made.users[kind])
            for target in made.expand(graph, graph.nodes.given(label, own)):
                if target.configuration is not None:
                    met = target.configuration
                    like = configurations.setdefault(met.kind.value, met)
                    if like.execution_platform != met.execution_platform:
                        return None
            below = made.below[place]
        else:
            made.below[place] = below
            if turns_on:
                made.turns_on[place] = turns_on
                made.asked.update((one, near.asked[one]) for one in turns_on)
        for target_place in below:
            if target_place not in seen:
                seen.add(target_place)
                pending.append(target_place)
                made.name(target_place, label)
    for one in near.of_toolchains:
        made.asked[one] = near.asked[one]
    made.end(world)
    return made if made.is_plain else None


def _place(node: ConfiguredNode) -> _Place:
    return node.label, node.configuration.kind.value if node.configuration is not None else ""


def _other_packages(loader: Loader, near: Closure) -> set[PackageId]:
    """The packages that are here not what they are there."""
    other = set()
    for id, there in near.packages.items():
        here = loader.package(id)
        if here is not there and (isinstance(here, Package) or here != there):
            other.add(id)
    return other


def _touches(packages: Collection[PackageId], label: Label, below: tuple[_Place, ...]) -> bool:
    return bool(packages) and (
        label[:2] in packages or any(target[:2] in packages for target, _ in below)
    )


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


def _loads_alike(loader: Loader, closure: Closure) -> bool:
    if closure.loading is not None and closure.loading.key() == loader.options.key():
        return True
    return closure.rests is not None and would_make(loader, closure.rests)


def _turned(graph: ConfiguredGraph, closure: Closure) -> set[_Place]:
    """The conditions of a closure that come out otherwise here."""
    matchers = {
        kind: graph.conditions(_of_kind(graph, kind, closure.users.get(kind)))
        for kind in {kind for _, kind in closure.asked}
    }
    return {
        (label, kind)
        for (label, kind), outcome in closure.asked.items()
        if type(matchers[kind].match(label)).__name__ != outcome
    }


def _of_kind(graph: ConfiguredGraph, kind: str, user: Label | None) -> Configuration:
    """The configuration of that kind: the line's own, or that of tools of a rule."""
    own = graph.configuration
    if user is None or kind == own.kind.value:
        return own
    is_host = kind == ConfigurationKind.HOST.value
    return (
        graph.nodes.configurations.host_of(own, user)
        if is_host
        else graph.nodes.configurations.exec_of(own, user)
    )
