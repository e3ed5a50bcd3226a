"""What the output formats ask of a result: how its targets are named, and where they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.bazel.attribute_types import (
    AspectAttribute,
    Attribute,
    AttributeType,
    with_labels,
)
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
    TargetResult,
)
from bazelscope.query.language.attribute_values import attribute_of, told_stack
from bazelscope.query.query_answer import Queried, QueriedConfigured, QueriedTargets

if TYPE_CHECKING:
    from bazelscope.analysis.graph.target_graph import TargetGraph
    from bazelscope.query.graphs.configured_environment import ConfiguredEnvironment
    from bazelscope.query.graphs.unconfigured_environment import TargetEnvironment


_EVERY_PACKAGE = "//..."


@dataclass(frozen=True)
class OutputOptions:
    """Bazel's options about how a result is written.

    `root` is the workspace's directory, `output_base` Bazel's, if it is known: locations in
    external repositories then lie below it.
    """

    root: str
    release: Release
    output_base: str | None = None
    relative_locations: bool = False
    source_file_locations: bool = False
    null_terminated: bool = False
    factored: bool = True
    node_limit: int = 512
    conditions_limit: int = 4
    tool_deps: bool = True
    aspect_deps: str = "conservative"
    double_slash: bool = False
    xml_default_values: bool = False
    xml_line_numbers: bool = True
    proto_default_values: bool = True
    proto_flatten_selects: bool = True
    proto_locations: bool = True
    proto_inputs_and_outputs: bool = True
    proto_attributes: tuple[str, ...] = ("all",)
    proto_configurations: bool = True
    proto_instantiation_stack: bool = False
    proto_definition_stack: bool = False
    label_text: Callable[[Label], str] = str
    """How a label is written; `--consistent_labels` changes that."""
    canonical_text: Callable[[Label], str] = str
    """How a label is written that names its repository as Bazel does among all."""
    place_of: Callable[[Location], Location] = lambda location: location
    """Where a call is said to be."""

    def texts(self, labels: Iterable[Label]) -> list[str]:
        """The labels as they are written."""
        return list(map(self.label_text, labels))

    def shown(self, attribute: Attribute) -> Attribute:
        """The attribute with labels that are written as `label_text` has them."""
        if self.label_text is str:
            return attribute
        shown = self._shown_label
        return replace(attribute, value=with_labels(attribute.value, lambda one: shown(*one)))

    @cached_property
    def _shown_label(self) -> type[Label]:
        style = self.label_text

        class Shown(Label):
            __slots__ = ()

            def __str__(self) -> str:
                return style(self)

        return Shown


@dataclass(eq=False, slots=True)
class Row:
    """One target of a result, as the formats see it; looked up when a format looks at it."""

    label: Label
    _node: Any
    """The label, or the `ConfiguredNode`."""
    _environment: TargetEnvironment | ConfiguredEnvironment
    configuration: str | None = None

    @property
    def is_stand_in(self) -> bool:
        """Whether it is a file that a package was made of, named by `buildfiles` or `loadfiles`;
        `package` is the one that it was named for."""
        return self._environment.stands_in_for(self._node) is not None

    @property
    def sort_key(self) -> Label:
        """What its place among others goes by."""
        return self._environment.sort_key(self.label)

    @property
    def target(self) -> TargetResult:
        return self._environment.target(self._node)

    @property
    def package(self) -> Package | None:
        environment, node = self._environment, self._node
        made = environment.stands_in_for(node)
        return environment.package(made.id if made else environment.label(node).package_id)

    @property
    def external_paths(self) -> Mapping[str, str]:
        """Where Bazel keeps the files of external repositories that the package loads."""
        package = self.package
        return self._environment.load_order.external_paths(package) if package is not None else {}

    @property
    def is_build_file(self) -> bool:
        package = self.package
        return package is not None and self.label == package.build_file

    @property
    def is_plain_build_file(self) -> bool:
        """Only of a `BUILD` Bazel tells what it loads, not of a `BUILD.bazel`: the formats go
        by that name."""
        return self.is_build_file and self.label.name == "BUILD"

    @property
    def kind(self) -> str:
        """What `label_kind` says; a target that cannot be told is of unknown kind."""
        return getattr(self.target, "kind", None) or "unknown target"

    def text(self, options: OutputOptions) -> str:
        """The label as the line formats write it, and the configuration after it."""
        label = options.label_text(self.label)
        return f"{label} ({self.configuration})" if self.configuration else label


class Result(ABC):
    """A result in order; edges go by the places of its items."""

    def __init__(self, queried: Queried, rows: Sequence[Row], aspect_deps: str) -> None:
        self.rows = rows
        self._aspect_deps = aspect_deps
        self._queried = queried

    @cached_property
    def successors(self) -> Mapping[int, Sequence[int]]:
        place = {node: index for index, node in enumerate(self._queried.nodes)}
        edges: Mapping[Any, Sequence[Any]] = self._queried.successors
        return {
            place[node]: [place[target] for target in targets] for node, targets in edges.items()
        }

    def rule(self, index: int) -> Rule | None:
        """The rule that a row is, or that makes it."""
        return _rule_behind(self.rows[index])

    @abstractmethod
    def attribute(self, index: int, name: str) -> Attribute | None:
        """An attribute of that rule."""

    def loads(self, package: Package) -> Sequence[Label]:
        """The files that a package loads."""
        return self._queried.environment.load_order.of(package)

    @abstractmethod
    def inputs(self, index: int) -> Sequence[Label]:
        """The labels that a rule depends on, sorted."""

    @property
    @abstractmethod
    def _has_aspects(self) -> bool:
        """Whether what aspects need is shown."""

    @property
    @abstractmethod
    def _graph(self) -> TargetGraph:
        """The graph of all branches."""

    def aspect_attributes(self, index: int) -> Sequence[AspectAttribute]:
        """What the aspects on a rule's attributes need, whether they meet a rule or not, or
        (`--aspect_deps=precise`) if they do. Bazel: `AspectResolver`; measured: 4.2.3."""
        target = self.rows[index].target if self._has_aspects else None
        if not isinstance(target, Rule) or self._aspect_deps == "off":
            return ()
        if self._aspect_deps == "precise":
            edges = self._graph.edges(target.label)
            if all(edge.kind is not EdgeKind.ASPECT for edge in edges):
                return ()
        return target.rule_class.aspect_attributes

    def rule_digest(self, rule: Rule) -> str | None:
        """Bazel's hash of the files that a Starlark rule is made of, where we can tell it."""
        return self._queried.environment.rule_digests.of(rule)


