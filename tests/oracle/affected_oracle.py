"""What a change affects, by brute force: every configured target, hashed as a real Bazel 4.2.3
tells it, before and after."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bazelscope.api import Workspace
from tests.support.bazel import Bazel
from tests.support.repositories import Repository

_EDGE = re.compile(r'^\s*"(?P<source>[^"]+)" -> "(?P<target>[^"]+)"')
_NODE = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")
_PLACES = frozenset({"generator_location", "$config_dependencies"})
_CODE = "$rule_implementation_hash"
"""Of all bytes of `.bzl` files, comments among them."""
_CONDITIONS = frozenset({"config_setting"})
_MOST_TOO_MANY = 0.05
_ALIASES = 5
"""Aliases of aliases of settings are followed so often."""

Hashes = dict[str, tuple[str, str]]
"""By label of a rule that is asked about: its hash, without the bytes of `.bzl` files and with."""


@dataclass(slots=True)
class Count:
    """What came of all edits."""

    edits: int = 0
    needed: int = 0
    told: int = 0
    unneeded: int = 0
    missed: list[str] = field(default_factory=list)


def compare(
    real: Bazel,
    root: Path,
    patterns: Sequence[str],
    flags: Sequence[str],
    edit: Callable[[Path], str],
    edits: int,
    cache: Path,
) -> Count:
    """Edits the work tree at `root` so often, each time what is committed; asks both sides what
    the edit affects of the rules that both states have."""
    repository = Repository(root)
    repository.commit()
    before = hashes(real, root, patterns, flags)
    count = Count()
    for _ in range(edits):
        what = edit(root)
        after = hashes(real, root, patterns, flags)
        analysed = before.keys() & after.keys()
        needed, bounds = (
            {label for label in analysed if before[label][index] != after[label][index]}
            for index in (0, 1)
        )
        # What another implementation does nobody sees who does not run it; a comment does nothing.
        allowed = needed if what.endswith(": a comment") else bounds
        opened = Workspace.open(root, bazel_version=real.version, cache_dir=cache)
        line = opened.configure([*flags, *patterns])
        answer = line.affected()
        # What is incompatible with the platform is told apart: nothing builds it.
        told = {str(label) for label in (*answer.labels, *answer.skipped)} & analysed
        line.save()
        count.edits += 1
        count.needed += len(needed)
        count.told += len(told)
        count.unneeded += len(told - allowed)
        if needed - told:
            count.missed.append(f"{what}: missed {sorted(needed - told)[:9]}")
        print(f"{what}: {len(needed)} of {len(analysed)} rules differ", flush=True)
        if told - allowed:
            print(f"  {len(told - allowed)} not needed: {sorted(told - allowed)[:9]}", flush=True)
        repository.undo()
    print(count)
    return count


def put(pick: random.Random, path: Path, pattern: str, made: Callable[[re.Match[str]], str]) -> str:
    """Changes one place of a text that `pattern` matches. Returns what it was, or nothing."""
    text = path.read_text()
    places = list(re.finditer(pattern, text, re.M))
    if not places:
        return ""
    place = pick.choice(places)
    value = made(place)
    path.write_text(text[: place.start()] + value + text[place.end() :])
    line = text.count("\n", 0, place.start()) + 1
    return f"{path.name}:{line}: {place[0].strip()!r} becomes {value.strip()!r}"


def check(count: Count) -> None:
    """Asserts that nothing was missed, and that hardly anything was told that does not differ."""
    assert not count.missed, "\n".join(count.missed)
    assert count.unneeded <= _MOST_TOO_MANY * count.needed


def hashes(real: Bazel, root: Path, patterns: Sequence[str], flags: Sequence[str]) -> Hashes:
    """The hashes of the rules that `patterns` mean and that can be analysed, as `cquery` tells
    them: rule and attributes after selects, the content of files, and the hashes of the
    dependencies. A config_setting counts by the branches that it leads to alone."""
    asked = " + ".join(patterns)
    tops = real.cquery(root, asked, "--output=label", *flags).lines
    said = real.cquery(root, f"deps({asked})", "--output=jsonproto", *flags).stdout
    drawn = real.cquery(
        root,
        f"deps({asked})",
        "--output=graph",
        "--nograph:factored",
        "--graph:node_limit=-1",
        *flags,
    ).stdout
    edges: dict[str, list[str]] = {}
    for line in drawn.splitlines():
        edge = _EDGE.match(line)
        if edge is not None:
            edges.setdefault(edge["source"], []).append(edge["target"])
    drawn_nodes = {*edges, *(one for many in edges.values() for one in many)}
    own: dict[str, str] = {}
    with_code: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for result in json.loads(said or "{}").get("results", ()):
        target = result["target"]
        rule = target.get("rule")
        if rule is None:
            continue
        checksum = result.get("configuration", {}).get("checksum", "")[:7]
        name = f"{rule['name']} ({checksum})"
        if name not in drawn_nodes and f"{rule['name']} (HOST)" in drawn_nodes:
            name = f"{rule['name']} (HOST)"
        kinds[name] = rule["ruleClass"]
        # Whether a default was written is no input of anything.
        attributes = [
            {key: value for key, value in one.items() if key != "explicitlySpecified"}
            for one in rule["attribute"]
            if one["name"] not in _PLACES
        ]
        code = [one for one in attributes if one["name"] == _CODE]
        attributes = [one for one in attributes if one["name"] != _CODE]
        own[name] = json.dumps([rule["ruleClass"], checksum, attributes], sort_keys=True)
        with_code[name] = f"{own[name]} {code}"
    settings = {name for name, kind in kinds.items() if kind in _CONDITIONS}
    for _ in range(_ALIASES):
        settings |= {
            name
            for name, kind in kinds.items()
            if kind == "alias" and not settings.isdisjoint(edges.get(name, ()))
        }
    # Where no attribute names it, a setting or an alias of one is the key of a select.
    conditions = {
        (source, target)
        for source, targets in edges.items()
        for target in targets
        if target in settings and f'"{target.partition(" ")[0]}"' not in own.get(source, "")
    }
    made: tuple[dict[str, str], dict[str, str]] = ({}, {})
    found: Hashes = {}
    for name in tops:
        node = _NODE.match(name)
        if node is not None and name in kinds:
            _hash(name, own, edges, conditions, root, made[0])
            _hash(name, with_code, edges, conditions, root, made[1])
            found[node["label"]] = made[0][name], made[1][name]
    return found


def _hash(
    start: str,
    own: Mapping[str, str],
    edges: Mapping[str, list[str]],
    conditions: set[tuple[str, str]],
    root: Path,
    made: dict[str, str],
) -> None:
    pending = [start]
    begun: set[str] = set()
    while pending:
        name = pending[-1]
        needed = [one for one in edges.get(name, ()) if (name, one) not in conditions]
        missing = [one for one in needed if one not in made and one not in begun]
        begun.add(name)
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
