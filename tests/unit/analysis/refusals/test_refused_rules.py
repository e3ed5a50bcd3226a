"""What we refuse of packages with one mistake each, beside what real Bazels say (measured:
`tests/oracle/test_refused_rules.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.closure import refusals_below
from bazelscope.api import Workspace
from bazelscope.base.errors import Severity
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.packages.package import Package
from tests.support.refused_rules import (
    CRASH,
    LISTS,
    RefusedRule,
    read_cases,
    write_stubs,
    write_workspace,
)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_kinds_of_what_is_refused(version: str, name: str, tmp_path: Path) -> None:
    cases = tuple(case for case in read_cases(name) if case.kind(version) != CRASH)
    root = tmp_path / "workspace"
    write_workspace(root, cases)
    flags = write_stubs(tmp_path / "stubs")
    asked = Workspace.open(root, bazel_version=version, host="linux").configure([*flags])
    kinds: dict[str, set[str]] = {case.name: set() for case in cases}
    labels: list[Label] = []
    for name, found in kinds.items():
        package = asked.loader.package(PackageId("", name))
        if not isinstance(package, Package):
            found.add("package-in-error")
            continue
        labels += [Label("", name, one) for one in package.targets if _is_built(package, one)]
        if any(one.severity is Severity.ERROR for one in package.diagnostics):
            found.add("package-in-error")
    for one in refusals_below(asked.world.configured, labels):
        if not one.also and one.target is not None and one.target.package in kinds:
            kinds[one.target.package].add(one.kind.value)
    wrong = [case for case in cases if _expected(case, version) not in (kinds[case.name] or {""})]
    assert not wrong, [(case.name, case.kind(version), kinds[case.name]) for case in wrong]


def _expected(case: RefusedRule, version: str) -> str:
    """What we say; a gap that is mended has to be taken out of the list."""
    return "" if case.missed else case.kind(version)


def _is_built(package: Package, name: str) -> bool:
    """Whether `:all` stands for a target, among others."""
    kind = package.targets[name].kind
    return package.targets.is_rule(name) and kind != "config_setting rule"
