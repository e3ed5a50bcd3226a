"""Models of what trees with modules load (FINDINGS M7): each loads, and declares what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, NoSuchTarget, OutputFile, Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace

MODULE = """
module(name = "m")
bazel_dep(name = "aspect_bazel_lib", version = "2.21.2")
bazel_dep(name = "aspect_rules_ts", version = "3.8.0")
bazel_dep(name = "bazel_skylib", version = "1.8.2")
bazel_dep(name = "protobuf", version = "29.0")
bazel_dep(name = "rules_cc", version = "0.1.1")
bazel_dep(name = "rules_java", version = "8.6.1")
bazel_dep(name = "rules_license", version = "1.0.0")
bazel_dep(name = "rules_pkg", version = "1.1.0")
bazel_dep(name = "rules_python", version = "1.7.0")
bazel_dep(name = "rules_rust", version = "0.54.1")
"""

CALLS = {
    ("@protobuf//bazel:proto_library.bzl", "proto_library"): 'srcs = ["a.proto"]',
    ("@protobuf//bazel:cc_proto_library.bzl", "cc_proto_library"): 'deps = [":x"]',
    ("@protobuf//bazel:java_lite_proto_library.bzl", "java_lite_proto_library"): 'deps = [":x"]',
    ("@aspect_rules_ts//ts:defs.bzl", "ts_project"): 'srcs = ["a.rs"], tsconfig = ":x"',
    ("@rules_license//rules:license_kind.bzl", "license_kind"): 'url = "x"',
    ("@rules_license//rules:package_info.bzl", "package_info"): 'purl = "pkg:x"',
    ("@rules_python//python:proto.bzl", "py_proto_library"): 'deps = [":x"]',
    ("@rules_python//sphinxdocs:sphinx_docs_library.bzl", "sphinx_docs_library"): 'prefix = "d"',
    ("@rules_rust//rust:defs.bzl", "rust_library"): 'srcs = ["a.rs"], edition = "2021"',
    ("@rules_rust//rust:defs.bzl", "rust_test"): 'crate = ":x"',
    ("@rules_cc//cc/toolchains:args.bzl", "cc_args"): 'actions = [":x"], args = ["-g"]',
    ("@rules_cc//cc/toolchains:feature.bzl", "cc_feature"): 'args = [":x"], feature_name = "f"',
    ("@rules_pkg//pkg:pkg.bzl", "pkg_tar"): 'srcs = ["a.rs"]',
    ("@rules_pkg//pkg:mappings.bzl", "pkg_files"): 'srcs = ["a.rs"], prefix = "/usr"',
    ("@bazel_skylib//rules:native_binary.bzl", "native_binary"): 'src = ":x"',
    (
        "@aspect_bazel_lib//lib:transitions.bzl",
        "platform_transition_filegroup",
    ): 'srcs = [":x"], target_platform = ":p"',
    ("@aspect_bazel_lib//lib:copy_to_bin.bzl", "copy_to_bin"): 'srcs = ["a.rs"]',
}


@pytest.mark.parametrize("version", ["7.4.0", "9.1.0"])
@pytest.mark.parametrize(("symbol", "words"), CALLS.items(), ids=lambda item: str(item)[-60:])
def test_what_a_file_declares(
    tmp_path: Path, symbol: tuple[str, str], words: str, version: str
) -> None:
    file, name = symbol
    build = f'load("{file}", "{name}")\n{name}(name = "it", {words})\nfilegroup(name = "x")\n'
    for path, text in {"MODULE.bazel": MODULE, "BUILD": build, "a.proto": "", "a.rs": ""}.items():
        (tmp_path / path).write_text(text)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version))
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package) and package.diagnostics == ()
    found = loader.target(Label("", "", "it"))
    assert isinstance(found, Rule) and name in found.rule_class.name


PROVIDERS = {
    "@rules_cc//cc/common:cc_info.bzl": "CcInfo",
    "@rules_cc//cc/common:cc_common.bzl": "cc_common",
    "@protobuf//bazel/common:proto_info.bzl": "ProtoInfo",
    "@rules_cc//cc:action_names.bzl": "ACTION_NAMES",
    "@rules_java//java/common:java_common.bzl": "java_common",
    "@rules_java//java/common:java_info.bzl": "JavaInfo",
    "@rules_java//java/common:java_plugin_info.bzl": "JavaPluginInfo",
    "@rules_license//rules:providers.bzl": "LicenseInfo",
}


@pytest.mark.parametrize("version", ["7.4.0", "8.1.0"])
@pytest.mark.parametrize(("file", "name"), PROVIDERS.items())
def test_what_a_file_exports(tmp_path: Path, file: str, name: str, version: str) -> None:
    bzl = f'load("{file}", "{name}")\nVALUE = {name}\nr = rule(lambda ctx: [], attrs = {{}})\n'
    files = {
        "MODULE.bazel": MODULE,
        "r.bzl": bzl,
        "BUILD": 'load("r.bzl", "r")\nr(name = "it")\n',
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version))
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package) and package.diagnostics == ()
    assert isinstance(loader.target(Label("", "", "it")), Rule)


MACROS = {
    ("grpc", "1.80.0", "@grpc//bazel:cc_grpc_library.bzl", "cc_grpc_library"): (
        'srcs = ["x.proto"], deps = [], well_known_protos = True'
    ),
    ("gazelle", "0.45.0", "@gazelle//:def.bzl", "gazelle"): "",
    ("rules_go", "0.57.0", "@rules_go//extras:gomock.bzl", "gomock"): (
        'out = "x.go", library = ":x.proto", interfaces = ["I"]'
    ),
    ("rules_go", "0.57.0", "@rules_go//proto:def.bzl", "go_grpc_library"): 'proto = ":x.proto"',
    ("rules_python", "1.4.0", "@rules_python//python:pip.bzl", "compile_pip_requirements"): (
        'requirements_txt = "x.proto"'
    ),
    ("rules_fuzzing", "0.5.2", "@rules_fuzzing//fuzzing:cc_defs.bzl", "cc_fuzz_test"): (
        'srcs = ["x.cc"]'
    ),
    ("bazel_skylib", "1.8.2", "@bazel_skylib//rules:build_test.bzl", "build_test"): (
        'targets = [":x.proto"]'
    ),
}


@pytest.mark.parametrize("version", ["7.4.0", "9.1.0"])
@pytest.mark.parametrize(("model", "words"), MACROS.items(), ids=lambda item: str(item)[-60:])
def test_macros_name_what_their_own_module_sees(
    tmp_path: Path, model: tuple[str, str, str, str], words: str, version: str
) -> None:
    """The root sees one module alone: labels of the macro's own hold, or are not known."""
    module, release, file, name = model
    files = {
        "MODULE.bazel": f'bazel_dep(name = "{module}", version = "{release}")\n',
        "BUILD": f'load("{file}", "{name}")\n{name}(name = "it", {words})\n',
        **dict.fromkeys(["x.proto", "x.cc"], ""),
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version))
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package) and package.diagnostics == ()
    graph = TargetGraph(loader)
    starts = [Label("", "", target) for target in package.targets]
    told = [graph.node(label) for start in starts for label in graph.targets(start)]
    assert len(told) > 1
    assert [node for node in told if isinstance(node, NoSuchPackage | NoSuchTarget)] == []


