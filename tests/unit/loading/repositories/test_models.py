"""The models that ship: every file runs, and what they compute is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
)
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    Provenance,
    Rule,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.repositories import model_content
from tests.unit.loading.repositories.workspaces import branches, loader, rules

MODELS = Path(model_content.__file__).parent / "models"

OF_SOME_RELEASES = {"googletest"}
"""Of these, nothing is known where the definition names no release; their tests name some."""


def model_labels(pattern: str) -> list[str]:
    found = []
    paths = (path for path in MODELS.rglob(pattern) if ".before-" not in path.name)
    for path in sorted(paths):
        repository, *directories, name = path.relative_to(MODELS).parts
        if repository in OF_SOME_RELEASES or not path.stat().st_size:
            continue
        found.append(f"@{repository}//{'/'.join(directories)}:{name}")
    return found


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    return loader(tmp_path_factory.mktemp("models"), {})


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    return loader(tmp_path_factory.mktemp("newest"), {}, "9.1.0")


@pytest.mark.parametrize("text", model_labels("*.bzl"))
def test_every_file_of_a_model_runs(empty: Loader, text: str) -> None:
    repository, _, rest = text[1:].partition("//")
    package, _, name = rest.partition(":")
    module = empty.module(Label(repository, package, name))
    assert isinstance(module, starlark.Module), module


def test_every_model_says_which_releases_it_has_the_interface_of() -> None:
    silent = []
    for path in sorted(MODELS.rglob("*.bzl")):
        text = path.read_text()
        head = text.split('"""')[1] if text.startswith('"""') else ""
        if text and not any(character.isdigit() for character in head):
            silent.append(str(path.relative_to(MODELS)))
    assert silent == []


@pytest.mark.parametrize("text", model_labels("BUILD.model"))
def test_every_package_of_a_model_loads(empty: Loader, newest: Loader, text: str) -> None:
    """In an older Bazel, if it is one of its packages, and in the newest."""
    repository, _, rest = text[1:].partition("//")
    package_id = PackageId(repository, rest.partition(":")[0])
    before = empty.package(package_id)
    of_later = "bazel7" in text or "tools/launcher" in text
    assert (isinstance(before, Package) and not before.diagnostics) or of_later, before
    package = newest.package(package_id)
    if text == "@bazel_tools//platforms:BUILD.model":  # Bazel 7 has no such package.
        assert isinstance(package, NoSuchPackage)
        return
    assert isinstance(package, Package), package
    assert package.provenance is Provenance.MODEL
    assert not package.diagnostics


_OF_BAZEL = {
    "0.24.1": {"python:2to3": "sh_binary", "test:collect_coverage": None},
    "4.2.3": {
        "bash/runfiles:runfiles": "sh_library",
        "python:2to3": "_write_xfile",
        "test:collect_coverage": "filegroup",
        "test:test_wrapper": "filegroup",
    },
    "7.4.0": {
        "bash/runfiles:runfiles": "sh_library",
        "test:collect_coverage": "filegroup",
        "cpp:current_cc_toolchain": "cc_toolchain_alias",
        "cpp:optional_current_cc_toolchain": "cc_toolchain_alias",
        "cpp:clang": "constraint_value",
        "cpp:link_extra_libs": "label_flag",
        "jdk:current_java_toolchain": "alias",
        "jdk:java": None,
        "launcher:launcher": None,
    },
    "8.2.1": {
        "bash/runfiles:runfiles": "sh_library",
        "python/runfiles:runfiles": "py_library",
        "test:collect_coverage": "filegroup",
    },
    "8.3.0": {"bash/runfiles:runfiles": "alias", "python/runfiles:runfiles": "alias"},
    "8.4.2": {"bash/runfiles:runfiles": "sh_library", "test:collect_coverage": "filegroup"},
    "8.5.0": {"test:collect_coverage": "sh_binary"},
    "9.1.0": {
        "cpp:current_cc_toolchain": "alias",
        "cpp:clang": "alias",
        "cpp:host_xcodes": "alias",
        "jdk:bootstrap_runtime_toolchain_type": "toolchain_type",
        "jdk:java_plugins_flag_alias": "java_plugins_flag_alias",
        "launcher:launcher": "current_launcher_binary",
        "launcher:launcher_maker_toolchain_type": "toolchain_type",
        "bash/runfiles:runfiles": "alias",
        "python:2to3": None,
        "test:collect_coverage": "sh_binary",
    },
}
"""Targets of `@bazel_tools//tools` and their rules (None: unknown by name), as Bazel's sources and
the names that rules_java, rules_cc and rules_shell ask for have them."""


@pytest.mark.parametrize("version", _OF_BAZEL)
def test_bazels_own_targets_are_known_or_unknown_by_name(tmp_path: Path, version: str) -> None:
    one = loader(tmp_path, {}, version)
    for text, rule_class in _OF_BAZEL[version].items():
        package, _, name = text.partition(":")
        target = one.target(Label("bazel_tools", f"tools/{package}", name))
        if rule_class is None:
            assert isinstance(target, UnknownTarget | UnknownPackage), target
        else:
            assert isinstance(target, Rule), target
            assert target.rule_class.name == rule_class


"""A platform of a release of rules_go, and those that it has not, by its `platforms.bzl`."""


CALCULATIONS = [
    ("lib:paths.bzl", "paths", 'paths.join("a", "b/", "c")', "a/b/c"),
    ("lib:paths.bzl", "paths", 'paths.join("a", "/b")', "/b"),
    ("lib:paths.bzl", "paths", 'paths.normalize("a/./b/../c//d")', "a/c/d"),
    ("lib:paths.bzl", "paths", 'paths.normalize("../a")', "../a"),
    ("lib:paths.bzl", "paths", 'paths.normalize("/../a")', "/a"),
    ("lib:paths.bzl", "paths", 'paths.split_extension("a.b/c.tar.gz")[1]', ".gz"),
    ("lib:paths.bzl", "paths", 'paths.split_extension(".bashrc")[1]', ""),
    ("lib:paths.bzl", "paths", 'paths.replace_extension("a/b.cc", ".o")', "a/b.o"),
    ("lib:paths.bzl", "paths", 'paths.dirname("/a")', "/"),
    ("lib:paths.bzl", "paths", 'paths.relativize("a/b/c", "a")', "b/c"),
    ("lib:paths.bzl", "paths", 'paths.relativize("a/b", "a/b")', "a/b"),
    ("lib:paths.bzl", "paths", 'paths.replace_extension("..", ".o")', "..o"),
    ("lib:paths.bzl", "paths", 'paths.dirname("//a") or "none"', "none"),
    ("lib:paths.bzl", "paths", 'str(paths.starts_with("/../a", "/"))', "False"),
    ("lib:dicts.bzl", "dicts", 'str(dicts.pick({"a": 1}, ["a", "b"]))', '{"a": 1}'),
    (
        "lib:new_sets.bzl",
        "sets",
        "str(sets.to_list(sets.intersection(sets.make([3, 2, 1]), sets.make([1, 2]))))",
        "[1, 2]",
    ),
    ("lib:dicts.bzl", "dicts", 'str(dicts.add({"a": 1}, {"a": 2}, b = 3))', '{"a": 2, "b": 3}'),
    ("lib:shell.bzl", "shell", 'shell.quote("it\'s")', "'it'\\''s'"),
    ("lib:versions.bzl", "versions", 'str(versions.is_at_least("0.24.0", "0.3.1"))', "False"),
    ("lib:versions.bzl", "versions", 'str(versions.is_at_least("4.2.0", "4.10.0-rc1"))', "True"),
    ("lib:collections.bzl", "collections", "str(collections.uniq([1, 2, 1]))", "[1, 2]"),
    ("lib:new_sets.bzl", "sets", "str(sets.to_list(sets.insert(sets.make([1]), 2)))", "[1, 2]"),
    ("lib:structs.bzl", "structs", "str(structs.to_dict(struct(a = 1)))", '{"a": 1}'),
    ("lib:types.bzl", "types", "str(types.is_string('x'))", "True"),
    (
        "lib:partial.bzl",
        "partial",
        "str(partial.call(partial.make(dict, a = 1), b = 2))",
        '{"a": 1, "b": 2}',
    ),
]


@pytest.mark.parametrize(("file", "symbol", "expression", "expected"), CALCULATIONS)
def test_skylib_computes(
    tmp_path: Path, file: str, symbol: str, expression: str, expected: str
) -> None:
    text = f'load("@bazel_skylib//{file}", "{symbol}")\nRESULT = {expression}\n'
    module = loader(tmp_path, {"t.bzl": text}).module(Label("", "", "t.bzl"))
    assert isinstance(module, starlark.Module), module
    assert module.globals["RESULT"] == expected


GROUP = """
load("@bazel_skylib//lib:selects.bzl", "selects")
config_setting(name = "a", values = {"cpu": "k8"})
config_setting(name = "b", values = {"compilation_mode": "opt"})
config_setting(name = "c", values = {"stamp": "1"})
selects.config_setting_group(name = "g", %s = [":a", ":b", ":c"])
"""


def test_match_all_is_a_chain_that_goes_on_while_settings_match(tmp_path: Path) -> None:
    found = rules(tmp_path, GROUP % "match_all")
    assert branches(found["g"]) == {"//:a": "//:g_2", str(DEFAULT_CONDITION): "//:a"}
    assert branches(found["g_2"]) == {"//:b": "//:c", str(DEFAULT_CONDITION): "//:b"}


def test_match_any_is_a_chain_that_ends_at_the_first_match(tmp_path: Path) -> None:
    found = rules(tmp_path, GROUP % "match_any")
    assert branches(found["g"]) == {"//:a": "//:a", str(DEFAULT_CONDITION): "//:g_2"}
    assert branches(found["g_2"]) == {"//:b": "//:b", str(DEFAULT_CONDITION): "//:c"}


@pytest.mark.parametrize(
    ("version", "kind"), [("0.24.1", "constraint_value"), ("2.1.0", "alias"), ("4.2.3", "alias")]
)
def test_platforms_of_bazel_tools_by_version(tmp_path: Path, version: str, kind: str) -> None:
    package = loader(tmp_path, {}, version).package(PackageId("bazel_tools", "platforms"))
    assert isinstance(package, Package)
    target = package.targets["linux"]
    assert isinstance(target, Rule) and target.rule_class.name == kind


@pytest.mark.parametrize(
    ("release", "kind", "manual"),
    [
        # As in the releases: a shell test, then a rule of its own, then manual genrules.
        ("0.9.0", "sh_test", False),
        ("1.3.0", "_empty_test", False),
        ("1.4.2", "_empty_test", True),
    ],
)
def test_build_test_by_release(tmp_path: Path, release: str, kind: str, manual: bool) -> None:
    files = {
        "WORKSPACE": f"""
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "bazel_skylib",
    urls = ["https://example.org/bazel-skylib/releases/download/{release}/bazel-skylib.tar.gz"],
)
""",
        "BUILD": """
