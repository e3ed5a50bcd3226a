"""Input that is wrong or means harm: a clear error with its place, and the rest stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.evaluation.build_files import package_builder
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.unit.loading.loading_world import Load, Loaded, label

Write = Callable[[Mapping[str, str]], Path]


@pytest.mark.parametrize(
    "target",
    ["//../../etc:passwd", "//:../../etc/passwd", "//..:x.bzl", "@x//../..:y.bzl", "../x.bzl"],
)
def test_a_load_cannot_leave_the_workspace(load: Load, target: str) -> None:
    loaded = load({"p/BUILD": f'load("{target}", "x")\nfilegroup(name = "f")\n'})
    (problem,) = loaded.package("p").diagnostics
    assert problem.span is not None
    assert (problem.span.path, problem.span.line) == ("p/BUILD", 1)
    assert loaded.kinds("p") == {}


def test_a_load_through_a_link_out_of_the_workspace_is_not_read(
    write: Write, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.bzl").write_text('SECRET = "s"\n')
    root = write({"p/BUILD": 'load(":link.bzl", "SECRET")\nfilegroup(name = SECRET)\n'})
    (root / "p/link.bzl").symlink_to(outside / "secret.bzl")
    loaded = Loaded(Loader(Workspace.open(root), LoadingOptions("4.2.3")))
    # Bazel would follow the link, so the package is not refused: what it loads is unknown.
    assert loaded.kinds("p") == {}
    assert any("leads out of" in message for message in loaded.errors("p"))


def test_an_endless_workspace_macro_ends(write: Write) -> None:
    root = write(
        {
            "WORKSPACE": 'load("//:deps.bzl", "deps")\ndeps()\n',
            "BUILD": "",
            "deps.bzl": """
                def deps():
                    for _ in range(1000000000):
                        for _ in range(1000000000):
                            pass
                """,
            "p/BUILD": 'filegroup(name = "f")\n',
        }
    )
    options = LoadingOptions("4.2.3", max_steps=100_000)
    loaded = Loaded(Loader(Workspace.open(root), options))
    assert loaded.kinds("p") == {"f": "filegroup rule"}
    (problem,) = loaded.loader.table.diagnostics
    assert "step" in problem.message
    assert problem.span is not None


def test_an_endless_build_file_costs_itself_only(write: Write) -> None:
    root = write(
        {
            "p/BUILD": "[0 for _ in range(1000000000) for _ in range(1000000000)]\n",
            "q/BUILD": 'filegroup(name = "f")\n',
        }
    )
    options = LoadingOptions("4.2.3", max_steps=100_000)
    loaded = Loaded(Loader(Workspace.open(root), options))
    assert len(loaded.errors("p")) == 1
    assert loaded.kinds("q") == {"f": "filegroup rule"}


def test_a_build_file_that_is_no_text_costs_itself_only(write: Write) -> None:
    root = write({"q/BUILD": 'filegroup(name = "f")\n', "p/x": ""})
    (root / "p/BUILD").write_bytes(b'filegroup(name = "a")\n\xff\xfe\x00\n')
    loaded = Loaded(Loader(Workspace.open(root), LoadingOptions("4.2.3")))
    package = loaded.loader.package(PackageId("", "p"))
    assert isinstance(package, NoSuchPackage) or package.diagnostics  # type: ignore[union-attr]
    assert loaded.kinds("q") == {"f": "filegroup rule"}


def test_many_files_in_one_directory_are_globbed_once(write: Write) -> None:
    root = write({"p/BUILD": 'filegroup(name = "f", srcs = glob(["**/*a*a*a*b"]))\n'})
    for number in range(3000):
        (root / f"p/{'a' * 40}{number}").touch()
    loaded = Loaded(Loader(Workspace.open(root), LoadingOptions("4.2.3")))
    assert loaded.value("//p:f", "srcs") == []


def test_a_cycle_of_loads_tells_its_way(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":a.bzl", "a")\nfilegroup(name = "f")\n',
            "p/a.bzl": 'load(":b.bzl", "b")\na = b\n',
            "p/b.bzl": 'load(":a.bzl", "a")\nb = a\n',
        }
    )
    assert any("//p:a.bzl -> //p:b.bzl -> //p:a.bzl" in text for text in loaded.errors("p"))
    assert "cycle in load statements" in loaded.refused("p").message


def test_a_missing_package_and_a_missing_repository_are_worded_as_bazel_does(load: Load) -> None:
    loader = load({"p/BUILD": ""}).loader
    missing = loader.target(label("//no:t"))
    assert isinstance(missing, NoSuchPackage)
    assert missing.message.startswith("no such package 'no': BUILD file not found")
    unnamed = loader.target(label("@no//a:t"))
    assert isinstance(unnamed, NoSuchPackage)
    assert "The repository '@no' could not be resolved" in unnamed.message
    assert isinstance(loader.package(PackageId("", "p")), Package)


def test_a_macro_that_doubles_ends(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_builder, "_MOST_CALLS", 100)
    doubling = "".join(
        f"def m{n + 1}(name):\n    m{n}(name + '0')\n    m{n}(name + '1')\n" for n in range(30)
    )
    start = "def m0(name):\n    native.filegroup(name = name)\n"
    loaded = load(
        {
            "p/m.bzl": start + doubling,
            "p/BUILD": 'load(":m.bzl", "m30")\nm30(name = "x")\nfilegroup(name = "y")\n',
        }
    )
    assert len(loaded.kinds("p")) == 100
    told = "more than 100 calls of rules in one package"
    assert loaded.errors("p") == [told]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("package_name(1)", "package_name() got unexpected positional argument"),
        (
            "licenses(['none'], 1, 2)",
            "licenses() accepts no more than 1 positional argument but got 3",
        ),
    ],
)
def test_arguments_too_many_are_counted_as_they_are_written(
    load: Load, call: str, says: str
) -> None:
    """Measured: 4.2.3."""
    (problem,) = load({"p/BUILD": f"{call}\n"}).package("p").diagnostics
    assert problem.message == says
