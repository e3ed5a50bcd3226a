"""What a change affects, by brute force: every configured target, hashed as a real Bazel 4.2.3
tells it, before and after."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.support.bazel import Bazel

_EDGE = re.compile(r'^\s*"(?P<source>[^"]+)" -> "(?P<target>[^"]+)"')
_NODE = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")
_PLACES = frozenset({"generator_location", "$config_dependencies"})
_CONDITIONS = frozenset({"config_setting"})

Hashes = dict[str, frozenset[str]]
"""By label: a hash for each configuration that the target has."""


def hashes(real: Bazel, root: Path, labels: Iterable[str], *flags: str) -> Hashes:
    """The hashes of `labels` and of all that they depend on, as `cquery` tells them: rule and
    attributes after selects, the content of files, and the hashes of the dependencies. A
    config_setting counts by the branches that it leads to alone."""
    expression = f"deps(set({' '.join(labels)}))"
    said = real.cquery(root, expression, "--output=jsonproto", *flags).stdout
    drawn = real.cquery(
        root, expression, "--output=graph", "--nograph:factored", "--graph:node_limit=-1", *flags
    ).stdout
    own: dict[str, str] = {}
    kinds: dict[str, str] = {}
    actual: dict[str, str] = {}
    for result in json.loads(said or "{}").get("results", ()):
        target = result["target"]
        rule = target.get("rule")
        if rule is None:
            continue
        checksum = result.get("configuration", {}).get("checksum", "")[:7]
        name = f"{rule['name']} ({checksum})"
        kinds[name] = rule["ruleClass"]
        attributes = [one for one in rule["attribute"] if one["name"] not in _PLACES]
        for one in attributes:
            if one["name"] == "actual":
                actual[name] = one.get("stringValue", "")
        own[name] = json.dumps([rule["ruleClass"], checksum, attributes], sort_keys=True)
    edges: dict[str, list[str]] = {}
    for line in drawn.splitlines():
        edge = _EDGE.match(line)
        if edge is not None:
            edges.setdefault(edge["source"], []).append(edge["target"])
    conditions = {name for name, kind in kinds.items() if kind in _CONDITIONS}
    made: dict[str, str] = {}
    for name in sorted({*own, *edges, *(one for many in edges.values() for one in many)}):
        _hash(name, own, edges, conditions, root, made)
    found: dict[str, set[str]] = {}
    for name, digest in made.items():
        node = _NODE.match(name)
        if node is not None:
            found.setdefault(node["label"], set()).add(digest)
    return {label: frozenset(digests) for label, digests in found.items()}


def _hash(
    start: str,
    own: Mapping[str, str],
    edges: Mapping[str, list[str]],
    conditions: set[str],
    root: Path,
    made: dict[str, str],
) -> None:
    pending = [start]
    while pending:
        name = pending[-1]
        needed = [one for one in edges.get(name, ()) if one not in conditions]
        missing = [one for one in needed if one not in made and one not in pending]
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        state = hashlib.sha256(own.get(name, _content(name, root)).encode())
        for digest in sorted(made.get(one, "") for one in needed):
            state.update(digest.encode())
        made[name] = state.hexdigest()


def _content(name: str, root: Path) -> str:
    """What a source file holds; of what is no file, its name."""
    label = name.partition(" ")[0]
    path = root / label.removeprefix("//").replace(":", "/").removeprefix("/")
    is_file = label.startswith("//") and path.is_file()
    return f"{name} {path.read_bytes().hex()}" if is_file else name
