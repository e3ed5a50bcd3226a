"""What stands around an implementation besides its attributes: where files of its configuration
lie, its package, its execution groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.context import Surroundings
from bazelscope.analysis.rules.context_members import ExecutionGroups, Toolchains
from bazelscope.analysis.rules.files import FileRoot
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule


@dataclass(eq=False)
class SurroundingsOfTargets:
    """Tells of the targets of one graph where their files lie, and what else surrounds them.

    `directory` names the directory of a configuration's outputs.
    """

    _graph: ConfiguredGraph
    _source: ModuleSource | None
    _directory: Callable[[Configuration], str | Unknown]
    _roots: dict[tuple[Configuration | None, str], FileRoot] = field(default_factory=dict)

    def of(
        self,
        node: ConfiguredNode,
        rule: Rule,
        toolchains: Mapping[Label, object],
        groups: ExecutionGroups,
        variables: Mapping[str, object] | None = None,
    ) -> Surroundings:
        """What surrounds the implementation of `rule`, or of an aspect on it."""
        assert self._source is not None
        package = self._graph.graph.source.package(rule.label.package_id)
        table = getattr(self._graph.graph.source, "table", None)
        return Surroundings(
            self._source,
            self._graph.configuration_of(node),
            self.root(self._graph.configuration_of(node)),
            self._outside,
            str(getattr(table, "workspace_name", "") or "__main__"),
            package.path if isinstance(package, Package) else "",
            package.features if isinstance(package, Package) else (),
            toolchains,
            groups,
            variables,
        )

    def groups(
        self, rule: Rule, made: StarlarkRule, toolchains: Mapping[str, Mapping[Label, object]]
    ) -> ExecutionGroups:
        """The execution groups of a target, each with its `toolchains`."""
        assert self._source is not None
        context = self._source.context
        named = f"{rule.kind} {context.label_style(rule.label)}"
        groups = {
            group.name: Toolchains(context, toolchains.get(group.name, {}), named, group.toolchains)
            for group in rule.rule_class.exec_groups
            if group.name
        }
        given = made.options.get("exec_groups")
        is_known = given is None or (isinstance(given, dict) and len(given) == len(groups))
        added = frozenset({"test"}) if rule.rule_class.is_test else frozenset()
        return ExecutionGroups(context, groups, named, added if is_known else None)

    def root(self, configuration: Configuration | None, folder: str = "bin") -> FileRoot:
        """Where the files of a configuration lie; those of None are source files."""
        known = self._roots.get((configuration, folder))
        if known is None:
            assert self._source is not None
            path: str | Unknown = ""
            if configuration is not None:
                directory = self._directory(configuration)
                path = directory if isinstance(directory, Unknown) else f"{directory}/{folder}"
            known = FileRoot(self._source.context, path, configuration is None)
            self._roots[configuration, folder] = known
        return known

    def native_root(self, node: ConfiguredNode) -> FileRoot:
        """Where rules of Bazel's own put what they generate."""
        own = self._graph.configuration_of(node)
        return self.root(own, "genfiles" if own.release.cc_has_genfiles else "bin")

    @cached_property
    def _outside(self) -> FileRoot:
        assert self._source is not None
        return FileRoot(self._source.context, "bazel-out", is_source=False)
