"""What Bazel refuses of targets for the environments that they, and what they depend on, are for.

Most trees have no environments: of a target nothing is asked until one is met that names some.
Bazel: `RuleContextConstraintSemantics`, `TopLevelConstraintSemantics`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.environments import (
    ENVIRONMENT,
    NOTHING_SAID,
    Culprit,
    Environments,
    Group,
    Refinement,
    Supported,
    added,
    clashes,
    fulfillers_of,
    unsupported,
)
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.aliases import STAND_FOR_OTHERS, behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import HAS_ENVIRONMENTS
from bazelscope.analysis.refusals.causes import of_attribute
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION, Configured, RuleClass
from bazelscope.loading.packages.encoded_targets import explicit_values
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import COMPATIBLE, RESTRICTED
from bazelscope.loading.packages.targets import Rule

_YES = Taken.YES
_OWN = (RESTRICTED, COMPATIBLE)
_UNCHECKED = frozenset({"data", "resources", "toolchains"})
"""Attributes of native rules whose targets may be for other environments. Bazel:
`dontCheckConstraints`."""
_OF_EVERY_RULE = frozenset({*_OWN, "applicable_licenses", "package_metadata", "toolchains"})
"""Attributes of any rule whose targets may be for other environments."""


class _Dependency(NamedTuple):
    """What has to be for all environments that a target is for, in which attribute it stands
    first, and whether only select()s lead to it."""

    node: ConfiguredNode
    attribute: str
    in_selects: bool


class EnvironmentChecks:
    """The checks, over one configured graph; of each target after all that it depends on."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        self._source = graph.graph.source
        self.is_enforced = graph.configuration.is_on("enforce_constraints", True)
        self._said: dict[ConfiguredNode, Supported | None] = {}
        """Of the targets that say something, or depend on one that does; None where it cannot be
        told."""
        self._groups: dict[Label, Group | None] = {}

    def refused(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of a sound target, all of whose dependencies were asked about."""
        is_marked = self._graph.graph.is_marked(node.label, HAS_ENVIRONMENTS)
        if not (is_marked or self._said) or not self.is_enforced:
            return []
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None or rule_class.name in STAND_FOR_OTHERS:
            return []
        if rule_class.name == ENVIRONMENT:
            return self._of_environment(node)
        if RESTRICTED not in rule_class.attributes:
            return []
        dependencies = self._checked(node, rule_class)
        said = [self._said.get(one.node, NOTHING_SAID) for one in dependencies]
        if not is_marked and all(one is NOTHING_SAID for one in said):
            return []
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return []
        problems = list(self._problems_of_own(rule)) if is_marked else []
        if problems:
            return problems
        static = self._static(rule) if is_marked else {}
        known = [one for one in said if one is not None]
        if static is None or not rule_class.is_known or len(known) < len(said):
            self._said[node] = None
            return []
        refused = []
        refinement = Refinement(node.label, rule.location, static)
        for dependency, its in zip(dependencies, known, strict=True):
            lacks = [] if dependency.in_selects else unsupported(its.static, static)
            if lacks:
                refused.append(self._lacking(rule, dependency, lacks))
            refinement.narrow(dependency.node.label, its)
        supported = self._said[node] = refinement.supported()
        emptied = refinement.emptied()
        if emptied and not refused:
            refused.append(_emptied(rule, emptied, supported))
        return refused

    def look_below(self, top: ConfiguredNode) -> None:
        """Asks about all that a target depends on which is looked at by itself."""
        rule_class = self._graph.graph.shape(top.label).rule_class
        if rule_class is None or not self.is_enforced:
            return
        nodes = [one.node for one in self._checked(top, rule_class)]
        seen, path = {top}, [(top, iter(nodes))]
        while path:
            node, below = path[-1]
            following = next((one for one in below if one not in seen), None)
            if following is not None:
                seen.add(following)
                kind = self._graph.graph.shape(following.label).rule_class
                others = [] if kind is None else self._checked(following, kind)
                path.append((following, iter([one.node for one in others])))
                continue
            path.pop()
            if node is not top:
                self.refused(node)

    def lacking_at_top(
        self, top: ConfiguredNode, wanted: Environments
    ) -> tuple[Label, list[tuple[Label, Culprit | None]]] | None:
        """What a sound target, or what it stands for, is called, and which of the environments
        that flags want it does not have, with what took them away."""
        node = self._provider(top)
        its = None if node is None else self._said.get(node, NOTHING_SAID)
        if node is None or its is None:
            return None
        asked = {label for labels in wanted.values() for label in labels}
        lacks = [one for one in unsupported(its.refined, wanted) if one in asked]
        return node.label, [(one, its.culprits.get(one)) for one in lacks]

    # ---- What a target says ----

    def _of_environment(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of an environment: one of no group."""
        label = node.label
        group = self.group(label)
        if group is not None:
            own: Environments = {group: {label: None}}
            self._said[node] = Supported(own, own)
            return []
        self._said[node] = None
        package = self._source.package(label.package_id)
        if not isinstance(package, Package) or package.may_declare is not None:
            return []
        return [
            Refusal(
                RefusalKind.ENVIRONMENT,
                f"in environment rule {label}: {without_group(label)}",
                label,
                location=self._graph.graph.location(label),
                remedy="name it among the `environments` of an environment_group of its package",
            )
        ]

    def _problems_of_own(self, rule: Rule) -> Iterator[Refusal]:
        """What is refused of what a target says itself."""
        encoded = self._graph.graph.encoded(rule.label)
        if encoded is not None and dict(explicit_values(encoded)).get(RESTRICTED) == ():
            remedy = f"name an environment, or leave `{RESTRICTED}` out"
            yield of_attribute(
                RefusalKind.ENVIRONMENT, rule, RESTRICTED, "attribute cannot be empty", remedy
            )
            return
        named = [self._named(rule, name) for name in _OWN]
        restricted, compatible = [{} if one is None else one for one in named]
        for problem in clashes(restricted, compatible):
            remedy = f"name them all in `{RESTRICTED}`, or all in `{COMPATIBLE}`"
            yield of_attribute(RefusalKind.ENVIRONMENT, rule, COMPATIBLE, problem, remedy)

    def _static(self, rule: Rule) -> Environments | None:
        """The environments that a target says it is for; None where that cannot be told."""
        static: Environments = {}
        for name in _OWN:
            named = self._named(rule, name)
            if named is None:
                return None
            for group, labels in named.items():
                added(static, group, labels)
                if name == COMPATIBLE:
                    added(static, group, group.defaults)
        return static

    def _named(self, rule: Rule, name: str) -> Environments | None:
        """The environments that an attribute names; None where that cannot be told."""
        package = self._source.package(rule.label.package_id)
        of_package = package.environments.get(name, ()) if isinstance(package, Package) else ()
        value = rule.given(name) or () if name in rule.attributes else of_package
        if not isinstance(value, tuple):
            return None
        named: Environments = {}
        for label in value:
            actual = follow_aliases(self._source, label) if isinstance(label, Label) else None
            group = self.group(actual) if isinstance(actual, Label) else None
            if group is None or not isinstance(actual, Label):
                return None
            added(named, group, (actual,))
        return named

    def group(self, environment: Label) -> Group | None:
        """The group that an environment belongs to, if there is one that is known."""
        if environment not in self._groups:
            self._groups[environment] = None
            package = self._source.package(environment.package_id)
            for group in (
                package.targets.environment_groups() if isinstance(package, Package) else ()
            ):
                if environment in group.environments:
                    fulfilled = {one: self._fulfilled_by(one) for one in group.environments}
                    fulfillers = fulfillers_of(group.environments, fulfilled)
                    known = Group(group.label, group.environments, group.defaults, fulfillers)
                    self._groups.update(dict.fromkeys(group.environments, known))
        return self._groups[environment]

    def _fulfilled_by(self, environment: Label) -> list[Label]:
        rule = self._graph.graph.node(environment)
        value = rule.given("fulfills") if isinstance(rule, Rule) else ()
        return [one for one in value if isinstance(one, Label)] if isinstance(value, tuple) else []

    # ---- What it depends on ----

    def _checked(self, node: ConfiguredNode, rule_class: RuleClass) -> list[_Dependency]:
        """What has to be for the environments of a target. Bazel:
        `getConstraintCheckedDependencies`."""
        edges = [edge for edge in self._graph.built(node) if self._is_checked(edge, rule_class)]
        always: set[tuple[str, Label]] = set()
        inside: set[tuple[str, Label]] = set()
        for edge in edges:
            chosen = edge.edge.branch
            keys = () if chosen is None else [one.condition for one in chosen.selector.branches]
            only_default = edge.edge.is_of_default or all(one == DEFAULT_CONDITION for one in keys)
            (always if only_default else inside).add((edge.edge.attribute, edge.edge.target))
        found: dict[ConfiguredNode, _Dependency] = {}
        for edge in edges:
            if edge.taken is not _YES:
                continue
            dependency = self._provider(edge.target)
            if dependency is None:
                continue
            # What stands for a file that a rule makes is looked for by the name of the rule.
            is_made = self._graph.graph.shape(edge.target.label).generating_rule is not None
            label = dependency.label if is_made else edge.target.label
            key = (edge.edge.attribute, label)
            in_selects = key in inside and key not in always
            before = found.get(dependency)
            if before is not None:
                in_selects = in_selects and before.in_selects
            attribute = edge.edge.attribute if before is None else before.attribute
            found[dependency] = _Dependency(dependency, attribute, in_selects)
        return list(found.values())

    def _is_checked(self, edge: ConfiguredEdge, rule_class: RuleClass) -> bool:
        """Whether what an edge leads to has to be for the environments of its source. Tools are
        for those of the machine that runs them; what no BUILD file names is nobody's choice."""
        name = edge.edge.attribute
        if edge.edge.kind is not EdgeKind.ATTRIBUTE or name in _OF_EVERY_RULE:
            return False
        if not rule_class.defined_at:
            return not edge.edge.is_tool and name not in _UNCHECKED
        if not edge.edge.is_tool:
            return True
        is_exec = rule_class.attributes[name].configured is Configured.EXEC
        return is_exec and not self._graph.configuration.release.exec_attributes_are_for_tools

    def _provider(self, node: ConfiguredNode) -> ConfiguredNode | None:
        """The rule whose environments count for a dependency, if one does: of a file that a rule
        makes its rule, of an alias what it stands for."""
        if self._graph.graph.shape(node.label).generating_rule is not None:
            made_by = (
                edge.target
                for edge in self._graph.built(node)
                if edge.edge.kind is EdgeKind.GENERATED_BY
            )
            return next(made_by, None)
        behind = behind_aliases(self._graph, node)
        is_environment = self._graph.graph.shape(behind.label).class_name == ENVIRONMENT
        return behind if is_environment or self.chooses(behind.label) else None

    def chooses(self, label: Label) -> bool:
        """Whether a target may say for which environments it is."""
        rule_class = self._graph.graph.shape(label).rule_class
        return rule_class is not None and RESTRICTED in rule_class.attributes

    # ---- Wording ----

    def _lacking(self, user: Rule, dependency: _Dependency, lacks: Sequence[Label]) -> Refusal:
        label = dependency.node.label
        names = ", ".join(map(str, lacks))
        return Refusal(
            RefusalKind.ENVIRONMENT,
            f"in {user.kind} {user.label}: dependency {label} doesn't support expected"
            f" environment{'' if len(lacks) == 1 else 's'}: {names}",
            user.label,
            dependency.attribute,
            user.location,
            (self.what_it_says(user.label, lacks[0]), self.what_it_says(label, lacks[0])),
            f"let {label} be for {names}, or {user.label} for less (`{RESTRICTED}`)",
        )

    def what_it_says(self, label: Label, environment: Label) -> RefusalCause:
        """Which environments of the group of `environment` a target is for, and who says so."""
        rule, group = self._graph.graph.node(label), self.group(environment)
        static = (self._static(rule) if isinstance(rule, Rule) else None) or {}
        of = group.label if group is not None else environment
        if group is not None and group in static:
            text = f"{label} is for {', '.join(map(str, static[group]))} of {of}"
            return RefusalCause(text, self._graph.graph.location(label))
        names = ", ".join(map(str, group.defaults)) if group is not None else ""
        text = f"{label} names none of {of}, and is for its defaults: {names or 'none'}"
        return RefusalCause(text, self._graph.graph.location(of))


def without_group(environment: Label) -> str:
    return f"cannot find the group for environment {environment}"


def _emptied(rule: Rule, groups: Sequence[Group], supported: Supported) -> Refusal:
    """The refusal of a target that is for nothing more, by the branches that are taken."""
    pruned = {one: supported.culprits.get(one) for group in groups for one in group.environments}
    return Refusal(
        RefusalKind.ENVIRONMENT,
        f"in {rule.kind} {rule.label}: the current command line flags disqualify all supported"
        f" environments because of incompatible select() paths",
        rule.label,
        location=rule.location,
        causes=tuple(taken_by(one, by) for one, by in pruned.items() if by is not None),
        remedy="build with flags that take other branches, or let what they choose be for more",
    )


def taken_by(environment: Label, culprit: Culprit) -> RefusalCause:
    """What takes an environment away from whoever depends on it."""
    text = (
        f"{environment} is removed by {culprit.target}, which has a select() that chooses"
        f" {culprit.dependency}, which lacks it"
    )
    return RefusalCause(text, culprit.location)
