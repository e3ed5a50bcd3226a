"""What a hub of rules_jvm_external declares that a maven_install.json pins.

Compared with the rules of releases 4.2 to 7.1 themselves, run dry on lock files of public trees:
all of the 300 to 1200 targets that the model makes of each are the same.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason
from bazelscope.cli.entry import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule, UnknownTarget
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

_LOCK = {
    "artifacts": {
        "a.b:c-d": {"shasums": {"jar": "ab12", "sources": "cd34"}, "version": "1.2"},
        "a.b:native": {"shasums": {"linux-x86_64": "01", "osx-x86_64": "02"}, "version": "3"},
        "g:group:pom": {"shasums": {"jar": None}, "version": "4"},
        "g:tool:exe": {"shasums": {"jar": "05"}, "version": "5"},
        "g:ours": {"shasums": {"jar": "06"}, "version": "6"},
    },
    "dependencies": {
        "a.b:c-d": ["a.b:c-d:pom", "g:group:pom", "g:ours"],
        "a.b:native:jar:linux-x86_64": ["a.b:native:jar:osx-x86_64", "a.b:c-d"],
        "g:group:pom": ["a.b:c-d", "g:ours"],
    },
    "repositories": {
        "https://repo.example.com/m2/": [
            "a.b:c-d",
            "a.b:c-d:jar:sources",
            "a.b:native:jar:linux-x86_64",
            "a.b:native:jar:osx-x86_64",
            "g:group:pom",
            "g:ours",
            "g:tool:exe",
        ],
        "https://repo1.maven.org/maven2/": ["a.b:c-d"],
    },
    "services": {"a.b:c-d": {"javax.annotation.processing.Processor": ["a.b.Made$It"]}},
    "skipped": ["g:group:pom"],
    "version": "2",
}

_MODULE = """
bazel_dep(name = "rules_jvm_external", version = "%s")
maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")
maven.install(
    artifacts = ["a.b:c-d:1.2", "g:group:4"],
    fetch_sources = True,
    lock_file = "//:maven_install.json",
    repositories = ["https://repo.example.com/m2"],
    strict_visibility = %s,
)
maven.artifact(artifact = "native", classifier = "linux-x86_64", group = "a.b", neverlink = True)
maven.override(coordinates = "g:ours", target = "//:ours")
use_repo(maven, "maven")
"""


def world(folder: Path, release: str, lock: object = _LOCK, is_strict: bool = False) -> Path:
    write_files(
        folder,
        {
            "MODULE.bazel": _MODULE % (release, is_strict),
            "BUILD": 'java_library(name = "ours", visibility = ["//visibility:public"])\n',
            "maven_install.json": json.dumps(lock),
        },
    )
    return folder


def shown(folder: Path, capsys: pytest.CaptureFixture[str], *names: str) -> str:
    labels = " + ".join(f"@maven//:{name}" for name in names)
    main(["query", "-w", str(folder), "--bazel-version=7.4.0", "--output=build", labels])
    lines = capsys.readouterr()[0].splitlines()
    return "\n".join(line for line in lines if line and not line.startswith(("#", "  generator_")))


def test_targets_of_the_latest_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("a_b_c_d", "a_b_c_d_1_2", "a_b_c_d_1_2_extension", "a_b_c_d_package_metadata")
    assert shown(world(tmp_path, "7.1"), capsys, *names) == (
        """\
jvm_import(
  name = "a_b_c_d",
  visibility = ["//visibility:public"],
  tags = ["maven_coordinates=a.b:c-d:1.2", "maven_sha256=ab12", \
"maven_url=https://repo1.maven.org/maven2/a/b/c-d/1.2/c-d-1.2.jar"],
  applicable_licenses = ["@maven//:a_b_c_d_package_metadata"],
  jar = "@maven//:a/b/c-d/1.2/c-d-1.2.jar",
  srcjar = "@maven//:a/b/c-d/1.2/c-d-1.2-sources.jar",
  deps = ["@maven//:g_group", "//:ours"],
  maven_coordinates = "a.b:c-d:1.2",
  maven_url = "https://repo1.maven.org/maven2/a/b/c-d/1.2/c-d-1.2.jar",
)
alias(
  name = "a_b_c_d_1_2",
  visibility = ["//visibility:public"],
  actual = "@maven//:a_b_c_d",
)
_copy_file(
  name = "a_b_c_d_1_2_extension",
  visibility = ["//visibility:public"],
  src = "@@rules_jvm_external~~maven~a_b_c_d_1_2//file:file",
  out = "@maven//:a/b/c-d/1.2/c-d-1.2.jar",
  is_executable = False,
  allow_symlink = True,
)
_package_metadata(
  name = "a_b_c_d_package_metadata",
  visibility = ["//visibility:public"],
  applicable_licenses = [],
  attributes = [],
  purl = "pkg:maven/a.b/c-d@1.2",
)"""
    )


def test_targets_of_an_older_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("a_b_c_d", "a_b_c_d_jar_sources_1_2_extension")
    assert shown(world(tmp_path, "6.2"), capsys, *names) == (
        """\
