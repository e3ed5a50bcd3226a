"""What travels through the deps of C++ rules: defines, include directories, linkopts.

Bazel: `CcCompilationContext`. The order in which lists of dependencies are joined, and which of
equal entries stays, differs between releases and was measured (4.2.3, 2.1.0, 0.24.1).
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from bazelscope.analysis.compile.attribute_words import AttributeWords
from bazelscope.analysis.compile.proto_libraries import (
    CC_PROTO_LIBRARY,
    PROTO_LIBRARY,
    ProtoLibraries,
    is_native,
)
from bazelscope.analysis.conditions.alias_dependencies import ALIASES
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.graph.aliases import behind_aliases, targets_of
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.errors import LabelError
from bazelscope.base.graph_walk import find_way, post_order
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Selector
from bazelscope.loading.packages.targets import Rule, UnknownResult

COMPILING = frozenset({"cc_library", "cc_binary", "cc_test"})
LINKING = frozenset({"cc_binary", "cc_test"})
CC_RULES = COMPILING | {"cc_import"}
_WITHOUT_CONTEXT = frozenset({"filegroup", "genrule"})
_TOOLS = "bazel_tools"


class Entry(NamedTuple):
    """One define, directory or place of unknown ones, and the attribute of the target that has
    it: the string as written, and the branch of the select() that it stands in."""

    text: str
    target: ConfiguredNode
    attribute: str
    written: str = ""
    condition: Label | None = None
    selector: Selector | None = None
    unknown: Unknown | None = None


Entries = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class CcContext:
    """What a target hands on: `identity` tells sets of defines apart that are one and the same."""

    defines: Entries = ()
    repositories: tuple[str, ...] = ()
    """Repositories whose files can be included by their paths in them."""
    virtual_includes: Entries = ()
    """Directories for `-I`, below the directory of outputs."""
    includes: Entries = ()
    """Directories of the attribute `includes`, for `-isystem`."""
    unknowns: Entries = ()
    """Dependencies of which it cannot be told what they hand on."""
    identity: object = None


_NOTHING = CcContext()


class CcContexts:
    """The contexts of configured targets, each made once."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        words: Callable[[ConfiguredNode], AttributeWords],
        hands_on_nothing: Callable[[ConfiguredNode], bool],
        protos: ProtoLibraries,
    ) -> None:
        """`hands_on_nothing` tells of a target of a Starlark rule whether it is sure to have no
        part in C++."""
        self._graph = graph
        self._protos = protos
        self._hands_on_nothing = hands_on_nothing
        self._words = words
        self._release = graph.configuration.release
        self._known: dict[ConfiguredNode, CcContext] = {}

    def of(self, node: ConfiguredNode) -> CcContext:
        """What a target hands on, itself included. Cycles are refused elsewhere; here they end."""

        def unknown(user: ConfiguredNode) -> list[ConfiguredNode]:
            return [one for one in self.dependencies(user) if one not in self._known]

        for one in post_order([node] if node not in self._known else (), unknown):
            self._known[one] = self._make(one)
        return self._known[node]

    @memoized
    def dependencies(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """The targets behind `deps` and the malloc of a rule of C++, aliases followed."""
        # One that is a malloc as well counts once, as Bazel's sets have it.
        return tuple(dict.fromkeys(self._find_dependencies(node)))

    def linked(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """The targets that a rule links: a shared library no malloc. Measured."""
        rule = self._graph.target(node)
        if isinstance(rule, Rule) and self._words(node).flag("linkshared"):
            return tuple(dict.fromkeys(targets_of(self._graph, node, "deps")))
        return self.dependencies(node)

    def own_dependencies(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """Those that count for its own sources alone: `implementation_deps`."""
        return tuple(targets_of(self._graph, node, "implementation_deps"))

    def every_dependency(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """Those that hand on what its users compile with, and those that count for it alone."""
        return (*self.dependencies(node), *self.own_dependencies(node))

    def path(self, start: ConfiguredNode, target: ConfiguredNode) -> tuple[Label, ...]:
        """A shortest way through deps from `start` to the target that hands something on; empty
        for `start` itself."""
        if start is target:
            return ()
        way = find_way([start], self.every_dependency, lambda node: node is target)
        return tuple(step.label for step in way or (start, target))

    def _find_dependencies(self, node: ConfiguredNode) -> Iterator[ConfiguredNode]:
        rule = self._graph.target(node)
        if is_native(rule, CC_PROTO_LIBRARY):
            yield from targets_of(self._graph, node, "deps")
        if is_native(rule, PROTO_LIBRARY):
            runtime = self._protos.runtime(node)
            if isinstance(runtime, ConfiguredNode):
                yield runtime
            yield from targets_of(self._graph, node, "deps")
        if not is_cc(rule, CC_RULES):
            return
        yield from targets_of(self._graph, node, "deps", "interface_deps")
        if is_cc(rule, LINKING):
            custom = self._custom_malloc(node)
            if custom is not None:
                yield custom
            else:
                yield from targets_of(self._graph, node, "malloc")

    def _custom_malloc(self, node: ConfiguredNode) -> ConfiguredNode | None:
        """The target of `--custom_malloc`, which beats the attribute."""
        configuration = self._graph.configuration_of(node)
        text = configuration.value("custom_malloc").value
        if not text:
            return None
        try:
            label = configuration.label(text)
        except LabelError:
            return None
        return behind_aliases(self._graph, self._graph.node(label, configuration))

    def _make(self, node: ConfiguredNode) -> CcContext:
        target = self._graph.target(node)
        if isinstance(target, UnknownResult):
            return _unknown(node, target.unknown)
        if not isinstance(target, Rule):
            return _NOTHING
        name = target.rule_class.name
        if is_cc(target, CC_RULES):
            return self.join(node, own=self.own(node), others=self.dependencies(node))
        is_of_starlark = bool(target.rule_class.defined_at)
        if is_of_starlark and self._hands_on_nothing(node):
            return _NOTHING
        if is_of_starlark or not target.rule_class.is_known:
            detail = f"what a {name} hands on is for its implementation to say"
            return _unknown(
                node, Unknown(Reason.NEEDS_ANALYSIS, str(node.label), detail, target.location)
            )
        if name in _WITHOUT_CONTEXT:
            return _NOTHING
        if name == PROTO_LIBRARY:
            return self.join(node, self._own_of_proto(node), self.dependencies(node))
        if name == CC_PROTO_LIBRARY:
            return self.join(node, CcContext(identity=node), self.dependencies(node))
        if name in ALIASES or name in LABEL_SETTINGS:
            detail = "what the alias stands for cannot be told"
        elif name.startswith("cc_") or name.startswith("objc_"):
            detail = f"what a {name} hands on is not modelled"
        else:
            return _NOTHING
        return _unknown(
            node, Unknown(Reason.NOT_MODELLED, str(node.label), detail, target.location)
        )

    def own(self, node: ConfiguredNode) -> CcContext:
        """What a target's own attributes say."""
        words = self._words(node)
        label = node.label
        return CcContext(
            _first_entries([entries(node, words, "defines")]),
            (label.repository,),
            tuple(_virtual_includes(node, words)),
            tuple(_includes(node, words)),
            identity=node,
        )

    def _own_of_proto(self, node: ConfiguredNode) -> CcContext:
        """What is handed on of the headers that are made of a `proto_library`."""
        runtime = self._protos.runtime(node)
        unknowns = _unknown(node, runtime).unknowns if isinstance(runtime, Unknown) else ()
        attribute = self._protos.includes_folder(node, self._words(node))
        virtual = () if attribute is None else (_virtual_folder(node, attribute, ""),)
        return CcContext((), (node.label.repository,), virtual, (), unknowns, identity=node)

    def join(
        self, node: ConfiguredNode, own: CcContext, others: Iterable[ConfiguredNode]
    ) -> CcContext:
        """A target's own context with those of its dependencies."""
        contexts = [self._known.get(one, _NOTHING) for one in others]
        rule = self._graph.target(node)
        if self.uses_bazels_malloc(node, rule):
            contexts.append(CcContext(repositories=(_TOOLS,)))
        parts = [own, *contexts]
        defines, identity = self._join_defines(own, contexts, node)
        return CcContext(
            defines,
            _first(name for part in parts for name in part.repositories),
            _first_entries(part.virtual_includes for part in parts),
            _first_entries(part.includes for part in parts),
            _first_entries(part.unknowns for part in parts),
            identity,
        )

    def with_local(self, defines: Entries, local: Entries) -> Entries:
        """The defines of a target with its `local_defines`. Since 4 these stand in reverse order,
        and of equal ones the last stays; before, both stay. Measured."""
        once = _first_entries([local])
        if self._release.cc_last_define_stays:
            return _last_entries([defines, once[::-1]])
        return (*defines, *once)

    def uses_bazels_malloc(self, node: ConfiguredNode, rule: object) -> bool:
        """Whether a program has the malloc of `@bazel_tools`, and with it a directory of that."""
        if not isinstance(rule, Rule) or not is_cc(rule, LINKING):
            return False
        return "malloc" not in rule.attributes and self._custom_malloc(node) is None

    def _join_defines(
        self, own: CcContext, contexts: list[CcContext], node: ConfiguredNode
    ) -> tuple[Entries, object]:
        """Until 4 the first of equal ones stays, since then the last; and a target that adds
        nothing to the set of one dependency has that very set."""
        if not self._release.cc_last_define_stays:
            lists = [*(one.defines for one in contexts), own.defines]
            return _first_entries(lists), node
        sets = {one.identity: one for one in contexts if one.defines}
        lists = [one.defines for one in sets.values()]
        if not own.defines and len(sets) == 1:
            (only,) = sets.values()
            return only.defines, only.identity
        return _last_entries([*lists, own.defines]), node


def is_cc(rule: object, names: frozenset[str] = COMPILING) -> bool:
    """Whether a target is a rule of C++ of one of these classes: Bazel's own, or that of the same
    name and with the same words that later rules_cc has in Starlark."""
    if not isinstance(rule, Rule) or rule.rule_class.name not in names:
        return False
    defined_at = rule.rule_class.defined_at
    return not defined_at or any("/rules_cc" in frame.location.path for frame in defined_at)


def _unknown(node: ConfiguredNode, unknown: Unknown) -> CcContext:
    return CcContext(unknowns=(Entry(str(node.label), node, "", unknown=unknown),))


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _first_entries(lists: Iterable[Entries]) -> Entries:
    firsts: dict[str, Entry] = {}
    for one in lists:
        for entry in one:
            firsts.setdefault(entry.text, entry)
    return tuple(firsts.values())


def _last_entries(lists: Iterable[Entries]) -> Entries:
    lasts: dict[str, Entry] = {}
    for entry in reversed([entry for one in lists for entry in one]):
        lasts.setdefault(entry.text, entry)
    return tuple(reversed(lasts.values()))


def entries(node: ConfiguredNode, words: AttributeWords, attribute: str) -> Entries:
    """The words of an attribute, each with its place."""
    return tuple(
        Entry(one.text, node, attribute, one.written, one.condition, one.selector, one.unknown)
        for one in words.words(attribute)
    )


def _includes(node: ConfiguredNode, words: AttributeWords) -> Iterator[Entry]:
    """Directories relative to the package. Bazel: `CcCommon.getIncludeDirs`."""
    package = node.label.package_id.source_folder
    for entry in entries(node, words, "includes"):
        path = posixpath.normpath(f"{package}/{entry.text}" if package else entry.text)
        yield entry._replace(text="" if path == "." else path)


def _virtual_includes(node: ConfiguredNode, words: AttributeWords) -> Iterator[Entry]:
    """The folder of headers under other names. Bazel: `CcCompilationHelper`."""
    for attribute in ("strip_include_prefix", "include_prefix"):
        value = words.value(attribute)
        if isinstance(value, str) and (value or words.is_set(attribute)):
            yield _virtual_folder(node, attribute, value)
            return


def _virtual_folder(node: ConfiguredNode, attribute: str, written: str) -> Entry:
    folder = node.label.sibling(f"_virtual_includes/{node.label.name}").source_path
    return Entry(folder, node, attribute, written)
