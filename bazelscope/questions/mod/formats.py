"""Bazel's own machine formats of `mod`: `--output=json` and `--output=graph`.

Bazel: `JsonOutputFormatter`, `GraphvizOutputFormatter`, `ModCommand` for the mappings.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bazelscope.questions.mod.answer import (
    ModuleNode,
    ModulesAnswer,
    NodeExtension,
    RepositoryMapping,
)

FORMATS = ("text", "json", "graph")


def to_format(answer: ModulesAnswer, output: str, extension_info: str = "hidden") -> str | None:
    """The answer in one of Bazel's formats; None where it is text, or has none of its own."""
    if answer.problem:
        return None
    if answer.subcommand == "dump_repo_mapping":
        return "".join(f"{mapping_json(mapping)}\n" for mapping in answer.mappings)
    if not answer.tree or output not in ("json", "graph"):
        return None
    if output == "json":
        return _to_json(answer.tree, extension_info)
    return _to_graph(answer.tree)


def mapping_json(mapping: RepositoryMapping) -> str:
    """One line: apparent names to canonical ones."""
    names = {name.apparent: name.canonical for name in mapping.names}
    return json.dumps(names, separators=(",", ":"))


def _to_json(tree: Sequence[ModuleNode], extension_info: str) -> str:
    made: list[tuple[int, dict[str, Any]]] = []
    tops: list[dict[str, Any]] = []
    for node in tree:
        entry: dict[str, Any] = {
            "key": node.key,
            "name": node.name,
            "version": node.version,
            "apparentName": node.apparent_name,
        }
        if node.is_unused:
            entry["unused"] = True
        if node.was is not None and not node.is_unused:
            entry["originalVersion"] = node.was
        if node.is_expanded:
            entry.update(dependencies=[], indirectDependencies=[], cycles=[])
            if extension_info != "hidden":
                entry["extensionUsages"] = [
                    _extension_usage(usage, extension_info) for usage in node.extension_usages
                ]
        else:
            entry["unexpanded"] = True
        if node.key == "<root>":
            entry["root"] = True
        while made and made[-1][0] >= node.depth:
            made.pop()
        if made:
            made[-1][1].setdefault("dependencies", []).append(entry)
        else:
            tops.append(entry)
        made.append((node.depth, entry))
    return json.dumps(tops[0] if len(tops) == 1 else tops, indent=2) + "\n"


def _extension_usage(usage: NodeExtension, extension_info: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": usage.key, "unexpanded": not usage.is_expanded}
    if extension_info != "usages":
        entry["used_repos"] = list(usage.used)
        if extension_info == "all" and usage.is_expanded:
            entry["unused_repos"] = list(usage.unused)
    return entry


def _to_graph(tree: Sequence[ModuleNode]) -> str:
    lines = ["digraph mygraph {", "  node [ shape=box ]", "  edge [ fontsize=8 ]"]
    parents: list[tuple[int, str]] = []
    nodes: dict[str, None] = {}
    edges: dict[str, None] = {}
    for node in tree:
        label = node.key
        if node.key == "<root>":
            label = f"<root> ({node.name}@{node.version or '_'})"
        style = ' style="dotted"' if node.is_unused else ""
        nodes[f'  "{node.key}" [ label="{label}"{style} ]'] = None
        while parents and parents[-1][0] >= node.depth:
            parents.pop()
        if parents:
            edges[f'  "{parents[-1][1]}" -> "{node.key}" [  ]'] = None
        parents.append((node.depth, node.key))
    return "\n".join([*lines, *nodes, *edges, "}"]) + "\n"
