"""What compilers and linkers get, beside `aquery` of real Bazels with real compilers.

`BAZELSCOPE_COMPILE_TARGETS` is how many configured targets each release is asked about,
`BAZELSCOPE_RANDOM_SEED` where the random worlds begin.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.compile.cc_context import COMPILING
from bazelscope.analysis.compile.link_lines import CcLinks
from bazelscope.analysis.compile.proto_libraries import (
    CC_PROTO_LIBRARY,
    PROTO_LIBRARY,
    is_native,
)
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_pattern
from bazelscope.loading.packages.targets import Rule
from tests.oracle.compile_worlds import random_line, write_world
from tests.oracle.crosstool_worlds import write_crosstool
from tests.oracle.toolchain_worlds import write_toolchain
from tests.support.bazel import Bazel, Output
from tests.support.parts import need_compilers

pytestmark = pytest.mark.oracle

_TARGETS = int(os.environ.get("BAZELSCOPE_COMPILE_TARGETS", "30"))
_SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
_LINES = 3
_ALL_KINDS = "CppCompile,CppLink,CppLinkstampCompile"
_KINDS = os.environ.get("BAZELSCOPE_COMPILE_KINDS", _ALL_KINDS).split(",")

Key = tuple[str, str, str]
Lines = dict[Key, tuple[str, ...]]


@pytest.mark.parametrize(
    ("version", "toolchain"),
    [
        *(
            (version, kind)
            for version in ("4.2.3", "2.1.0", "0.24.1")
            for kind in ("bazels", "own")
        ),
        ("0.24.1", "CROSSTOOL"),  # No later release reads such a file.
    ],
)
def test_lines_of_random_worlds(
    version: str, toolchain: str, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    need_compilers()
    real = bazel(version)
    asked, lines, refused, differing = 0, 0, 0, []
    seed = _SEED
    while asked < _TARGETS and refused < 40:
        world = write_world(warm_path, seed, version)
        chance = random.Random(seed)
        flags = world.flags
        if toolchain == "own":
            flags = (*flags, *write_toolchain(world.root, seed, version))
        elif toolchain == "CROSSTOOL":
            flags = (*flags, *write_crosstool(world.root, seed))
        for _ in range(_LINES):
            line = (*random_line(chance, version), *flags)
            said = _asked(real, world.root, line)
            if said.exit_code != 0:
                refused += 1
                told = said.errors[:2] or said.stderr.splitlines()[-3:]
                print(f"seed {seed} {line[: -len(flags)]}: {said.exit_code} {told}")
                if any(one in said.stderr for one in _OF_FEATURES):
                    with pytest.raises(RefusedFeaturesError):
                        our_lines(world.root, version, line)
                continue
            theirs = lines_in(said.stdout)
            ours = our_lines(world.root, version, line)
            asked += len({key[0] for key in theirs})
            lines += len(theirs)
            for key in sorted({*theirs, *ours}):
                if theirs.get(key) != ours.get(key):
                    differing.append((seed, line, key, theirs.get(key), ours.get(key)))
        seed += 1
    print(
        f"{version} {toolchain}: {asked} targets, {lines} lines, {len(differing)} differ,"
        f" {refused} refused"
    )
    text = "\n".join(_told(*one) for one in differing[:12])
    assert asked, "Bazel refused every line"
    assert not differing, f"{len(differing)} lines differ\n{text}"


def _asked(real: Bazel, root: Path, line: tuple[str, ...]) -> Output:
    query = f"mnemonic('{'|'.join(_KINDS)}', deps(//...))"
    return real.run(root, "aquery", query, "--output=textproto", "--noshow_progress", *line)


def lines_of_bazel(real: Bazel, root: Path, line: tuple[str, ...], *more: str) -> Lines:
    """The command lines of all that a workspace builds, as a real Bazel has them; `more` are words
    for `aquery` alone."""
    return lines_in(_asked(real, root, (*more, *line)).checked().stdout)


def lines_in(text: str) -> Lines:
    labels = {one["id"][0]: one["label"][0] for one in _messages(text, "targets")}
    paths = _paths(text)
    found: Lines = {}
    for action in _messages(text, "actions"):
        words = [_plain(word) for word in action["arguments"]]
        label = labels[action["target_id"][0]]
        if "@bazel_tools" in label or "-S" in words or "-E" in words:
            continue  # What --save_temps adds.
        output = _output([_plain(paths[one]) for one in action["output_ids"]])
        words = [word for word in words if not word.endswith("-2.params")]
        found[(label, action["mnemonic"][0], output)] = tuple(words)
    return found


def _paths(text: str) -> dict[str, str]:
    """The path of each file; later releases write paths piece by piece."""
    pieces = {one["id"][0]: one for one in _messages(text, "path_fragments")}

    def whole(number: str) -> str:
        piece = pieces[number]
        above = piece.get("parent_id")
        return f"{whole(above[0])}/{piece['label'][0]}" if above else piece["label"][0]

    return {
        one["id"][0]: one["exec_path"][0]
        if "exec_path" in one
        else whole(one["path_fragment_id"][0])
        for one in _messages(text, "artifacts")
    }


def _messages(text: str, kind: str) -> Iterator[dict[str, list[str]]]:
    """The top-level messages of a kind, each field with its values; 0.24.1 has no JSON."""
    fields: dict[str, list[str]] = {}
    depth, is_asked = 0, False
    for line in (one.strip() for one in text.split("\n")):
        if line.endswith("{"):
            depth += 1
            if depth == 1:
                fields, is_asked = {}, line == f"{kind} {{"
        elif line == "}":
            depth -= 1
            if depth == 0 and is_asked:
                yield fields
        elif depth == 1 and is_asked and ": " in line:
            name, _, value = line.partition(": ")
            # The escapes of the text format that occur here are those of JSON.
            shown = json.loads(value.replace("\\'", "'")) if value.startswith('"') else value
            fields.setdefault(name, []).append(shown)


def _output(paths: list[str]) -> str:
    return next((one for one in paths if one.endswith(".o")), paths[0])


def _plain(word: str) -> str:
    return re.sub(r"-(exec|ST)-[0-9a-fA-F]+", r"-\1-*", word)


class RefusedFeaturesError(Exception):
    """Bazel refuses the features of a target."""


_OF_FEATURES = ("unconditionally implies feature", "is provided by all of the following features")


def _closure(
    top: ConfiguredNode, below: Callable[[ConfiguredNode], tuple[ConfiguredNode, ...]]
) -> list[ConfiguredNode]:
    known = [top]
    for node in known:
        known += [one for one in below(node) if one not in known]
    return known


def our_lines(root: Path, version: str, line: tuple[str, ...]) -> Lines:
    asked = Workspace.open(root, bazel_version=version).configure(line)
    world = asked.world
    graph = world.configured
    actions = CcActions(graph, world.loader, world.loader.options.repo_env)
    links = CcLinks(actions)
    tops = world.loader.expand(parse_pattern("//...", PackageId("", ""))).labels
    found: Lines = {}
    nodes = [node for node in graph.deps(tops) if node.configuration is not None]
    of_protos = {
        one
        for node in nodes
        if is_native(graph.target(node), CC_PROTO_LIBRARY)
        for one in _closure(node, actions.contexts.dependencies)
    }
    for node in nodes:
        if node.label.repository == "bazel_tools":
            continue
        if is_native(graph.target(node), PROTO_LIBRARY) and node not in of_protos:
            continue
        if isinstance(rule := graph.target(node), Rule) and rule.rule_class.name in COMPILING:
            refusal = actions.setting(node).refusal
            if refusal is not None:
                raise RefusedFeaturesError(f"{node.label}: {refusal}")
        if "CppCompile" in _KINDS:
            for one in actions.compilations(node):
                key = (str(node.label), "CppCompile", one.output)
                found[key] = tuple(word.text for word in one.words)
        if "CppLink" in _KINDS:
            for link in links.of(node):
                key = (str(node.label), "CppLink", link.output)
                found[key] = tuple(word.text for word in link.words)
            for one in links.linkstamps(node):
                key = (str(node.label), "CppLinkstampCompile", one.output)
                found[key] = tuple(word.text for word in one.words)
    return found


def _told(
    seed: int,
    line: tuple[str, ...],
    key: Key,
    theirs: tuple[str, ...] | None,
    ours: tuple[str, ...] | None,
) -> str:
    flags = " ".join(word for word in line if not word.startswith("--override_repository"))
    lines = [f"seed {seed}: {flags}: {' '.join(key)}"]
    if theirs is None or ours is None:
        return f"{lines[0]}\n  {'only ours' if theirs is None else 'only Bazel'}"
    start = next((i for i, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), None)
    at = min(len(theirs), len(ours)) if start is None else start
    lines.append(f"  Bazel: ...{' '.join(theirs[max(0, at - 2) : at + 12])}")
    lines.append(f"  ours:  ...{' '.join(ours[max(0, at - 2) : at + 12])}")
    return "\n".join(lines)
