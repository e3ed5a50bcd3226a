"""What one release of Bazel takes and another refuses. Measured with 0.24.1, 2.1.0 and 4.2.3 by
`query --keep_going`; releases after 4.2.3 as their documentation has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support import ours
from tests.support.files import write_files

OLD, OLDER, NEW = "2.1.0", "0.24.1", "4.2.3"
NEWEST = "7.4.1"
ALL = frozenset({OLDER, OLD, NEW, NEWEST})
MEASURED = frozenset({OLDER, OLD, NEW})

CASES = [
    (r'x = "a\;b"', {NEW, NEWEST}),
    (r'x = "a\n\"\\ \101"', set()),
    (r'x = r"a\;b"', set()),
    (r'x = "# \;"', {NEW, NEWEST}),
    (r'# "\;" lambda b"a" 1.5', set()),
    (r'x = "\x41"', MEASURED),
    ('x = b"a"', MEASURED),
    ("x = [(lambda a: a)(1)]", MEASURED),
    ('filegroup(name = "f", srcs = ["@@r//a"])', MEASURED),
    ('filegroup(name = "f", srcs = ["@r+x//a"])', MEASURED),
    ('filegroup(name = "f", srcs = ["@r//"])', ALL),
    ('filegroup(name = "f", srcs = ["@r"])', set()),
    ('x = [i for i in depset(["a"])]', {OLD, NEW, NEWEST}),
    ('x = depset(["a"]) + ["b"]', {OLD, NEW, NEWEST}),
    ('x = depset(["a"], transitive = [depset(["b"])]).to_list()', set()),
    ('load(":d.bzl", "n")\nn(name = "x", n = 1 + select({"//conditions:default": 2}))', set()),
    ('load(":p.bzl", "p")', ALL),
]


@pytest.mark.parametrize(("build", "refusing"), CASES)
@pytest.mark.parametrize("version", sorted(ALL))
def test_as_measured(tmp_path: Path, version: str, build: str, refusing: set[str]) -> None:
    files = {
        "WORKSPACE": "",
        "BUILD": f"{build}\n",
        "d.bzl": 'def _i(ctx):\n    pass\n\nn = rule(_i, attrs = {"n": attr.int()})\n',
        "p.bzl": 'p = provider(["a"])\n',
    }
    write_files(tmp_path, files)
    package = ours.open_loader(tmp_path, version).package(PackageId("", ""))
    is_sound = isinstance(package, Package) and not package.diagnostics
    assert is_sound == (version not in refusing), package
