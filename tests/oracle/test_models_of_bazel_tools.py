"""What models of `@bazel_tools` have, beside the repository that three Bazels bring along."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support import ours
from tests.support.bazel import Bazel
from tests.support.query_output import LabelKind

pytestmark = pytest.mark.oracle

_ASKED = (
    *("src/conditions", "tools/bash/runfiles", "tools/genrule", "tools/osx", "tools/python"),
    *("tools/test", "tools/zip"),
)


@pytest.mark.parametrize("version", ["0.24.1", "0.26.1", "2.1.0", "4.2.3"])
def test_each_target_of_a_model_is_there_and_of_the_same_rule(
    version: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    (warm_root / "WORKSPACE").write_text("")
    real = set[LabelKind]()
    for name in _ASKED:
        pattern = f"@bazel_tools//{name}:all"
        answer = bazel(version).query(warm_root, pattern, "--output=label_kind").checked()
        for line in answer.lines:
            kind, _, label = line.rpartition(" ")
            real.add((label, kind))
    loader = ours.open_loader(warm_root, version)
    modelled = set[LabelKind]()
    for name in _ASKED:
        package = loader.package(PackageId("bazel_tools", name))
        if isinstance(package, Package):
            rules = (target for target in package.targets.values() if isinstance(target, Rule))
            modelled |= {ours.label_kind(rule.label, rule) for rule in rules}
    assert modelled - real == set()
    assert ("@bazel_tools//tools/bash/runfiles:runfiles", "sh_library rule") in modelled
    two_to_three = "sh_binary" if version == "0.24.1" else "_write_xfile"
    assert ("@bazel_tools//tools/python:2to3", f"{two_to_three} rule") in modelled


@pytest.mark.parametrize("package", ["src/conditions", "tools/osx"])
@pytest.mark.parametrize("version", ["0.24.1", "0.26.1", "2.1.0", "4.2.3"])
def test_the_conditions_of_a_model_ask_for_the_same(
    version: str, package: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    (warm_root / "WORKSPACE").write_text("")
    query = f"kind(config_setting, @bazel_tools//{package}:all)"
    real = bazel(version).query(warm_root, query, "--output=build").checked().stdout
    found = ours.open_loader(warm_root, version).package(PackageId("bazel_tools", package))
    assert isinstance(found, Package)
    for setting in found.targets.values():
        if isinstance(setting, Rule) and setting.rule_class.name == "config_setting":
            text = real.partition(f'  name = "{setting.label.name}",\n')[2].partition("\n)\n")[0]
            said = re.search(r"^  (values|constraint_values) = .*", text, re.MULTILINE)
            assert said is not None, setting.label
            value: Any = setting.value(said[1], ())
            pairs = value.items if isinstance(value, DictValue) else value
            flat = [str(one) for pair in pairs for one in (pair if type(pair) is tuple else [pair])]
            assert re.findall(r'"@*([^"]+)"', said[0]) == [one.lstrip("@") for one in flat]
