"""The models that ship: every file runs, and what they compute is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    AttributeType,
    SelectorList,
    selectors_of,
)
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import (
    NoSuchTarget,
    Provenance,
    Rule,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.repositories import model_content
from tests.unit.loading.repositories.workspaces import branches, labels_of, loader, rules

MODELS = Path(model_content.__file__).parent / "models"


def model_labels(pattern: str) -> list[str]:
    found = []
    paths = (path for path in MODELS.rglob(pattern) if ".before-" not in path.name)
    for path in sorted(paths):
        repository, *directories, name = path.relative_to(MODELS).parts
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


_GO_PLATFORMS = {
    "0.29.0": ("linux_amd64", {"ios_arm64", "qnx_arm64", "linux_loong64", "windows_arm64"}),
    "0.40.0": ("ios_arm64", {"ios_386", "qnx_arm64", "linux_loong64"}),
    "0.53.0": ("qnx_arm64", {"ios_386", "linux_loong64"}),
    "0.61.1": ("linux_loong64", {"ios_386"}),
}
"""A platform of a release of rules_go, and those that it has not, by its `platforms.bzl`."""


@pytest.mark.parametrize("release", _GO_PLATFORMS)
def test_platforms_of_rules_go(release: str) -> None:
    model = model_content.model_of("rules_go", (8, 0, 0), tuple(map(int, release.split("."))))
    assert model is not None
    found = model.find("go/platform/releases.bzl")
    assert isinstance(found, FileFound) and found.real_path is not None
    names: dict[str, dict[str, str]] = {}
    exec(Path(found.real_path).read_text(), {}, names)
    more = {
        f"{system}_{cpu}"
        for system, cpus in names["MORE_TARGETS"].items()
        for cpu in cpus.split(" ")
    }
    has, lacks = _GO_PLATFORMS[release]
    assert has == "linux_amd64" or has in more
    assert not more & lacks


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


def test_py_proto_library_makes_a_proto_gen_and_a_library(tmp_path: Path) -> None:
    text = """
load("@com_google_protobuf//:protobuf.bzl", "py_proto_library")
py_proto_library(name = "p", srcs = ["a.proto"], deps = [":q"])
py_library(name = "q")
"""
    found = rules(tmp_path, text)
    assert found["p"].rule_class.name == "py_library"
    generator = found["p_genproto"]
    assert generator.rule_class.name == "proto_gen"
    assert [str(label) for label in generator.outputs] == ["//:a_pb2.py"]
    dependencies = found["p"].attribute("deps")
    assert dependencies is not None
    assert [str(label) for label in dependencies.value] == [
        "@com_google_protobuf//:protobuf_python",
        "//:q",
    ]


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
        ("rules-0.9", (0, 9, 0)),
        ("https://example.org/x/archive/308b05b2419edb5c.tar.gz", (9999, 0, 0)),
    ],
)
def test_the_release_that_a_url_names(text: str, release: tuple[int, int, int]) -> None:
    assert model_content.release_of([text]) == release


def test_pip_parse_reads_its_lock_file(tmp_path: Path) -> None:
    """Which wheels there are stands in the lock file; what a wheel needs does not."""
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_python", urls = ["https://example.org/rules_python-0.39.0.tar.gz"])
load("@rules_python//python:pip.bzl", "package_annotation", "pip_parse")
pip_parse(
    name = "pypi",
    annotations = {
        "my-lib": package_annotation(additive_build_content = "filegroup(name = 'headers')"),
    },
    extra_hub_aliases = {"my_lib": ["headers"]},
    requirements_lock = "//:lock.txt",
)
load("@pypi//:requirements.bzl", "install_deps")
install_deps()
""",
        "lock.txt": (
            "# made by pip-compile\n"
            "--index-url https://example.org\n"
            "absl-py==2.1.0 \\\n"
            "    --hash=sha256:52 \\\n"
            "    --hash=sha256:78\n"
            "    # via\n"
            "    #   my-lib\n"
            "My.Lib[extra]==1.0 ; python_version >= '3.9'  # why\n"
        ),
        "BUILD": """
load("@pypi//:requirements.bzl", "all_requirements", "requirement")
py_library(name = "one", deps = [requirement("My-Lib")])
py_library(name = "all", deps = all_requirements)
""",
    }
    found = loader(tmp_path, files)
    assert isinstance(found.target(Label("pypi", "my_lib", "headers")), Rule)
    assert isinstance(found.target(Label("pypi", "absl_py", "headers")), NoSuchTarget)
    package = found.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics and not package.unknowns
    deps = {
        name: [str(item) for item in attribute.value]
        for name, target in package.targets.items()
        if isinstance(target, Rule) and (attribute := target.attribute("deps")) is not None
        if isinstance(attribute.value, tuple)
    }
    assert deps == {
        "one": ["@pypi//my_lib:pkg"],
        "all": ["@pypi//absl_py:pkg", "@pypi//my_lib:pkg"],
    }
    alias = found.target(Label("pypi", "absl_py", "pkg"))
    assert isinstance(alias, Rule)
    actual = alias.attribute("actual")
    assert actual is not None and str(actual.value) == "@pypi_absl_py//:pkg"
    library = found.target(Label("pypi_absl_py", "", "pkg"))
    assert isinstance(library, Rule)
    assert library.rule_class.name == "py_library"
    needs = library.attribute("deps")
    assert needs is not None and "pip wheel absl-py==2.1.0" in str(needs.value)
    assert isinstance(found.target(Label("pypi_my_lib", "", "headers")), Rule)


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


