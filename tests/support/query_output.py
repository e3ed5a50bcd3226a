"""Bazel's query output, read into sets that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable

_EDGE = re.compile(r'^ *"(?P<source>[^"]+)" -> "(?P<target>[^"]+)"')
_CONDITIONS = re.compile(r'^ *\[label="(?P<conditions>[^"]*)"\];')
_CONFIGURED = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")

LabelKind = tuple[str, str]
"""A label and its kind, as in `cc_library rule`."""

GraphEdge = tuple[str, str]

TOOLS = (
    "@bazel_tools//",
    "@local_config_cc//",
    "@local_config_platform//",
    "@platforms//",
    "@rules_cc//",
    "@rules_java//",
)
"""Where the labels of Bazel's own toolchains are: they come and go with versions."""


def label_kinds(lines: Iterable[str]) -> set[LabelKind]:
    """`--output=label_kind`: each line is the kind, then the label."""
    found = set()
    for line in lines:
        kind, _, label = line.rpartition(" ")
        found.add((label, kind))
    return found


def graph_edges(lines: Iterable[str]) -> dict[GraphEdge, frozenset[str]]:
    """`--output=graph --nograph:factored`: edges, and the select conditions on each.

    An edge without a condition has none; Bazel prints conditions without duplicates.
    """
    found: dict[GraphEdge, frozenset[str]] = {}
    edge: GraphEdge | None = None
    for line in lines:
        if match := _EDGE.match(line):
            edge = (match["source"], match["target"])
            found[edge] = frozenset()
        elif edge is not None and (match := _CONDITIONS.match(line)):
            found[edge] = frozenset(filter(None, match["conditions"].split("\\n")))
    return found


def configured_labels(lines: Iterable[str]) -> set[str]:
    """cquery's labels without their configurations, and without Bazel's own toolchains."""
    found = set()
    for line in lines:
        match = _CONFIGURED.match(line)
        if match is None:
            raise ValueError(f"not a line of cquery's output: {line!r}")
        if not match["label"].startswith(TOOLS):
            found.add(match["label"])
    return found


def configured_nodes(lines: Iterable[str]) -> set[tuple[str, str]]:
    """cquery's labels, each with the kind of its configuration: `target`, `exec` (before
    Bazel 6 there is only the host's) or `source` for what has none."""
    found = set()
    for line in lines:
        match = _CONFIGURED.match(line)
        if match is None:
            raise ValueError(f"not a line of cquery's output: {line!r}")
        kind = {"null": "source", "HOST": "host"}.get(match["configuration"], "target")
        found.add((match["label"], kind))
    return found


def differences(ours: Iterable[object], bazels: Iterable[object], limit: int = 40) -> str:
    """What one side has and the other lacks, one line each; empty if they are the same."""
    mine, theirs = set(ours), set(bazels)
    lines = [f"ours alone:    {item}" for item in sorted(mine - theirs, key=str)]
    lines += [f"Bazel's alone: {item}" for item in sorted(theirs - mine, key=str)]
    if len(lines) > limit:
        lines = [*lines[:limit], f"... and {len(lines) - limit} more"]
    return "\n".join(lines)
