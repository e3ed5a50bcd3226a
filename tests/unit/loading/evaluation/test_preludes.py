"""What BUILD files see of a prelude; `tests/oracle/test_preludes.py` compares with real Bazels."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.cli.entry import cli
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage
from tests.support.files import write_files

_PRELUDE = "tools/build_rules/prelude_bazel"
_FILES = {
    "WORKSPACE": "",
    "tools/build_rules/BUILD": "",
    _PRELUDE: 'load(":names.bzl", "NAME")\n',
    "tools/build_rules/names.bzl": 'NAME = "one"\n',
    "a/names.bzl": 'NAME = "of_a"\n',
    "a/BUILD": "filegroup(name = NAME)\n",
}


def _loader(root: Path, version: str, cache: Path | None = None) -> Loader:
    opened = Workspace.open(root, bazel_version=version, host="linux", cache_dir=cache)
    return opened.configure([]).loader


def _names(loader: Loader, package: str) -> set[str]:
    loaded = loader.package(PackageId("", package))
    assert isinstance(loaded, Package)
    return set(loaded.targets) - {"BUILD", "tools", "x.sh"}


@pytest.mark.parametrize(
    ("version", "name"), [("0.26.1", "of_a"), ("2.1.0", "of_a"), ("4.2.3", "one"), ("9.0.0", "one")]
)
def test_a_relative_load_is_beside_the_build_file_in_old_releases(
    tmp_path: Path, version: str, name: str
) -> None:
    write_files(tmp_path, {**_FILES, "MODULE.bazel": ""})
    assert _names(_loader(tmp_path, version), "a") == {name}


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_what_is_kept_rests_on_the_prelude(tmp_path: Path, version: str) -> None:
    root, cache = tmp_path / "w", tmp_path / "c"
    write_files(
        root,
        {
            **_FILES,
            "a/BUILD": 'sh_library(name = "own" if type(cc_library) == "string" else "bazels")\n',
        },
    )
    told = []
    for prelude in (None, 'cc_library = ""\n', "cc_library = len\n", 'cc_library = ""\n', None):
        if prelude is None:
            (root / _PRELUDE).unlink()
        else:
            (root / _PRELUDE).write_text(prelude)
        loader = _loader(root, version, cache)
        told.append(_names(loader, "a"))
        loader.save()
    assert told == [{"bazels"}, {"own"}, {"bazels"}, {"own"}, {"bazels"}]


@pytest.mark.parametrize(("version", "path"), [("2.1.0", "a"), ("4.2.3", "tools/build_rules")])
def test_what_is_kept_rests_on_what_the_prelude_loads(
    tmp_path: Path, version: str, path: str
) -> None:
    root, cache = tmp_path / "w", tmp_path / "c"
    write_files(root, _FILES)
    for name in ("first", "second"):
        (root / path / "names.bzl").write_text(f'NAME = "{name}"\n')
        loader = _loader(root, version, cache)
        assert _names(loader, "a") == {name}
        loader.save()


def test_names_of_a_prelude_are_known_to_check(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    found = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").check()
    assert not found.findings


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("4.2.3", f"cannot load '//tools/build_rules:{Path(_PRELUDE).name}': is a directory"),
        ("2.1.0", "name 'NAME' is not defined"),
    ],
)
def test_a_directory_in_its_place(tmp_path: Path, version: str, told: str) -> None:
    files = {**_FILES, f"{_PRELUDE}/x": ""}
    del files[_PRELUDE]
    write_files(tmp_path, files)
    loaded = _loader(tmp_path, version).package(PackageId("", "a"))
    assert isinstance(loaded, Package | NoSuchPackage)
    assert told in str(loaded.diagnostics)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("4.2.3", ["cannot load '//a:d': is a directory", "cannot load '//a:no': no such file"]),
        (
            "2.1.0",
            [
                "Unable to load file '//a:d': it isn't a regular file",
                "Unable to load file '//a:no': file doesn't exist",
            ],
        ),
    ],
)
def test_what_cannot_be_loaded(tmp_path: Path, version: str, told: list[str]) -> None:
    # Measured: 2.1.0 and 4.2.3; 0.26.1 says the same as 2.1.0.
    files = {
        "WORKSPACE": "",
        "a/d.bzl/x": "",
        "a/BUILD": 'load(":d.bzl", "x")\n',
        "b/BUILD": 'load("//a:no.bzl", "x")\n',
    }
    write_files(tmp_path, files)
    loader = _loader(tmp_path, version)
    for package, message in zip("ab", told, strict=True):
        loaded = loader.package(PackageId("", package))
        assert isinstance(loaded, NoSuchPackage)
        assert message.replace("':", ".bzl':") in loaded.message


@pytest.mark.parametrize("version", ["0.26.1", "4.2.3"])
def test_every_package_rests_on_it(tmp_path: Path, version: str) -> None:
    write_files(tmp_path, _FILES)
    own = ["-w", str(tmp_path), f"--bazel-version={version}", "--no-cache"]
    words = ["--universe_scope=//...", "--order_output=no"]
    for file in (_PRELUDE, "tools/build_rules/names.bzl"):
        line = ["query", *own, *words, f"rbuildfiles({file})"]
        found = set(CliRunner().invoke(cli, line).stdout.split())
        # Where its loads stood in each BUILD file, `:names.bzl` was beside that.
        is_beside = version == "0.26.1" and file != _PRELUDE
        users = {"//tools/build_rules:BUILD", *(() if is_beside else ("//a:BUILD",))}
        assert found == users
