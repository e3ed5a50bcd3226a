"""What a change affects, by brute force: every configured target, hashed as a real Bazel 4.2.3
tells it, before and after."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bazelscope.api import Workspace
from tests.support.bazel import Bazel
from tests.support.repositories import Repository

_EDGE = re.compile(r'^\s*"(?P<source>[^"]+)" -> "(?P<target>[^"]+)"')
_NODE = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")
_PLACES = frozenset({"generator_location", "$config_dependencies"})
_CODE = "$rule_implementation_hash"
"""Of all bytes of `.bzl` files, comments among them."""
_TESTS = "$implicit_tests"
"""Has a test twice or once, by what the server has loaded before (4.2.3 measured)."""
_CONDITIONS = frozenset({"config_setting"})
_MOST_TOO_MANY = 0.05
_ALIASES = 5
"""Aliases of aliases of settings are followed so often."""

Hashes = dict[str, tuple[str, str]]
"""By label of a rule that is asked about: hashes of what it depends on, without the bytes of
`.bzl` files and with, and with what the actions of its dependencies do; both with all that its
own actions do."""


@dataclass(slots=True)
class Count:
    """What came of all edits."""

    edits: int = 0
    of_code: int = 0
    """Edits of `.bzl` files."""
    needed: int = 0
    told: int = 0
    unneeded: int = 0
    surplus: int = 0
    """What was told and has the same attributes, files and actions: more than `unneeded`, since
    what an implementation does otherwise may come to the same."""
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
        # Which values decide about actions nobody sees who does not run an implementation; a
        # comment does nothing.
        allowed = needed if what.endswith(": a comment") else bounds
        opened = Workspace.open(root, bazel_version=real.version, cache_dir=cache)
        line = opened.configure([*flags, *patterns])
        answer = line.affected()
        # What is incompatible with the platform is told apart: nothing builds it.
        told = {str(label) for label in (*answer.labels, *answer.skipped)} & analysed
        line.save()
        count.edits += 1
        count.of_code += ".bzl" in what
        count.surplus += len(told - needed)
        count.needed += len(needed)
        count.told += len(told)
        count.unneeded += len(told - allowed)
        if needed - told:
            count.missed.append(f"{what}: missed {sorted(needed - told)[:9]}")
        print(f"{what}: {len(needed)} of {len(analysed)} rules differ", flush=True)
        if told - needed and not told - allowed:
            print(f"  {len(told - needed)} with the same actions", flush=True)
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
    """The hashes of the rules that `patterns` mean and that can be analysed. As `cquery` tells
    them: rule and attributes after selects, the content of files, and the hashes of the
    dependencies; a config_setting counts by the branches that it leads to alone. As `aquery` tells
    them: all actions of the rule, with what makes their inputs."""
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
        for one in attributes:
            if one["name"] == _TESTS:
                one["stringListValue"] = sorted(set(one.get("stringListValue", ())))
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
    words = ("--noshow_progress", "--keep_going", "--include_aspects", "--output=jsonproto")
    acts = Actions(real.run(root, "aquery", *words, *flags, f"deps({asked})").stdout, root)
    for name in kinds:
        # Who depends on what does something else may do so, too.
        node = _NODE.match(name)
        with_code[name] += acts.of(node["label"], node["configuration"]) if node is not None else ""
    made: tuple[dict[str, str], dict[str, str]] = ({}, {})
    found: Hashes = {}
    nodes = [node for node in map(_NODE.match, tops) if node is not None and node[0] in kinds]
    # What others have under a transition `cquery` names, too: the line's own comes last.
    shared = Counter(node["configuration"] for node in nodes)
    for node in sorted(nodes, key=lambda node: _rank(node["configuration"], shared)):
        name = node[0]
        _hash(name, own, edges, conditions, root, made[0])
        _hash(name, with_code, edges, conditions, root, made[1])
        does = acts.of(node["label"], node["configuration"])
        found[node["label"]] = f"{made[0][name]} {does}", f"{made[1][name]} {does}"
    return found


def _rank(configuration: str, shared: Mapping[str, int]) -> tuple[bool, int]:
    return configuration != "HOST", shared[configuration]


class Actions:
    """What the actions of configured targets do, as `aquery` tells them."""

    def __init__(self, told: str, root: Path) -> None:
        graph = json.loads(told or "{}")
        self._root = root
        parts = {one["id"]: one for one in graph.get("pathFragments", ())}
        self._paths = {
            one["id"]: _joined(parts, one["pathFragmentId"]) for one in graph.get("artifacts", ())
        }
        self._sets = {one["id"]: one for one in graph.get("depSetOfFiles", ())}
        labels = {one["id"]: one["label"] for one in graph.get("targets", ())}
        checksums = {one["id"]: one["checksum"][:7] for one in graph.get("configuration", ())}
        self._by_output: dict[int, Any] = {}
        self._by_target: dict[tuple[str, str], list[Any]] = {}
        for action in graph.get("actions", ()):
            self._by_output.update(dict.fromkeys(action["outputIds"], action))
            if not action.get("aspectDescriptorIds"):  # These are of who has the aspect.
                key = labels[action["targetId"]], checksums.get(action.get("configurationId"), "")
                self._by_target.setdefault(key, []).append(action)
        self._made: dict[tuple[str, int], str] = {}

    def of(self, label: str, checksum: str) -> str:
        """A hash of the actions of a target, and of all that makes their inputs."""
        actions = self._by_target.get((label, checksum), ())
        return _digest(sorted(self._hash(("action", a["outputIds"][0])) for a in actions))

    def _hash(self, start: tuple[str, int]) -> str:
        pending = [start]
        while pending:
            one = pending[-1]
            below = list(self._below(one))
            missing = [other for other in below if other not in self._made]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            hashes = sorted({self._made[other] for other in below})
            self._made[one] = _digest([self._own(one), *hashes])
        return self._made[start]

    def _below(self, one: tuple[str, int]) -> Iterator[tuple[str, int]]:
        kind, number = one
        if kind == "set":
            held = self._sets[number]
            yield from (("set", other) for other in held.get("transitiveDepSetIds", ()))
            yield from (("action", other) for other in held.get("directArtifactIds", ()))
        elif number in self._by_output:
            action = self._by_output[number]
            yield from (("set", other) for other in action.get("inputDepSetIds", ()))

    def _own(self, one: tuple[str, int]) -> str:
        kind, number = one
        if kind == "set":
            return ""
        action = self._by_output.get(number)
        if action is None:
            path = self._root / re.sub("^external/", "third/", self._paths[number])
            return f"{self._paths[number]} {path.read_bytes().hex() if path.is_file() else ''}"
        outputs = sorted(self._paths[other] for other in action["outputIds"])
        return f"{action['mnemonic']} {action['actionKey']} {outputs}"


def _joined(parts: Mapping[int, Any], number: int) -> str:
    names = []
    while number:
        part = parts[number]
        names.append(part["label"])
        number = part.get("parentId", 0)
    return "/".join(reversed(names))


def _digest(texts: Iterable[str]) -> str:
    state = hashlib.sha256()
    for text in texts:
        state.update(text.encode() + b"\0")
    return state.hexdigest()


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
    """What a source file holds; of what is no file, its name. Repositories lie in `third`."""
    label = name.partition(" ")[0]
    repository, _, rest = label.partition("//")
    below = f"third/{repository[1:]}/" if repository else ""
    path = root / (below + rest.replace(":", "/").removeprefix("/"))
    is_file = path.is_file()
    return f"{name} {path.read_bytes().hex()}" if is_file else name
