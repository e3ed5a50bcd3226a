"""What Bazel refuses of what is asked for, by the environments that flags want of it.

Bazel: `TopLevelConstraintSemantics.checkTargetEnvironmentRestrictions`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.environments import ENVIRONMENT, Culprit, Environments, added
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.of_environments import EnvironmentChecks, taken_by, without_group
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule, UnknownResult

WANTED, OF_CPU = "target_environment", "auto_cpu_environment_group"
"""The options that say what has to be for which environments."""
_INVALID = "invalid target environment"


class AskedEnvironments:
    """The checks of what is asked for under one command line."""

    def __init__(
        self, graph: ConfiguredGraph, packages: PackagesInError, checks: EnvironmentChecks
    ) -> None:
        self._graph = graph
        self._packages = packages
        self._checks = checks

    def refused(self, top: ConfiguredNode) -> list[Refusal]:
        """What is refused of a sound target that is asked for by itself."""
        configuration = top.configuration
        made_by = self._graph.graph.shape(top.label).generating_rule
        if configuration is None or not self._checks.is_enforced:
            return []
        if not self._checks.chooses(made_by or top.label):
            return []
        refused = []
        wanted: Environments = {}
        for label, instance in self._named(configuration, WANTED):
            problem = self._absent(label, WANTED, instance) or self._invalid(label, instance)
            group = self._checks.group(label)
            if problem is not None:
                return [problem]
            if group is None:
                return []
            added(wanted, group, (label,))
        lacking = self._checks.lacking_at_top(top, wanted) if wanted else None
        if lacking is not None and lacking[1]:
            refused.append(self._lacking(top.label, *lacking))
        for label, instance in self._named(configuration, OF_CPU):
            absent = self._absent(label, OF_CPU, instance)
            if absent is not None:
                return [absent]
        return refused

    def _named(
        self, configuration: Configuration, option: str
    ) -> Iterator[tuple[Label, FlagInstance | None]]:
        """The labels that an option names, and what sets each."""
        for text, instance in configuration.value(option).each:
            for one in text.split(","):
                try:
                    label = configuration.label(one)
                except LabelError:
                    continue  # refused with the command line
                yield label, instance

    def _absent(self, label: Label, option: str, instance: FlagInstance | None) -> Refusal | None:
        """The refusal of an option that names what is not there."""
        absent = self._packages.of_top(label, self._graph.graph.node(label))
        if absent is None:
            return None
        return Refusal(
            absent.kind,
            f"{_INVALID}: {absent.message}",
            label,
            causes=(_set_by(option, label, instance), *absent.causes),
            remedy=absent.remedy,
            dependency=label,
        )

    def _invalid(self, label: Label, instance: FlagInstance | None) -> Refusal | None:
        """The refusal of an option that names what is no environment of a group."""
        target = self._graph.graph.node(label)
        if isinstance(target, UnknownResult) or self._checks.group(label):
            return None
        is_environment = isinstance(target, Rule) and target.rule_class.name == ENVIRONMENT
        package = self._graph.graph.source.package(label.package_id)
        if is_environment and isinstance(package, Package) and package.may_declare is not None:
            return None
        problem = f"{label} is not a valid environment definition"
        return Refusal(
            RefusalKind.ENVIRONMENT,
            f"{_INVALID}: {without_group(label) if is_environment else problem}",
            label,
            location=getattr(target, "location", None),
            causes=(_set_by(WANTED, label, instance),),
            remedy=f"let --{WANTED} name an environment of a group",
        )

    def _lacking(
        self, top: Label, shown: Label, lacks: list[tuple[Label, Culprit | None]]
    ) -> Refusal:
        causes = []
        for environment, culprit in lacks:
            causes.append(self._checks.what_it_says(shown, environment))
            if culprit is not None:
                causes.append(taken_by(environment, culprit))
        names = ", ".join(str(environment) for environment, _ in lacks)
        return Refusal(
            RefusalKind.ENVIRONMENT,
            f"This is a restricted-environment build. {shown} does not support: {names}",
            top,
            location=self._graph.graph.location(shown),
            causes=tuple(causes),
            remedy=f"let {shown} be for {names}, or leave --{WANTED} out",
        )


def _set_by(option: str, label: Label, instance: FlagInstance | None) -> RefusalCause:
    return RefusalCause(f"--{option}={label}", instance.location if instance is not None else None)
