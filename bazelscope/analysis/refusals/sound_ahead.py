"""The targets of which another process tells that their implementations are sound."""

from __future__ import annotations

from enum import Enum

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.kept.kept_files import name_of
from bazelscope.loading.evaluators import Ahead

Name = int | tuple[str, str]
"""What a target is called between the two processes."""


class Names:
    """Names of configured targets: short ones of those that a graph knows when the other process
    begins."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._numbers = {node: number for number, node in enumerate(graph.expanded)}
        self._configurations: dict[Configuration | None, str] = {None: ""}

    def of(self, node: ConfiguredNode) -> Name:
        """The name of a target."""
        number = self._numbers.get(node)
        return (str(node.label), self._of_configuration(node)) if number is None else number

    def _of_configuration(self, node: ConfiguredNode) -> str:
        one = node.configuration
        name = self._configurations.get(one)
        if name is None:
            assert one is not None
            name = self._configurations[one] = name_of((one.key,))
        return name


class Told(Enum):
    """What is told of the implementation of a target, and of what it makes: no fault was found."""

    SOUND = "sound"
    ASKS = "asks"
    """To tell so takes what nobody had asked for: whoever wants to know has to ask for it, too."""


class SoundAhead:
    """The targets of which a `process` tells that they are sound."""

    def __init__(self, process: Ahead, names: Names) -> None:
        self._process = process
        self._names = names
        self._told: dict[Name, Told] = {}

    def told_of(self, node: ConfiguredNode) -> Told | None:
        """What the other process has found of a target, once it has; None if it has ended."""
        name = self._names.of(node)
        while name not in self._told:
            told = self._process.told()
            if told is None:
                return None
            self._told.update((name, Told(value)) for name, value in told)
        return self._told[name]

    def close(self) -> None:
        """Ends the other process: nothing is asked any more."""
        self._process.close()
