"""Files that several configured targets would make, each in its own way.

Bazel: `ArtifactConflictFinder`, `Actions.canBeShared`. Two actions that are the same are one; what
cannot be told apart for sure is no conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.analysis.rules.actions import Action
from bazelscope.analysis.rules.aspects import AspectNode
from bazelscope.analysis.rules.aspects_on_targets import Node
from bazelscope.analysis.rules.files import FileRoot, FileValue
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.label import Label

_Made = tuple[Node, Action | None]


class OutputChecks:
    """The checks, over one configured graph; targets are noted as they are left."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations
        self._made: dict[tuple[FileRoot, str, str], _Made] = {}
        self._below: dict[tuple[FileRoot, str, str], _Made] = {}
        """By a folder: who makes something there."""
        self._seen: set[frozenset[Label]] = set()

    def refused(self, node: Node) -> list[Refusal]:
        """What conflicts with what was noted before, of the files that a target makes, or an
        aspect on one."""
        if isinstance(node, AspectNode):
            result = self._implementations.run(node)
            if not isinstance(result, Implemented):
                return []
            return self._conflicts(node, node.node.label, _made_by(result))
        made: list[tuple[FileValue, Action | None]]
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is not None and rule_class.defined_at:
            result = self._implementations.run(node)
            if not isinstance(result, Implemented) or result.label != node.label:
                return []
            made = _made_by(result)
        else:
            made = [(file, None) for file in self._implementations.generated_by(node)]
        return self._conflicts(node, node.label, made)

    def _conflicts(
        self, node: Node, label: Label, made: Sequence[tuple[FileValue, Action | None]]
    ) -> list[Refusal]:
        refused = []
        own = {(file.root, file.repository, file.inside): action for file, action in made}
        for file, action in made:
            above = ((file.root, file.repository, one) for one in _folders(file.inside))
            # One action may make a directory, and name a file in it.
            if any(own.get(one, action) is not action for one in above):
                refusal = self._refusal(label, label, _PREFIX.format(file.inside))
                refused += [refusal] if refusal is not None else []
                continue
            last = own[file.root, file.repository, file.inside]
            if last is not action and _differ(last, action):
                refusal = self._refusal(label, label, f"file '{file.inside}' is generated")
                refused += [refusal] if refusal is not None else []
                continue
            refusal = self._noted(file, node, label, action)
            if refusal is not None:
                refused.append(refusal)
        return refused

    def _noted(
        self, file: FileValue, node: Node, label: Label, action: Action | None
    ) -> Refusal | None:
        key = (file.root, file.repository, file.inside)
        other = self._made.setdefault(key, (node, action))
        if other[0] is not node and other[0] != node and _differ(other[1], action):
            return self._refusal(label, _label(other[0]), f"file '{file.inside}' is generated")
        below = self._below.get(key)
        for parent in _folders(file.inside):
            key = (file.root, file.repository, parent)
            below = below or self._made.get(key)
            if self._below.setdefault(key, (node, action))[0] != node and below is None:
                break  # What is above was noted, and looked at, for another file there.
        if below is not None and below[0] != node:
            return self._refusal(label, _label(below[0]), _PREFIX.format(file.inside))
        return None

    def _refusal(self, one: Label, other: Label, what: str) -> Refusal | None:
        pair = frozenset({one, other})
        if pair in self._seen:
            return None
        self._seen.add(pair)
        first, second = sorted(pair) if len(pair) == 2 else (one, other)
        causes = (self._cause(first), self._cause(second))
        return Refusal(
            RefusalKind.CONFLICT,
            f"{what} by conflicting actions of {first} and {second}",
            first,
            location=causes[0].location,
            causes=causes,
            remedy="let one of them write a file of another name, or build only one of them",
        )

    def _cause(self, label: Label) -> RefusalCause:
        place = self._graph.graph.location(label)
        return RefusalCause(f"{label} makes it", place)


_PREFIX = "a path that is a prefix of another is made ('{}')"


def _label(node: Node) -> Label:
    return node.node.label if isinstance(node, AspectNode) else node.label


def _made_by(result: Implemented) -> list[tuple[FileValue, Action | None]]:
    return [(file, action) for action in result.actions for file in action.outputs]


def _folders(inside: str) -> Iterator[str]:
    """The folders above a file, the nearest first."""
    while "/" in inside:
        inside = inside.rpartition("/")[0]
        yield inside


def _texts_differ(one: dict[object, object], other: dict[object, object]) -> bool:
    """Whether dictionaries of nothing but texts are not the same."""
    parts = [part for pairs in (one.items(), other.items()) for pair in pairs for part in pair]
    return all(isinstance(part, str) for part in parts) and one != other


def _differ(one: Action | None, other: Action | None) -> bool:
    """Whether two actions are surely not the same; None is a genrule's."""
    if one is None or other is None:
        return one is not other
    if one.kind != other.kind:
        return True
    if one.mnemonic != other.mnemonic:
        return True
    for name in ("content", "command", "executable"):
        mine, theirs = one.given.get(name), other.given.get(name)
        if isinstance(mine, str) and isinstance(theirs, str) and mine != theirs:
            return True
    mine, theirs = one.given.get("substitutions"), other.given.get("substitutions")
    if isinstance(mine, dict) and isinstance(theirs, dict) and _texts_differ(mine, theirs):
        return True
    if "arguments" in one.given or "arguments" in other.given:
        words, others = one.words(), other.words()
        return isinstance(words, tuple) and isinstance(others, tuple) and words != others
    return False
