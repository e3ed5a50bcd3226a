"""The C++ that `cc_proto_library` makes of a `proto_library`: generated sources, the runtime that
they need, and the folder in which headers have other names.

The actions are those of an aspect on the `proto_library`, so they have its name, its features and
its folder. Bazel: `CcProtoAspect`, `ProtoCommon`. Measured by `aquery --include_aspects`.
"""

from __future__ import annotations

import posixpath

from bazelscope.analysis.compile.attribute_words import AttributeWords
from bazelscope.analysis.compile.setting import directory_of
from bazelscope.analysis.compile.source_files import CcSource, sources_of
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases, targets_of
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.output_files import OutputFiles
from bazelscope.base.errors import LabelError
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule, unknown_of

PROTO_LIBRARY = "proto_library"
CC_PROTO_LIBRARY = "cc_proto_library"
_TOOLCHAIN = "proto_toolchain_for_cc"
_SUFFIXES = "cc_proto_library_source_suffixes"
_GENERATED_MOVE = "incompatible_generated_protos_in_virtual_imports"


def is_native(rule: object, name: str) -> bool:
    """Whether a rule is of Bazel's own class of that name."""
    return (
        isinstance(rule, Rule) and rule.rule_class.name == name and not rule.rule_class.defined_at
    )


class ProtoLibraries:
    """What the `proto_library` rules of one graph come to in C++."""

    def __init__(self, graph: ConfiguredGraph, files: OutputFiles) -> None:
        self._graph = graph
        self._files = files

    def runtime(self, node: ConfiguredNode) -> ConfiguredNode | Unknown | None:
        """The library that generated code needs; None if the toolchain names none. Bazel:
        `ProtoLangToolchainProvider.runtime`."""
        toolchain = self._toolchain(node)
        if isinstance(toolchain, Unknown):
            return toolchain
        return next(targets_of(self._graph, toolchain, "runtime"), None)

    def sources(
        self, node: ConfiguredNode, words: AttributeWords
    ) -> tuple[tuple[CcSource, ...], tuple[Unknown, ...]]:
        """What is compiled for a `proto_library`, in order, and what of it cannot be told."""
        protos: list[str] = []
        unknowns: list[Unknown] = []
        for edge in self._graph.edges_of(node, "srcs"):
            paths = edge.uncertain or self._files.of(edge.target)
            if isinstance(paths, Unknown):
                unknowns.append(paths)
            else:
                protos += paths
        excluded = self._excluded(node)
        if isinstance(excluded, Unknown):
            unknowns.append(excluded)
        elif protos and excluded.issuperset(protos):
            return (), tuple(unknowns)
        made = tuple(
            self._moved(node, words, proto).removesuffix(".proto") + suffix
            for suffix in self._suffixes(node)
            for proto in protos
        )
        compiled, _ = sources_of([(node.label, made)])
        return compiled, tuple(unknowns)

    def includes_folder(self, node: ConfiguredNode, words: AttributeWords) -> str | None:
        """The attribute for which headers are in a folder of their own; None if they are not."""
        configuration = self._graph.configuration_of(node)
        if not configuration.release.cc_protos_in_virtual_includes:
            return None
        return self._moved_for(node, words)

    def _moved_for(self, node: ConfiguredNode, words: AttributeWords) -> str | None:
        """The attribute because of which imports have other paths than files. Bazel:
        `ProtoCommon.createProtoInfo`, `useVirtualImports`."""
        for attribute in ("strip_import_prefix", "import_prefix"):
            if words.is_set(attribute):
                return attribute
        configuration = self._graph.configuration_of(node)
        if not configuration.is_on(_GENERATED_MOVE, True):
            return None
        if not configuration.release.cc_protos_in_virtual_includes:
            return None
        for edge in self._graph.edges_of(node, "srcs"):
            paths = self._files.of(edge.target)
            if not isinstance(paths, Unknown) and any(map(_is_generated, paths)):
                return "srcs"
        return None

    def _moved(self, node: ConfiguredNode, words: AttributeWords, proto: str) -> str:
        """Where what is made of a file is, with the file's own ending."""
        configuration = self._graph.configuration_of(node)
        folder = "genfiles" if configuration.release.cc_has_genfiles else "bin"
        outputs = f"{directory_of(configuration)}/{folder}"
        path = "/".join(proto.split("/")[3:]) if _is_generated(proto) else proto
        if self._moved_for(node, words) is None:
            return f"{outputs}/{path}"
        repository = node.label.repository
        root = f"external/{repository}/" if repository else ""
        path = path.removeprefix(root)
        strip = words.value("strip_import_prefix")
        if isinstance(strip, str):
            absolute = strip.startswith("/")
            inside = strip.lstrip("/") if absolute else f"{node.label.package}/{strip}"
            path = posixpath.relpath(path, posixpath.normpath(inside or "."))
        prefix = words.value("import_prefix")
        if isinstance(prefix, str) and prefix:
            path = f"{prefix.strip('/')}/{path}"
        virtual = node.label.sibling(f"_virtual_imports/{node.label.name}").source_path
        return f"{outputs}/{virtual}/{path}"

    def _suffixes(self, node: ConfiguredNode) -> tuple[str, ...]:
        configuration = self._graph.configuration_of(node)
        return tuple((configuration.value(_SUFFIXES).value or ".pb.cc").split(","))

    def _excluded(self, node: ConfiguredNode) -> frozenset[str] | Unknown:
        """Files of which the runtime has the C++ already. Bazel: `ProtoCommon.areFilesExcluded`."""
        toolchain = self._toolchain(node)
        if isinstance(toolchain, Unknown):
            return frozenset()
        excluded: set[str] = set()
        for one in targets_of(self._graph, toolchain, "blacklisted_protos"):
            rule = self._graph.target(one)
            if is_native(rule, PROTO_LIBRARY):
                if self._graph.configuration_of(one).release.cc_has_genfiles:
                    continue  # It stands for its descriptor set, then.
                for source in targets_of(self._graph, one, "srcs"):
                    paths = self._files.of(source)
                    excluded.update(() if isinstance(paths, Unknown) else paths)
                continue
            paths = self._files.of(one)
            if isinstance(paths, Unknown):
                return paths
            excluded.update(paths)
        return frozenset(excluded)

    def _toolchain(self, node: ConfiguredNode) -> ConfiguredNode | Unknown:
        configuration = self._graph.configuration_of(node)
        text = configuration.value(_TOOLCHAIN).value or ""
        try:
            label = configuration.label(text)
        except LabelError as error:
            return Unknown(Reason.FAILED, f"--{_TOOLCHAIN}={text}", str(error))
        actual = behind_aliases(self._graph, self._graph.node(label, configuration))
        rule = self._graph.target(actual)
        if is_native(rule, "proto_lang_toolchain"):
            return actual
        detail = f"what --{_TOOLCHAIN} names is no proto_lang_toolchain"
        return unknown_of(rule) or Unknown(Reason.NOT_MODELLED, str(label), detail)


def _is_generated(path: str) -> bool:
    return path.startswith("bazel-out/")
