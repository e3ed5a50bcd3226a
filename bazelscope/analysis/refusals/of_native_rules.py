"""What implementations of Bazel's own rules refuse: texts that do not expand, commands, scripts
and main files that are missing.

Bazel: `LocationExpander`, `TemplateExpander`, `GenRuleBase`, `ShBinary`, `PyCommon`, `TestSuite`,
`ProtoLangToolchain`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import Chosen, resolve_value
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import TEMPLATES, UNKNOWNS
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.bazel.encoded_values import mentions
from bazelscope.bazel.native_texts import (
    OF_TOOLCHAINS,
    Expanded,
    TemplateError,
    expanded_attributes,
    location_functions,
    references,
)
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

_YES = Taken.YES
_SCRIPTS = ("sh_binary", "sh_test")
_PYTHON = ("py_binary", "py_test")
_CHECKED = frozenset({"genrule", "proto_lang_toolchain", "test_suite", *_SCRIPTS, *_PYTHON})
"""Rules of which more may be wrong than a text."""
_DEFAULT_CROSSTOOL = "@bazel_tools//tools/cpp:toolchain"
_OF_EVERY_RULE = frozenset({"TARGET_CPU", "COMPILATION_MODE", "BINDIR", "GENDIR"})
_OF_GENRULES = frozenset({"SRCS", "OUTS", "@D", "RULEDIR", "@", "<"})


class NativeRuleChecks:
    """The checks, over one configured graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations
        self._release = graph.configuration.release

    def refused(self, node: ConfiguredNode, name: str) -> list[Refusal]:
        """What the implementation of a native rule of class `name` refuses."""
        if not self._has_to_be_read(node.label, name):
            return []
        rule = self._graph.graph.node(node.label)
        if not isinstance(rule, Rule):
            return []
        refusals = [
            self._refusal(rule, kind, attribute, message)
            for kind, attribute, message in self._problems(node, rule, name)
        ]
        if not refusals:
            command = self._command(node, rule) if name == "genrule" else None
            for attribute, how in expanded_attributes(name, self._release).items():
                given = rule.attributes.get(attribute)
                if given is None or (command is not None and attribute != command):
                    continue
                message = self._of_text(node, rule, attribute, how)
                if message:
                    refusals.append(self._refusal(rule, RefusalKind.EXPANSION, attribute, message))
        return refusals

    def _has_to_be_read(self, label: Label, name: str) -> bool:
        """Whether something may be wrong with a rule of class `name`; looked up without decoding
        it: most rules have no text in which there is something to expand."""
        if name in _CHECKED:
            return True
        if not expanded_attributes(name, self._release):
            return False
        if self._graph.graph.is_marked(label, TEMPLATES):
            return True
        package = self._graph.graph.source.package(label.package_id)
        return isinstance(package, Package) and mentions(package.default_copts, "$")

    def _refusal(self, rule: Rule, kind: RefusalKind, attribute: str, message: str) -> Refusal:
        return Refusal(
            kind,
            f"in {attribute} attribute of {rule.kind} {rule.label}: {message}",
            rule.label,
            attribute,
            rule.location,
        )

    # ---- What rules want besides

    def _problems(
        self, node: ConfiguredNode, rule: Rule, name: str
    ) -> Iterator[tuple[RefusalKind, str, str]]:
        if name == "genrule":
            if self._command(node, rule) is None:
                yield RefusalKind.MANDATORY, "cmd", "missing value for `cmd` attribute"
            if self._value(node, rule, "executable") in (True, 1) and len(rule.outputs) > 1:
                message = "if genrules produce executables, they are allowed only one output"
                yield RefusalKind.IMPLEMENTATION, "executable", message
        elif name == "test_suite":
            for edge in self._graph.edges(node):
                if edge.taken is _YES and edge.edge.attribute == "tests":
                    behind = behind_aliases(self._graph, edge.target)
                    kind = self._graph.graph.shape(behind.label).rule_class
                    known = kind is None or not kind.is_known or kind.is_test
                    if not known and kind is not None and kind.name != "test_suite":
                        message = "expecting a test or a test_suite rule but"
                        message += f" '{edge.target.label}' is not one"
                        yield RefusalKind.MISPLACED, "tests", message
        elif name == "proto_lang_toolchain":
            own = node.configuration or self._graph.configuration
            if own.is_on("incompatible_blacklisted_protos_requires_proto_info"):
                for edge in self._graph.edges(node):
                    if edge.taken is _YES and self._is_no_proto(edge):
                        message = f"'{rule.label}' does not have mandatory provider 'ProtoInfo'."
                        yield RefusalKind.MISSING_PROVIDER, "blacklisted_protos", message
                        break
        elif name in _SCRIPTS:
            files = self._files_in(node, "srcs")
            if files is not None and len(files) != 1:
                message = "you must specify exactly one file in 'srcs'"
                yield RefusalKind.IMPLEMENTATION, "srcs", message
        elif name in _PYTHON and not self._value(node, rule, "main_module"):
            files = self._files_in(node, "srcs")
            main = self._value(node, rule, "main")
            is_given = isinstance(main, Label)
            wanted = main.name if isinstance(main, Label) else f"{rule.label.name}.py"
            if files is not None and not any(
                f"/{file.inside}".endswith(f"/{wanted}") for file in files
            ):
                message = f"corresponding default '{wanted}' does not appear in srcs"
                if is_given:
                    message = f"could not find '{wanted}' as specified by 'main' attribute"
                yield RefusalKind.IMPLEMENTATION, "main" if is_given else "srcs", message

    def _is_no_proto(self, edge: ConfiguredEdge) -> bool:
        """Whether a native rule that is no proto_library stands where one is wanted. Bazel:
        `ProtoLangToolchain`, which names the toolchain and not the rule."""
        if edge.edge.attribute != "blacklisted_protos":
            return False
        behind = behind_aliases(self._graph, edge.target)
        kind = self._graph.graph.shape(behind.label).rule_class
        if kind is None or not kind.is_known or kind.defined_at:
            return False  # A file is misplaced there.
        return kind.name != "proto_library"

    def _command(self, node: ConfiguredNode, rule: Rule) -> str | None:
        """The attribute that has the command of a genrule on this machine; None if none has.
        Bazel: `GenRuleBase.determineCommandAttribute`."""
        host = (node.configuration or self._graph.configuration).host
        names = ("cmd_ps", "cmd_bat", "cmd_bash", "cmd")
        wanted = names if host.os == "windows" else names[2:]
        return next((one for one in wanted if rule.attributes.get(one) is not None), None)

    def _value(self, node: ConfiguredNode, rule: Rule, name: str) -> object:
        attribute = rule.attribute(name)
        if attribute is None:
            return None
        return resolve_value(attribute.value, self._graph.conditions(node.configuration)).value

    def _files_in(self, node: ConfiguredNode, *names: str) -> list[FileValue] | None:
        """The files of all targets in some attributes; None where nobody can tell."""
        if self._graph.graph.is_marked(node.label, UNKNOWNS):
            return None
        listed: dict[FileValue, None] = {}
        for edge in self._graph.edges(node):
            if edge.edge.attribute in names and edge.edge.kind is EdgeKind.ATTRIBUTE:
                if edge.taken is Taken.NO:
                    continue
                files = self._files(edge.target)
                if files is None or edge.taken is not _YES:
                    return None
                listed.update(dict.fromkeys(files))
        return list(listed)

    def _may_be_program(self, node: ConfiguredNode, edge: ConfiguredEdge) -> bool:
        """Whether a dependency may be expanded to its program alone, whatever else it is built
        to."""
        behind = behind_aliases(self._graph, edge.target)
        rule_class = self._graph.graph.shape(behind.label).rule_class
        own = node.configuration or self._graph.configuration
        if rule_class is not None and own.is_on("incompatible_locations_prefers_executable"):
            may_be = rule_class.is_executable or rule_class.is_test or rule_class.name == "genrule"
            return may_be or not rule_class.is_known
        if edge.edge.attribute in _WITH_PROGRAMS:
            return rule_class is not None and (
                rule_class.is_executable or rule_class.is_test or not rule_class.is_known
            )
        if edge.edge.attribute not in _TOOLS:
            return False
        is_group = rule_class is not None and rule_class.name == "filegroup"
        return edge.edge.attribute != "tools" or not is_group

    def _files(self, node: ConfiguredNode) -> tuple[FileValue, ...] | None:
        files = self._implementations.files(node)
        return None if isinstance(files, Unknown) else files

    # ---- Texts

    def _of_text(self, node: ConfiguredNode, rule: Rule, attribute: str, how: Expanded) -> str:
        """What is wrong with the first text of an attribute with which something is."""
        given = rule.attributes[attribute].value
        resolved = resolve_value(given, self._graph.conditions(node.configuration))
        if not all(isinstance(choice, Chosen) for choice in resolved.choices):
            return ""
        value = resolved.value
        texts = value if isinstance(value, tuple) else (value,)
        if isinstance(value, DictValue):
            texts = tuple(text for _, text in value.items)
        for text in texts:
            if isinstance(text, str) and "$" in text:
                message = self._of_one(node, rule, text, how)
                if message:
                    return message
        return ""

    def _of_one(self, node: ConfiguredNode, rule: Rule, text: str, how: Expanded) -> str:
        try:
            for name, argument in references(text, how.is_lenient):
                if argument is None:
                    message = self._of_variable(node, rule, name)
                elif name in location_functions(self._release) and how.locations:
                    message = self._of_location(node, rule, name, argument, how.locations)
                else:
                    message = f"$({name}) not defined"
                if message:
                    return message
        except TemplateError as error:
            return str(error)
        return ""

    def _of_variable(self, node: ConfiguredNode, rule: Rule, name: str) -> str:
        own = node.configuration or self._graph.configuration
        is_genrule = rule.rule_class.name == "genrule"
        if is_genrule and name == "@" and len(rule.outputs) > 1:
            return "variable '$@' : more than one output file"
        if is_genrule and name == "<":
            files = self._files_in(node, "srcs")
            if files is not None and len(files) != 1:
                amount = "more than one" if files else "no"
                return f"variable '$<' : {amount} input file"
        if name in _OF_EVERY_RULE or (is_genrule and name in _OF_GENRULES):
            return ""
        if own.define(name) is not None or self._value(node, rule, "toolchains"):
            return ""
        if name in OF_TOOLCHAINS:
            return ""  # Toolchains may define it, which depends on the rule and the release.
        if not is_genrule and rule.rule_class.name not in _SCRIPTS:
            top = own.value("crosstool_top").value
            if top not in (None, "", _DEFAULT_CROSSTOOL):
                return ""  # A toolchain of the workspace's own may define variables.
        return f"$({name}) not defined"

    def _of_location(
        self,
        node: ConfiguredNode,
        rule: Rule,
        function: str,
        argument: str,
        attributes: tuple[str, ...],
    ) -> str:
        base = rule.label.package_id
        context = getattr(self._graph.graph.source, "context", None)
        if context is None or "$" in argument:
            return ""
        try:
            label = parse_label(argument, base, context.mapping_of(base.repository))
        except LabelError as error:
            return f"invalid label in $({function}) expression: {error}"
        if label in rule.outputs:
            return ""
        files = 0
        is_there = False
        for edge in self._graph.edges(node):
            if edge.target.label != label or edge.edge.attribute not in attributes:
                continue
            if edge.taken is Taken.NO:
                continue
            is_there = True
            if edge.taken is not _YES or self._may_be_program(node, edge):
                return ""
            had = self._files(edge.target)
            if had is None:
                return ""
            files = max(files, len(had))
        if not is_there and self._graph.graph.is_marked(node.label, UNKNOWNS):
            return ""  # It may stand in a glob() that nobody can tell.
        if not is_there:
            return (
                f"label '{label}' in $({function}) expression is not a declared prerequisite"
                " of this rule"
            )
        if not files:
            return f"label '{label}' in $({function}) expression expands to no files"
        if files > 1 and not function.endswith("s"):
            return (
                f"label '{label}' in $({function}) expression expands to more than one file,"
                f" please use $(locations {label}) instead"
            )
        return ""


_TOOLS = ("tools", "exec_tools", "toolchains")
_WITH_PROGRAMS = ("data", "deps")
"""Attributes of which a program stands for all that is built. Bazel: `LocationExpander`."""
