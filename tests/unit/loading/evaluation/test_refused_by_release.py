"""What one release of Bazel takes and another refuses. Measured with 0.24.1, 2.1.0 and 4.2.3 by
`query --keep_going`; releases after 4.2.3 as their documentation has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support import ours
from tests.support.files import write_files

OLD, OLDER, NEW = "2.1.0", "0.24.1", "4.2.3"
NEWEST = "7.4.1"
ALL = frozenset({OLDER, OLD, NEW, NEWEST})
MEASURED = frozenset({OLDER, OLD, NEW})

_TOLD = """\
filegroup(name = "f", srcs = select({"//conditions:default": ["x"]}))
told = existing_rule("f")["srcs"]
"""
CASES = [
    (r'x = "a\;b"', {NEW, NEWEST}),
    (r'x = "a\n\"\\ \101"', set()),
    ('filegroup(name = "f")\nfilegroup = 1', {NEWEST}),
    ('filegroup(name = "f")\nload(":d.bzl", filegroup = "n")', {NEWEST}),
    (r'x = r"a\;b"', set()),
    (r'x = "# \;"', {NEW, NEWEST}),
    (r'# "\;" lambda b"a" 1.5', set()),
    (r'x = "\x41"', MEASURED),
    ('x = b"a"', MEASURED),
    ("x = [(lambda a: a)(1)]", ALL),  # A newer one by its own `PackageFactoryTest`.
    ('filegroup(name = "f", srcs = ["@@r//a"])', MEASURED),
    ('filegroup(name = "f", srcs = ["@r+x//a"])', MEASURED),
    ('filegroup(name = "f", srcs = ["@r//"])', ALL),
    ('filegroup(name = "f", srcs = ["@r"])', set()),
    ('x = [i for i in depset(["a"])]', {OLD, NEW, NEWEST}),
    ('x = depset(["a"]) + ["b"]', {OLD, NEW, NEWEST}),
    ('x = depset(["a"], transitive = [depset(["b"])]).to_list()', set()),
    ('load(":d.bzl", "n")\nn(name = "x", n = 1 + select({"//conditions:default": 2}))', set()),
    (f"{_TOLD}filegroup(name = 'g', srcs = told)", MEASURED),
    (f"{_TOLD}filegroup(name = 'g', srcs = told + ['a'])", MEASURED),
    (f"{_TOLD}filegroup(name = 'g', srcs = ['a'] + told)", MEASURED),
    (
        f"{_TOLD}filegroup(name = 'g', srcs = told + select({{'//conditions:default': []}}))",
        MEASURED,
    ),
    (f"{_TOLD}filegroup(name = 'g', tags = [str(told)] if told else [])", {OLDER}),
    ('load(":p.bzl", "p")', ALL),
    # Beside these, tests/oracle/test_builtins.py asks some 1,700 expressions of real Bazels.
    ('x = "a b".split()', ALL),
    ('x = "a b".split(" ", maxsplit = 1)', {OLD, NEW, NEWEST}),
    ('x = int(x = "1")', {OLD, NEW, NEWEST}),
    ("x = len(x = [])", {OLD, NEW, NEWEST}),
    ('x = "ab".removeprefix("a")', MEASURED),
    ('x = hasattr("", "removeprefix") and fail()', {NEWEST}),
    ('x = "%x" % 10', MEASURED),
    ('x = {"a": 1} | {"b": 2}', MEASURED),
    ("x = 010", {OLD, NEW, NEWEST}),
    ("x = 0x10", set()),
    ("x = 0b1", ALL),
    ('x = int("0b", 16)', MEASURED),
    ('x = int("-0b1", 16)', MEASURED),
    ('x = int("0x1f", 16) + int("+0b1", 0)', set()),
    ('x = int("0x1f", 8)', ALL),
    ("x = 1.5", {OLDER, OLD}),
    ("x = 4 / 2", {OLDER, OLD}),
    ("x = 2147483647 + 1", {OLDER, OLD}),
    ('x = json.encode("a")', {OLDER, OLD}),
    ("x = 1 << 2", {OLDER}),
    ('x = sorted(["b"], reverse = True)', {OLDER}),
    ("x = len(depset([1]))", {OLD, NEW, NEWEST}),
    ("x = 1 in depset([1])", {OLD, NEW, NEWEST}),
    ('x = depset([1, "a"])', ALL),
    ('x = depset([1], order = "odd")', ALL),
    ('x = select({"//conditions:default": []}, no_match_error = 1)', ALL),
    ("x = max(*[1, 2])", ALL),
    ('filegroup(name = "f", **{"srcs": []})', ALL),
    ('x = "*a", "(*a)", 2 * 3, 2 ** 3 if False else 1', ALL),
    ('x = ("*a", "(*a)", 2 * (3 * 4))', set()),
]

FLAGS = [
    (NEW, "--noincompatible_restrict_string_escapes", r'x = "a\;b"', False),
    (OLD, "--incompatible_restrict_string_escapes", r'x = "a\;b"', True),
    (OLDER, "--incompatible_depset_union", 'x = depset(["a"]) + ["b"]', True),
    (OLDER, "--incompatible_depset_union", 'x = [i for i in depset(["a"])]', False),
    (OLDER, "--incompatible_depset_is_not_iterable", 'x = [i for i in depset(["a"])]', True),
]


@pytest.mark.parametrize(("version", "flag", "build", "is_refused"), FLAGS)
def test_flags_decide_what_a_release_refuses(
    tmp_path: Path, version: str, flag: str, build: str, is_refused: bool
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": f"{build}\n"})
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux")
    package = asked.configure([flag]).loader.package(PackageId("", ""))
    is_sound = isinstance(package, Package) and not package.diagnostics
    assert is_sound != is_refused, package


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