load("@bazel_skylib//rules:build_test.bzl", "build_test")
filegroup(name = "f")
build_test(name = "t", targets = [":f"])
""",
    }
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package)
    test, made = package.targets["t"], package.targets["t_0__deps"]
    assert isinstance(test, Rule) and test.rule_class.name == kind
    assert isinstance(made, Rule)
    tags = made.attribute("tags")
    assert tags is not None and (tags.value == ("manual",)) == manual


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("https://example.org/x/releases/download/1.3.0/x-1.3.0.tar.gz", (1, 3, 0)),
        ("https://example.org/x/archive/v3.9.2.zip", (3, 9, 2)),
        ("protobuf-3.21.9", (3, 21, 9)),
        ("1.17.0.bcr.2", (1, 17, 0, 2)),
        ("2.11.1.bzl.3", (2, 11, 1, 3)),
        ("rules-0.9", (0, 9, 0)),
        ("https://example.org/x/archive/308b05b2419edb5c.tar.gz", (9999, 0, 0)),
    ],
)
def test_the_release_that_a_url_names(text: str, release: tuple[int, ...]) -> None:
    assert model_content.release_of([text]) == release


def test_a_rule_reads_what_another_rule_would_write(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": """
load("//:rules.bzl", "reads", "writes")
writes(name = "w")
reads(name = "r", file = "@w//sub:text.txt")
""",
        "rules.bzl": """
