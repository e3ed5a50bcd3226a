"""Which targets differ between two states of a git repository, and why each does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.compatibility import incompatible_among
from bazelscope.base.label import Label, PackageId, TargetPattern, at_sign, parse_pattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Absent, InputFile, Rule
from bazelscope.loading.target_patterns import expand_all
from bazelscope.questions.affected.answer import (
    NOT_THERE,
    AffectedAnswer,
    AffectedTarget,
    Cause,
    CauseKind,
)
from bazelscope.questions.affected.changed_files import ChangedFiles
from bazelscope.questions.affected.configuration_facts import configuration_digest, options_of
from bazelscope.questions.affected.fingerprints import (
    ASKS,
    FILE,
    TEST,
    TRANSITION,
    Fingerprints,
    NodeKey,
    StateGraph,
    fingerprints,
    rules_below,
)
from bazelscope.questions.affected.own_facts import BRANCH, MADE_BY, has_same_tools
from bazelscope.questions.affected.refused import refused_below
from bazelscope.questions.affected.repository_facts import ATTRIBUTE, NAMED, OVERRIDE, Facts
from bazelscope.questions.affected.told_values import (
    kind_told,
    options_parted,
    parted,
    that_differ,
)
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import missing_among
from bazelscope.questions.shared.world import World

EVERYTHING = ("//...",)
_MOST_CAUSES = 6


@dataclass(slots=True)
class State:
    """One of the two states: its name, and its world."""

    name: str
    world: World
    graph: StateGraph | None = None

    def made(self) -> StateGraph:
        """The state's configured graph, made when it is first asked for."""
        if self.graph is None:
            self.graph = StateGraph(self.world)
        return self.graph

    @property
    def configuration(self) -> str:
        """A hash of the configuration that the line makes."""
        made = self.world.configuration
        return configuration_digest(made, made)


def prints_of(state: State, patterns: Sequence[str], directory: PackageId) -> Fingerprints:
    """The fingerprints of the rules that target patterns mean in a state, and of all below."""
    loader = state.world.loader
    graph = state.made()  # Before packages are loaded that decide about nothing.
    labels = expand_all(loader, parsed_patterns(loader, patterns, directory)).labels
    return fingerprints(graph, rules_below(state.world, labels))


def under_other_flags(old: Fingerprints, state: State) -> Fingerprints | None:
    """The fingerprints of the targets asked about, and of nothing else, in a state that has the
    same files and another configuration, by which each of them is another; None where some are
    not."""
    made = Fingerprints(roots=old.roots)
    of_line = state.configuration
    for number in old.tops:
        text, configuration = old.keys[number]
        if not configuration:
            return None
        if old.bits[number] & TRANSITION:
            graph = state.made()
            key = graph.key(graph.graph.top(decode_label(text)))
            if key == old.keys[number]:
                return None
        else:
            key = text, of_line
        made.tops.append(len(made.keys))
        made.keys.append(key)
        made.own.append(b"")
        made.bits.append(old.bits[number])
        made.kinds.append(old.kinds[number])
        made.starts.append(0)
    return made


def parsed_patterns(
    loader: Loader, patterns: Sequence[str], directory: PackageId
) -> list[TargetPattern]:
    """Target patterns as typed in a directory. Raises `LabelError`."""
    return [parse_pattern(text, directory, loader.table.typed_names) for text in patterns]


