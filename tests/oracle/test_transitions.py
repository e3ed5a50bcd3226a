"""Transitions, platform mappings and target_compatible_with against `bazel cquery` 4.2.3.

Compared are, for each target and command line, the labels of the configured closure and in
how many configurations each one is; and which targets Bazel calls incompatible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bazelscope.analysis.graph.compatibility import why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from tests.oracle import query_language_world
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.unit.analysis.graph import transition_worlds as worlds
from tests.unit.analysis.graph import transitions_of_files

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
EXPRESSION = (
    "str(target.label) + ' ' + "
    "str(providers(target) != None and 'IncompatiblePlatformProvider' in providers(target))"
)


def graph_of(root: Path, flags: Sequence[str], version: str = VERSION) -> ConfiguredGraph:
    return Workspace.open(root, bazel_version=version).configure(flags).world.configured


def ours(
    root: Path, flags: Sequence[str], label: str, version: str = VERSION
) -> Counter[tuple[str, str]]:
    graph = graph_of(root, flags, version)
    closure = graph.deps([parse_label(label, PackageId("", ""))])
    return Counter(
        (str(node.label), node.description.replace("exec", "target")) for node in closure
    )


def theirs(real: Bazel, root: Path, flags: Sequence[str], label: str) -> Counter[tuple[str, str]]:
    said = real.cquery(root, f"deps({label})", *flags, "--noimplicit_deps").checked()
    found: Counter[tuple[str, str]] = Counter()
    for line in said.lines:
        name, _, rest = line.partition(" (")
        if name.startswith("@local_config_cc"):
            continue  # of the C++ toolchain we say no more than its rule
        kind = {"null": "source", "HOST": "host"}.get(rest.rstrip(")"), "target")
        found[name, kind] += 1
    return found


@pytest.mark.parametrize(
    ("files", "targets", "flag_sets"),
    [
        (worlds.TRANSITIONS, worlds.TRANSITION_TARGETS, worlds.TRANSITION_FLAGS),
        (worlds.MAPPINGS, worlds.MAPPING_TARGETS, worlds.MAPPING_FLAGS),
        (worlds.ANALYSIS_TESTS, worlds.ANALYSIS_TEST_TARGETS, ((), ("--cpu=arm",))),
        (worlds.APPLE, worlds.APPLE_TARGETS, worlds.APPLE_FLAGS),
    ],
    ids=["transitions", "platform_mappings", "analysis_tests", "apple"],
)
def test_configured_closures(
    files: dict[str, str],
    targets: tuple[str, ...],
    flag_sets: tuple[tuple[str, ...], ...],
    bazel: Callable[[str], Bazel],
    warm_path: Path,
) -> None:
    root = worlds.write(warm_path / "w", files)
    real = bazel(VERSION)
    _, stubs = query_language_world.lay_out(warm_path / "stubs")  # for tests
    differences = []
    for given in flag_sets:
        flags = (*stubs, *given)
        for target in targets:
            expected = theirs(real, root, flags, target)
            got = ours(root, flags, target)
            if got != expected:
                differences.append((flags, target, got - expected, expected - got))
    assert not differences, "\n".join(str(one[1:]) + str(one[0][3:]) for one in differences)


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0"])
def test_cpus_of_android(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    # Debian's 4.2.3 was built without Android.
    root = worlds.write(warm_path / "w", worlds.ANDROID)
    real = bazel(version)
    for flags in worlds.ANDROID_FLAGS:
        for target in worlds.ANDROID_TARGETS:
            expected = theirs(real, root, flags, target)
            assert ours(root, flags, target, version) == expected, (flags, target)


def test_incompatible_targets(bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = worlds.write(warm_path / "w", worlds.COMPATIBILITY)
    real = bazel(VERSION)
    for flags in worlds.COMPATIBILITY_FLAGS:
        graph = graph_of(root, flags)
        for target in worlds.COMPATIBILITY_TARGETS:
            said = real.cquery(
                root,
                f"config({target}, target)",
                *flags,
                "--output=starlark",
                f"--starlark:expr={EXPRESSION}",
            )
            refused = any("is incompatible and cannot be built" in e for e in said.errors)
            expected = refused or f"{target} True" in said.lines
            top = graph.top(parse_label(target, PackageId("", "")))
            assert (why_incompatible(graph, top) is not None) == expected, (flags, target, said)


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
@pytest.mark.parametrize("name", ["of_file", "of_rule"])
def test_whether_a_file_needs_the_transition(
    name: str, version: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    write_files(warm_root, transitions_of_files.FILES)
    answer = bazel(version).run(warm_root, "build", "--nobuild", f"//:{name}")
    assert (answer.exit_code != 0) == (name in transitions_of_files.REFUSED[version])
