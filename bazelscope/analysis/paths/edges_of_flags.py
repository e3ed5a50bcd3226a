"""Edges that flags name, each with what the flags have to be: from a label setting to its value,
from an alias of the C++ toolchain to that, and to the platforms that such aliases and `bind` bring.

No attribute holds them, so the configured graph asks its configuration; here each value that a
flag is known to have makes one. What toolchain resolution chooses is not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from bazelscope.analysis.conditions.alias_dependencies import (
    HOST_TOOLCHAIN,
    TOOLCHAIN_ALIASES,
    WITH_PLATFORMS,
    toolchain_named,
    toolchain_option,
)
from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE, LABEL_SETTINGS
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platforms import host_platform_label, target_platform_label
from bazelscope.analysis.graph.arrivals import Arrivals, EdgesTo
from bazelscope.analysis.graph.platform_dependencies import (
    EXECUTION_PLATFORM,
    HOST_PLATFORM,
    TARGET_PLATFORM,
)
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.toolchain_resolution import ToolchainResolution
from bazelscope.base.label import Label, PackageId
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.flags.flag_values import FlagValue
from bazelscope.loading.packages.targets import Rule

NAMING = WITH_PLATFORMS | LABEL_SETTINGS
"""Rules that have such edges."""
_FAR = 1 << 60


class FlagEdge(NamedTuple):
    """An edge that is there where flags are as `needs` say, in the configuration of its source;
    `of_tools`: in that of its source's tools."""

    edge: Edge
    needs: tuple[FlagRequirement, ...]
    of_tools: bool = False


