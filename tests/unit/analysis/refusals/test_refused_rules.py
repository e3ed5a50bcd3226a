"""What we refuse of packages with one mistake each, beside what real Bazels say (measured:
`tests/oracle/test_refused_rules.py`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.errors import Severity
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.target_patterns import is_manual
from tests.support.refused_rules import (
    CRASH,
    LISTS,
    RefusedRule,
    read_cases,
    write_stubs,
    write_workspace,
)


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The workspace of all packages of a list, which is written once for every release."""
    folder = tmp_path_factory.mktemp("refused")

    def lay_out(name: str) -> Path:
        root = folder / name
        if not root.exists():
            write_workspace(root, read_cases(name))
        return root

    return lay_out


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_kinds_of_what_is_refused(
    version: str, name: str, laid_out: Callable[[str], Path], tmp_path: Path
) -> None:
    cases = tuple(case for case in read_cases(name) if case.kind(version) != CRASH)
    root = laid_out(name)
    flags = write_stubs(tmp_path / "stubs")
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    plain = workspace.configure([*flags])
    kinds = _kinds(plain, [case for case in cases if not case.flags])
    for case in cases:
        if case.flags:
            asked = workspace.configure([*flags, *case.flags])
            # What lines load alike is evaluated once for all.
            asked.load_like(plain)
            kinds |= _kinds(asked, [case])
    wrong = [case for case in cases if _expected(case, version) not in (kinds[case.name] or {""})]
    assert not wrong, [(case.name, case.kind(version), kinds[case.name]) for case in wrong]


def _kinds(asked: ConfiguredWorkspace, cases: list[RefusedRule]) -> dict[str, set[str]]:
    """By package: the kinds of what is refused first."""
    kinds: dict[str, set[str]] = {case.name: set() for case in cases}
    labels: list[Label] = []
    for case in cases:
        package = asked.loader.package(PackageId("", case.name))
        if not isinstance(package, Package):
            kinds[case.name].add("package-in-error")
            continue
        labels += [Label("", case.name, one) for one in _built(package, case.asks)]
        if any(one.severity is Severity.ERROR for one in package.diagnostics):
            kinds[case.name].add("package-in-error")
    for one in asked.world.refusals_below(labels):
        if not one.also:
            package_name = cases[0].name if len(cases) == 1 else getattr(one.target, "package", "")
            if package_name in kinds:
                kinds[package_name].add(one.kind.value)
    return kinds


def _expected(case: RefusedRule, version: str) -> str:
    """What we say; a gap that is mended has to be taken out of the list."""
    return "" if case.missed else case.kind(version)


def _built(package: Package, asks: str) -> list[str]:
    """The targets that are asked for."""
    if asks != "all":
        return [asks]
    rules = (name for name in package.targets if package.targets.is_rule(name))
    return [name for name in rules if not is_manual(package.targets[name])]
