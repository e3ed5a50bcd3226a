"""A workspace's own C++ toolchain: which target it is, and what its configuration rule returns.

`--crosstool_top` names a `cc_toolchain_suite`, in which `--cpu` and `--compiler` choose; later
releases look among the registered toolchains. The rule behind `toolchain_config` is run dry.
Bazel: `CcToolchainSuite`, `CppHelper.getToolchain`, `CcToolchain`.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope import starlark
from bazelscope.analysis.compile.config_info import toolchain_of_config
from bazelscope.analysis.compile.crosstool_file import FILE, chosen_toolchain, toolchain_of_file
from bazelscope.analysis.compile.flag_places import FlagPlaces
from bazelscope.analysis.compile.rule_based_toolchain import RuleBasedToolchains, is_rule_based
from bazelscope.analysis.compile.toolchain import Toolchain
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.toolchain_flags import finds_toolchains, is_bazels_own
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.toolchain_resolution import ToolchainResolution
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_option_label
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import ToolchainRequirement
from bazelscope.bazel.native_toolchains import CC_TYPE
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.packages.targets import Rule, unknown_of

_INFO = Provider("CcToolchainConfigInfo")
_NO_FILE = "incompatible_disable_crosstool_file"
_PRIVATE = "_DO_NOT_USE"


class OwnToolchains:
    """The toolchains of a workspace's own, under the configurations of one graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations
        self._of_rules = RuleBasedToolchains(graph, implementations)

    def of(
        self, configuration: Configuration, rule: Rule | None = None
    ) -> tuple[Toolchain | Unknown | None, str]:
        """The toolchain that `rule` is built with (None: any that says nothing of its execution
        platform), None for the one that Bazel makes for the machine; and what the choice takes for
        granted, after "assumed that"."""
        if finds_toolchains(configuration):
            return self._registered(configuration, rule)
        return self._of_flags(configuration), ""

    def _of_flags(self, configuration: Configuration) -> Toolchain | Unknown | None:
        """The toolchain that `--crosstool_top` chooses; None for the one that Bazel makes."""
        asked = configuration.value("crosstool_top")
        top = asked.value or ""
        what = f"the toolchain --crosstool_top={top}"
        place = asked.set_by.location if asked.set_by else None
        try:
            label = parse_option_label(top, self._mapping()) if top else None
        except LabelError as error:
            return Unknown(Reason.FAILED, what, str(error), place)
        if label is None or is_bazels_own(label.repository):
            return None
        toolchain = self._of_label(label, configuration)
        if isinstance(toolchain, Unknown) and toolchain.subject == str(label):
            return replace(toolchain, subject=what, location=toolchain.location or place)
        return toolchain

    def _mapping(self) -> dict[str, str]:
        table = getattr(self._graph.graph.source, "table", None)
        return dict(table.repo_mapping("")) if table is not None else {}

    def _registered(
        self, configuration: Configuration, rule: Rule | None
    ) -> tuple[Toolchain | Unknown | None, str]:
        conditions = self._graph.conditions(configuration)
        resolution = ToolchainResolution(self._graph.graph.source, conditions, asks_bazels=False)
        (resolved,) = resolution.resolve(rule, (ToolchainRequirement(CC_TYPE),))
        if resolved.doubt is not None and not resolved.premise:
            return resolved.doubt, ""
        if resolved.implementation is None:
            # The last one that is tried is that which Bazel makes for the machine.
            suited = resolution.builds_for_host()
            if suited is False:
                detail = "no registered C++ toolchain suits the platforms"
                return Unknown(Reason.FAILED, "the C++ toolchain", detail), resolved.premise
            return suited if isinstance(suited, Unknown) else None, resolved.premise
        if is_bazels_own(resolved.implementation.repository):
            return None, resolved.premise
        return self._of_label(resolved.implementation, configuration), resolved.premise

    def _of_label(self, label: Label, configuration: Configuration) -> Toolchain | Unknown:
        node = behind_aliases(self._graph, self._graph.node(label, configuration))
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            detail = "there is no such toolchain"
            return unknown_of(rule) or Unknown(Reason.FAILED, str(label), detail)
        name = rule.rule_class.name
        if name == "cc_toolchain_suite":
            chosen = self._of_suite(rule, configuration)
            if isinstance(chosen, Unknown):
                return chosen
            made = self._of_label(chosen, configuration)
            # Bazel names the suite where it complains.
            return made if isinstance(made, Unknown) else replace(made, name=str(rule.label))
        if name != "cc_toolchain":
            detail = f"what a {name} says of its flags is not modelled"
            return Unknown(Reason.NOT_MODELLED, str(label), detail, rule.location)
        return self._of_cc_toolchain(node, rule)

    def _of_suite(self, rule: Rule, configuration: Configuration) -> Label | Unknown:
        """The toolchain for a cpu and a compiler."""
        conditions = self._graph.conditions(configuration)
        value = resolve_value(rule.given("toolchains"), conditions).value
        items = dict(getattr(value, "items", ()))
        cpu = configuration.value("cpu").value or ""
        compiler = configuration.value("compiler").value or ""
        toolchain = items.get(f"{cpu}|{compiler}" if compiler else cpu)
        if isinstance(toolchain, Label):
            return toolchain
        detail = f"does not contain a toolchain for cpu '{cpu}'"
        detail += f" and compiler '{compiler}'" if compiler else ""
        what = f"cc_toolchain_suite '{rule.label}'"
        return Unknown(Reason.FAILED, what, detail, rule.location)

    def _of_cc_toolchain(self, node: ConfiguredNode, rule: Rule) -> Toolchain | Unknown:
        definition = rule.rule_class.attributes.get("toolchain_config")
        conditions = self._graph.conditions(node.configuration)
        value = resolve_value(rule.given("toolchain_config"), conditions).value
        if definition is None or not isinstance(value, Label):
            return self._of_crosstool_file(node, rule)
        ((behind, doubt),) = self._graph.nodes.prerequisites(node, definition, value)
        configured = self._graph.target(behind_aliases(self._graph, behind))
        if doubt is None and isinstance(configured, Rule) and is_rule_based(configured):
            return self._of_rules.toolchain(behind, rule.label)
        result = doubt or self._implementations.run(behind_aliases(self._graph, behind))
        if isinstance(result, Unknown):
            return result
        config = self._graph.target(behind)
        location = config.location if isinstance(config, Rule) else rule.location
        if result.failure is not None:
            return Unknown(Reason.FAILED, str(value), result.failure.message, location)
        info = result.provider(_INFO) or _of_rules_cc(result)
        if isinstance(info, Unknown):
            return info
        if not isinstance(info, Struct):
            detail = "it does not provide CcToolchainConfigInfo"
            return Unknown(Reason.FAILED, str(value), detail, location)
        directory = rule.label.package_id.source_folder
        places = FlagPlaces(self._file_of(config) if isinstance(config, Rule) else None)
        release = self._graph.configuration.release
        return toolchain_of_config(info, rule.label, directory, location, places, release)

    def _of_crosstool_file(self, node: ConfiguredNode, rule: Rule) -> Toolchain | Unknown:
        """The toolchain whose flags are in a file of the old kind."""
        configuration = self._graph.configuration_of(node)
        path = rule.label.sibling(FILE).source_path
        if (
            configuration.is_on(_NO_FILE, True)
            or not configuration.release.cc_reads_crosstool_files
        ):
            detail = "it has no toolchain_config, and this Bazel reads no CROSSTOOL file"
            return Unknown(Reason.FAILED, str(rule.label), detail, rule.location)
        read = getattr(self._graph.graph.source, "read_source", None)
        file = read(path) if read is not None else None
        if not isinstance(file, SourceFile):
            detail = f"its flags are in {path}, which cannot be read"
            return Unknown(Reason.NOT_MODELLED, str(rule.label), detail, rule.location)
        words = [_text_of(rule, name) for name in ("toolchain_identifier", "cpu", "compiler")]
        chosen = chosen_toolchain(file.text, *words)
        if chosen is None:
            detail = f"no toolchain of {path} has its identifier, or its cpu and compiler"
            return Unknown(Reason.FAILED, str(rule.label), detail, rule.location)
        directory = path.rpartition("/")[0]
        mode = configuration.value("compilation_mode").value or "fastbuild"
        release = configuration.release
        return toolchain_of_file(chosen, rule.label, directory, file, mode, release)

    def _file_of(self, config: Rule) -> SourceFile | None:
        """The file of the function that makes the configuration."""
        function = self._implementations.functions.implementation_of(config)
        read = getattr(self._graph.graph.source, "read_source", None)
        if isinstance(function, Unknown) or read is None:
            return None
        source = read(starlark.definition(function).location.path)
        return source if isinstance(source, SourceFile) else None


def _text_of(rule: Rule, name: str) -> str:
    given = rule.given(name)
    return given if isinstance(given, str) else ""


def _of_rules_cc(result: Implemented) -> Struct | None:
    """The instance of the provider that later rules_cc has instead of Bazel's, with the fields as
    Bazel's has them. Features and actions that Bazel would have added are in it already."""
    for key, info in result.providers.items():
        if getattr(key, "name", "") == _INFO.name and isinstance(info, Struct):
            plain = {
                name.removeprefix("_").removesuffix(_PRIVATE): value
                for name, value in info.fields.items()
            }
            return Struct(plain, _INFO)
    return None
