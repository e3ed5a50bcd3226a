"""What models of `@bazel_tools` have, beside the repository that three Bazels bring along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support import ours
from tests.support.bazel import Bazel
from tests.support.query_output import LabelKind

pytestmark = pytest.mark.oracle

_ASKED = ("tools/bash/runfiles", "tools/genrule", "tools/python", "tools/test", "tools/zip")


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
