"""What Bazel refuses of package groups, and of what lets groups see it.

Bazel: `PackageGroupConfiguredTarget`, `ConfiguredTargetFactory.convertVisibility`; the faults were
measured with 4.2.3, 2.1.0 and 0.24.1, which agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bazelscope.analysis.conditions.alias_dependencies import ALIASES
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.visibility import admits, groups_of, visibility_of
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import VISIBILITY
from bazelscope.analysis.refusals.causes import misnamed
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.native_prerequisites import TAKE_PACKAGE_GROUPS
from bazelscope.loading.evaluation.rules.rule_checks import ALLOWLISTS
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    Absent,
    InputFile,
    PackageGroup,
    Provenance,
    Rule,
    UnknownResult,
)

_NOT_THERE = "(they are only allowed in the visibility attribute)"


class GroupChecks:
    """Looks at each package group once; `refused` holds what is refused of groups and files."""

    def __init__(self, graph: ConfiguredGraph, packages: PackagesInError) -> None:
        self._graph = graph
        self._source = graph.graph.source
        self._packages = packages
        self._release = graph.configuration.release
        self._fails: dict[Label, bool] = {}
        self._failing: set[Label] = set()
        """Those known to fail while the walk is still below them."""
        self.refused: dict[Refusal, None] = {}

    def fails(self, label: Label) -> bool:
        """Whether Bazel fails at a package group or a source file, for the groups that it names
        or for what these include."""
        known = self._fails.get(label)
        return self._walk(label) if known is None else known

    def of_rule(self, label: Label) -> tuple[list[Refusal], bool]:
        """What is refused of a rule for the groups that may see it, and whether one of these
        fails by itself."""
        refused: dict[Refusal, None] = {}
        failing = False
        for group in self._groups_of_rule(label):
            target = self._graph.graph.node(group)
            is_alias = isinstance(target, Rule) and target.rule_class.name in ALIASES
            if is_alias and self._fails_at_alias(group):
                failing = True
                continue
            refusal = self._of_group(group, label, "visibility")
            if refusal is not None:
                refused[refusal] = None
            elif isinstance(self._graph.graph.node(group), PackageGroup):
                failing = self.fails(group) or failing
        return list(refused), failing

    def misplaced(self, label: Label, user: Label, attribute: str) -> Refusal | None:
        """What is refused of `user` for naming a package group in an attribute. The one that says
        who may use transitions is implicit, and may."""
        if self._graph.graph.shape(label).has_configuration:
            return None
        if not isinstance(self._graph.graph.node(label), PackageGroup):
            return None
        kind = self._graph.graph.shape(user).rule_class
        if kind is not None and kind.defined_at and self._release.rules_may_take_groups:
            return None
        if kind is not None and (kind.name, attribute) in TAKE_PACKAGE_GROUPS:
            return None
        where = f"in {attribute} attribute of {kind.name if kind else ''} rule {user}"
        message = f"{where}: package group '{label}' is misplaced here {_NOT_THERE}"
        return Refusal(
            RefusalKind.MISPLACED, message, user, attribute, self._graph.graph.location(user)
        )

    def not_allowlisted(
        self, user: Label, private: Iterable[tuple[str, ConfiguredNode]]
    ) -> Refusal | None:
        """What is refused of a rule with a Starlark transition whose allowlist, a private
        attribute, names neither its package nor that of the file that makes its rule class.
        Bazel: `AllowlistChecker`; measured with 4.2.3."""
        groups = [target.label for name, target in private if name in ALLOWLISTS]
        kind = self._graph.graph.shape(user).rule_class
        if not groups or kind is None or not isinstance(self._source, ModuleSource):
            return None
        made_in = self._source.label_of(kind.defined_at[0].location.path)
        for reader in (user, made_in or user):
            id = reader.package_id
            if admits(groups, id, self._release, self._graph.graph.node, in_doubt=True):
                return None
        return Refusal(
            RefusalKind.TRANSITION,
            f"in {kind.name} rule {user}: Non-allowlisted use of Starlark transition",
            user,
            location=self._graph.graph.location(user),
            causes=tuple(
                RefusalCause(f"{group} is declared here", self._graph.graph.location(group))
                for group in groups
            ),
            remedy=f"let {groups[0]} name //{user.package}",
        )

    def _groups_of_rule(self, label: Label) -> list[Label]:
        package = self._source.package(label.package_id)
        if self._graph.graph.shape(label).rule_class is None or not isinstance(package, Package):
            return []
        if package.provenance is Provenance.MODEL:
            return []
        if not self._graph.graph.is_marked(label, VISIBILITY):
            return groups_of(package.default_visibility)
        rule = self._graph.graph.node(label)
        if not isinstance(rule, Rule) or is_open(rule):
            return []
        return groups_of(visibility_of(rule, package, self._release))

    def _fails_at_alias(self, alias: Label) -> bool:
        """Whether Bazel fails at an alias that stands where a group should: no attribute takes a
        group, that of an alias neither."""
        actual = follow_aliases(self._source, alias)
        if not isinstance(actual, Label) or actual == alias:
            return False
        refused = self._of_group(actual, alias, "actual")
        if isinstance(self._graph.graph.node(actual), PackageGroup):
            refused = self.misplaced(actual, alias, "actual")
        elif refused is not None and refused.kind is RefusalKind.MISPLACED:
            return False  # it stands for something, if for no group
        if refused is not None:
            self.refused[refused] = None
        return refused is not None

    def _of_group(self, group: Label, user: Label, attribute: str) -> Refusal | None:
        """What is refused of `user` for naming what is not there, in error, or no group."""
        target = self._graph.graph.node(group)
        place = self._graph.graph.location(user)
        if isinstance(target, UnknownResult):
            return None
        if isinstance(target, Absent) or self._packages.errors(group.package_id):
            return self._packages.of_dependency(group, target, user, attribute, place)
        if isinstance(target, PackageGroup):
            return None
        begin = "label" if attribute == "includes" else "Label"
        message = f"{begin} '{group}' does not refer to a package group"
        return Refusal(RefusalKind.MISPLACED, message, user, attribute, place)

    def _named_by(self, label: Label) -> tuple[str, list[Label]]:
        target = self._graph.graph.node(label)
        if isinstance(target, PackageGroup):
            return "includes", list(target.includes)
        package = self._source.package(label.package_id)
        if not isinstance(target, InputFile) or not isinstance(package, Package):
            return "", []
        if package.provenance is Provenance.MODEL:
            return "", []
        return "visibility", groups_of(visibility_of(target, package, self._release))

    def _walk(self, top: Label) -> bool:
        path: dict[Label, Iterator[Label]] = {top: self._enter(top)}
        while path:
            label, named = next(reversed(path.items()))
            for group in named:
                if group in path:
                    self._cycle([*path][[*path].index(group) :])
                elif group not in self._fails:
                    path[group] = self._enter(group)
                    break
                elif self._fails[group]:
                    self._failing.add(label)
            else:
                del path[label]
                self._fails[label] = label in self._failing
                if path and self._fails[label]:
                    self._failing.add(next(reversed(path)))
        return self._fails[top]

    def _enter(self, label: Label) -> Iterator[Label]:
        attribute, named = self._named_by(label)
        refused = [self._of_group(group, label, attribute) for group in named]
        lacks = any(one is not None and one.kind is not RefusalKind.MISPLACED for one in refused)
        for one in refused:
            if one is not None:
                # Before Bazel looks at what the labels refer to it wants all of them.
                is_next = lacks and one.kind is RefusalKind.MISPLACED
                self.refused[replace(one, also=is_next)] = None
                self._failing.add(label)
        package = self._source.package(label.package_id)
        home = package.home(label.name) if isinstance(package, Package) else None
        if home is not None and self._release.symbolic_macros and not home.admits(label.name):
            self.refused[misnamed(label, home, self._graph.graph.location(label))] = None
            self._failing.add(label)
        return iter([one for one in named if isinstance(self._graph.graph.node(one), PackageGroup)])

    def _cycle(self, around: list[Label]) -> None:
        from bazelscope.analysis.refusals.cycles import told_cycle

        self._failing.update(around)
        least = around.index(min(around))
        around = [*around[least:], *around[:least]]
        causes = [
            RefusalCause(f"{one} includes {following}", self._graph.graph.location(one))
            for one, following in zip(around, [*around[1:], around[0]], strict=True)
        ]
        told = told_cycle(around, "includes", tuple(causes), "remove one of these includes")
        self.refused[told] = None


def is_open(target: object) -> bool:
    """Whether a rule is seen by all, whatever it says, as what is bound, or nobody can tell
    what it says."""
    if not isinstance(target, Rule):
        return False
    if target.rule_class.name == "bind" or not target.rule_class.is_known:
        return True
    return isinstance(target.given("visibility"), Unknown)
