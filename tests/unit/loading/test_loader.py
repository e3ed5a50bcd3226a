"""What a loader is asked for: targets, patterns, names, sources, and how much is known."""

from __future__ import annotations

import pytest

from bazelscope.base.label import PackageId, parse_pattern
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, NoSuchTarget, Rule
from bazelscope.loading.target_patterns import expand_all
from tests.unit.loading.loading_world import Load, Loaded, label

FILES = {
    "WORKSPACE": """
        workspace(name = "main")
        local_repository(name = "inner", path = "vendor/inner")
        bind(name = "bound", actual = "//a:x")
    """,
    "BUILD": 'filegroup(name = "top")\n',
    "a/BUILD": """
        filegroup(name = "x", srcs = ["f"])
        filegroup(name = "y", srcs = ["@main//a:x"])
    """,
    "a/b/BUILD": 'filegroup(name = "x")\nsh_test(name = "t", srcs = ["t.sh"])\n',
    "a/b/t.sh": "",
    "vendor/inner/WORKSPACE": "",
    "vendor/inner/BUILD": 'filegroup(name = "i", srcs = glob(["*.txt"]))\n',
    "vendor/inner/i.txt": "",
    "vendor/BUILD": 'filegroup(name = "v", srcs = glob(["**/*.txt"]))\n',
}


@pytest.fixture
def loaded(load: Load) -> Loaded:
    return load(FILES)


@pytest.mark.parametrize(
    ("pattern", "labels"),
    [
        ("//a:x", ["//a:x"]),
        ("//a", []),
        ("//a:all", ["//a:x", "//a:y"]),
        ("//a:*", ["//a:BUILD", "//a:f", "//a:x", "//a:y"]),
        ("//a/...", ["//a:x", "//a:y", "//a/b:t", "//a/b:x"]),
        ("//...:all", ["//:top", "//a:x", "//a:y", "//a/b:t", "//a/b:x", "//vendor:v"]),
        ("a/b:x", ["//a/b:x"]),
        ("a/x", ["//a:x"]),
        ("top", ["//:top"]),
        ("@inner//:all", ["@inner//:i"]),
        ("@main//a:x", ["//a:x"]),
    ],
)
def test_patterns(loaded: Loaded, pattern: str, labels: list[str]) -> None:
    mapping = loaded.loader.table.repo_mapping("")
    parsed = parse_pattern(pattern, PackageId("", ""), mapping)
    assert [str(found) for found in loaded.loader.expand(parsed).labels] == labels


def test_patterns_taken_away(loaded: Loaded) -> None:
    patterns = [parse_pattern(text, PackageId("", "")) for text in ("//a/...", "-//a/b/...")]
    expansion = expand_all(loaded.loader, patterns)
    assert [str(found) for found in expansion.labels] == ["//a:x", "//a:y"]


def test_no_such_target(loaded: Loaded) -> None:
    found = loaded.loader.target(label("//a:xx"))
    assert isinstance(found, NoSuchTarget)
    assert found.message == (
        "no such target '//a:xx': target 'xx' not declared in package 'a' defined by a/BUILD"
    )
    assert found.suggestions == ("x",)
    assert isinstance(loaded.loader.target(label("//none:x")), NoSuchPackage)
    expansion = loaded.loader.expand(parse_pattern("//a:xx", PackageId("", "")))
    assert [item.hint for item in expansion.diagnostics] == ["did you mean `x`?"]


def test_a_local_repository_inside_the_workspace_is_not_its_own(loaded: Loaded) -> None:
    assert isinstance(loaded.loader.package(PackageId("", "vendor/inner")), NoSuchPackage)
    assert loaded.value("//vendor:v", "srcs") == []
    inner = loaded.loader.package(PackageId("inner", ""))
    assert isinstance(inner, Package)
    assert inner.path == "vendor/inner/BUILD"
    assert loaded.value("@inner//:i", "srcs") == ["@inner//:i.txt"]


def test_bound_names(loaded: Loaded) -> None:
    rule = loaded.loader.target(label("//external:bound"))
    assert isinstance(rule, Rule)
    assert rule.kind == "bind rule"
    assert rule.attributes["actual"].value == label("//a:x")


def test_finding_by_short_name(loaded: Loaded) -> None:
    found = loaded.loader.find_targets("x")
    assert [str(item) for item in found] == ["//a:x", "//a/b:x"]
    assert [str(item) for item in loaded.loader.find_targets("i")] == ["@inner//:i"]
    assert loaded.loader.find_targets("nobody") == ()


def test_finding_a_name_that_stands_in_no_text(load: Load) -> None:
    loaded = load({"p/BUILD": '[filegroup(name = "n%d" % i) for i in range(2)]\n'})
    assert loaded.loader.find_targets("n1") == (label("//p:n1"),)


def test_sources_for_excerpts(loaded: Loaded) -> None:
    source = loaded.loader.read_source("a/BUILD")
    assert source is not None and source.line(1).startswith("filegroup")
    inner = loaded.loader.read_source("vendor/inner/BUILD")
    assert inner is not None and '"i"' in inner.text
    assert loaded.loader.read_source("../x") is None
    assert loaded.loader.read_source("/etc/passwd") is None


def test_completeness_counts(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": """
                load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
                http_archive(name = "nowhere", urls = ["https://example.com/nowhere.zip"])
            """,
            "p/BUILD": 'load("@nowhere//:x.bzl", "m")\nm(name = "a")\n',
            "q/BUILD": "",
        }
    )
    for package in loaded.loader.trees.packages():
        loaded.loader.package(package)
    counts = loaded.loader.completeness()
    packages, loads = counts.packages, counts.loads
    assert (packages.total, packages.partly, packages.unknown) == (2, 1, 0)
    assert (loads.known, loads.unknown) == (0, 1)
    assert [count for _, count in counts.reasons] == [1]
