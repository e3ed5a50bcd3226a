"""The fingerprints of a state that has little differently from one whose fingerprints are kept.

Where nothing differs but files of which it is known which packages read them, and files that
decide about repositories (see `few_repositories`), only what is in those packages is made anew,
and what depends on something of them that has become another kind of thing. That holds as long as
nothing in them decides about other targets: the keys of selects and what stands behind them,
settings, platforms, toolchains.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, fields, replace
from typing import Any

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.base.label import Label, PackageId, PatternKind, TargetPattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.evaluation.bzl_files.seen_values import Seen
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.repositories.external_package import EXTERNAL
from bazelscope.loading.target_patterns import expand
from bazelscope.loading.tree.contents import FILE as FILE_INPUT
from bazelscope.questions.affected.decisions import LINKS, digest_in, digest_of, registrations
from bazelscope.questions.affected.few_repositories import (
    RepositoryGrounds,
    made_otherwise,
    repository_grounds,
)
from bazelscope.questions.affected.fingerprints import (
    FILE,
    RULE,
    TRANSITION,
    Fingerprints,
    StateGraph,
    roots_of,
    rules_below,
)
from bazelscope.questions.affected.repository_facts import read_for_repositories
from bazelscope.questions.shared.completeness import how_complete

_SEEN = FILE | RULE | TRANSITION
"""The bits that decide about a node's users."""


@dataclass(slots=True)
class Grounds:
    """What the fingerprints of a state rest on, as far as it is read by single packages.

    `readers` are the packages that read a file, which lies there without links.
    `decided_by` are hashes of targets that decide about others, by label; about more, the
    packages `deciding` do. `registered` is what registrations name.
    """

    readers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    decided_by: dict[str, bytes] = field(default_factory=dict)
    deciding: list[tuple[str, str]] = field(default_factory=list)
    registered: list[Any] = field(default_factory=list)
    in_error: list[str] = field(default_factory=list)
    """All packages that are in error."""
    seen: dict[tuple[str, str], Seen] = field(default_factory=dict)
    """What packages see of `.bzl` files, as far as that can be told."""
    rules: list[tuple[str, str, bytes, list[tuple[str, str]]]] = field(default_factory=list)
    """Starlark rules: file, name, what they do, the packages that have one."""
    targets: dict[str, bytes] = field(default_factory=dict)
    """What every target is under any flags."""
    repositories: RepositoryGrounds = field(default_factory=RepositoryGrounds)

    def fields(self) -> tuple[Any, ...]:
        """Returns its fields as plain data, for `of`."""
        named = (getattr(self, one.name) for one in fields(self))
        return tuple(one.fields() if isinstance(one, RepositoryGrounds) else one for one in named)

    @classmethod
    def of(cls, given: Sequence[Any]) -> Grounds:
        """What `fields` were of."""
        return cls(*[*given[:-1], RepositoryGrounds(*given[-1])])


def grounds_of(state: StateGraph, prints: Fingerprints) -> Grounds:
    """What the fingerprints that were just made of a state rest on."""
    loader = state.world.loader
    grounds = Grounds(in_error=packages_in_error(loader))
    shared = read_for_repositories(loader)
    if shared is None or state.decisions.by_code:
        return grounds
    for id, package in loader.packages_rested_on().items():
        if not isinstance(package, Package) or id == EXTERNAL:
            continue
        inputs = loader.maker.inputs_of(id)
        if inputs is None:
            return Grounds(in_error=grounds.in_error)
        for input in inputs:
            if input[0] == FILE_INPUT:
                grounds.readers.setdefault(input[1], []).append((id.repository, id.package))
    grounds.repositories = repository_grounds(loader, state.facts, shared)
    if not grounds.repositories.says:
        for path in shared:
            grounds.readers.pop(path, None)
    readers = {id for path, ids in grounds.readers.items() if _is_module(path) for id in ids}
    for one in sorted(readers):
        seen = loader.seen_anywhere(PackageId(*one))
        if seen is not None:
            grounds.seen[one] = seen
    grounds.decided_by = {
        str(label): digest_of(state.facts, loader, label)
        for label in sorted(state.decisions.labels)
    }
    grounds.targets = {
        text: digest_of(state.facts, loader, decode_label(text))
        for text in dict.fromkeys(key[0] for key in prints.keys)
    }
    grounds.rules = [
        (*key, state.facts.code(*key), [(id.repository, id.package) for id in sorted(users)])
        for key, users in sorted(state.facts.users_of_rules.items())
    ]
    grounds.deciding = [(id.repository, id.package) for id in sorted(state.decisions.packages)]
    grounds.registered = registrations(loader, loader.account.registrations)
    return grounds


