"""What `attr` and labels have in a release, by `hasattr` and `dir`, as real Bazels were asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage
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


_STRUCTS = """
P = provider(fields = ["x"])

def tell():
    both = struct(x = 1) + struct(y = 2)
    for name, value in {"s": struct(x = 1), "p": P(x = 1), "sum": both}.items():
        for method in ["to_json", "to_proto"]:
            if hasattr(value, method) and getattr(value, method, None):
                native.filegroup(name = "%s.%s" % (name, method))
        native.filegroup(name = "%s.%d" % (name, len(dir(value))))
"""


@pytest.mark.parametrize(
    ("version", "flags", "have_methods"),
    [
        ("7.7.1", [], True),
        ("7.7.1", ["--incompatible_struct_has_no_methods"], False),
        ("8.0.0", [], False),
    ],
)
def test_methods_of_structs(
    tmp_path: Path, version: str, flags: list[str], have_methods: bool
) -> None:
    call = 'load("//:s.bzl", "tell")\ntell()\n'
    files = {"MODULE.bazel": "", "s.bzl": _STRUCTS, "BUILD": call}
    write_files(tmp_path, {**files, "e/BUILD": "load(':e.bzl', 'X')\n", "e/e.bzl": _ENCODES})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    loader = workspace.configure(flags).loader
    package, encodes = (loader.package(PackageId("", name)) for name in ("", "e"))
    assert isinstance(package, Package) and isinstance(encodes, Package | NoSuchPackage)
    methods = {f"{one}.{name}" for one in ("s", "p", "sum") for name in ("to_json", "to_proto")}
    more = 2 * have_methods
    listed = {f"s.{1 + more}", f"p.{1 + more}", f"sum.{2 + more}"}
    assert set(package.targets) - {"BUILD"} == listed | (methods if have_methods else set())
    told = [(one.message, one.hint) for one in encodes.diagnostics]
    assert told == [] if have_methods else [(_GONE, "write `json.encode(...)`")]


_ENCODES = "X = struct(a = 1).to_json()\n"
_GONE = "'struct' value has no field or method 'to_json'"
