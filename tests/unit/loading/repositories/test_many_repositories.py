"""Repositories by the thousand, and chains of them that are longer than Python's stack is deep."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.loading.packages.repository_access import PartlyKnownFile
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.disk import MachineDisk
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, text_of

RULE = """
def _impl(ctx):
    below = ctx.read(ctx.attr.file) if ctx.attr.file else "0"
    ctx.file("BUILD", "")
    ctx.file("number", str(int(below) + 1))

r = repository_rule(implementation = _impl, attrs = {"file": attr.label()})
"""

EXTENSIONS = """
load("//:rule.bzl", "r")

def _impl(ctx):
    number = int(ctx.read(Label("@r%d//:number")))
    r(name = "r%d", file = "@r%d//:number")

e%d = module_extension(implementation = _impl)
"""


def _chained(tmp_path: Path, length: int, last: str) -> RepositoryTable:
    workspace = f"""
load("//:rule.bzl", "r")
[r(name = "r%d" % i, file = "@r%d//:number" % (i + 1)) for i in range({length - 1})]
r(name = "r{length - 1}", file = {last})
"""
    return evaluate(lay_out(tmp_path, {"BUILD": "", "rule.bzl": RULE, "WORKSPACE": workspace}))


def test_rules_that_read_one_another_in_a_long_chain(tmp_path: Path) -> None:
    table = _chained(tmp_path, 200, "None")
    assert text_of(table, "r0", "number") == "200"
    assert text_of(table, "r150", "number") == "50"


@pytest.mark.parametrize("length", [3, 25, 60])
def test_rules_that_read_one_another_in_a_circle(tmp_path: Path, length: int) -> None:
    table = _chained(tmp_path, length, '"@r0//:number"')
    found = table.find_file("r0", "number")
    assert isinstance(found, PartlyKnownFile)
    (unknown,) = found.unknowns
    assert str(unknown).startswith("@r0//:number: its repository rule needs the repository itself")


def test_overlays_from_one_another_in_a_long_chain(tmp_path: Path) -> None:
    workspace = """
[new_local_repository(name = "r%d" % i, path = "d", build_file = "@r%d//:b" % (i + 1))
 for i in range(300)]
local_repository(name = "r300", path = "d")
"""
    table = evaluate(
        lay_out(
            tmp_path,
            {"d/b": "# the end\n", "d/BUILD": "", "d/WORKSPACE": "", "WORKSPACE": workspace},
        )
    )
    assert text_of(table, "r0", "BUILD.bazel") == "# the end\n"


def test_extensions_that_read_one_another_in_a_long_chain(tmp_path: Path) -> None:
    numbers = range(100)
    module = "".join(
        f'e{i} = use_extension("//:e{i}.bzl", "e{i}")\nuse_repo(e{i}, "r{i}")\n' for i in numbers
    )
    files = {f"e{i}.bzl": EXTENSIONS % (i + 1, i, i + 1, i) for i in numbers}
    files["e99.bzl"] = """
load("//:rule.bzl", "r")

def _impl(ctx):
    r(name = "r99")

e99 = module_extension(implementation = _impl)
"""
    files |= {"BUILD": "", "rule.bzl": RULE, "MODULE.bazel": module}
    table = evaluate(lay_out(tmp_path, files), Options("7.0.0"))
    name = table.repo_mapping("")["r0"]
    assert text_of(table, name, "number") == "100"


def test_each_folder_is_followed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = '[local_repository(name = "r%d" % i, path = "d") for i in range(100)]\n'
    table = evaluate(lay_out(tmp_path, {"d/BUILD": "", "WORKSPACE": workspace}))
    followed: list[str] = []
    real_path = MachineDisk.real_path

    def counted(disk: MachineDisk, path: str) -> str:
        followed.append(path)
        return real_path(disk, path)

    monkeypatch.setattr(MachineDisk, "real_path", counted)
    assert {table.content(f"r{i}") is not None for i in range(100)} == {True}
    assert len(followed) == 100
