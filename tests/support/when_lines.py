"""What `when` says of many pairs of targets under many command lines, beside the configured graph.

For each set of values that loading reads (`--action_env`, `--repo_env`, the host) there is one
formula for each pair; every line of that set asks it, and the configured graph, whether it
holds, and whether all that is said to be reached is what the graph comes to. Where the graph
refuses a select() that the first target comes to, the line is refused: there the formula has to
say just that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import Ambiguous, NoBranch, UnknownChoice
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials

Words = tuple[str, ...]
Line = tuple[str, Words]
"""A host, and the words of a command line."""

MOST_TRIED = 24
MODES = ("", "-c opt", "-c dbg")
HOSTS = ("linux", "linux", "linux", "macos", "windows", "linux-aarch64")


@dataclass
class Comparison:
    """How often the two agreed; `differences` tell the others apart."""

    decided: int = 0
    refused: int = 0
    open: int = 0
    graphs: int = 0
    differences: list[str] = field(default_factory=list)


class Pairs:
    """Pairs of targets of one workspace: the sources that are named, and what they come to."""

    def __init__(self, sources: Sequence[str], pairs: int, seed: int) -> None:
        self._sources = [parse_label(text, PackageId("", "")) for text in sources]
        self._each = pairs // len(sources)
        self._choose = random.Random(seed)
        self._ends: dict[Label, list[Label]] = {}

    def lines(self, root: Path, count: int, seed: int, **opened: object) -> list[Line]:
        """Lines drawn from the configs of the rc files, modes, hosts, and the defines that
        conditions ask for."""
        choose = random.Random(seed)
        plain = Workspace.open(root, **opened).configure([])  # type: ignore[arg-type]
        configs = plain.world.configs.effects.names()
        formulas = plain.world.formulas()
        reaches = Reaches(plain.world.graph, formulas, may_share_host=True)
        defines: dict[str, None] = {}
        for source in self._sources:
            reach = reaches.of(source)
            for formula in (*reach.arrival.values(), reach.refused):
                for test in formulas.diagrams.tests(formula):
                    asked = formulas.atoms.asked(test)
                    if isinstance(asked, FlagRequirement) and asked.what.startswith("--define="):
                        defines[str(asked.flag)] = None
        plain.save()
        lines: dict[Line, None] = {("linux", ()): None}
        while len(lines) < count:
            words = [f"--config={name}" for name in choose.sample(configs, choose.randint(0, 2))]
            words += choose.sample(sorted(defines), choose.randint(0, 2))
            words += choose.choice(MODES).split()
            host = choose.choice(HOSTS)
            asked = Workspace.open(root, host=host, **opened).configure(words)  # type: ignore[arg-type]
            if not asked.errors and not asked.undefined_configs:
                lines[host, tuple(words)] = None
        return list(lines)

    def ends(self, source: Label, reach: Reach) -> list[Label]:
        """The targets that are asked about, most of them under conditions."""
        if source not in self._ends:
            labels = sorted(reach.labels())
            hanging = [
                label
                for label in labels
                if all(reach.arrival[state] != TRUE for state in reach.states(label))
            ]
            some = min(len(hanging), self._each * 4 // 5)
            chosen = self._choose.sample(hanging, some)
            chosen += self._choose.sample(labels, min(len(labels), self._each - some))
            self._ends[source] = chosen
        return self._ends[source]

    def compare(self, root: Path, lines: Sequence[Line], **opened: object) -> Comparison:
        """Asks every pair under every line."""
        result = Comparison()
        groups: list[tuple[ConfiguredWorkspace, dict[Label, Reach], Reaches]] = []
        for host, words in lines:
            workspace = Workspace.open(root, host=host, **opened)  # type: ignore[arg-type]
            asked = workspace.configure(words)
            same = (one for one in groups if one[0].loading_options == asked.loading_options)
            found = next(same, None)
            if found is not None:
                first, reach, reaches = found
                asked.load_like(first)
            else:
                world = asked.world
                reaches = Reaches(world.graph, world.formulas(), may_share_host=True)
                reach = {source: reaches.of(source) for source in self._sources}
                groups.append((asked, reach, reaches))
                result.graphs += 1
            graph = asked.world.configured
            for source in self._sources:
                self._ask(result, f"{host} {' '.join(words)}", graph, reaches, reach[source])
            asked.save()
        return result

    def told(self, root: Path, most: int, **opened: object) -> Comparison:
        """Tries what is told of each pair: under a line that makes an alternative so the graph
        comes to the second target, under one that makes an exception so it does not."""
        result = Comparison()
        asked = Workspace.open(root, **opened).configure([])  # type: ignore[arg-type]
        finder = ConditionFinder(asked.world)
        there: dict[tuple[Label, Words], set[Label] | None] = {}
        for source in self._sources:
            reach = finder.reaches.of(source)
            for end in self.ends(source, reach):
                arrival = finder.reaches.labels(reach, [end])
                found = finder.dependences.of(arrival, reach.refused)
                ways = [(way, True) for way in found.alternatives[:most]]
                ways += [(way, False) for way in found.exceptions[:most]]
                for way, is_reached in ways:
                    words = _line(finder.trials, way)
                    if words is None:
                        result.open += 1
                        continue
                    if (source, words) not in there:
                        there[source, words] = _reached(finder.trials.graph(words), source)
                    labels = there[source, words]
                    result.decided += labels is not None
                    result.refused += labels is None
                    if labels is not None and (end in labels) != is_reached:
                        told = f"{source} {end} under {' '.join(words)}"
                        result.differences.append(f"{told}: said {is_reached}")
        result.graphs = len(there)
        asked.save()
        return result

    def _ask(
        self, result: Comparison, line: str, graph: ConfiguredGraph, reaches: Reaches, reach: Reach
    ) -> None:
        source = reach.start.label
        atoms = reaches.formulas.atoms
        conditions = graph.conditions()
        there = _reached(graph, source)
        said = atoms.in_force(reach.refused, conditions)
        if (said == TRUE) != (there is None):
            result.differences.append(f"{line}: {source} refused is {said}: {there is None}")
        if there is not None:
            result.differences += _other_targets(line, reach, reaches, there, conditions)
        for end in self.ends(source, reach):
            result.decided += 1
            if there is None:
                result.refused += 1
                continue
            found = atoms.in_force(reaches.labels(reach, [end]), conditions)
            if found not in (TRUE, FALSE):
                result.open += 1
            elif (found == TRUE) != (end in there):
                result.differences.append(f"{line}: {source} {end} is {found}")


def _other_targets(
    line: str, reach: Reach, reaches: Reaches, there: set[Label], conditions: Conditions
) -> list[str]:
    """Where the whole of what is said to be reached is not what the graph comes to."""
    atoms = reaches.formulas.atoms
    known: dict[int, int] = {}
    said: set[Label] = set()
    untold: set[Label] = set()
    for state, formula in reach.arrival.items():
        if formula not in known:
            known[formula] = atoms.in_force(formula, conditions)
        if known[formula] == TRUE:
            said.add(state.label)
        elif known[formula] != FALSE:
            untold.add(state.label)
    missing, invented = there - said - untold, said - there
    return [
        f"{line}: {reach.start.label} {kind} {sorted(labels)[:3]}"
        for kind, labels in (("misses", missing), ("invents", invented))
        if labels
    ]


def _line(trials: FlagTrials, way: Alternative) -> Words | None:
    """A line under which all words of a way are so."""
    for words in islice(trials.lines(way), MOST_TRIED):
        conditions = trials.graph(words).conditions()
        if all(
            isinstance(asked, FlagRequirement) and in_force(asked, conditions).holds == is_so
            for asked, is_so in way
        ):
            return words
    return None


def _reached(graph: ConfiguredGraph, source: Label) -> set[Label] | None:
    """What a target depends on; None if Bazel refuses a select() of that."""
    nodes = list(distances([graph.top(source)], lambda node: [e.target for e in graph.taken(node)]))
    if any(refuses(graph, node) for node in nodes):
        return None
    return {node.label for node in nodes}


def refuses(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether Bazel refuses a select() of a target."""
    if not graph.graph.select_keys(node.label):
        return False
    return any(
        isinstance(select.result, Ambiguous | NoBranch)
        or (
            isinstance(select.result, UnknownChoice)
            and any(unknown.reason is Reason.FAILED for unknown in select.result.unknowns)
        )
        for select in graph.selects(node.label, node.configuration)
    )