def packages_in_error(loader: Loader) -> list[str]:
    """Those of the packages looked at that are in error."""
    return [one.package for one in how_complete(loader, ()).packages_in_error]


def prints_like(
    old: Fingerprints,
    grounds: Grounds,
    edited: Iterable[str],
    state: StateGraph,
    patterns: Iterable[TargetPattern],
) -> tuple[Fingerprints, list[str]] | None:
    """The fingerprints of a state that differs from that of `old` in files alone of which the
    `grounds` tell who read them, and which packages are in error there; None where more than
    their packages may differ."""
    loader = state.world.loader
    edited = [path for path in edited if loader.workspace.disk.real_path(path) == path]
    deciding = grounds.repositories.read
    of_repositories = set(edited).intersection(deciding)
    if not all(path in grounds.readers or path in of_repositories for path in edited):
        return None
    packages = _touched(grounds, edited, state)
    repositories: set[str] = set()
    if of_repositories:
        others = made_otherwise(grounds.repositories, loader, state.facts)
        if others is None:
            return None
        repositories = others[1]
        packages |= others[0]
        names = {key[0].partition(":")[0] for key in old.keys}
        ids = (decode_label(f"{name}:x").package_id for name in names)
        packages.update(id for id in ids if id.repository in repositories)
    loader.prepare(sorted(packages))
    if not all(isinstance(loader.package(id), Package) for id in packages if not id.repository):
        return None
    if not _decides_alike(grounds, packages, state):
        return None
    made = _Made(old, grounds.targets, packages, repositories, state, list(patterns)).run()
    if made is None:
        return None
    names = {str(id) for id in packages}
    still = [one for one in grounds.in_error if one not in names]
    return made, still + [one for one in packages_in_error(loader) if one in names]


def _touched(grounds: Grounds, edited: Iterable[str], state: StateGraph) -> set[PackageId]:
    """The packages that are made otherwise, and those with a rule that does something else."""
    loader = state.world.loader
    packages: set[PackageId] = set()
    same: dict[tuple[str, str], bool] = {}
    for path in edited:
        readers = grounds.readers.get(path, [])
        if not _is_module(path):
            packages.update(PackageId(*id) for id in readers)
            continue
        for id in readers:
            if id not in same:
                seen = grounds.seen.get(id)
                same[id] = seen is not None and loader.sees(seen)
    packages.update(PackageId(*id) for id, is_same in same.items() if not is_same)
    if same:
        for file, name, digest, users in grounds.rules:
            if state.facts.code(file, name) != digest:
                packages.update(PackageId(*id) for id in users)
    return packages


def _is_module(path: str) -> bool:
    return path.endswith((".bzl", ".scl"))


def _decides_alike(grounds: Grounds, packages: set[PackageId], state: StateGraph) -> bool:
    """Whether what decides about other targets is as it was."""
    loader = state.world.loader
    if not packages.isdisjoint(PackageId(*one) for one in grounds.deciding):
        return False
    for text, digest in grounds.decided_by.items():
        label = decode_label(text)
        if label.package_id in packages and digest_of(state.facts, loader, label) != digest:
            return False
    asked = [(what, extra) for what, extra, _ in grounds.registered]
    return registrations(loader, asked) == grounds.registered