jvm_import(
  name = "a_b_c_d",
  visibility = ["//visibility:public"],
  tags = ["maven_coordinates=a.b:c-d:1.2", "maven_repository=https://repo.example.com/m2", \
"maven_sha256=ab12", "maven_url=https://repo.example.com/m2/a/b/c-d/1.2/c-d-1.2.jar"],
  jars = ["@maven//:a/b/c-d/1.2/c-d-1.2.jar"],
  srcjar = "@maven//:a/b/c-d/1.2/c-d-1.2-sources.jar",
  deps = ["@maven//:g_group", "//:ours"],
)
genrule(
  name = "a_b_c_d_jar_sources_1_2_extension",
  visibility = ["//visibility:public"],
  srcs = ["@@rules_jvm_external~~maven~a_b_c_d_jar_sources_1_2//file:file"],
  outs = ["@maven//:a/b/c-d/1.2/c-d-1.2-sources.jar"],
  cmd = "cp $< $@",
)"""
    )


def test_what_is_no_plain_jar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twins for other machines are no dependencies, an artifact without a file exports its own,
    and what is overridden is an alias."""
    names = ("a_b_native_linux_x86_64", "g_group", "g_ours")
    text = shown(world(tmp_path, "6.8"), capsys, *names)
    native, group, ours = text.split("\n)\n")
    assert 'deps = ["@maven//:a_b_c_d"]' in native
    assert "neverlink = True" in native
    assert '"maven_coordinates=a.b:native:3:linux-x86_64"' in native
    assert group.startswith("java_library")
    assert 'exports = ["@maven//:a_b_c_d", "@maven//:g_ours"]' in group
    assert ours.startswith("alias")
    assert 'actual = "//:ours"' in ours


def test_processors_of_annotations(tmp_path: Path) -> None:
    name = "a_b_c_d__java_plugin__a_b_Made_It"
    for release, is_there in (("6.8", True), ("6.0", False)):
        loader = Loader(Workspace.open(world(tmp_path, release)), LoadingOptions("7.4.0"))
        target = loader.target(Label("maven", "", name))
        assert isinstance(target, Rule) == is_there


def test_what_is_left_out_is_unknown(tmp_path: Path) -> None:
    loader = Loader(Workspace.open(world(tmp_path, "7.1")), LoadingOptions("7.4.0"))
    for name in ("g_tool", "original_g_ours", "pin", "x_y"):
        assert isinstance(loader.target(Label("maven", "", name)), UnknownTarget)


@pytest.mark.parametrize(("release", "version"), [("6.9", "3"), ("7.1", "4")])
def test_a_lock_file_that_the_release_does_not_read(
    tmp_path: Path, release: str, version: str
) -> None:
    folder = world(tmp_path, release, _LOCK | {"version": version})
    target = Loader(Workspace.open(folder), LoadingOptions("7.4.0")).target(
        Label("maven", "", "a_b_c_d")
    )
    assert isinstance(target, UnknownTarget)
    assert target.unknown.reason is Reason.DEPENDS_ON_UNKNOWN


def test_a_lock_file_of_version_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = "https://user:word@repo.example.com/m2/a/b/c/1/c-1.jar"
    dependency = {
        "coord": "a.b:c:jar:1",
        "dependencies": ["a.b:d:2", "a.b:e:3"],
        "directDependencies": ["a.b:d:2"],
        "file": "v1/https/repo.example.com/m2/a/b/c/1/c-1.jar",
        "mirror_urls": [url],
        "sha256": "ab",
        "url": url,
    }
    lock = {"dependency_tree": {"dependencies": [dependency], "version": "0.1.0"}}
    text = shown(world(tmp_path, "6.0", lock), capsys, "a_b_c", "a_b_c_jar_1_extension")
    assert 'deps = ["@maven//:a_b_d"]' in text
    assert "maven_url=https://repo.example.com/m2/a/b/c/1/c-1.jar" in text
    assert 'jars = ["@maven//:v1/https/repo.example.com/m2/a/b/c/1/c-1.jar"]' in text
    assert "maven~a_b_c_jar_1//file" in text


