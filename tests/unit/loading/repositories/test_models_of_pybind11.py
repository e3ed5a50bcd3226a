"""What the macros of pybind11_bazel declare, release by release, as its tags have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.unit.loading.repositories.workspaces import branches, loader


def _is_set(rule: Rule, name: str) -> bool:
    attribute = rule.attribute(name)
    return attribute is not None and attribute.value not in (None, False, ())


_COPIED = {"ext.so": "cc_binary", "ext_copy_so_to_pyd": "_copy_file", "ext": "alias"}
_PYBIND = {
    "2.11.1": ({"ext.so": "cc_binary"}, {"t": "cc_test"}, None),
    "2.11.1.bzl.1": None,
    "2.12.0": (_COPIED, {"t": "cc_test"}, "//:ext.pyd"),
    "2.13.6": (_COPIED, {"t": "cc_test"}, "//:ext.pyd"),
    "3.0.0": (_COPIED, {"t": "cc_test"}, "//:ext_copy_so_to_pyd"),
    "3.0.1": (
        {"ext.so": "cc_binary", "ext.pyd": "cc_binary", "ext": "alias"},
        {"t_bin": "cc_binary", "t": "pybind_py_env_test"},
        "//:ext.pyd",
    ),
    "b162c7c88a253e3f6b673df0c621aca27596ce6b": None,
}
"""What `pybind_extension()` and `pybind_library_test()` declare, and the extension on Windows."""


@pytest.mark.parametrize("release", _PYBIND)
def test_what_a_pybind_extension_is_goes_by_the_release(tmp_path: Path, release: str) -> None:
    url = f"https://example.org/pybind11_bazel/archive/{release}.tar.gz"
    workspace = (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "pybind11_bazel", urls = ["{url}"])\n'
    )
    build = """
load("@pybind11_bazel//:build_defs.bzl", "pybind_extension", "pybind_library_test")
pybind_extension(name = "ext", srcs = ["a.cc"], copts = ["-g"], testonly = True)
pybind_library_test(name = "t", srcs = ["t.cc"], size = "small")
"""
    one = loader(tmp_path, {"WORKSPACE": workspace, "BUILD": build}, "6.5.0")
    package = one.package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics
    found = {name: rule for name, rule in package.targets.items() if isinstance(rule, Rule)}
    expected = _PYBIND[release]
    if expected is None:
        assert not any(rule.rule_class.is_known for rule in found.values())
        return
    extension, test, on_windows = expected
    assert {name: rule.rule_class.name for name, rule in found.items()} == extension | test
    if on_windows is not None:
        assert list(branches(found["ext"]).values()) == [on_windows, "//:ext.so"]
        assert _is_set(found["ext"], "testonly") == (release >= "2.13")
    is_split = _is_set(found["ext.so"], "target_compatible_with")
    assert is_split == (release == "3.0.1")


@pytest.mark.parametrize(
    ("release", "warns"), [("2.11.1", None), ("2.13.6", True), ("3.0.1", False), ("9.1", None)]
)
def test_the_overlay_of_pybind11_is_known_without_its_headers(
    tmp_path: Path, release: str, warns: bool | None
) -> None:
    """`warns`: whether the release switches warnings of compilers off; None if it is not known."""
    workspace = f"""
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "pybind11_bazel",
    urls = ["https://example.org/pybind11_bazel/archive/v{release}.tar.gz"],
)
http_archive(
    name = "pybind11",
    build_file = "@pybind11_bazel//:pybind11-BUILD.bazel",
    urls = ["https://example.org/pybind11/archive/v3.0.1.tar.gz"],
)
"""
    one = loader(tmp_path, {"WORKSPACE": workspace}, "6.5.0")
    target = one.target(Label("pybind11", "", "pybind11"))
    if warns is None:
        assert not isinstance(target, Rule)
        return
    assert isinstance(target, Rule) and target.rule_class.name == "cc_library"
    headers, flags = target.attribute("hdrs"), target.attribute("copts")
    assert headers is not None and flags is not None
    assert isinstance(headers.value, Unknown), headers
    assert ("-Xgcc-only=-Wno-error" in str(flags.value)) == warns
