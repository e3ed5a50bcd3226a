"""XNNPACK's config_settings and selects on four platforms: every one is decided.

Its settings ask about --cpu, --compiler, defines, constraints and whether binaries are
stamped, mostly through skylib's groups; none of it needs anything but the files.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.analysis.conditions.select_choice import Chosen
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support.parts import need_tree

pytestmark = pytest.mark.corpus

PLATFORMS = [
    # host, flags, settings of //build_config that hold and are no groups, architecture group
    ("linux", (), {"linux", "linux_k8"}, "x86"),
    # Under Bazel 5, the first that knows its lambdas, the flags of .bazelrc say nothing of the
    # platform's constraints.
    ("linux", ("--config=android_arm64",), {"android", "android_arm64", "linux"}, "aarch64"),
    ("macos-arm64", (), {"macos_arm64"}, "aarch64"),
    ("windows", (), {"windows_lexan", "windows_x86_64"}, "x86"),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def ask(host: str, flags: tuple[str, ...], cache: Path) -> ConfiguredWorkspace:
    root = need_tree("xnnpack")
    workspace = Workspace.open(root, bazel_version="5.4.1", host=host, cache_dir=cache)
    return workspace.configure(flags)


@pytest.mark.parametrize(("host", "flags", "holding", "architecture"), PLATFORMS)
def test_every_setting_is_decided(
    host: str, flags: tuple[str, ...], holding: set[str], architecture: str, cache: Path
) -> None:
    asked = ask(host, flags, cache)
    answer = asked.settings()
    kinds = Counter(item.kind for item in answer.settings)
    assert kinds["config_setting"] >= 104
    assert kinds["group"] >= 35
    unknown = [i for i in answer.settings if i.condition.outcome is Outcome.UNKNOWN]
    assert not unknown
    for item in answer.settings:
        if item.condition.outcome is Outcome.DOES_NOT_HOLD:
            assert item.condition.unmet, f"{item.condition.condition} does not say why"
    true = {
        (item.kind, item.condition.condition.name)
        for item in answer.settings
        if item.condition.outcome is Outcome.HOLDS
        and item.condition.condition.package == "build_config"
    }
    assert {name for kind, name in true if kind == "config_setting"} == holding
    groups = {name for kind, name in true if kind == "group"}
    assert groups & {"x86", "aarch64", "aarch32", "riscv"} == {architecture}
    asked.save()


@pytest.mark.parametrize(("host", "flags"), [(host, flags) for host, flags, _, _ in PLATFORMS])
def test_every_select_is_decided(host: str, flags: tuple[str, ...], cache: Path) -> None:
    asked = ask(host, flags, cache)
    taken: dict[Location, set[Label]] = {}
    for id in asked.loader.trees.packages():
        package = asked.loader.package(id)
        assert isinstance(package, Package)
        for target in package.targets.values():
            if isinstance(target, Rule):
                for choice in asked.world.configured.selects(target.label):
                    assert isinstance(choice.result, Chosen), (target.label, choice)
                    place = choice.selector.call_stack[-1].location
                    taken.setdefault(place, set()).add(choice.result.branch.condition)
    assert all(taken.values())
    own = {place for place in taken if not place.path.startswith("<builtin>/")}
    # 72 lines of the tree say `select(`; four of them are for unit tests that are not
    # `automatic`, and no BUILD file has one.
    assert len(own) == 68
    asked.save()
