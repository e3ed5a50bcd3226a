"""What rules for C++ refuse. Bazel: `CcCommon`, `CcCompilationHelper`, `CcImport`; since 6
`cc_helper.bzl`, `cc_import.bzl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.toolchain_flags import heeds_nocopts
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule, Problem
from bazelscope.analysis.refusals.native_rules.paths import joined, leads_above, of_stripped
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.value_forms import is_regex

_COMPILED = (
    *(".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".cl", ".c", ".m", ".mm"),
    *(".s", ".asm", ".S"),
)
"""Endings of what is compiled. Bazel: `SourceCategory.CC_AND_OBJC`."""
_LINKED = (*_COMPILED, ".o")
_LIBRARIES = (".a", ".pic.a", ".lo", ".pic.lo", ".so", ".dylib", ".dll")
_SHARED = lazy_pattern(r"\.(so(\.[^/]*)?|dylib|dll)$")
_REMOVED = (
    "This attribute was removed. See https://github.com/bazelbuild/bazel/issues/8706 for details."
)


def _of_rule(rule: ConfiguredRule) -> Iterator[Problem]:
    yield from _of_includes(rule)
    yield from _of_sources(rule)
    dropped = rule.text("nocopts")
    if dropped and not heeds_nocopts(rule.configuration):
        yield Problem(_REMOVED, "nocopts")
    elif dropped and not is_regex(dropped):
        yield Problem(f"invalid regular expression '{dropped}'", "nocopts")


def _of_program(rule: ConfiguredRule) -> Iterator[Problem]:
    yield from _of_rule(rule)
    is_odd = rule.release.linkshared_wants_name and not _SHARED.search(rule.label.name)
    if is_odd and rule.is_on("linkshared"):
        yield Problem("'linkshared' used in non-shared library", "linkshared")


def _of_library(rule: ConfiguredRule) -> Iterator[Problem]:
    yield from _of_rule(rule)
    yield from _of_prefixes(rule)
    files = [file.inside for file in rule.files("srcs") or ()]
    built = f"{rule.label.package}/lib{rule.label.name}".lstrip("/")
    own = [f"{built}{ending}" for ending in _LIBRARIES]
    if not set(own).isdisjoint(files) and any(name.endswith(_LINKED) for name in files):
        message = f"Can't put library with identifier '{built}' into the srcs of a cc_library with"
        message += f" the same name ({rule.label.name}) which also contains other code or objects"
        yield Problem(f"{message} to link")


def _of_includes(rule: ConfiguredRule) -> Iterator[Problem]:
    """Folders are seen from the execution root; other repositories lie below `external` there, or
    beside it. Bazel: `CcCommon.getSystemIncludeDirs`."""
    is_sibling = rule.configuration.is_on("experimental_sibling_repository_layout")
    id = rule.label.package_id
    others = ".." if is_sibling else "external"
    folder = f"{others}/{id.repository}/{id.package}" if id.repository else id.package
    for text in rule.texts("includes"):
        if "$" in text or text.startswith("/"):
            continue
        if leads_above(folder, text):
            if not is_sibling:
                yield Problem("Path references a path above the execution root.", "includes")
        elif not joined(folder, text):
            message = f"'{text}' resolves to the workspace root, which would allow this rule and"
            message += " all of its transitive dependents to include any file in your workspace."
            yield Problem(f"{message} Please include only what you need", "includes")


def _of_sources(rule: ConfiguredRule) -> Iterator[Problem]:
    """What would be compiled twice, since two targets of `srcs` have it."""
    owners: dict[str, Label] = {}
    for target in rule.targets("srcs") or ():
        for file in rule.files_of(target) or ():
            key = f"{'' if file.root.is_source else '//'}{file.below_root}"
            other = owners.setdefault(key, target.label)
            if other != target.label and file.inside.endswith(_COMPILED):
                through = f"(through '{other}' and '{target.label}')"
                yield Problem(f"Artifact '{file.below_root}' is duplicated {through}", "srcs")


def may_have_odd_sources(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether a rule's `srcs` have a target that hands files on beside another, or a library of
    the rule's own name."""
    held = 0
    hands_on = False
    built = f"lib{node.label.name}."
    for edge in graph.edges(node):
        if edge.edge.attribute == "srcs" and edge.edge.kind is EdgeKind.ATTRIBUTE:
            if edge.taken is not Taken.YES:
                continue
            held += 1
            hands_on = hands_on or edge.target.label.name.startswith(built)
            behind = behind_aliases(graph, edge.target)
            hands_on = hands_on or graph.graph.shape(behind.label).rule_class is not None
    return held > 1 and hands_on


def _of_prefixes(rule: ConfiguredRule) -> Iterator[Problem]:
    prefix, stripped = rule.text("include_prefix"), rule.text("strip_include_prefix")
    odd: list[str] = []
    if prefix is not None and ".." in prefix.split("/"):
        odd.append("include prefix should not contain uplevel references")
    if prefix is not None and prefix.startswith("/"):
        odd.append("include prefix should be a relative path")
    if stripped is not None and ".." in stripped.split("/"):
        odd.append("strip include prefix should not contain uplevel references")
    yield from map(Problem, odd)
    if odd or (prefix is None and stripped is None):
        return
    package = rule.label.package
    folder = package if stripped is None else joined(package, stripped)
    if stripped is not None and stripped.startswith("/"):
        folder = joined("", stripped)
    yield from of_stripped(rule, "hdrs", "header", folder)


def _of_import(rule: ConfiguredRule) -> Iterator[Problem]:
    if rule.may_hold_unknown():
        return
    for name in ("static_library", "pic_static_library", "shared_library", "interface_library"):
        for target in rule.targets(name) or ():
            files = rule.files_of(target)
            if rule.has_many_files(target) or (files is not None and len(files) != 1):
                yield Problem(f"{target.label} expected a single artifact", name)
    is_provided = rule.is_on("system_provided")
    is_shared = rule.value("shared_library") is not None
    if is_provided and is_shared:
        yield Problem("'shared_library' shouldn't be specified when 'system_provided' is true")
    if not is_provided and not is_shared and rule.value("interface_library") is not None:
        yield Problem("'shared_library' should be specified when 'system_provided' is false")


CHECKS: Mapping[str, Check] = {
    "cc_binary": _of_program,
    "cc_import": _of_import,
    "cc_library": _of_library,
    "cc_test": _of_program,
}
MANY = CHECKS.keys() - {"cc_import"}
"""Of these a tree has so many that only those are decoded that were given what may be wrong."""