class EdgesOfFlags:
    """Finds these edges, with the values of flags that `formulas` knows."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas
        self._resolution = ToolchainResolution(formulas.conditions.source, formulas.conditions)

    def of(
        self, rule: Rule, texts: Iterable[str] = (), *, in_tools: bool = False
    ) -> list[FlagEdge]:
        """The edges of a rule whose class is one of `NAMING`. `texts` are values that transitions
        on the way give to a label setting; `in_tools`: where it is one of the tools."""
        if rule.rule_class.name in LABEL_SETTINGS:
            values = self._formulas.values_of(rule, *texts)
            return [
                FlagEdge(
                    Edge(rule.label, value, DEFAULT_ATTRIBUTE),
                    (self._formulas.is_value(rule, value),),
                )
                for value in values
            ]
        own = self._formulas.conditions.configuration
        if in_tools:
            own = own.exec()
        edges = list(self._to_toolchain(rule, own))
        if not edges and rule.rule_class.name in TOOLCHAIN_ALIASES:
            return edges  # It stands for nothing.
        return [*edges, *self._to_platforms(rule, own)]

    def _to_toolchain(self, rule: Rule, own: Configuration) -> Iterator[FlagEdge]:
        option = toolchain_option(rule)
        of_tools = rule.rule_class.name == HOST_TOOLCHAIN
        own = own.exec() if of_tools else own
        for need, changed in self._worlds(rule, option, own) if option else ():
            for edge in toolchain_named(rule, changed):
                yield FlagEdge(edge, (need,), of_tools)

    def _to_platforms(self, rule: Rule, own: Configuration) -> Iterator[FlagEdge]:
        seen: set[Label] = set()
        hosts = list(self._worlds(rule, "host_platform", own))
        for need, changed in self._worlds(rule, "platforms", own):
            if need.wanted:
                yield from _edge(rule, target_platform_label(changed), TARGET_PLATFORM, need)
                continue
            for host, twice in hosts:  # The host's own may stand for it.
                both = twice.with_changes({"platforms": changed.value("platforms")}, {})
                label = target_platform_label(both)
                yield from _edge(rule, label, TARGET_PLATFORM, need, host)
        for need, changed in hosts:
            label = host_platform_label(changed)
            if isinstance(label, Label):
                seen.add(label)
            yield from _edge(rule, label, HOST_PLATFORM, need)
        chosen = self._resolution.execution_platform(rule)
        if chosen is not None and chosen not in seen:
            yield from _edge(rule, chosen, EXECUTION_PLATFORM)

    def _worlds(
        self, rule: Rule, option: str, own: Configuration
    ) -> Iterator[tuple[FlagRequirement, Configuration]]:
        """The values of an option, each with the configuration that has it."""
        definition = own.definition(option)
        if definition is None:
            return
        texts = [*own.default(option).values[-1:], *own.value(option).values[-1:]]
        for source in (option, *own.exec_sources(option)):
            texts += self._formulas.option_values(source)
        seen: set[str] = set()
        for text in texts:
            with suppress(ValueTypeError):
                wanted = parse_value(definition, text).text
                if wanted not in seen:
                    seen.add(wanted)
                    need = FlagRequirement(f"--{option}", wanted, rule.label, rule.location)
                    yield need, own.with_changes({option: FlagValue(option, (text,), ())}, {})


def _edge(rule: Rule, label: object, what: str, *needs: FlagRequirement) -> Iterator[FlagEdge]:
    if isinstance(label, Label):
        yield FlagEdge(Edge(rule.label, label, what, EdgeKind.TOOLCHAIN), needs)


class Closures:
    """All that some starts reach, behind edges that flags name, too: `near` is what attributes,
    as `first` has them, and the flags in force lead to, `others` what other values of flags do."""

    def __init__(self, graph: TargetGraph, formulas: Formulas, first: Arrivals) -> None:
        self._graph = graph
        self._conditions = formulas.conditions
        self._edges = EdgesOfFlags(formulas)
        self._pairs: list[tuple[Label, Label]] = []
        self.near = [first]
        self.others: list[Arrivals] = []
        later: list[Label] = []
        for closure in self.near:  # Grows.
            later += self._follow(closure, self.near)
        self._add(later, self.others)
        for closure in self.others:
            self._add(self._follow(closure, self.others), self.others)

    @cached_property
    def _known(self) -> set[str]:
        """The texts of all labels that are reached, as far as closures are there."""
        return set[str]().union(*(one.texts for one in (*self.near, *self.others)))

    def _follow(self, closure: Arrivals, closures: list[Arrivals]) -> list[Label]:
        """Adds what the flags in force name below; returns what other values of theirs do."""
        later: list[Label] = []
        for label in closure.of_kinds(NAMING):
            rule = self._graph.node(label)
            if not isinstance(rule, Rule):
                continue
            for in_tools in (False, True):
                for one in self._edges.of(rule, in_tools=in_tools):
                    target = one.edge.target
                    self._pairs.append((label, target))
                    if all(in_force(need, self._conditions).holds for need in one.needs):
                        self._add([target], closures)
                    else:
                        later.append(target)
        return later

    def _add(self, targets: Iterable[Label], closures: list[Arrivals]) -> None:
        for target in targets:
            if str(target) not in self._known:
                closure = self._graph.arrivals(target)
                self._known.update(closure.texts)
                closures.append(closure)

    def labels(self) -> Iterator[Label]:
        """Everything that is reached."""
        return map(decode_label, self._known)

    def has(self, label: Label) -> bool:
        """Whether a target is reached."""
        return str(label) in self._known

    def leading(self, ends: Iterable[Label]) -> EdgesTo:
        """The edges that lead to one of `ends`."""
        closures = (*self.near, *self.others)
        far: dict[str, int] = {}
        pending = dict.fromkeys(map(str, ends), 0)
        while pending:
            for above in (*(one.leading(pending) for one in closures), pending):
                if not far:
                    far.update(above)  # Of tens of thousands, all are new.
                    continue
                for text, distance in above.items():
                    if distance < far.get(text, _FAR):
                        far[text] = distance
            pending = {}
            for source, target in self._pairs:
                distance = far.get(str(target), _FAR) + 1
                if distance < min(far.get(str(source), _FAR), pending.get(str(source), _FAR)):
                    pending[str(source)] = distance
        return EdgesTo(far, closures)

    def packages_aside(self) -> frozenset[PackageId]:
        """The packages that only other values of flags than those in force lead to."""
        if not self.others:
            return frozenset()
        near = set().union(*(one.packages() for one in self.near))
        others = set().union(*(one.packages() for one in self.others))
        return frozenset(decode_label(f"{text}:").package_id for text in others - near)
