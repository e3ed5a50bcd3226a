"""Bazel's own machine formats of `mod`: `--output=json` and `--output=graph`.

Bazel: `JsonOutputFormatter`, `GraphvizOutputFormatter`, `ModCommand` for the mappings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bazelscope.questions.mod.answer import (
    ModuleNode,
    ModulesAnswer,
    NodeExtension,
    RepositoryMapping,
)


def to_format(
    answer: ModulesAnswer, output: str, extension_info: str, is_verbose: bool
) -> str | None:
    """The answer in one of Bazel's formats; None where it is text, or has none of its own."""
    if answer.problem:
        return None
    if answer.subcommand == "dump_repo_mapping":
        return "".join(f"{mapping_json(mapping)}\n" for mapping in answer.mappings)
    if not answer.tree or output not in ("json", "graph"):
        return None
    if output == "json":
        return _to_json(answer.tree, extension_info, is_verbose)
    return _to_graph(answer.tree, extension_info, is_verbose)


def mapping_json(mapping: RepositoryMapping) -> str:
    """One line: apparent names to canonical ones."""
    names = {name.apparent: name.canonical for name in mapping.names}
    return json.dumps(names, separators=(",", ":"))


def _to_json(tree: Sequence[ModuleNode], extension_info: str, is_verbose: bool) -> str:
    made: list[dict[str, Any]] = []
    for node in tree:
        entry: dict[str, Any] = {"key": node.key, "name": node.name, "version": node.version}
        if node.apparent_name is not None:
            entry["apparentName"] = node.apparent_name
        if is_verbose and node.was is not None:
            entry.update(_changed(node))
        if node.is_expanded:
            entry.update(dependencies=[], indirectDependencies=[], cycles=[])
            if extension_info != "hidden":
                entry["extensionUsages"] = [
                    _extension_usage(usage, extension_info) for usage in node.extension_usages
                ]
        else:
            entry["unexpanded"] = True
        del made[node.depth :]
        if made:
            made[-1][_list_of(node)].append(entry)
        made.append(entry)
    top = made[0]
    top["root"] = True
    return json.dumps(top, indent=2, ensure_ascii=False) + "\n"


def _list_of(node: ModuleNode) -> str:
    if node.is_cycle:
        return "cycles"
    return "indirectDependencies" if node.is_indirect else "dependencies"


def _changed(node: ModuleNode) -> dict[str, Any]:
    """Which version it is instead. Bazel writes the version as the reason, too."""
    key = "resolvedVersion" if node.is_unused else "originalVersion"
    entry: dict[str, Any] = {"unused": True} if node.is_unused else {}
    entry.update({key: node.was, "resolutionReason": node.was})
    if node.causes:
        entry["resolvedRequestedBy"] = list(node.causes)
    return entry


def _extension_usage(usage: NodeExtension, extension_info: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": usage.key, "unexpanded": not usage.is_expanded}
    if extension_info != "usages":
        entry["used_repos"] = list(usage.used)
        if extension_info == "all" and usage.is_expanded:
            entry["unused_repos"] = list(usage.unused)
    return entry


_LABELS = {
    "minimal_version_selection": "label=MVS",
    "single_version_override": "label=SVO",
    "multiple_version_override": "label=MVO",
    "non_registry_override": "label=NRO",
}


def _to_graph(tree: Sequence[ModuleNode], extension_info: str, is_verbose: bool) -> str:
    """Breadth first, each module once."""
    above: list[str] = []
    nodes: dict[str, ModuleNode] = {}
    children: dict[str, dict[str, ModuleNode]] = {}
    for node in tree:
        del above[node.depth :]
        if above:
            children.setdefault(above[-1], {}).setdefault(node.key, node)
        above.append(node.key)
        if node.key not in nodes or node.extension_usages:
            nodes[node.key] = node
    every = _imported(tree)
    lines = ["digraph mygraph {", "  node [ shape=box ]", "  edge [ fontsize=8 ]"]
    queue = [tree[0].key]
    shown: set[str] = set()
    for key in queue:
        node = nodes[key]
        if node.depth == 0:
            lines.append(f'  "<root>" [ label="<root> ({node.name}@{node.version})" ]')
        elif node.is_target or node.is_unused:
            shape = "diamond" if node.is_target else "box"
            lines.append(
                f'  "{key}" [ shape={shape} style={"dotted" if node.is_unused else "solid"} ]'
            )
        for usage in node.extension_usages:
            lines.extend(_extension_lines(key, usage, extension_info, shown, every))
        for child in children.get(key, {}).values():
            label = _LABELS.get(child.reason, "") if is_verbose else ""
            style = "style=dashed" if child.is_indirect else label
            lines.append(f'  "{key}" -> "{child.key}" [ {style} ]')
            if child.key not in queue:
                queue.append(child.key)
    return "\n".join([*lines, "}"]) + "\n"


def _imported(tree: Sequence[ModuleNode]) -> dict[str, list[str]]:
    """The repositories of each extension that modules of the tree import."""
    names_of: dict[str, set[str]] = {}
    for node in tree:
        for usage in node.extension_usages:
            names_of.setdefault(usage.key, set()).update(usage.used)
    return {key: sorted(names) for key, names in names_of.items()}


def _extension_lines(
    module: str,
    usage: NodeExtension,
    extension_info: str,
    shown: set[str],
    every: dict[str, list[str]],
) -> Iterator[str]:
    if extension_info == "usages":
        yield f'  "{module}" -> "{usage.key}"'
        return
    if usage.key not in shown:
        shown.add(usage.key)
        yield f'  subgraph "cluster_{usage.key}" {{'
        yield f'    label="{usage.key}"'
        for name in every[usage.key]:
            yield f'    "{usage.key}%{name}" [ label="{name}" ]'
        for name in usage.unused:
            yield f'    "{usage.key}%{name}" [ label="{name}" style=dotted ]'
        yield "  }"
    for name in usage.used:
        yield f'  "{module}" -> "{usage.key}%{name}"'