def _writes(ctx):
    ctx.file("sub/BUILD")
    ctx.file("sub/text.txt", "seven")

def _reads(ctx):
    text = ctx.read(ctx.path(ctx.attr.file))
    ctx.file("BUILD", "filegroup(name = '%s')" % text)

writes = repository_rule(_writes)
reads = repository_rule(_reads, attrs = {"file": attr.label()})
""",
    }
    assert isinstance(loader(tmp_path, files).target(Label("r", "", "seven")), Rule)


def test_a_symbol_that_a_model_lacks_is_unknown_and_no_error(tmp_path: Path) -> None:
    """Bazel would fail on a symbol that a file lacks; of a model, nobody can tell."""
    text = """
load("@io_bazel_rules_go//go:def.bzl", "go_library", "go_of_next_year")
go_library(name = "lib")
go_of_next_year(name = "new", deps = [":lib"])
"""
    found = rules(tmp_path, text)
    assert found["lib"].rule_class.is_known
    assert not found["new"].rule_class.is_known


@pytest.mark.parametrize("name", ["my_local_jdk", "local_jdk_", "other_jdk"])
def test_only_bazels_own_jdk_is_bazels(tmp_path: Path, name: str) -> None:
    found = loader(tmp_path, {}, "4.2.3")
    assert found.table.get("local_jdk") is not None
    assert found.table.get(name) is None


def test_in_workspace_too_a_model_may_lack_symbols_and_attributes(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_python", urls = ["https://example.org/rules_python-0.28.0.tar.gz"])
load("@rules_python//python:pip.bzl", "pip_of_next_year", "pip_parse")
load("@io_bazel_rules_docker//container:container.bzl", "container_pull", "container_push")
pip_parse(name = "pypi", requirements = "//:lock.txt", option_of_next_year = True)
container_pull(name = "base", registry = "example.org")
pip_of_next_year(name = "more")
""",
        "lock.txt": "absl-py==2.1.0\\n",
        "BUILD": "",
    }
    found = loader(tmp_path, files)
    table = found.table
    assert not table.diagnostics
    assert isinstance(found.target(Label("pypi", "absl_py", "pkg")), Rule)
    assert isinstance(found.package(PackageId("base", "")), UnknownPackage)
    assert isinstance(found.package(PackageId("more", "")), UnknownPackage)
    told = {str(unknown) for unknown in table.unknowns}
    lacks = "a model of the file: the real one may define more"
    assert f"@rules_python//python:pip.bzl: {lacks}" in told
    assert f"@io_bazel_rules_docker//container:container.bzl: {lacks}" in told


@pytest.mark.parametrize(("version", "is_known"), [("1.2.1", False), ("2.0.0", True)])
def test_an_empty_file_is_a_model_that_knows_nothing(
    tmp_path: Path, version: str, is_known: bool
) -> None:
    made = loader(tmp_path, {"WORKSPACE": ""}, version=version)
    package = made.package(PackageId("bazel_tools", "tools/test"))
    assert isinstance(package, Package if is_known else UnknownPackage)


def test_a_field_that_a_model_of_a_struct_lacks_is_unknown(tmp_path: Path) -> None:
    names = '"@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES"'
    build = f'load({names})\nload(":own.bzl", "OWN")\n'
    build += 'filegroup(name = "x", tags = [ACTION_NAMES.nonesuch])\n'
    files = {"BUILD": f'{build}filegroup(name = "y", tags = [OWN.nonesuch])\n'}
    files["own.bzl"] = "OWN = struct(a = 1)\n"
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package)
    tagged = package.targets["x"]
    assert isinstance(tagged, Rule)
    assert "nonesuch" in repr(tagged.value("tags"))
    (refused,) = package.diagnostics
    assert refused.span is not None and refused.span.line == 4
