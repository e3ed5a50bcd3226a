"""What models of single rule sets make: Go, protobuf, Apple, pip, archives, images, licenses."""

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
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import InputFile, NoSuchTarget, Rule, UnknownTarget
from bazelscope.loading.repositories import model_content
from tests.unit.loading.repositories.workspaces import labels_of, loader, rules

_GO_PLATFORMS = {
    "0.29.0": ("linux_amd64", {"ios_arm64", "qnx_arm64", "linux_loong64", "windows_arm64"}),
    "0.40.0": ("ios_arm64", {"ios_386", "qnx_arm64", "linux_loong64"}),
    "0.53.0": ("qnx_arm64", {"ios_386", "linux_loong64"}),
    "0.61.1": ("linux_loong64", {"ios_386"}),
}


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


def test_licenses_of_spdx(tmp_path: Path) -> None:
    made = loader(tmp_path, {"WORKSPACE": _archive("rules_license"), "BUILD": ""})
    kind = made.target(Label("rules_license", "licenses/spdx", "Apache-2.0"))
    assert isinstance(kind, Rule) and kind.rule_class.name == "_license_kind"
    url = kind.attribute("url")
    assert url is not None and url.value == "https://spdx.org/licenses/Apache-2.0.html"
    rare = made.target(Label("rules_license", "licenses/spdx", "Abstyles"))
    assert isinstance(rare, UnknownTarget)


@pytest.mark.parametrize(("bazel", "has_cache"), [("6.5.0", False), ("7.0.0", True)])
def test_files_of_repository_rules_are_exported(
    tmp_path: Path, bazel: str, has_cache: bool
) -> None:
    made = loader(tmp_path, {"WORKSPACE": "", "BUILD": ""}, bazel)

    def target(name: str) -> object:
        return made.target(Label("bazel_tools", "tools/build_defs/repo", name))

    utils = target("utils.bzl")
    assert isinstance(utils, InputFile) and utils.is_exported
    assert isinstance(target("cache.bzl"), InputFile if has_cache else UnknownTarget)


def test_buildifier_is_manual(tmp_path: Path) -> None:
    name = "com_github_bazelbuild_buildtools"
    build = f'load("@{name}//buildifier:def.bzl", "buildifier")\nbuildifier(name = "format")\n'
    files = {"WORKSPACE": _archive(name), "BUILD": build}
    rule = loader(tmp_path, files).target(Label("", "", "format"))
    assert isinstance(rule, Rule) and rule.rule_class.name == "_buildifier"
    tags = rule.attribute("tags")
    assert tags is not None and tags.value == ("manual",)


def _archive(name: str) -> str:
    return (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "{name}", urls = ["https://x.example/{name}-1.0.0.zip"])\n'
    )
