"""`load()`: what is found, what is not, cycles, and what old Bazels export."""

from __future__ import annotations

import pytest

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from tests.unit.loading.loading_world import Load, label


def test_a_missing_file_of_the_workspace_is_an_error(load: Load) -> None:
    files = {"p/BUILD": 'load("//q:none.bzl", "x")\nx(name = "made")\n', "q/BUILD": ""}
    loaded = load(files)
    assert loaded.errors("p") == ["cannot load '//q:none.bzl': no such file"]
    refused = loaded.refused("p")
    assert refused.message == (
        "error loading package 'p': cannot load '//q:none.bzl': no such file"
    )
    assert [str(problem.span) for problem in refused.diagnostics] == ["p/BUILD:1:1"]


def test_a_missing_symbol_names_the_nearest(load: Load) -> None:
    loaded = load({"p/BUILD": 'load(":m.bzl", "mackro")\n', "p/m.bzl": "def macro():\n    pass\n"})
    (problem,) = loaded.package("p").diagnostics
    assert "does not contain symbol 'mackro'" in problem.message
    assert problem.hint == "did you mean `macro`?"


def _chain(count: int, last: str) -> dict[str, str]:
    """Files of which each loads the next, in which `x` is one more."""
    files = {
        f"p/m{i}.bzl": f'load(":m{i + 1}.bzl", y = "x")\nx = y + 1\n' for i in range(count - 1)
    }
    build = 'load(":m0.bzl", "x")\nfilegroup(name = "made_%d" % x)\n'
    return {"p/BUILD": build, **files, f"p/m{count - 1}.bzl": last}


def test_files_load_one_another_in_chains_of_any_length(load: Load) -> None:
    loaded = load(_chain(400, "x = 0\n"))
    assert not loaded.errors("p")
    assert "made_399" in loaded.package("p").targets


def test_a_long_cycle_is_told_whole(load: Load) -> None:
    (error,) = load(_chain(60, 'load(":m0.bzl", y = "x")\nx = y\n')).errors("p")
    labels = error.removeprefix("cycle in load statements: ").split(" -> ")
    assert labels == [f"//p:m{i}.bzl" for i in (*range(60), 0)]


def test_cycles(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":a.bzl", "a")\nfilegroup(name = "rest")\n',
            "p/a.bzl": 'load(":b.bzl", "b")\na = 1\n',
            "p/b.bzl": 'load(":a.bzl", "a")\nb = 2\n',
        }
    )
    assert loaded.errors("p") == ["cycle in load statements: //p:a.bzl -> //p:b.bzl -> //p:a.bzl"]
    assert "cycle in load statements" in loaded.refused("p").message


def test_a_module_that_fails_keeps_what_it_defines(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":m.bzl", "GOOD", "BAD")\nfilegroup(name = "f", tags = GOOD + BAD)\n',
            "p/m.bzl": 'GOOD = ["g"]\nBAD = {}["x"]\nLAST = 1\n',
        }
    )
    module = loaded.loader.module(label("//p:m.bzl"))
    assert isinstance(module, starlark.Module)
    assert module.globals["GOOD"] == ["g"] and module.globals["LAST"] == 1
    refused = loaded.refused("p")
    assert refused.message == "error loading package 'p': Extension file 'p/m.bzl' has errors"
    assert [str(problem.span) for problem in refused.diagnostics] == ["p/m.bzl:2:9"]


@pytest.mark.parametrize(("version", "is_exported"), [("0.24.1", True), ("0.26.1", False)])
def test_old_bazels_export_what_a_file_loads(load: Load, version: str, is_exported: bool) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":b.bzl", "A")\nfilegroup(name = A)\n',
            "p/a.bzl": 'A = "made"\n',
            "p/b.bzl": 'load(":a.bzl", "A")\n',
        },
        version,
    )
    assert ("made" in loaded.kinds("p")) is is_exported


def test_a_file_with_a_syntax_error(load: Load) -> None:
    loaded = load({"p/BUILD": 'load(":m.bzl", "m")\nm(name = "x")\n', "p/m.bzl": "def m(:\n"})
    refused = loaded.refused("p")
    assert refused.message == "error loading package 'p': Extension 'p/m.bzl' has errors"
    assert [problem.span.path for problem in refused.diagnostics if problem.span] == ["p/m.bzl"]
    unknown = loaded.loader.module(label("//p:m.bzl"))
    assert isinstance(unknown, Unknown) and unknown.reason is Reason.FAILED


def test_natives_are_for_packages_only(load: Load) -> None:
    loaded = load({"p/BUILD": 'load(":m.bzl", "X")\n', "p/m.bzl": 'X = native.glob(["*"])\n'})
    assert "can only be used while evaluating a BUILD file" in loaded.errors("p")[0]


def test_labels_are_relative_to_the_file_that_makes_them(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load("//q:m.bzl", "m")\nm("f")\n',
            "q/BUILD": "",
            "q/m.bzl": """
                def m(name):
                    tags = [str(Label("//a"))]
                    native.filegroup(name = name, srcs = [Label("//q:x"), ":x"], tags = tags)
            """,
        }
    )
    assert loaded.value("//p:f", "srcs") == ["//q:x", "//p:x"]
    assert loaded.value("//p:f", "tags") == ["//a:a"]