@pytest.mark.parametrize("name", ["io_bazel_rules_go", "rules_go"])
def test_go_rules_hold_labels_in_the_attributes_that_do(tmp_path: Path, name: str) -> None:
    text = f"""
load("@{name}//go:def.bzl", "go_binary", "go_library", "go_test")
go_library(
    name = "lib",
    srcs = ["a.go"],
    cdeps = [":c"],
    x_defs = {{"v": "//not:a_label"}},
    deps = ["//vendor/x"],
)
go_binary(name = "bin", embed = [":lib"])
go_test(name = "test", embed = [":lib"])
go_binary(name = "shared", srcs = ["a.go"], linkmode = "c-shared")
cc_library(name = "c")
"""
    found = rules(tmp_path, text)
    assert {key: rule.rule_class.name for key, rule in found.items()} == {
        "lib": "go_library",
        "bin": "go_binary",
        "test": "go_test",
        "shared": "go_non_executable_binary",
        "shared.cc": "alias",
        "c": "cc_library",
    }
    assert all(rule.rule_class.is_known for rule in found.values())
    assert found["test"].rule_class.is_test
    assert labels_of(found["lib"], "deps") == ["//vendor/x:x"]
    assert labels_of(found["lib"], "cdeps") == ["//:c"]
    definitions = found["lib"].rule_class.attributes
    assert definitions["x_defs"].type is AttributeType.STRING_DICT
    context = definitions["_go_context_data"].default
    assert str(context) == f"@{name}//:go_context_data"


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


def test_an_apple_test_has_a_bundle_that_holds_what_it_tests(tmp_path: Path) -> None:
    text = """
load("@build_bazel_rules_apple//apple:ios.bzl", "ios_unit_test")
ios_unit_test(name = "t", deps = [":c"], minimum_os_version = "9.0", tags = ["x"], data = ["d"])
cc_library(name = "c")
"""
    found = rules(tmp_path, text)
    bundle, test = found["t.__internal__.__test_bundle"], found["t"]
    assert bundle.rule_class.name == "ios_internal_unit_test_bundle"
    assert test.rule_class.name == "ios_unit_test" and test.rule_class.is_test
    runner = "@build_bazel_rules_apple//apple/testing/default_runner:ios_default_runner"
    assert labels_of(bundle, "deps") == ["//:c"]
    assert labels_of(test, "deps") == ["//:t.__internal__.__test_bundle"]
    assert labels_of(test, "data") == ["//:d"]
    assert labels_of(test, "runner") == [runner]