def affected_targets(
    envelope: Envelope,
    compared: Comparison,
    tests: bool,
    in_error: Sequence[str],
    is_walked: bool,
    with_causes: bool,
) -> AffectedAnswer:
    """What differs between two states; `tests`: of the tests alone. `in_error` are packages that
    the later one alone has in error; `is_walked`: that was looked at as a whole. To say the
    causes, both states are looked at where they differ."""
    before, after, changed = compared.before, compared.after, compared.changed
    old, new = compared.old, compared.new
    ways = _ways(old, new, changed)
    rules = {new.keys[number][0] for number in new.tops}
    wanted: dict[str, int] = {}
    # A tool that is another for those who use it may be what it was where it is asked for.
    tops = ways.keys() & set(new.tops)
    for number in sorted(tops, key=lambda number: (len(ways[number]), new.keys[number])):
        if not tests or new.bits[number] & TEST:
            wanted.setdefault(new.keys[number][0], number)
    incompatible = _incompatible(after, new, wanted)
    built = [number for text, number in wanted.items() if text not in incompatible]
    refused = refused_below(after.world, old, new, built, compared.starts_of_refusals(ways))
    causes: dict[NodeKey, tuple[Cause, ...]] = {}
    targets: list[AffectedTarget] = []
    skipped: list[Label] = []
    for text, number in wanted.items():
        label = decode_label(text)
        if text in incompatible:
            skipped.append(label)
            continue
        way = ways[number]
        end = new.keys[way[-1]]
        if end not in causes:
            causes[end] = compared.causes(way[-1]) if with_causes else ()
        targets.append(
            AffectedTarget(
                label,
                f"{new.kinds[number]} rule",
                bool(new.bits[number] & TEST),
                tuple([decode_label(new.keys[one][0]) for one in way]),
                causes[end],
                label in refused.targets,
            )
        )
    gone = {old.keys[number][0] for number in old.tops} - rules
    labels = [target.label for target in targets]
    if is_walked:
        complete = how_complete(after.world.loader, labels)
        told = [one for one in complete.packages_in_error if one.package in in_error]
        envelope = envelope.closed(replace(complete, packages_in_error=tuple(told)))
    missing = missing_among(after.world, compared.newly_missing()) if targets else ()
    envelope = replace(envelope, diagnostics=missing, refusals=refused.refusals)
    return AffectedAnswer(
        envelope,
        before.name,
        after.name,
        tuple(targets),
        len(rules),
        changed.shown,
        tuple(sorted(map(decode_label, gone))),
        tuple(sorted(skipped)),
        # Where no file differs, neither do targets that nobody can see.
        tuple(in_error) if changed.shown else (),
        not refused.is_whole,
    )


def _users_of(prints: Fingerprints, bit: int) -> Set[int]:
    """The nodes that have a bit, and all that depend on one."""
    users = {number for number, bits in enumerate(prints.bits) if bits & bit}
    reverse = prints.reverse() if users else {}
    pending = list(users)
    for number in pending:
        new = [user for user in reverse.get(number, ()) if user not in users]
        users.update(new)
        pending += new
    return users


def _incompatible(state: State, prints: Fingerprints, wanted: Mapping[str, int]) -> Set[str]:
    """Those of the targets with these nodes that cannot be built for their platform."""
    if not state.world.flags.release.incompatible_targets:
        return frozenset()
    asking = _users_of(prints, ASKS)
    labels = {text: decode_label(text) for text, number in wanted.items() if number in asking}
    if not labels:
        return frozenset()
    graph = state.made().graph
    refused = incompatible_among(graph, map(graph.top, labels.values()))
    return {text for text, label in labels.items() if graph.top(label) in refused}


def _ways(
    old: Fingerprints, new: Fingerprints, changed: ChangedFiles
) -> Mapping[int, tuple[int, ...]]:
    """For each affected node, the shortest way to one that differs itself."""
    known = dict(zip(old.keys, old.own, strict=True)) if old is not new else None
    may_touch = changed.may_touch
    starts = [
        number
        for number, key in enumerate(new.keys)
        if (known is not None and known.get(key) != new.own[number])
        or (new.bits[number] & FILE and may_touch(key[0]) and changed.touches(path_of(new, key[0])))
    ]
    following: dict[int, int | None] = dict.fromkeys(starts)
    pending = list(starts)
    reverse = new.reverse() if starts else {}
    for number in pending:
        for user in reverse.get(number, ()):
            if user not in following:
                following[user] = number
                pending.append(user)
    ways: dict[int, tuple[int, ...]] = {}
    for number, after in following.items():  # Nearest first.
        ways[number] = (number, *(ways[after] if after is not None else ()))
    return ways


def path_of(prints: Fingerprints, text: str) -> str:
    """Where the file of a label lies; empty for one of a repository without a directory."""
    label = decode_label(text)
    root = prints.roots.get(label.repository)
    if root is None:
        return ""
    return f"{root}/{label.path}" if root else label.path


# ---- Why


