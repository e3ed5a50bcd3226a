"""The models that ship: every file runs, and what they compute is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.label import Label, PackageId
from bazelscope.loading import model_content
from bazelscope.loading.loader import Loader
from bazelscope.loading.options import LoadingOptions
from bazelscope.loading.targets import Package, Provenance, Rule
from bazelscope.loading.values import SelectorList
from bazelscope.loading.workspace import Workspace
from tests.unit.repositories.workspaces import lay_out

MODELS = Path(model_content.__file__).parent / "models"


def loader(root: Path, files: dict[str, str], version: str = "6.5.0") -> Loader:
    workspace = Workspace.open(lay_out(root, {"BUILD": "", **files}))
    return Loader(workspace, LoadingOptions(version), None, None)


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


@pytest.mark.parametrize("text", model_labels("*.bzl"))
def test_every_file_of_a_model_runs(empty: Loader, text: str) -> None:
    repository, _, rest = text[1:].partition("//")
    package, _, name = rest.partition(":")
    module = empty.module(Label(repository, package, name))
    assert isinstance(module, starlark.Module), module


@pytest.mark.parametrize("text", model_labels("BUILD.model"))
def test_every_package_of_a_model_loads(empty: Loader, text: str) -> None:
    repository, _, rest = text[1:].partition("//")
    package = empty.package(PackageId(repository, rest.partition(":")[0]))
    assert isinstance(package, Package), package
    assert package.provenance is Provenance.MODEL
    assert not package.diagnostics


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


def rules(root: Path, build: str, version: str = "6.5.0") -> dict[str, Rule]:
    package = loader(root, {"BUILD": build}, version).package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics, package.diagnostics
    return {name: item for name, item in package.targets.items() if isinstance(item, Rule)}


def branches(rule: Rule) -> dict[str, str]:
    attribute = rule.attribute("actual")
    assert attribute is not None and isinstance(attribute.value, SelectorList)
    (selector,) = attribute.value.selectors()
    return {str(branch.condition): str(branch.value) for branch in selector.branches}


GROUP = """
load("@bazel_skylib//lib:selects.bzl", "selects")
config_setting(name = "a", values = {"cpu": "k8"})
config_setting(name = "b", values = {"compilation_mode": "opt"})
config_setting(name = "c", values = {"stamp": "1"})
selects.config_setting_group(name = "g", %s = [":a", ":b", ":c"])
"""
DEFAULT = "//conditions:default"


def test_match_all_is_a_chain_that_goes_on_while_settings_match(tmp_path: Path) -> None:
    found = rules(tmp_path, GROUP % "match_all")
    assert branches(found["g"]) == {"//:a": "//:g_2", DEFAULT: "//:a"}
    assert branches(found["g_2"]) == {"//:b": "//:c", DEFAULT: "//:b"}


def test_match_any_is_a_chain_that_ends_at_the_first_match(tmp_path: Path) -> None:
    found = rules(tmp_path, GROUP % "match_any")
    assert branches(found["g"]) == {"//:a": "//:a", DEFAULT: "//:g_2"}
    assert branches(found["g_2"]) == {"//:b": "//:b", DEFAULT: "//:c"}


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
    ctx.file("sub/text.txt", "seven")

def _reads(ctx):
    text = ctx.read(ctx.path(ctx.attr.file))
    ctx.file("BUILD", "filegroup(name = '%s')" % text)

writes = repository_rule(_writes)
reads = repository_rule(_reads, attrs = {"file": attr.label()})
""",
    }
    assert isinstance(loader(tmp_path, files).target(Label("r", "", "seven")), Rule)
