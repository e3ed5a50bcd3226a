"""The command lines of the actions that compile the sources of C++ rules, word by word.

Bazel: `CcCompilationHelper`, `CompileCommandLine`. What a word is and where it stands was measured
by `aquery`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bazelscope.analysis.compile.attribute_words import AttributeWord, AttributeWords
from bazelscope.analysis.compile.cc_context import (
    LINKING,
    CcContext,
    CcContexts,
    Entry,
    entries,
    is_cc,
)
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.gaps import gaps_in_words
from bazelscope.analysis.compile.option_words import (
    copt_words,
    omitfp_variable,
    option_words,
    per_file_words,
)
from bazelscope.analysis.compile.own_toolchain import OwnToolchains
from bazelscope.analysis.compile.proto_libraries import (
    CC_PROTO_LIBRARY,
    PROTO_LIBRARY,
    ProtoLibraries,
    is_native,
)
from bazelscope.analysis.compile.setting import (
    Setting,
    directory_of,
    features_of,
    has_fission,
    links_dynamically,
)
from bazelscope.analysis.compile.source_files import CcSource, sources_of
from bazelscope.analysis.compile.toolchain import ASSEMBLE, C_COMPILE, CPP_COMPILE, Toolchain
from bazelscope.analysis.compile.toolchain_choice import toolchain_of, unknown_toolchain
from bazelscope.analysis.compile.words import FromAttribute, FromBazel, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.toolchain_flags import heeds_nocopts
from bazelscope.analysis.graph.aliases import targets_of
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.output_files import OutputFiles
from bazelscope.analysis.rules.provided import variables_of
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.values.structs import Provider
from bazelscope.loading.origins.term import Term
from bazelscope.loading.origins.terms import Sources, why_text
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

_NAMED = ("srcs", "deps", "data", "additional_linker_inputs")
"""The attributes whose files `$(location)` may name."""
_UNFILTERED = "unfiltered_compile_flags"
_CC_INFO = Provider("CcInfo")


@dataclass(frozen=True, slots=True)
class Compilation:
    """One compile action: the words of its command line, the compiler first."""

    source: CcSource
    output: str
    words: tuple[Word, ...]


class CcActions:
    """The actions of configured targets of one graph."""

    def __init__(
        self, graph: ConfiguredGraph, sources: Sources, environment: Mapping[str, str]
    ) -> None:
        """`sources` tells where words come from; `environment` is what repository rules see."""
        self.graph = graph
        self._sources = sources
        self._environment = environment
        self._toolchains: dict[Configuration, Toolchain] = {}
        self._terms: dict[tuple[Label, str, str, int], Term] = {}
        self.files = OutputFiles(graph, directory_of)
        self.implementations = Implementations(graph, directory_of)
        self._protos = ProtoLibraries(graph, self.files)
        self.contexts = CcContexts(graph, self.words_of, self._hands_on_nothing, self._protos)
        self._own = OwnToolchains(graph, self.implementations)

    def _hands_on_nothing(self, node: ConfiguredNode) -> bool:
        """Whether it is known of a target of a Starlark rule that it has no part in C++."""
        result = self.implementations.run(node)
        if isinstance(result, Unknown) or result.failure is not None:
            return False
        return result.provider(_CC_INFO) is None

    @memoized
    def words_of(self, node: ConfiguredNode) -> AttributeWords:
        """The attributes of a configured rule as words."""
        rule = self.graph.target(node)
        assert isinstance(rule, Rule)
        configuration = self.graph.configuration_of(node)
        return AttributeWords(
            rule,
            self.graph.conditions(configuration),
            directory_of(configuration),
            lambda label: self._files_named(node, label),
            self._sources.table.repo_mapping(rule.label.repository),
            lambda: self._make_variables(node),
        )

    @memoized
    def _make_variables(self, node: ConfiguredNode) -> Mapping[str, str | Unknown]:
        """What the toolchain defines, then what the `toolchains` that a rule names do."""
        rule = self.graph.target(node)
        assert isinstance(rule, Rule)
        toolchain = self.toolchain(self.graph.configuration_of(node), rule)
        variables: dict[str, str | Unknown] = {**toolchain.make_variables}
        for one in targets_of(self.graph, node, "toolchains"):
            given = variables_of(self.implementations.run(one))
            for name, value in (given or {}).items():
                detail = f"what {one.label} defines it as"
                why = Unknown(Reason.NEEDS_ANALYSIS, f"$({name})", detail, rule.location)
                variables[name] = value if isinstance(value, str) else why
        return variables

    @memoized
    def setting(self, node: ConfiguredNode) -> Setting:
        """The toolchain and the features of a rule of C++."""
        rule = self.graph.target(node)
        assert isinstance(rule, Rule)
        configuration = self.graph.configuration_of(node)
        toolchain = self.toolchain(configuration, rule)
        words = self.words_of(node)
        package = self.graph.graph.source.package(rule.label.package_id)
        levels = (
            configuration.value("features").values,
            package.features if isinstance(package, Package) else (),
            tuple(one.text for one in words.strings("features") if one.unknown is None),
        )
        directory = directory_of(configuration)
        is_program = rule.rule_class.name in LINKING
        is_dynamic = links_dynamically(rule, words, configuration) if is_program else None
        enabled, refusal = features_of(toolchain, configuration, levels, is_dynamic)
        return Setting(node, rule, configuration, toolchain, enabled, directory, words, refusal)

    def toolchain(self, configuration: Configuration, rule: Rule) -> Toolchain:
        """The toolchain of a configuration; one that is not known has unknown words. `rule` is one
        that is built with it."""
        known = self._toolchains.get(configuration)
        if known is None:
            chosen, premise = self._own.of(configuration, rule)
            if chosen is None:
                chosen = toolchain_of(configuration, self._environment)
            if isinstance(chosen, Unknown):
                chosen = unknown_toolchain(chosen, configuration.release)
            elif premise:
                both = ", and that ".join(filter(None, (premise, chosen.assumed)))
                chosen = replace(chosen, assumed=both)
            known = self._toolchains[configuration] = chosen
        return known

    def sources(self, node: ConfiguredNode) -> tuple[tuple[CcSource, ...], tuple[Unknown, ...]]:
        """What a rule compiles, in order, and what of its `srcs` cannot be told."""
        if is_native(self.graph.target(node), PROTO_LIBRARY):
            return self._protos.sources(node, self.words_of(node))
        return sources_of(self.files_of(node, "srcs"))

    def files_of(
        self, node: ConfiguredNode, attribute: str
    ) -> Iterator[tuple[Label, tuple[str, ...] | Unknown]]:
        """The files behind each label of an attribute."""
        for edge in self.graph.edges_of(node, attribute):
            yield edge.edge.target, edge.uncertain or self.files.of(edge.target)

    def compiles(self, node: ConfiguredNode) -> bool:
        """Whether a target is one of C++ with actions of its own; a `proto_library` is, for a
        `cc_proto_library` of it."""
        rule = self.graph.target(node)
        return is_cc(rule) or is_native(rule, PROTO_LIBRARY)

    def compiled(self, node: ConfiguredNode) -> ConfiguredNode | None:
        """The target whose actions a target stands for: itself, or what a `cc_proto_library` is
        made of; None for what compiles nothing."""
        rule = self.graph.target(node)
        if is_native(rule, CC_PROTO_LIBRARY):
            return next(iter(self.contexts.dependencies(node)), None)
        return node if is_cc(rule) else None

    def compilations(
        self, node: ConfiguredNode, only: frozenset[str] | None = None
    ) -> tuple[Compilation, ...]:
        """The compile actions of a rule, in Bazel's order; with `only`, those of these sources."""
        if not self.compiles(node):
            return ()
        setting = self.setting(node)
        context = self.context(node)
        return tuple(
            compilation
            for source in self.sources(node)[0]
            if only is None or source.path in only
            for compilation in self._of_source(setting, context, source)
        )

    def context(self, node: ConfiguredNode) -> CcContext:
        """What the sources of a rule are compiled with, of its own and of its dependencies."""
        context = self.contexts.of(node)
        more = self.contexts.own_dependencies(node)
        if more:
            for one in more:
                self.contexts.of(one)
            everything = (*self.contexts.dependencies(node), *more)
            context = self.contexts.join(node, self.contexts.own(node), everything)
        return context

    def _of_source(
        self, setting: Setting, context: CcContext, source: CcSource
    ) -> Iterator[Compilation]:
        for is_pic in (True, False):
            if setting.makes_pic if is_pic else setting.makes_other:
                yield self._compilation(setting, context, source, is_pic)

    def _compilation(
        self, setting: Setting, context: CcContext, source: CcSource, is_pic: bool
    ) -> Compilation:
        name = f"{setting.objects}/{setting.rule.label.name}/{source.object_name}"
        ending = ".pic" if is_pic else ""
        output = f"{name}{ending}{setting.toolchain.names.object}"
        made = FromBazel("output")
        variables: dict[str, object] = {
            "source_file": Word(source.path, FromBazel("source")),
            "output_file": Word(output, made),
            **self._user_variables(setting, source),
        }
        if source.action != ASSEMBLE:
            variables["dependency_file"] = Word(f"{name}{ending}.d", made)
        variables |= self._context_variables(setting, context)
        if setting.toolchain.sysroot:
            variables["sysroot"] = Word(setting.toolchain.sysroot, FromBazel("sysroot"))
        if setting.configuration.is_on("collect_code_coverage"):
            variables["gcov_gcno_file"] = Word(f"{name}{ending}.gcno", made)
        if has_fission(setting):
            variables["is_using_fission"] = Word("", made)
            variables["per_object_debug_info_file"] = Word(f"{name}{ending}.dwo", made)
        if is_pic:
            variables["pic"] = Word("", FromBazel("pic"))
        words = expand(setting.toolchain, setting.enabled, source.action, variables)
        dropped = self._nocopts(setting)
        kept = [w for w in words if dropped is None or not _drops(dropped, w)]
        gaps = gaps_in_words(setting.configuration, setting.enabled)
        kept = [*(Word("...", FromBazel("features"), gap) for gap in gaps), *kept]
        tool = setting.toolchain.tool(source.action, setting.enabled)
        return Compilation(source, output, (tool, *kept))

    # ---- Variables

    def _context_variables(self, setting: Setting, context: CcContext) -> dict[str, object]:
        node, outputs = setting.node, self._outputs(setting)
        local = entries(node, setting.words, "local_defines")
        defines = self.contexts.with_local(context.defines, local)
        quotes: list[Word] = []
        for repository in context.repositories:
            place = f"external/{repository}" if repository else ""
            origin = FromBazel(
                "files of @" + repository if repository else "files of the workspace"
            )
            quotes += [Word(path, origin) for path in _with_outputs(place, outputs)]
        system = [
            Word(path, self._origin(node, entry))
            for entry in context.includes
            for path in _with_outputs(entry.text, outputs)
        ]
        folder = f"{setting.directory}/bin"
        unknowns = [Word("...", FromBazel("dependencies"), e.unknown) for e in context.unknowns]
        return {
            "preprocessor_defines": (*(self._word(node, entry) for entry in defines),),
            "unknown_of_dependencies": tuple(unknowns),
            "quote_include_paths": tuple(quotes),
            "include_paths": tuple(
                Word(f"{folder}/{entry.text}", self._origin(node, entry))
                for entry in context.virtual_includes
            ),
            "system_include_paths": tuple(system),
            "framework_include_paths": (),
        }

    def _outputs(self, setting: Setting) -> tuple[str, ...]:
        if setting.configuration.release.cc_has_genfiles:
            return (f"{setting.directory}/genfiles", f"{setting.directory}/bin")
        return (f"{setting.directory}/bin",)

    def _user_variables(self, setting: Setting, source: CcSource) -> dict[str, object]:
        configuration = setting.configuration
        options = copt_words(configuration)
        if source.action == CPP_COMPILE:
            options += option_words(configuration, "cxxopt")
        elif source.action == C_COMPILE and source.path.endswith(".c"):
            options += option_words(configuration, "conlyopt")
        cut = "no_copts_tokenization" not in setting.enabled
        package = self.graph.graph.source.package(setting.rule.label.package_id)
        defaults: tuple[str, ...] = ()
        if isinstance(package, Package) and is_cc(setting.rule):
            defaults = package.default_copts
        own = [
            Word(text, FromAttribute(setting.node.label, "default_copts of the package", text))
            for text in setting.words.expanded(defaults, cut)
        ]
        own += [
            self.attribute_word(setting.node, "copts", word)
            for word in setting.words.words("copts", cut)
        ]
        per_file = per_file_words(configuration, source.path, str(source.label))
        words = (*options, *own, *per_file)
        return {"user_compile_flags": words, **omitfp_variable(configuration)}

    def _nocopts(self, setting: Setting) -> re.Pattern[str] | None:
        """What drops words, where it is allowed. Bazel: `CoptsFilter`."""
        text = setting.words.value("nocopts")
        if not isinstance(text, str) or not text:
            return None
        if not heeds_nocopts(setting.configuration):
            return None
        try:
            return re.compile(text)
        except re.error:
            return None

    # ---- Origins

    def _word(self, node: ConfiguredNode, entry: Entry) -> Word:
        return Word(entry.text, self._origin(node, entry), entry.unknown)

    def _origin(self, node: ConfiguredNode, entry: Entry) -> FromAttribute:
        path = self.contexts.path(node, entry.target)
        one = AttributeWord(entry.text, entry.written, entry.condition, entry.selector)
        return self._of_attribute(entry.target, entry.attribute, one, path)

    def _of_attribute(
        self,
        node: ConfiguredNode,
        attribute: str,
        word: AttributeWord,
        path: tuple[Label, ...] = (),
    ) -> FromAttribute:
        """Where a word of an attribute comes from; terms are looked up once."""
        rule = self.graph.target(node)
        term, select_at = None, None
        if isinstance(rule, Rule):
            key = (rule.label, attribute, word.written, id(word.selector))
            if key not in self._terms:
                why = why_text(self._sources, rule, attribute, word.written, word.selector)
                self._terms[key] = why
            term = self._terms[key]
        if word.selector is not None:
            select_at = word.selector.location
        return FromAttribute(
            node.label, attribute, word.written, path, word.condition, select_at, term
        )

    def attribute_word(
        self,
        node: ConfiguredNode,
        attribute: str,
        word: AttributeWord,
        path: tuple[Label, ...] = (),
    ) -> Word:
        """A word of an attribute of a target that `path` leads to; empty for the one built."""
        return Word(word.text, self._of_attribute(node, attribute, word, path), word.unknown)

    def _files_named(self, node: ConfiguredNode, label: Label) -> tuple[str, ...] | Unknown:
        for edge in self.graph.taken(node):
            if edge.edge.target == label and edge.edge.attribute in _NAMED:
                return self.files.of(edge.target)
        detail = "not a declared prerequisite"
        return Unknown(Reason.FAILED, str(label), detail)


def _with_outputs(place: str, outputs: tuple[str, ...]) -> Iterator[str]:
    yield place or "."
    for output in outputs:
        yield f"{output}/{place}" if place else output


def _drops(pattern: re.Pattern[str], word: Word) -> bool:
    origin = word.origin
    return getattr(origin, "feature", "") != _UNFILTERED and bool(pattern.fullmatch(word.text))