@pytest.mark.parametrize(
    ("version", "asked", "reached"),
    [
        (
            "7.4.0",
            "tools/cpp:toolchain",
            "@@bazel_tools~cc_configure_extension~local_config_cc//:toolchain",
        ),
        ("9.1.0", "tools/cpp:toolchain", "@local_config_cc//:toolchain"),
        (
            "9.1.0",
            "tools/test:lcov_merger",
            "@@bazel_tools+remote_coverage_tools_extension+remote_coverage_tools//:lcov_merger",
        ),
    ],
)
def test_bazels_own_modules_see_what_they_make(
    tmp_path: Path, version: str, asked: str, reached: str
) -> None:
    """Bazel: `src/MODULE.tools`."""
    build = f'alias(name = "it", actual = "@bazel_tools//{asked}")\n'
    for path, text in {"MODULE.bazel": "", "BUILD": build}.items():
        (tmp_path / path).write_text(text)
    loader = Loader(Workspace.open(tmp_path), LoadingOptions(version))
    graph = TargetGraph(loader)
    labels = graph.deps([Label("", "", "it")])
    assert reached in map(str, labels)
    assert not [label for label in labels if isinstance(graph.node(label), NoSuchPackage)]


_PROJECTS = {
    "srcs = ['a.ts', 'k.d.ts'], source_map = True": {"a.js", "a.js.map"},
    "srcs = ['r/b.tsx'], root_dir = 'r', out_dir = 'o', preserve_jsx = True": {"o/b.jsx"},
    "srcs = ['m.mts'], declaration = True, declaration_dir = 'd'": {"m.mjs", "d/m.d.mts"},
    "srcs = ['q.js', 'd.json'], allow_js = True, resolve_json_module = True, out_dir = 'o'": {
        *("o/d.json", "o/q.js"),
    },
    "srcs = ['a.ts'], no_emit = True, composite = True": set(),
    "srcs = ['a.ts'], incremental = True": {"a.js", "it.tsbuildinfo"},
}


@pytest.mark.parametrize("words", _PROJECTS)
def test_what_a_project_of_typescript_writes(tmp_path: Path, words: str) -> None:
    """The same as of the macro itself, releases 3.8, 3.9 and 3.10."""
    files = {
        "MODULE.bazel": MODULE,
        "BUILD": 'load("@aspect_rules_ts//ts:defs.bzl", "ts_project")\n'
        f'ts_project(name = "it", tsconfig = "t.json", {words})\n',
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    package = Loader(Workspace.open(tmp_path), LoadingOptions("7.4.0")).package(PackageId("", ""))
    assert isinstance(package, Package) and package.diagnostics == ()
    targets = package.targets.values()
    written = {one.label.name for one in targets if isinstance(one, OutputFile)}
    assert written == _PROJECTS[words]