@pytest.mark.parametrize(
    ("release", "condition"),
    [
        # As in the releases: none, then in //private, then in //pkg/private.
        ("0.2.4", None),
        ("0.5.1", "@rules_pkg//private:private_stamp_detect"),
        ("0.7.1", "@rules_pkg//pkg/private:private_stamp_detect"),
    ],
)
def test_pkg_tar_by_release(tmp_path: Path, release: str, condition: str | None) -> None:
    files = {
        "WORKSPACE": f"""
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_pkg", urls = ["https://example.org/{release}/rules_pkg.tar.gz"])
""",
        "BUILD": """
load("@rules_pkg//:pkg.bzl", "pkg_tar")
pkg_tar(name = "t", srcs = ["a"], extension = ".tar.gz")
""",
    }
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics
    target = package.targets["t"]
    assert isinstance(target, Rule) and target.rule_class.name == "pkg_tar_impl"
    assert [str(label) for label in target.outputs] == ["//:t.tar.gz"]
    stamp = target.attribute("private_stamp_detect")
    if condition is None:
        assert stamp is None or not isinstance(stamp.value, SelectorList)
    else:
        assert stamp is not None and isinstance(stamp.value, SelectorList)
        (selector,) = selectors_of(stamp.value)
        assert [str(branch.condition) for branch in selector.branches] == [
            condition,
            str(DEFAULT_CONDITION),
        ]


def test_a_container_bundle_names_its_images_twice(tmp_path: Path) -> None:
    text = """
load("@io_bazel_rules_docker//container:container.bzl", "container_bundle", "container_image")
container_image(name = "i", base = "@base//image", cmd = "run")
container_bundle(name = "b", images = {"r/i:1": ":i", "r/i:2": ":i"})
"""
    found = rules(tmp_path, text)
    images = found["b"].attribute("image_targets")
    assert images is not None and [str(label) for label in images.value] == ["//:i"]
    assert [str(label) for label in found["b"].outputs] == ["//:b.tar"]
    command = found["i"].attribute("cmd")
    assert command is not None and command.value == ("/bin/sh", "-c", "run")


def test_upb_rules_carry_their_aspects(tmp_path: Path) -> None:
    text = """
load("@upb//bazel:upb_proto_library.bzl", "upb_proto_library", "upb_proto_reflection_library")
proto_library(name = "p")
upb_proto_library(name = "u", deps = [":p"])
upb_proto_reflection_library(name = "r", deps = [":p"])
"""
    found = rules(tmp_path, text)
    counts = {name: len(found[name].rule_class.attributes["deps"].aspects) for name in ("u", "r")}
    assert counts == {"u": 1, "r": 2}


@pytest.mark.parametrize("name", ["my_local_jdk", "local_jdk_", "other_jdk"])
def test_only_bazels_own_jdk_is_bazels(tmp_path: Path, name: str) -> None:
    found = loader(tmp_path, {}, "4.2.3")
    assert found.repository("local_jdk") is not None
    assert found.repository(name) is None


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


_OF_RULES_CC = {
    "0.0.17": ({"lto_index_for_executable"}, {"objc_executable"}),
    "0.2.22": ({"lto_index_for_executable", "objc_executable"}, set()),
}


@pytest.mark.parametrize("release", _OF_RULES_CC)
def test_lists_of_action_names_of_rules_cc(tmp_path: Path, release: str) -> None:
    """As `action_names.bzl` of these tags has them; names that no release had are not there."""
    url = f"https://x/rules_cc/archive/{release}.tar.gz"
    files = {
        "WORKSPACE": "load('@bazel_tools//tools/build_defs/repo:http.bzl', 'http_archive')\n"
        f"http_archive(name = 'rules_cc', url = '{url}')\n"
    }
    module = loader(tmp_path, files).module(Label("rules_cc", "cc", "action_names.bzl"))
    assert isinstance(module, starlark.Module), module
    names = {str(name).replace("-", "_") for name in module.globals["ALL_CC_LINK_ACTION_NAMES"]}
    has, lacks = _OF_RULES_CC[release]
    assert has <= names and not names & lacks
    assert "OBJC_ARCHIVE_ACTION_NAME" not in module.globals
    library = loader(tmp_path, files).module(Label("rules_cc", "cc", "cc_static_library.bzl"))
    assert isinstance(library, starlark.Module) == (release == "0.2.22")


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