@dataclass(eq=False)
class Comparison:
    """Two states with their fingerprints; says what is different about a node itself."""

    before: State
    after: State
    old: Fingerprints
    new: Fingerprints
    changed: ChangedFiles

    def __post_init__(self) -> None:
        self._numbers = {key: index for index, key in enumerate(self.old.keys)}

    def starts_of_refusals(self, ways: Mapping[int, tuple[int, ...]]) -> Iterator[int]:
        """The nodes that differ by themselves, but for files that both states have."""
        for number, way in ways.items():
            if len(way) == 1:
                path = path_of(self.new, self.new.keys[number][0])
                is_file = self.new.bits[number] & FILE
                states = (self.before, self.after)
                if not is_file or not all(self._is_there(state, path) for state in states):
                    yield number

    def newly_missing(self) -> list[Label]:
        """What the later state alone depends on and is not there, each before those that ask
        for it."""
        known = {text for text, _ in self._numbers}
        graph = self.after.world.graph
        missing = [
            number
            for number, (text, _) in enumerate(self.new.keys)
            if text not in known and isinstance(graph.node(decode_label(text)), Absent)
        ]
        for number in missing:
            graph.edges(decode_label(self.new.keys[number][0]))  # Which notes that it is absent.
        reverse = self.new.reverse() if missing else {}
        users = [user for number in missing for user in reverse.get(number, ())]
        return [decode_label(self.new.keys[number][0]) for number in (*missing, *users)]

    def causes(self, number: int) -> tuple[Cause, ...]:
        """What differs in a node of the later state, the most telling first."""
        key = self.new.keys[number]
        if self.new.bits[number] & FILE:
            path = path_of(self.new, key[0])
            if self.changed.touches(path):
                shown = self.changed.name(path)
                old, new = (
                    None if self._is_there(state, path) else NOT_THERE
                    for state in (self.before, self.after)
                )
                return (Cause(CauseKind.FILE, shown, old, new, Location(shown, 1, 1)),)
        node = self._node(self.after, key)
        if node is None:
            return (Cause(CauseKind.UNKNOWN, key[0]),)
        place = self._place(node)
        if isinstance(self.after.made().graph.target(node), Absent):
            return (Cause(CauseKind.GONE, key[0]),)
        other = self._node(self.before, key) if key in self._numbers else None
        if other is None:
            if not any(text == key[0] for text, _ in self._numbers):
                return (Cause(CauseKind.NEW, key[0], location=place),)
            return self._options() or (self._of_kind(node, place),)
        # Looking for edges takes longer than all else.
        has_tools = not has_same_tools(self.old.own[self._numbers[key]], self.new.own[number])
        mine, theirs = (
            self._facts(*one, has_tools) for one in ((self.after, node), (self.before, other))
        )
        listed = [
            cause
            for name in dict.fromkeys((*mine, *theirs))
            if mine.get(name) != theirs.get(name)
            for cause in self._cause(name, theirs.get(name), mine.get(name), place, node)
        ]
        listed.sort(key=lambda cause: cause.kind in (CauseKind.UNKNOWN, CauseKind.MACRO))
        return tuple(listed[:_MOST_CAUSES]) or (Cause(CauseKind.UNKNOWN, key[0], location=place),)

    def _of_kind(self, node: ConfiguredNode, place: Location | None) -> Cause:
        """What a target has become; of a target that cannot be read what stands in its place."""
        old, new = (state.world.graph.node(node.label) for state in (self.before, self.after))
        was, now = kind_told(old), kind_told(new)
        path = path_of(self.new, str(node.label))
        if isinstance(new, InputFile) and path and not self._is_there(self.after, path):
            now = "a source file that is not there"
        return Cause(CauseKind.RULE, "kind", was, now, place)

    def _is_there(self, state: State, path: str) -> bool:
        return state.world.loader.workspace.disk.kind(path) is not None

    def _of_repository(self, name: str) -> Iterator[Cause]:
        """What differs in how a repository is made."""
        old, new = (state.made().facts.of_repository(name) for state in (self.before, self.after))
        if old.get(OVERRIDE) != new.get(OVERRIDE):
            # Nothing of the definition counts where the command line puts it elsewhere.
            places = [facts.get(OVERRIDE) for facts in (old, new)]
            flag = self._option_place(self.after, OVERRIDE)
            flag = flag or self._option_place(self.before, OVERRIDE)
            texts = [f"{name}={place}" if place is not None else None for place in places]
            yield Cause(CauseKind.FLAG, OVERRIDE, texts[0], texts[1], flag)
            return
        definition = self.after.world.loader.table.definitions.get(name)
        place = definition.location if definition is not None else None
        for fact in dict.fromkeys((*new, *old)):
            if old.get(fact) == new.get(fact):
                continue
            if fact.startswith(NAMED):
                path = fact.removeprefix(NAMED)
                yield Cause(CauseKind.REPOSITORY, path, location=Location(path, 1, 1))
            elif fact.startswith(ATTRIBUTE):
                told = f"`{fact.removeprefix(ATTRIBUTE)}` of its definition"
                yield Cause(CauseKind.REPOSITORY, told, location=place)
            else:
                told = _OF_REPOSITORIES.get(fact, "how the repository is made")
                yield Cause(CauseKind.REPOSITORY, told, location=place)

    def _cause(
        self,
        name: str,
        before: object,
        after: object,
        place: Location | None,
        node: ConfiguredNode,
    ) -> Iterable[Cause]:
        if name.startswith(BRANCH):
            texts = [", ".join(one) if isinstance(one, tuple) else None for one in (before, after)]
            yield Cause(CauseKind.BRANCH, name.split()[1], texts[0], texts[1], place)
        elif name.startswith(ATTRIBUTE):
            old, new = parted(before, after)
            yield Cause(CauseKind.ATTRIBUTE, name.removeprefix(ATTRIBUTE), old, new, place)
        elif name == "configuration":
            yield from self._options()
        elif name == "implementation":
            files = [path for path in self.changed.shown if path.endswith((".bzl", ".scl"))]
            for path in files or ["the code of its rule"]:
                where = Location(path, 1, 1) if files else place
                yield Cause(CauseKind.RULE, path, location=where)
        elif name == MADE_BY:
            for repository in that_differ(before, after):
                where = next((one.location for one in self._of_repository(repository)), None)
                yield Cause(CauseKind.RULE, at_sign(repository), location=where or place)
        elif name == "repository":
            yield from self._of_repository(node.label.repository)
        elif name == "kind":
            yield self._of_kind(node, place)
        else:
            kind = _KINDS.get(name, CauseKind.UNKNOWN)
            old, new = parted(before, after)
            yield Cause(kind, name, old, new, place)

    def _options(self) -> tuple[Cause, ...]:
        """The options that make another configuration."""
        old, new = (options_of(s.world.configuration) for s in (self.before, self.after))
        listed = []
        for name in sorted({*old, *new}):
            if old.get(name) == new.get(name):
                continue
            place = self._option_place(self.after, name, old.get(name, ()))
            texts = options_parted(old.get(name), new.get(name))
            listed.append(Cause(CauseKind.FLAG, name, texts[0], texts[1], place))
        return tuple(listed[:_MOST_CAUSES])

    def _option_place(self, state: State, name: str, others: Sequence[str] = ()) -> Location | None:
        """Where an option is set last to something that is none of `others`."""
        flags = state.world.flags
        define = flags.defines.get(name.removeprefix("define="))
        value = flags.values.get(name) or flags.starlark_flags.get(name)
        instances = [define.instance] if define is not None else value.instances if value else ()
        told = [instance for instance in instances if instance.value not in others]
        places = (instance.location for instance in reversed(told))
        return next((place for place in places if place is not None), None)

    def _facts(self, state: State, node: ConfiguredNode, has_tools: bool) -> Facts:
        graph = state.made()
        return graph.facts.facts(node, graph.edges(node) if has_tools else None)

    def _place(self, node: ConfiguredNode) -> Location | None:
        target = self.after.made().graph.target(node)
        return target.location if isinstance(target, Rule) else None

    def _node(self, state: State, key: NodeKey) -> ConfiguredNode | None:
        """A node by its name: that of the top-level configuration, or one that was met."""
        graph = state.made()
        label = decode_label(key[0])
        top = graph.graph.top(label)
        if graph.key(top) == key:
            return top

        prints = self.new if state is self.after else self.old
        return graph.named(key, prints)


_OF_REPOSITORIES = {"code": "the code of its rule", "files": "what its rule writes"}
_KINDS = {
    "macro": CauseKind.MACRO,
    "features of the package": CauseKind.PACKAGE,
    "name of the workspace": CauseKind.PACKAGE,
    "toolchains and tools": CauseKind.TOOLCHAIN,
    "packages": CauseKind.ATTRIBUTE,
    "outputs": CauseKind.ATTRIBUTE,
}
