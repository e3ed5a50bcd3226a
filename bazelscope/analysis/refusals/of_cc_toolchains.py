"""What Bazel refuses of rules for the C++ toolchain that `--crosstool_top` names: one that is not
there, is none, or has nothing for the cpu and the compiler.

Bazel: `CcToolchainSuite`, `CppRuleClasses.ccToolchainAttribute`; measured with 4.2.3, 2.1.0 and
0.24.1. Where the toolchain is looked for among the registered ones, toolchain resolution tells.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.toolchain_flags import compiler_environment, finds_toolchains
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import absent_default, set_by
from bazelscope.analysis.refusals.implicit_dependencies import label_in_workspace
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.packages.targets import Absent, Rule

_ATTRIBUTE = ":cc_toolchain"
_WANT_IT = frozenset(
    {
        *("cc_binary", "cc_import", "cc_library", "cc_test", "cc_toolchain_alias"),
        *("objc_library", "py_binary", "py_test"),
    }
)
"""Measured. Other rules have the attribute and look at it under other configurations, or where
their texts name something of it."""
_SUITE = "cc_toolchain_suite"


class CcToolchainChecks:
    """The checks, over one configured graph."""

    def __init__(self, graph: ConfiguredGraph, packages: PackagesInError) -> None:
        self._graph = graph
        self._packages = packages

    def toolchain_of(self, node: ConfiguredNode) -> ConfiguredNode | None:
        """What `--crosstool_top` names for a rule that wants a C++ toolchain, if that is there;
        Bazel looks at it as at any dependency."""
        chosen = self._wanted_by(node)
        is_there = chosen is not None and isinstance(self._graph.target(chosen), Rule)
        return chosen if is_there else None

    def is_bazels(self, node: ConfiguredNode) -> bool:
        """Whether a node is the toolchain that Bazel makes for the machine, of which a model says
        no more than what there is."""
        graph = self._graph.graph
        return graph.shape(node.label).class_name == _SUITE and graph.is_modelled(node.label)

    def refused(self, node: ConfiguredNode) -> tuple[list[Refusal], list[Refusal]]:
        """What keeps Bazel from looking at what a rule depends on, for the toolchain that it
        wants is not there, and what it refuses of a rule later: for what it wants is no
        toolchain, or for it is one and lacks what is wanted of it."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        chosen = self._wanted_by(node)
        if chosen is None or rule_class is None:
            return [], []
        top = chosen.label
        target = self._graph.target(behind_aliases(self._graph, chosen))
        if isinstance(target, Absent):
            return [self._not_there(node, rule_class, top, target)], []
        if not (isinstance(target, Rule) and _is_no_toolchain(target)):
            return [], []
        message = (
            f"in {_ATTRIBUTE} attribute of {rule_class.name} rule {node.label}: '{top}' does not"
            " have mandatory providers: 'ToolchainInfo'"
        )
        place, causes = self._graph.graph.location(node.label), self._causes(node, "crosstool_top")
        kind_of = RefusalKind.MISSING_PROVIDER
        return [], [Refusal(kind_of, message, node.label, _ATTRIBUTE, place, causes)]

    def _wanted_by(self, node: ConfiguredNode) -> ConfiguredNode | None:
        """What `--crosstool_top` names, for a rule that wants it."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        configuration = node.configuration
        if rule_class is None or configuration is None:
            return None
        if rule_class.defined_at or rule_class.name not in _WANT_IT:
            return None
        return self._choose(configuration)

    @memoized
    def _choose(self, configuration: Configuration) -> ConfiguredNode | None:
        top = configuration.value("crosstool_top").value
        if not top or configuration.release.resolves_cc_toolchains:
            return None
        label = label_in_workspace(self._graph.graph.source, top)
        return None if label is None else self._graph.node(label, configuration)

    def refused_of_suite(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of a cc_toolchain_suite whose attributes are well: it has no toolchain
        for the cpu and the compiler."""
        if self._graph.graph.shape(node.label).class_name != _SUITE:
            return []
        suite = self._graph.target(node)
        refusal = self._of_suite(suite, node) if isinstance(suite, Rule) else None
        return [] if refusal is None else [refusal]

    def _of_suite(self, suite: Rule, node: ConfiguredNode) -> Refusal | None:
        given, configuration = suite.given("toolchains"), node.configuration
        if given is None or configuration is None or finds_toolchains(configuration):
            return None
        held = resolve_value(given, self._graph.conditions(configuration)).value
        items = getattr(held, "items", ())
        if not all(isinstance(key, str) for key, _ in items):
            return None
        keys = [key for key, value in items if not self._leads_to_none(value, configuration)]
        is_bazels = self.is_bazels(node)
        cpu, compiler = [configuration.value(name).value or "" for name in ("cpu", "compiler")]
        if is_bazels:
            # Its keys are those of an x86_64; what it calls the compiler, the machine decides.
            keys += [configuration.host.default_cpu(configuration.release)]
            if compiler and cpu in keys and self._may_be_called(compiler, configuration):
                return None
        if (f"{cpu}|{compiler}" if compiler else cpu) in keys:
            return None
        message = f"{_SUITE} '{suite.label}' does not contain a toolchain for cpu '{cpu}'"
        message += f" and compiler '{compiler}'." if compiler else ""
        return Refusal(
            RefusalKind.IMPLEMENTATION,
            message,
            suite.label,
            "toolchains",
            None if is_bazels else suite.location,
            self._causes(node, "cpu", *(["compiler"] if compiler else [])),
            "name a toolchain that has one: --crosstool_top=LABEL",
        )

    def _leads_to_none(self, value: object, configuration: Configuration) -> bool:
        """Whether what a suite names surely is no toolchain."""
        if not isinstance(value, Label):
            return False
        behind = behind_aliases(self._graph, self._graph.node(value, configuration))
        target = self._graph.target(behind)
        return isinstance(target, Rule) and _is_no_toolchain(target)

    def _may_be_called(self, compiler: str, configuration: Configuration) -> bool:
        named = compiler_environment(configuration).get("BAZEL_COMPILER")
        return compiler in ("clang", "compiler", named) or (
            compiler == "gcc" and configuration.release.gcc_by_name
        )

    def _not_there(
        self, node: ConfiguredNode, rule_class: RuleClass, top: Label, absent: Absent
    ) -> Refusal:
        place, causes = self._graph.graph.location(node.label), self._causes(node, "crosstool_top")
        message = absent_default(rule_class.name, top, absent.message)
        refusal = self._packages.of_dependency(top, absent, node.label, _ATTRIBUTE, place)
        if refusal is None:
            kind = RefusalKind.MISSING_TARGET
            return Refusal(kind, message, node.label, _ATTRIBUTE, place, causes)
        return replace(refusal, message=message, causes=(*causes, *refusal.causes))

    def _causes(self, node: ConfiguredNode, *flags: str) -> tuple[RefusalCause, ...]:
        """What has set each of some options."""
        configuration = self._graph.configuration_of(node)
        causes = []
        for name in flags:
            flag = configuration.value(name)
            place = flag.set_by.location if flag.set_by is not None else None
            causes.append(RefusalCause(f"--{name}={flag.value}{set_by(flag.set_by)}", place))
        return tuple(causes)


def _is_no_toolchain(rule: Rule) -> bool:
    """Whether a rule surely is no C++ toolchain: it is one of Bazel's own, for something else."""
    kind = rule.rule_class
    is_open = not kind.is_known or kind.defined_at or kind.name == _SUITE
    return not is_open and "toolchain" not in kind.name