_NO_INPUTS = (EdgeKind.ASPECT, EdgeKind.PACKAGE_GROUP)


class TargetResults(Result):
    """The result of `query`."""

    def __init__(self, queried: QueriedTargets, options: OutputOptions) -> None:
        environment = queried.environment
        rows = [Row(label, label, environment) for label in queried.nodes]
        super().__init__(queried, rows, options.aspect_deps)
        self._environment = environment
        self._options = options

    def attribute(self, index: int, name: str) -> Attribute | None:
        row, rule = self.rows[index], self.rule(index)
        if rule is None:
            return None
        if name == IMPLICIT_TESTS:
            tests = tuple(self._environment.prerequisites(rule.label, name))
            given = rule.attributes.get("tests")
            is_set = given is None or given.value == ()
            return Attribute(name, AttributeType.LABEL_LIST, tests, is_set)
        options = self._options
        return attribute_of(rule, name, row.package, options.release, options.root)

    def inputs(self, index: int) -> Sequence[Label]:
        edges = self._graph.edges(self.rows[index].label)
        return _inputs(edges, implicit=True, tools=self._options.tool_deps)

    @property
    def _has_aspects(self) -> bool:
        return self._graph.implicit

    @property
    def _graph(self) -> TargetGraph:
        return self._environment.graph


class ConfiguredResults(Result):
    """The result of `cquery`."""

    def __init__(self, queried: QueriedConfigured, options: OutputOptions) -> None:
        environment = queried.environment
        rows = [
            Row(label, node, environment, node.configuration_name)
            for label, node in zip(queried.labels, queried.nodes, strict=True)
        ]
        super().__init__(queried, rows, options.aspect_deps)
        self._environment = environment
        self._nodes = queried.nodes
        self._root = options.root

    def attribute(self, index: int, name: str) -> Attribute | None:
        rule = self.rule(index)
        if rule is None:
            return None
        asked = self._nodes[index]
        own = asked.configuration
        node = asked if own is None else self._environment.graph.node(rule.label, own)
        return self._environment.attribute(node, name, self._root)

    def inputs(self, index: int) -> Sequence[Label]:
        # Every branch counts here, as for `query`.
        settings = self._environment.settings
        edges = self._graph.edges(self._nodes[index].label)
        return _inputs(edges, settings.implicit_deps, settings.tool_deps)

    @property
    def _has_aspects(self) -> bool:
        return self._environment.settings.implicit_deps

    @property
    def _graph(self) -> TargetGraph:
        return self._environment.graph.graph


def _rule_behind(row: Row) -> Rule | None:
    target = row.target
    if isinstance(target, OutputFile) and row.package is not None:
        target = row.package.targets.get(target.generating_rule.name, target)
    return target if isinstance(target, Rule) else None


def _inputs(edges: Iterable[Edge], implicit: bool, tools: bool) -> list[Label]:
    return sorted(
        {
            edge.target
            for edge in edges
            if edge.kind not in _NO_INPUTS
            and (implicit or edge.kind is not EdgeKind.IMPLICIT)
            and (tools or not edge.is_tool)
        }
    )


