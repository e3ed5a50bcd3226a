"""What `attr` and labels have in a release, by `hasattr` and `dir`, as real Bazels were asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support.files import write_files
from tests.support.members_of_releases import FILES, MEASURED


@pytest.mark.parametrize("version", MEASURED)
def test_as_measured(tmp_path: Path, version: str) -> None:
    assert _names(tmp_path, version) == set(MEASURED[version].split())


def test_later_ones(tmp_path: Path) -> None:
    assert {"label.repo_name", "attr.string_keyed_label_dict"} <= _names(tmp_path, "8.2.0")


def test_a_flag_brings_licenses_back(tmp_path: Path) -> None:
    assert "attr.license" in _names(tmp_path, "2.1.0", "--noincompatible_no_attr_license")


def _names(root: Path, version: str, *flags: str) -> set[str]:
    write_files(root, {**FILES, "MODULE.bazel": ""})
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    package = workspace.configure([*flags]).loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    return set(package.targets) - {"BUILD"}
