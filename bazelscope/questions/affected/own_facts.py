"""What a configured target is by itself: all that Bazel builds it from, dependencies aside.

Places in files are no part of it, and an attribute counts as its value after selects. What a
target depends on is told by its edges: see `fingerprints`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    SelectResult,
    UnknownChoice,
    is_settled_by_keys,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.errors import LabelError
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.memoized import memoized
from bazelscope.bazel.attribute_types import RuleClass, Selector, SelectorList
from bazelscope.bazel.encoded_values import (
    DICT,
    LABEL,
    SELECT,
    SELECTS,
    UNKNOWN,
    Encoded,
    decode_label,
)
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Provenance,
    Rule,
)
from bazelscope.questions.affected.configuration_facts import configuration_digest
from bazelscope.questions.affected.repository_facts import (
    ATTRIBUTE,
    Facts,
    repository_facts,
    told_of,
)

MADE_BY = "repositories of its rule"
"""The name of the fact how the repositories are made that say what a target is."""
BRANCH = "branch "
"""How the names of facts about select()s begin."""
_LOADS = lazy_pattern(r"""\bload\s*\(\s*(?:\#[^\n]*\n\s*)*r?["']{1,3}([^"'\n]+)["']""")
_SIZE = 12
_FOLLOWED = frozenset({EdgeKind.TOOLCHAIN, EdgeKind.IMPLICIT})


class OwnFacts:
    """Tells the facts of the nodes of one configured graph."""

    def __init__(self, graph: ConfiguredGraph, loader: Loader) -> None:
        self._graph = graph
        self._loader = loader
        self._loads: dict[PackageId, dict[str, Label]] = {}
        self.users_of_rules: dict[tuple[str, str], set[PackageId]] = {}
        """The packages that have a rule, by the file that it is exported from and its name."""
        self._repositories: dict[str, str] = {}
        self._modelled: dict[str, bool] = {}
        self._settled: dict[tuple[Configuration | None, tuple[str, ...]], str] = {}
        """Which branch is taken by each select() with the same keys, where these alone decide."""

    def digest(self, node: ConfiguredNode, edges: Iterable[ConfiguredEdge]) -> bytes:
        """A hash of `facts`, but for which branches selects take: their values count."""
        return self._written_digest(node) + _digest(self._tools(edges))

    def digest_like(self, node: ConfiguredNode, known: bytes) -> bytes:
        """The `digest` of a node whose edges are those of the node that has `known`."""
        return self._written_digest(node) + known[_SIZE:]

    def _written_digest(self, node: ConfiguredNode) -> bytes:
        facts = self._written(node)
        return _digest([item for item in facts.items() if not item[0].startswith(BRANCH)])

    def facts(self, node: ConfiguredNode, edges: Iterable[ConfiguredEdge] | None) -> Facts:
        """All that the node is by itself; `edges` are those that are taken, or may be; None to
        leave toolchains and tools aside."""
        tools = {"toolchains and tools": self._tools(edges)} if edges is not None else {}
        return self._written(node) | tools

    def _tools(self, edges: Iterable[ConfiguredEdge]) -> list[tuple[str, str, str]]:
        return sorted(
            (edge.edge.attribute, str(edge.target.label), self.configuration(made))
            for edge in edges
            if edge.edge.kind in _FOLLOWED
            for made in (edge.target.configuration,)
        )

    def _written(self, node: ConfiguredNode) -> Facts:
        label = node.label
        facts: Facts = {"configuration": self.configuration(node.configuration)}
        if label.repository:
            facts["repository"] = self.repository(label.repository)
        target = self._graph.graph.node(label)
        if isinstance(target, Rule):
            self._add_rule(facts, node, target)
        elif isinstance(target, InputFile):
            facts["kind"] = target.kind
        elif isinstance(target, OutputFile):
            facts["kind"] = f"{target.kind} of {target.generating_rule}"
        elif isinstance(target, PackageGroup):
            facts["kind"] = target.kind
            facts["packages"] = (target.packages, tuple(map(str, target.includes)))
        elif isinstance(target, EnvironmentGroup):
            facts["kind"] = target.kind
            facts["environments"] = (
                tuple(map(str, target.environments)),
                tuple(map(str, target.defaults)),
            )
        else:
            unknown = getattr(target, "unknown", None)
            why = told_of(unknown) if unknown is not None else getattr(target, "message", "")
            facts["kind"] = f"{type(target).__name__}: {why}"
            if unknown is not None:
                facts[MADE_BY] = self.made_by(self._loader.package(label.package_id))
        return facts

    def made_by(
        self, package: PackageResult, rule_class: RuleClass | None = None
    ) -> tuple[tuple[str, str], ...]:
        """The repositories that say what a target is or its rule does, and cannot be read, with a
        hash of how each is made: of another release a model says nothing. Without `rule_class`: of
        what is no known target."""
        if not isinstance(package, Package):
            return ()
        if rule_class is not None and rule_class.is_known:
            key = self._key_of_class(rule_class, package.id) if rule_class.defined_at else None
            name = decode_label(key[0]).repository if key is not None else ""
            names = {name} if name and self._is_modelled(name) else set()
        else:
            names = {
                one.label.repository
                for one in package.loads
                if one.unknown is not None or one.provenance is Provenance.MODEL
            }
        return tuple((name, self.repository(name)) for name in sorted(names - {""}))

    def _is_modelled(self, name: str) -> bool:
        if name not in self._modelled and (made := self._loader.table.get(name)) is not None:
            self._modelled[name] = made.provenance is Provenance.MODEL
        return self._modelled.get(name, False)

    def _add_rule(self, facts: Facts, node: ConfiguredNode, rule: Rule) -> None:
        rule_class = rule.rule_class
        facts["kind"] = rule.kind
        package = self._loader.package(rule.label.package_id)
        if rule_class.defined_at:
            facts["implementation"] = self.code_of_rule(rule)
        facts[MADE_BY] = self.made_by(package, rule_class)
        if rule_class.is_executable or (rule_class.defined_at and self._names_workspace(rule)):
            # Runfiles lie below it, and `ctx.workspace_name` tells it.
            facts["name of the workspace"] = self._loader.table.workspace_name
        facts["macro"] = (rule.generator_function, rule.generator_name)
        facts["outputs"] = tuple([output.name for output in rule.outputs])
        if isinstance(package, Package) and package.features:
            facts["features of the package"] = package.features
        inherited = rule.attributes.inherited
        for name, value in (*rule.attributes.explicit.items(), *inherited.items()):
            if name in ("generator_location", "name") or _is_default(rule_class, name, value):
                continue
            if name == "visibility" and name in inherited:
                continue  # What a package says for its rules is no attribute of theirs for Bazel.
            if type(value) is list and value[0] == SELECTS:
                self._add_selects(facts, node, rule, name, value)
            else:
                facts[ATTRIBUTE + name] = plain(value)

    def _add_selects(
        self, facts: Facts, node: ConfiguredNode, rule: Rule, name: str, value: Encoded
    ) -> None:
        conditions = self._graph.conditions(node.configuration)
        parts: list[Any] = []
        for index, encoded in enumerate(value[1]):
            if type(encoded) is not list or encoded[0] != SELECT:
                parts.append(plain(encoded))
                continue
            keys = tuple([key for key, _ in encoded[1]])
            chosen = self._settled.get((node.configuration, keys))
            if chosen is None:
                decoded = rule.attributes[name].value
                assert isinstance(decoded, SelectorList)
                part = decoded.parts[index]
                assert isinstance(part, Selector)
                result = conditions.resolve(part)
                parts.append(_chosen_values(part, encoded[1], result))
                facts[f"{BRANCH}{name} {index}"] = _conditions_of(result)
                if is_settled_by_keys(result):
                    self._settled[node.configuration, keys] = str(result.branch.condition)
                continue
            parts.append(plain([held for key, held in encoded[1] if key == chosen][-1]))
            facts[f"{BRANCH}{name} {index}"] = (chosen,)
        facts[ATTRIBUTE + name] = parts

    # ---- What several targets share

    @memoized
    def configuration(self, configuration: Configuration | None) -> str:
        """A hash of every option that a configuration sets; empty for none."""
        if configuration is None:
            return ""
        return configuration_digest(self._graph.configuration, configuration)

    def repository(self, name: str) -> str:
        """A hash of how a repository is made."""
        known = self._repositories.get(name)
        if known is None:
            text = repr(self.of_repository(name))
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
            known = self._repositories[name] = digest.hexdigest()
        return known

    def repositories(self) -> dict[str, str]:
        """The hashes of the repositories that were asked for so far, by name."""
        return dict(self._repositories)

    def of_repository(self, name: str) -> Facts:
        """How a repository is made."""
        return repository_facts(self._loader, name, self._code_of)

    def _loads_of(self, package: Package) -> dict[str, Label]:
        """The `.bzl` files that a package loads, by the paths that they are shown under: a path
        alone may mean the template of several."""
        if package.id not in self._loads:
            loads = self._loads[package.id] = {}
            for loaded in package.loads:
                shown = self._loader.display_path(loaded.label)
                if shown is not None:
                    loads.setdefault(shown, loaded.label)
        return self._loads[package.id]

    def _names_workspace(self, rule: Rule) -> bool:
        key = self._key_of_class(rule.rule_class, rule.label.package_id)
        return key is None or self._mentions_workspace(*key)

    @memoized
    def _mentions_workspace(self, file: str, name: str) -> bool:
        return self._loader.parts.rule_code.may_mention(decode_label(file), name, "workspace_name")

    def code_of_rule(self, rule: Rule) -> bytes | None:
        """A hash of what the class of a Starlark rule does; None for one that Bazel has."""
        return self.code_of_class(rule.rule_class, rule.label.package_id)

    def code_of_class(self, rule_class: RuleClass, id: PackageId) -> bytes | None:
        """A hash of what a class of Starlark rules does that a package has rules of."""
        key = self._key_of_class(rule_class, id) if rule_class.defined_at else None
        if key is None:
            return None
        self.users_of_rules.setdefault(key, set()).add(id)
        return self.code(*key)

    def _key_of_class(self, rule_class: RuleClass, id: PackageId) -> tuple[str, str] | None:
        """The file that a class is exported from, and its name."""
        # Where `rule()` is called by a function, the file that the rule is exported from.
        path = rule_class.defined_at[0].location.path
        package = self._loader.package(id)
        loaded = self._loads_of(package).get(path) if isinstance(package, Package) else None
        file = loaded or self._label_of(path)
        return None if file is None else (str(file), rule_class.name)

    @memoized
    def code(self, file: str, name: str) -> bytes:
        """A hash of what the rule does that a file exports: of the functions that it may call, or
        else of the texts."""
        label = decode_label(file)
        return self._loader.parts.rule_code.of(label, name) or self._code(label)

    @memoized
    def _label_of(self, path: str) -> Label | None:
        return self._loader.label_of(path)

    def _code_of(self, path: str) -> bytes | None:
        """A hash of a `.bzl` file and of all that it loads; None for one that Bazel has."""
        label = self._label_of(path)
        return self._code(label) if label is not None else None

    @memoized
    def _code(self, file: Label) -> bytes:
        texts: dict[Label, bytes] = {}

        def loaded(label: Label) -> Iterator[Label]:
            text = self._text(label)
            texts[label] = hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest()
            mapping = self._loader.table.repo_mapping(label.repository)
            for written in _LOADS.findall(text):
                with suppress(LabelError):
                    yield parse_label(written, label.package_id, mapping)

        distances([file], loaded)
        state = hashlib.blake2b(digest_size=12)
        for label in sorted(texts):
            state.update(str(label).encode("utf-8", "surrogatepass") + texts[label])
        return state.digest()

    def _text(self, file: Label) -> str:
        path = self._loader.display_path(file)
        source = self._loader.read_source(path) if path is not None else None
        return source.text if source is not None else ""


def has_same_tools(digest: bytes, other: bytes) -> bool:
    """Whether two nodes with these digests have the same toolchains and tools."""
    return digest[_SIZE:] == other[_SIZE:]


def _digest(facts: object) -> bytes:
    text = repr(facts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_SIZE).digest()


def _is_default(rule_class: RuleClass, name: str, value: Encoded) -> bool:
    """Whether an attribute says what it would be if nothing were said: which of the two is no
    input of the target."""
    definition = rule_class.attributes.get(name)
    if definition is None or definition.computed_default:
        return False
    if value == ():
        # An empty visibility is not what a package has by default.
        return name != "visibility" and definition.default == ()
    default = definition.default
    return type(value) in _SCALARS and type(default) in _SCALARS and value == default


_SCALARS = frozenset({bool, int, str})


def plain(value: Encoded) -> Encoded:
    """A value without places."""
    if type(value) is tuple:
        for one in value:
            if type(one) is tuple or type(one) is list:
                return tuple([plain(one) for one in value])
        return value
    if type(value) is not list:
        return value
    if value[0] == UNKNOWN:
        return value[:4]
    if value[0] == LABEL:
        return value[1]
    if value[0] in (DICT, SELECTS):
        return [value[0], plain(value[1])]
    return [value[0], plain(value[1])] if value[0] == SELECT else value


def _chosen_values(selector: Selector, branches: Encoded, result: SelectResult) -> Any:
    if isinstance(result, Chosen):
        wanted = [result.branch]
    elif isinstance(result, UnknownChoice):
        wanted = list(result.possible)
    else:
        wanted = list(result.candidates) if isinstance(result, Ambiguous) else []
    values = [
        plain(value)
        for branch, (_, value) in zip(selector.branches, branches, strict=True)
        if any(branch is one for one in wanted)
    ]
    return values[0] if len(values) == 1 else (type(result).__name__, values)


def _conditions_of(result: SelectResult) -> tuple[str, ...]:
    if isinstance(result, Chosen):
        return (str(result.branch.condition),)
    if isinstance(result, UnknownChoice):
        return tuple(str(branch.condition) for branch in result.possible)
    return (type(result).__name__,)