def test_strict_visibility(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the root asks for is seen by all. Another module, whose file is not here, may have asked
    for what is left: nothing is refused."""
    folder = world(tmp_path, "7.1", is_strict=True)
    public = 'visibility = ["//visibility:public"]'
    assert public in shown(folder, capsys, "a_b_c_d")
    hidden = "a_b_native_osx_x86_64"
    assert public not in shown(folder, capsys, hidden)
    build = f'filegroup(name = "uses", srcs = ["@maven//:{hidden}"])\n'
    (folder / "BUILD").write_text(build)
    assert main(["explain", "-w", str(folder), "--bazel-version=7.4.0", "//..."]) == 0
    assert "visible" not in capsys.readouterr()[0]


_WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_jvm_external", urls = ["https://x.org/rules_jvm_external-%s.zip"])
load("@rules_jvm_external//:defs.bzl", "maven_install")
load("@rules_jvm_external//:specs.bzl", "maven")
maven_install(
    artifacts = [
        "a.b:c-d:1.2",
        maven.artifact("a.b", "native", "3", classifier = "linux-x86_64", testonly = True),
    ],
    maven_install_json = "//:maven_install.json",
    override_targets = {"g:ours": "@//:ours"},
    repositories = ["https://repo.example.com/m2", maven.repository("https://other.example.com")],
    strict_visibility = True,
)
load("@maven//:defs.bzl", "pinned_maven_install")
pinned_maven_install()
"""


def workspace(folder: Path, release: str) -> Path:
    write_files(
        folder,
        {
            "WORKSPACE": _WORKSPACE % release,
            "BUILD": 'java_library(name = "ours", visibility = ["//visibility:public"])\n',
            "maven_install.json": json.dumps(_LOCK),
        },
    )
    return folder


def test_a_hub_of_a_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = workspace(tmp_path, "5.3")
    labels = "@maven//:a_b_c_d + @maven//:a_b_native_linux_x86_64 + @maven//:g_group"
    main(["query", "-w", str(folder), "--bazel-version=6.4.0", "--output=build", labels])
    jar, native, group = capsys.readouterr()[0].split("# external/maven/BUILD")[1:]
    assert 'visibility = ["//visibility:public"]' in jar
    assert 'deps = ["@maven//:g_group", "//:ours"]' in jar
    assert "testonly = True" in native
    assert 'visibility = ["//visibility:private"]' in group
    loader = Loader(Workspace.open(folder), LoadingOptions("6.4.0"))
    file = loader.table.definitions["a_b_c_d_1_2"].attributes
    assert file["downloaded_file_path"] == "a/b/c-d/1.2/c-d-1.2.jar"
    assert "unpinned_maven" in loader.table.definitions


def test_a_workspace_whose_release_nobody_can_tell(tmp_path: Path) -> None:
    folder = workspace(tmp_path, "0a1b2c3")
    loader = Loader(Workspace.open(folder), LoadingOptions("6.4.0"))
    assert isinstance(loader.target(Label("maven", "", "a_b_c_d")), UnknownTarget)


def test_a_lock_file_of_many_artifacts(tmp_path: Path) -> None:
    """As long as those of large trees: it takes no more steps than a file may."""
    keys = [f"a.b:long-name-of-an-artifact-{number}" for number in range(700)]
    lock = {
        "artifacts": {key: {"shasums": {"jar": "0" * 64}, "version": "1.2.3"} for key in keys},
        "dependencies": dict.fromkeys(keys, keys[:20]),
        "repositories": {"https://repo1.maven.org/maven2/": keys},
        "version": "2",
    }
    loader = Loader(Workspace.open(world(tmp_path, "7.1", lock)), LoadingOptions("7.4.0"))
    last = Label("maven", "", "a_b_long_name_of_an_artifact_699")
    assert isinstance(loader.target(last), Rule)
