"""Canonical names of repositories, by release, wherever a label may stand (FINDINGS M1, M2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.release import Release
from bazelscope.cli import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.module_graph import ModuleKey
from bazelscope.loading.modules.module_names import CanonicalNames
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags
from bazelscope.loading.tree.workspace_files import Workspace

NAMES = {
    ("6.5.0", None): "a~1.2 m~1.2~ext~r _main~ext~r",
    ("7.0.2", None): "a~1.2 m~1.2~ext~r _main~ext~r",
    ("7.4.0", None): "a~ m~~ext~r _main~ext~r",
    ("7.4.0", True): "a+ m++ext+r +ext+r",
    ("8.0.0", None): "a+ m++ext+r +ext+r",
    ("8.0.0", False): "a~ m~~ext~r _main~ext~r",
    ("9.1.0", False): "a+ m++ext+r +ext+r",
}


@pytest.mark.parametrize(("release", "expected"), NAMES.items())
def test_the_names_of_each_release(release: tuple[str, bool | None], expected: str) -> None:
    names = CanonicalNames(Release.of(release[0]), release[1])
    module = names.module(ModuleKey("m", "1.2"))
    found = [
        names.module(ModuleKey("a", "1.2")),
        names.extension(module, "ext") + "r",
        names.extension("", "ext") + "r",
    ]
    assert " ".join(found) == expected


SEVERAL = {
    ("7.1.2", None): "a~1.2",
    ("7.2.0", None): "a~v1.2",
    ("7.4.0", True): "a+1.2",
    ("8.0.0", False): "a~v1.2",
    ("8.0.0", None): "a+1.2",
}


@pytest.mark.parametrize(("release", "expected"), SEVERAL.items())
def test_versions_are_part_of_the_name_where_there_are_several(
    release: tuple[str, bool | None], expected: str
) -> None:
    names = CanonicalNames(Release.of(release[0]), release[1])
    assert names.module(ModuleKey("a", "1.2"), is_only_version=False) == expected


@pytest.mark.parametrize("version", ["6.5.0", "7.4.0", "9.1.0"])
@pytest.mark.parametrize("reached", ["root", "root under another name", "a dependency alone"])
def test_the_platforms_of_modules_are_those_of_the_machine(
    reached: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bazel: `ModuleKey.WELL_KNOWN_MODULES`. Seen in a tree whose root needs no platforms."""
    needed = 'bazel_dep(name = "platforms", version = "0.0.10")'
    own = {
        "root": needed,
        "root under another name": (
            'bazel_dep(name = "platforms", version = "0.0.10", repo_name = "p")'
        ),
        "a dependency alone": "",
    }[reached]
    lib = 'bazel_dep(name = "lib")\nlocal_path_override(module_name = "lib", path = "lib")\n'
    files = {
        "MODULE.bazel": f'module(name = "m")\n{own}\n{lib}',
        "lib/MODULE.bazel": f'module(name = "lib")\n{needed}\n',
        "lib/WORKSPACE": "",
        "lib/BUILD": """
genrule(name = "g", outs = ["o"], cmd = select({"@platforms//os:linux": "echo linux"}))
""",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    flags = f"--bazel-version {version} --host linux --no-cache -w {tmp_path} --enable_bzlmod"
    assert main(["explain", "@lib//:g", *flags.split()]) == 0
    printed = capsys.readouterr().out
    assert "takes @platforms//os:linux" in printed


def test_extensions_of_one_name_are_numbered() -> None:
    names = CanonicalNames(Release.of("8.1.0"))
    assert [names.extension("m+", "ext") for _ in range(3)] == ["m++ext+", "m++ext2+", "m++ext3+"]
    assert names.innate_prefixes("", "http_archive")[0] == "+_repo_rules+"


WORLD = {
    "MODULE.bazel": """
module(name = "m")
bazel_dep(name = "spdlog", version = "1.15.2")
bazel_dep(name = "abseil-cpp", version = "20240722.0", repo_name = "absl")
bazel_dep(name = "lib")
local_path_override(module_name = "lib", path = "lib")
ext = use_extension("//:ext.bzl", "ext")
use_repo(ext, mine = "one")
""",
    "ext.bzl": """
def _repo(ctx):
    ctx.file("BUILD", ctx.attr.text)

repo = repository_rule(implementation = _repo, attrs = {"text": attr.string()})

def _ext(ctx):
    repo(name = "one", text = "filegroup(name = 'x', srcs = ['@two//:y', '@m//:z', '@lib//:l'])")
    repo(name = "two", text = "filegroup(name = 'y')")

ext = module_extension(implementation = _ext)
""",
    "BUILD": 'filegroup(name = "x", srcs = ["@@spdlog+//:s", "@@abseil-cpp+//absl:a", "@@//:z"])\n'
    'filegroup(name = "z")\n',
    "lib/MODULE.bazel": """
module(name = "lib", version = "3")
own = use_extension("//:own.bzl", "own")
use_repo(own, "lib_globals")
""",
    "lib/own.bzl": """
def _repo(ctx):
    ctx.file("BUILD", "")
    ctx.file("values.bzl", "TEXT = 'from the extension'")

repo = repository_rule(implementation = _repo)

def _own(ctx):
    repo(name = "lib_globals")

own = module_extension(implementation = _own)
""",
    "lib/BUILD": """
load("@lib_globals//:values.bzl", "TEXT")
filegroup(name = "l", tags = [TEXT])
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in WORLD.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / ".bazelversion").write_text("8.1.0\n")
    return tmp_path


def loaded(root: Path) -> Loader:
    return Loader(Workspace.open(root), LoadingOptions("8.1.0"))


def sources(loader: Loader, label: Label) -> list[str]:
    target = loader.target(label)
    attribute = target.attribute("srcs")  # type: ignore[union-attr]
    assert attribute is not None and isinstance(attribute.value, tuple)
    return [str(item) for item in attribute.value]


def test_files_name_repositories_canonically(root: Path) -> None:
    found = sources(loaded(root), Label("", "", "x"))
    assert found == ["@spdlog//:s", "@absl//absl:a", "//:z"]


def test_the_repositories_of_an_extension_see_one_another_and_the_module(root: Path) -> None:
    loader = loaded(root)
    assert sources(loader, Label("mine", "", "x")) == ["@@+ext+two//:y", "//:z", "@lib//:l"]
    package = loader.package(PackageId("+ext+two", ""))
    assert isinstance(package, Package) and "y" in package.targets
    assert loader.table.canonical_name("mine") == "+ext+one"


def test_a_rule_is_told_the_canonical_name_of_its_repository(root: Path) -> None:
    """`@@{rctx.attr.name}_data` is another repository of the extension. Bazel: the attribute and
    `repository_ctx.name` are canonical; `original_name` is what the extension says."""
    text = WORLD["ext.bzl"].replace("ctx.attr.text)", "ctx.attr.text % (ctx.name, ctx.attr.name))")
    text = text.replace("'@two//:y', '@m//:z', '@lib//:l'", "'@@%s//:s', '@@%s_data//:d'")
    text = text.replace('name = "two"', 'name = "one_data"').replace(
        "'y')", "'y', tags = ['%s%s'])"
    )
    (root / "ext.bzl").write_text(text)
    loader = loaded(root)
    assert sources(loader, Label("mine", "", "x")) == ["@mine//:s", "@@+ext+one_data//:d"]


def test_a_module_sees_the_repositories_of_its_own_extension(root: Path) -> None:
    package = loaded(root).package(PackageId("lib", ""))
    assert isinstance(package, Package) and package.diagnostics == ()
    assert "lib++own+lib_globals" in loaded(root).table.definitions


LINES = {
    "a build setting": (["deps", "//:x", "--@@spdlog+//:header_only=False"], "@spdlog//:s"),
    "an end of a path": (["path", "//:x", "@@abseil-cpp+//absl:a"], "@absl//absl:a"),
    "a pattern": (["query", "@@+ext+two//:all"], "@@+ext+two//:y"),
    "labels of query": (["query", "deps(@mine//:x)"], "@@+ext+two//:y"),
    "consistent labels": (["query", "//:x", "--consistent_labels"], "@@//:x"),
    "consistent names": (["query", "@mine//:x", "--consistent_labels"], "@@+ext+one//:x"),
}


@pytest.mark.parametrize(("line", "said"), LINES.values(), ids=LINES)
def test_the_command_line_knows_them(
    capfd: pytest.CaptureFixture[str], root: Path, line: list[str], said: str
) -> None:
    code = main([*line, "-w", str(root), "--no-cache"])
    words = capfd.readouterr().out.split()
    assert code in (0, 3) and said in words, words


ISOLATED = {
    "MODULE.bazel": """
alone = use_extension("//:ext.bzl", "ext", isolate = True)
alone.tag(name = "a")
use_repo(alone, my_a = "a")
ext = use_extension("//:ext.bzl", "ext")
ext.tag(name = "a")
use_repo(ext, "a")
""",
    "ext.bzl": """
def _repo(ctx):
    ctx.file("BUILD", "filegroup(name = '%s')" % ctx.attr.text)

repo = repository_rule(implementation = _repo, attrs = {"text": attr.string()})

def _ext(ctx):
    for module in ctx.modules:
        for tag in module.tags.tag:
            repo(name = tag.name, text = "alone" if ctx.is_isolated else "shared")

ext = module_extension(
    implementation = _ext,
    tag_classes = {"tag": tag_class(attrs = {"name": attr.string()})},
)
""",
    "BUILD": "",
}


@pytest.mark.parametrize(
    ("version", "alone", "shared"),
    [
        ("7.4.0", "_main~_ext~~~alone~a", "_main~ext~a"),
        ("8.1.0", "+_ext+++alone+a", "+ext+a"),
    ],
)
def test_an_isolated_extension_has_repositories_of_its_own(
    tmp_path: Path, version: str, alone: str, shared: str
) -> None:
    for path, text in ISOLATED.items():
        (tmp_path / path).write_text(text)
    flags = ModuleFlags(isolates_extensions=True)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version, modules=flags))
    assert loader.table.diagnostics == ()
    assert isinstance(loader.target(Label("my_a", "", "alone")), Rule)
    assert isinstance(loader.target(Label("a", "", "shared")), Rule)
    table = loader.table
    assert (table.canonical_name("my_a"), table.canonical_name("a")) == (alone, shared)


def test_an_isolated_extension_needs_its_flag_and_a_name(tmp_path: Path) -> None:
    for path, text in ISOLATED.items():
        (tmp_path / path).write_text(text)
    (problem, *_) = Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0")).table.diagnostics
    assert problem.message == (
        "in call to use_extension(), parameter 'isolate' is experimental and thus unavailable with"
        " the current flags. It may be enabled by setting --experimental_isolated_extension_usages"
    )
    (tmp_path / "MODULE.bazel").write_text('use_extension("//:ext.bzl", "ext", isolate = True)\n')
    flags = ModuleFlags(isolates_extensions=True)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0", modules=flags))
    assert loader.table.diagnostics[0].message == (
        "Isolated extension usage at MODULE.bazel:1:14 must be assigned to a top-level variable"
    )


@pytest.mark.parametrize(
    ("version", "named"),
    [("7.4.0", ["@@_main~ext~two//:x"]), ("9.1.0", ["@@+ext+two//:x"]), ("7.3.2", ["@two//:x"])],
)
def test_arguments_name_the_other_repositories_of_their_extension(
    tmp_path: Path, version: str, named: list[str]
) -> None:
    files = {
        "MODULE.bazel": 'ext = use_extension("//:ext.bzl", "ext")\nuse_repo(ext, "one")\n',
        "BUILD": "",
        "ext.bzl": """
def _repo(ctx):
    ctx.file("BUILD", "filegroup(name = 'x', srcs = ['{}'])".format(ctx.attr.of or ""))

repo = repository_rule(implementation = _repo, attrs = {"of": attr.label()})

def _ext(ctx):
    repo(name = "one", of = "@two//:x")
    repo(name = "two", of = "//:BUILD")

ext = module_extension(implementation = _ext)
""",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version))
    package = loader.package(PackageId("one", ""))
    assert isinstance(package, Package)
    assert sources(loader, Label("one", "", "x")) == named