def shown_location(row: Row, options: OutputOptions, line_numbers: bool = True) -> str | None:
    """Where a target stands, as Bazel prints it; None where nobody can tell. A source file
    stands where it is first named, unless the file itself is asked for."""
    location: Location | None = getattr(row.target, "location", None)
    if location is None:
        return None
    is_file = isinstance(row.target, InputFile)
    rule = _rule_behind(row)
    if rule is not None and not options.release.symbolic_macros_tell_callers:
        stack = told_stack(rule, row.package, options.release)
        location = stack[0].location if len(stack) < len(rule.call_stack) else location
    if is_file and options.source_file_locations and not row.is_stand_in:
        location = Location(row.label.source_path, 1, 1)
    elif is_file and (row.is_build_file or row.is_stand_in):
        whole = shown_place(location, row, options, line_numbers=False)
        begins = line_numbers and options.release.calls_lie_where_they_begin
        return f"{whole}:1" if begins else whole
    return shown_place(location, row, options, line_numbers)


def shown_place(
    location: Location, row: Row, options: OutputOptions, line_numbers: bool = True
) -> str:
    """Some place in the making of a target, as Bazel prints it."""
    location = options.place_of(location)
    path = _path_in_bazel(location.path, row)
    repository = row.package.id.repository if row.package else row.label.repository
    own = f"external/{repository}/" if repository else ""
    is_external = path.startswith("external/")
    if options.relative_locations and path.startswith(own) and is_external == bool(own):
        # Relative to the root of the target's own repository; other files stay absolute.
        path = path[len(own) :]
    elif is_external:
        _, name, inside = path.split("/", 2)
        base = f"{options.output_base}/" if options.output_base else ""
        home = options.canonical_text(Label(name, "", "x")).removesuffix("//:x")
        path = f"{base}external/{home.lstrip('@')}/{inside}"
    elif not path.startswith(("/", "<", "external/")):
        path = f"{options.root}/{path}"
    return f"{path}:{location.line}:{location.column}" if line_numbers else path


def _path_in_bazel(path: str, row: Row) -> str:
    """Files of an external repository lie below `external/`, wherever they come from."""
    package = row.package
    external = row.external_paths.get(path)
    if external is not None:
        return external
    if package is None or not package.id.repository or path.startswith("external/"):
        return path
    build_file = Label(*package.id, package.build_file.name)
    if path == package.path:
        return build_file.source_path
    within = build_file.path
    root = package.path.removesuffix(within)
    if package.path.endswith(within) and root and path.startswith(root):
        return f"external/{package.id.repository}/{path[len(root) :]}"
    return path


def shown_packages(group: PackageGroup, options: OutputOptions) -> list[str]:
    """A package group's `packages` in the order and the words of a release. Bazel:
    `PackageGroupContents`."""
    ordered = list(dict.fromkeys(group.packages))
    release = options.release
    if release.packages_of_groups_are_sorted:
        ordered.sort(key=lambda text: _place_of_specification(text, release))
    return [_shown_package(text, group.label.repository, options) for text in ordered]


_KINDS = ("one", "below", "-one", "-below", "all", "private", "-all")


def _place_of_specification(text: str, release: Release) -> int:
    kind = _kind_of_specification(text, release)
    if release.single_packages_come_first:
        return _KINDS.index(kind)
    return 1 if kind.startswith("-") else 2 if kind == "one" else 0


def _shown_package(text: str, repository: str, options: OutputOptions) -> str:
    """With slashes, or without in the main repository; with the name of another."""
    sign, body = ("-", text[1:]) if text.startswith("-") else ("", text)
    if _kind_of_specification(body, options.release) == "all":
        return sign + ("public" if options.double_slash else _EVERY_PACKAGE)
    if not body.startswith("//"):
        return text
    if repository:
        home = options.canonical_text(Label(repository, "", "x")).removesuffix("//:x")
        return f"{sign}{home}{body}"
    return text if options.double_slash or body == _EVERY_PACKAGE else sign + body[2:]


def _kind_of_specification(text: str, release: Release) -> str:
    sign, body = ("-", text[1:]) if text.startswith("-") else ("", text)
    if body == "private":
        return body
    if body == "public" or (body == _EVERY_PACKAGE and release.groups_cross_repositories):
        return f"{sign}all"
    return f"{sign}below" if body.endswith("...") else f"{sign}one"


def relative_frames_of(stack: CallStack, row: Row, options: OutputOptions) -> list[object]:
    """The frames of a call stack as messages have them: in files named from their root on."""
    relative = replace(options, relative_locations=True)
    return [f"{where}: {function}" for where, function in frames_of(stack, row, relative)]


def frames_of(stack: CallStack, row: Row, options: OutputOptions) -> list[tuple[str, str]]:
    """The frames of a call stack: where, and in which function."""
    return [(shown_place(frame.location, row, options), frame.function) for frame in stack]