@dataclass(eq=False)
class _Made:
    """Makes the fingerprints of a state of those of another."""

    _old: Fingerprints
    _targets: dict[str, bytes]
    _packages: set[PackageId]
    _repositories: set[str]
    _state: StateGraph
    _patterns: list[TargetPattern]
    _pending: deque[tuple[int, ConfiguredNode]] = field(default_factory=deque)
    _edges: dict[int, list[int]] = field(default_factory=dict)
    _unmade: set[int] = field(default_factory=set)
    """Nodes that are not found in this state: nothing may lead to them any more."""

    def __post_init__(self) -> None:
        old = self._old
        self._numbers = {key: number for number, key in enumerate(old.keys)}
        self._made = replace(
            old,
            keys=list(old.keys),
            own=list(old.own),
            bits=bytearray(old.bits),
            kinds=list(old.kinds),
            made_by=dict(old.made_by),
        )

    def run(self) -> Fingerprints | None:
        """Returns them; None where one that is needed is not found again."""
        old, state, made = self._old, self._state, self._made
        # Names of targets have no colon.
        packages = {str(Label(*id, "")): id for id in self._packages}
        inside: list[int] = []
        for number, (text, _) in enumerate(old.keys):
            above, colon, name = text.partition(":")
            id = packages.get(above + colon)
            if id is None:
                continue
            before, now = self._known(number, id, name), self._now(id, name)
            if before is None or before[:LINKS] != now[:LINKS]:
                inside.append(number)
            elif before != now:
                self._make_like(number)
        others = {
            n for n in inside if (state.bits(decode_label(old.keys[n][0])) ^ old.bits[n]) & _SEEN
        } | {n for n in inside if old.bits[n] & TRANSITION}
        users = old.reverse() if others else {}
        for number in dict.fromkeys((*inside, *(u for n in others for u in users.get(n, ())))):
            node = state.named(old.keys[number], old)
            if node is None:
                self._unmade.add(number)
            else:
                self._pending.append((number, node))
        tops = dict.fromkeys(rules_below(state.world, self._tops()))
        made.tops = [n for n in old.tops if old.keys[n][0].partition(":")[0] + ":" not in packages]
        made.tops += [self._number(state.graph.top(label)) for label in tops]
        while self._pending:
            self._make(*self._pending.popleft())
        if self._unmade:
            users = users or old.reverse()
            known = self._edges.keys() | self._unmade
            if any(user not in known for n in self._unmade for user in users.get(n, ())):
                return None
        self._join()
        made.roots = {**roots_of(state.world), **old.roots}
        return made

    def _known(self, number: int, id: PackageId, name: str) -> bytes | None:
        """What a target was whatever the flags, which decides about its dependencies if it is what
        it was; None where more does."""
        package = self._state.world.loader.package(id)
        is_there = isinstance(package, Package) and name in package.targets
        # What is not there is told with what is called alike; some suites are of all tests.
        if not is_there or id.repository in self._repositories:
            return None
        old = self._old
        return None if old.kinds[number] == "test_suite" else self._targets.get(old.keys[number][0])

    @memoized
    def _now(self, id: PackageId, name: str) -> bytes:
        """What a target is in this state whatever the flags."""
        return digest_in(self._state.facts, self._state.world.loader.package(id), name)

    def _make_like(self, number: int) -> None:
        """Makes anew what a target is by itself that depends on what it depended on."""
        node = self._state.named(self._old.keys[number], self._old)
        if node is None:
            self._unmade.add(number)
        else:
            own = self._old.own[number]
            self._made.own[number] = self._state.facts.digest_like(node, own)

    def _tops(self) -> Iterator[Label]:
        """What the patterns mean in the packages."""
        loader = self._state.world.loader
        labels: dict[Label, None] = {}
        for pattern in self._patterns:
            for id in sorted(self._packages):
                for label in _in_package(loader, pattern, id):
                    if pattern.excluded:
                        labels.pop(label, None)
                    else:
                        labels[label] = None
        yield from labels

    def _number(self, node: ConfiguredNode) -> int:
        key = self._state.key(node)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._made.keys)
            self._made.keys.append(key)
            self._made.own.append(b"")
            self._made.bits.append(0)
            self._made.kinds.append("")
            self._pending.append((number, node))
        elif number in self._unmade:
            self._unmade.discard(number)
            self._pending.append((number, node))
        return number

    def _make(self, number: int, node: ConfiguredNode) -> None:
        state, made = self._state, self._made
        edges = state.edges(node)
        made.own[number] = state.facts.digest(node, edges)
        made.bits[number] = state.bits(node.label)
        made.kinds[number] = state.kind(node.label)
        self._edges[number] = list(dict.fromkeys([self._number(edge.target) for edge in edges]))
        for edge in edges:
            if edge.target.configuration is not None:
                made.made_by.setdefault(state.key(edge.target)[1], number)

    def _join(self) -> None:
        """Puts together the edges of all nodes: those that were made anew between the others."""
        old, made = self._old, self._made
        made.starts, made.targets = array("I", [0]), array("I")
        done = 0
        for number in (*sorted(n for n in self._edges if n < len(old.keys)), len(old.keys)):
            offset = len(made.targets) - old.starts[done]
            made.targets += old.targets[old.starts[done] : old.starts[number]]
            made.starts.extend([one + offset for one in old.starts[done + 1 : number + 1]])
            if number < len(old.keys):
                made.targets.extend(self._edges[number])
                made.starts.append(len(made.targets))
            done = number + 1
        for number in range(len(old.keys), len(made.keys)):
            made.targets.extend(self._edges[number])
            made.starts.append(len(made.targets))


def _in_package(loader: Loader, pattern: TargetPattern, id: PackageId) -> Iterable[Label]:
    """What a pattern means in one package."""
    if pattern.kind is PatternKind.TARGET:
        return [one for one in expand(loader, pattern).labels if one.package_id == id]
    base = pattern.label.package_id
    if pattern.recursive:
        below = f"{base.package}/" if base.package else ""
        if base.repository != id.repository or not f"{id.package}/".startswith(below):
            return ()
        if id == EXTERNAL and base != EXTERNAL:
            return ()  # As `packages_below`.
        pattern = replace(pattern, label=Label(*id, ""), recursive=False)
    elif base != id:
        return ()
    return expand(loader, pattern).labels
