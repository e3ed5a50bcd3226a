"""What models declare in one release and in another, as the real repositories of it declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.errors import Severity
from bazelscope.base.label import Label, PackageId
from bazelscope.cli import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.unit.loading.repositories.workspaces import loader

HTTP_JAR = """
http_jar = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_jar")
http_jar(name = "j", urls = ["https://example.org/j.jar"])
"""
CASES = {
    "rules_cc before 0.0.6": (
        ("rules_cc", "0.0.4", "6.5.0"),
        ("@rules_cc//cc:defs.bzl", "cc_binary", "srcs = []"),
        ['tags = ["__CC_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"]'],
        ["deps ="],
    ),
    "rules_cc of a commit, most likely before 0.0.6": (
        ("rules_cc", "b1c40e1de81913a3c40e5948f78719c28152486d", "6.5.0"),
        ("@rules_cc//cc:defs.bzl", "cc_binary", "srcs = []"),
        ['tags = ["__CC_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"]'],
        ["deps ="],
    ),
    "rules_cc before 0.0.10": (
        ("rules_cc", "0.0.9", "6.5.0"),
        ("@rules_cc//cc:defs.bzl", "cc_test", 'deps = [":f"]'),
        ['deps = ["//:f", "@rules_cc//:link_extra_lib"]', "tags ="],
        [],
    ),
    "rules_cc": (
        ("rules_cc", "0.2.17", "9.1.0"),
        ("@rules_cc//cc:cc_binary.bzl", "cc_binary", "srcs = []"),
        ['deps = ["@rules_cc//:link_extra_lib"]'],
        ["tags ="],
    ),
    "rules_cc, a shared library": (
        ("rules_cc", "0.2.17", "9.1.0"),
        ("@rules_cc//cc:cc_binary.bzl", "cc_binary", "linkshared = True"),
        [],
        ["deps ="],
    ),
    "rules_cc, a test": (
        ("rules_cc", "0.2.17", "7.4.0"),
        ("@rules_cc//cc:cc_test.bzl", "cc_test", ""),
        ['linkstatic = select({"@platforms//os:windows": True, "//conditions:default": False})'],
        [],
    ),
    "rules_cc, a test that says it": (
        ("rules_cc", "0.2.17", "7.4.0"),
        ("@rules_cc//cc:cc_test.bzl", "cc_test", "linkstatic = True"),
        ["linkstatic = True"],
        [],
    ),
    "rules_pkg before 1.2": (
        ("rules_pkg", "1.1.0", "7.4.0"),
        ("@rules_pkg//pkg:tar.bzl", "pkg_tar", "allow_duplicates_from_deps = True"),
        ["allow_duplicates_from_deps = True"],
        [],
    ),
    "rules_pkg": (
        ("rules_pkg", "1.2.0", "7.4.0"),
        ("@rules_pkg//pkg:tar.bzl", "pkg_tar", "preserve_mode = True"),
        ["preserve_mode = True"],
        [],
    ),
    "rules_java": (
        ("rules_java", "8.14.0", "8.1.0"),
        ("@rules_java//java:java_test.bzl", "java_test", 'srcs = ["f"]'),
        ['launcher = "@bazel_tools//tools/jdk:launcher_flag_alias"'],
        [],
    ),
    "rules_java, no launcher": (
        ("rules_java", "8.14.0", "8.1.0"),
        ("@rules_java//java:java_binary.bzl", "java_binary", "use_launcher = False"),
        [],
        ["  launcher = "],
    ),
    "rules_java, no program": (
        ("rules_java", "7.6.0", "7.4.0"),
        ("@rules_java//java:java_binary.bzl", "java_binary", "create_executable = False"),
        [],
        ["  launcher = "],
    ),
    "bazel_lib": (
        ("bazel_lib", "3.0.0", "8.1.0"),
        ("@bazel_lib//lib:run_binary.bzl", "run_binary", 'tool = "f"'),
        ["srcs = []", "use_default_shell_env = False"],
        ["tools ="],
    ),
    "bazel_lib since 3.3": (
        ("bazel_lib", "3.7.0", "8.1.0"),
        ("@bazel_lib//lib:run_binary.bzl", "run_binary", 'tool = "f", stdout = "o"'),
        ['stdout = "//:o"', "tools = []"],
        [],
    ),
    "aspect_bazel_lib's tests": (
        ("aspect_bazel_lib", "2.22.0", "7.4.0"),
        ("@aspect_bazel_lib//lib:testing.bzl", "assert_contains", 'actual = "f", expected = "x"'),
        ["sh_test(", 'data = ["//:f", "//:it_expected.txt"]'],
        [],
    ),
    "bazel_lib's tests": (
        ("bazel_lib", "3.0.0", "8.1.0"),
        ("@bazel_lib//lib:testing.bzl", "assert_contains", 'actual = "f", expected = "x"'),
        ["sh_test(", '"//:it_expected.txt", "@bazel_tools//tools/bash/runfiles:runfiles"]'],
        [],
    ),
    "stardoc before 0.8": (
        ("stardoc", "0.7.2", "7.4.0"),
        ("@stardoc//stardoc:stardoc.bzl", "stardoc", 'input = "f", out = "x.md"'),
        ["aspect_template ="],
        ["macro_template ="],
    ),
    "stardoc": (
        ("stardoc", "0.8.0", "7.4.0"),
        ("@stardoc//stardoc:stardoc.bzl", "stardoc", 'input = "f", out = "x.md"'),
        ["macro_template ="],
        [],
    ),
    "rules_java before 8.1": (
        ("rules_java", "7.12.3", "7.4.0"),
        ("@rules_java//java:defs.bzl", "java_proto_library", "deps = []"),
        ["java_proto_library("],
        ["generator_function ="],
    ),
    "rules_java's redirection": (
        ("rules_java", "8.14.0", "7.4.0"),
        ("@rules_java//java:defs.bzl", "java_proto_library", "deps = []"),
        ['generator_function = "java_proto_library"'],
        [],
    ),
    "rules_oci before 2.2.1": (
        ("rules_oci", "2.0.0", "7.4.0"),
        ("@rules_oci//oci:defs.bzl", "oci_image", 'base = "f", cmd = ["x"]'),
        ['cmd = "//:_it_write_cmd"'],
        [],
    ),
    "rules_oci": (
        ("rules_oci", "2.2.6", "7.4.0"),
        ("@rules_oci//oci:defs.bzl", "oci_image", 'base = "f", cmd = ["x"]'),
        ['cmd = "//:it_write_cmd"'],
        [],
    ),
    "rules_license before 0.0.5": (
        ("rules_license", "0.0.4", "6.5.0"),
        ("@rules_license//rules:license.bzl", "license", 'license_text = "f"'),
        ['namespace = "compliance"', "testonly = False"],
        [],
    ),
    "rules_license": (
        ("rules_license", "1.0.0", "7.4.0"),
        ("@rules_license//rules:license.bzl", "license", 'license_text = "f"'),
        ["testonly = False"],
        ["namespace ="],
    ),
    "rules_proto before 7": (
        ("rules_proto", "6.0.2", "7.4.0"),
        ("@rules_proto//proto:defs.bzl", "proto_library", "srcs = []"),
        ['tags = ["__PROTO_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"]'],
        [],
    ),
    "rules_proto": (
        ("rules_proto", "7.1.0", "7.4.0"),
        ("@rules_proto//proto:defs.bzl", "proto_library", "srcs = []"),
        ["proto_library("],
        ["tags ="],
    ),
    "protobuf before 34": (
        ("protobuf", "33.4", "8.1.0"),
        ("@protobuf//bazel:cc_proto_library.bzl", "cc_proto_library", "deps = []"),
        ['generator_function = "cc_proto_library"'],
        [],
    ),
    "protobuf": (
        ("protobuf", "34.0", "8.1.0"),
        ("@protobuf//bazel:cc_proto_library.bzl", "cc_proto_library", "deps = []"),
        ["cc_proto_library("],
        ["generator_function ="],
    ),
    "rules_python before 0.37": (
        ("rules_python", "0.36.0", "7.4.0"),
        ("@rules_python//python:py_test.bzl", "py_test", 'srcs = ["f"], main = "f"'),
        ['tags = ["__PYTHON_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"]'],
        [],
    ),
    "rules_python, its own rules": (
        ("rules_python", "1.2.0", "7.4.0"),
        ("@rules_python//python:py_test.bzl", "py_test", 'srcs = ["f"], main = "f"'),
        ["py_test("],
        ["tags =", "config_settings ="],
    ),
    "rules_python, Bazel's rules": (
        ("rules_python", "1.2.0", "6.5.0"),
        ("@rules_python//python:py_test.bzl", "py_test", 'srcs = ["f"], main = "f"'),
        ["tags ="],
        [],
    ),
    "rules_python": (
        ("rules_python", "1.9.0", "8.1.0"),
        ("@rules_python//python:py_test.bzl", "py_test", 'srcs = ["f"], main = "f"'),
        ['config_settings = select({"@platforms//os:windows": {"@rules_python//command_line_op'],
        ["tags ="],
    ),
    "rules_go before 0.56": (
        ("rules_go", "0.55.0", "7.4.0"),
        ("@rules_go//go:def.bzl", "go_library", "srcs = []"),
        ['generator_function = "go_library_macro"'],
        [],
    ),
    "rules_go": (
        ("rules_go", "0.56.0", "7.4.0"),
        ("@rules_go//go:def.bzl", "go_library", "srcs = []"),
        ["go_library("],
        ["generator_function ="],
    ),
    "gazelle before 0.41": (
        ("gazelle", "0.40.0", "7.4.0"),
        ("@gazelle//:def.bzl", "gazelle", ""),
        ["sh_binary("],
        ["testonly ="],
    ),
    "gazelle": (
        ("gazelle", "0.41.0", "7.4.0"),
        ("@gazelle//:def.bzl", "gazelle", ""),
        ["sh_binary(", "testonly = False"],
        [],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_release_declares(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (module, release, bazel), (file, name, words), there, not_there = CASES[case]
    files = {
        "MODULE.bazel": f'bazel_dep(name = "{module}", version = "{release}")\n',
        "WORKSPACE": f"""
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "{module}", urls = ["https://example.org/{module}-{release}.tar.gz"])
""",  # What Bazel 6 goes by.
        "BUILD": f'load("{file}", "{name}")\n{name}(name = "it", {words})\n',
        "f": "",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    line = ["query", "-w", str(tmp_path), f"--bazel-version={bazel}", "--no-cache"]
    line += ["--check_direct_dependencies=off"]
    main([*line, "--output=build", "//:it"])
    printed, problems = capsys.readouterr()
    assert problems == ""
    assert [text for text in there if text not in printed] == [], printed
    assert [text for text in not_there if text in printed] == [], printed


def test_each_program_is_linked_with_what_a_flag_adds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "rules_cc", version = "0.1.1")\n')
    build = 'load("@rules_cc//cc:defs.bzl", "cc_binary")\ncc_binary(name = "it")\n'
    (tmp_path / "BUILD").write_text(build)
    line = ["query", "-w", str(tmp_path), "--bazel-version=8.1.0", "--no-cache"]
    main([*line, "--output=label_kind", "deps(//:it) intersect @rules_cc//:all"])
    printed, _ = capsys.readouterr()
    assert printed.splitlines() == [
        "cc_library rule @rules_cc//:link_extra_lib",
        "label_flag rule @rules_cc//:link_extra_libs",
    ]


def test_what_prefixes_of_packed_files_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "rules_pkg", version = "1.0.1")\n')
    build = 'load("@rules_pkg//pkg:mappings.bzl", "pkg_files", "strip_prefix")\n'
    said = ["from_pkg()", 'from_pkg("/a")', 'from_root("/a")', 'from_root("a")', "files_only()"]
    for number, call in enumerate(said):
        build += f'pkg_files(name = "{number}", srcs = [], strip_prefix = strip_prefix.{call})\n'
    (tmp_path / "BUILD").write_text(build)
    main(["query", "-w", str(tmp_path), "--no-cache", "--output=build", "//:all"])
    printed, _ = capsys.readouterr()
    lines = [line.strip() for line in printed.splitlines() if "strip_prefix" in line]
    values = ["", "a", "/a", "/a", "."]
    assert lines == [f'strip_prefix = "{value}",' for value in values]


@pytest.mark.parametrize(
    ("release", "value", "is_taken"),
    [
        ("0.21.0", "True", True),
        ("0.21.0", '"//:setting"', False),
        ("0.22.0", '"@io_bazel_rules_docker//stamp:always"', True),
        ("0.22.0", "True", False),
    ],
)
def test_what_stamps_an_image(tmp_path: Path, release: str, value: str, is_taken: bool) -> None:
    """A value of another type is no error: the real rule may be of another release."""
    files = {
        "WORKSPACE": "load('@bazel_tools//tools/build_defs/repo:http.bzl', 'http_archive')\n"
        "http_archive(name = 'io_bazel_rules_docker', strip_prefix = "
        f"'rules_docker-{release}', urls = ['https://x/v{release}.tar.gz'])\n",
        "BUILD": 'load("@io_bazel_rules_docker//container:container.bzl", "container_image")\n'
        f'container_image(name = "i", stamp = {value})\n',
    }
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package)
    told = [(one.severity, one.message) for one in package.diagnostics]
    what = "//:i: attribute 'stamp' of 'container_image_' may take another type; bazelscope has"
    expected = [] if is_taken else [(Severity.WARNING, f"{what} only a model of the rule")]
    assert told == expected


@pytest.mark.parametrize("asks", ["", "config_settings = {}, "])
def test_what_a_model_itself_gives_a_rule_is_no_warning(tmp_path: Path, asks: str) -> None:
    files = {
        "WORKSPACE": "",
        "BUILD": 'load("@rules_python//python:defs.bzl", "py_binary")\n'
        f'py_binary(name = "p", {asks}srcs = ["p.py"])\n',
    }
    package = loader(tmp_path, files, version="7.4.1").package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics


@pytest.mark.parametrize(
    ("repository", "package", "name"),
    [
        ("rules_pkg", "pkg/private", "private_stamp_detect"),
        ("aspect_bazel_lib", "lib", "enable_runfiles"),
        ("io_bazel_rules_go", "go/private", "nogo_active"),
        ("rules_rust", "rust/platform", "x86_64-unknown-linux-gnu"),
        ("rules_rust", "rust/toolchain/channel", "nightly"),
    ],
)
def test_conditions_of_models_can_be_told(
    tmp_path: Path, repository: str, package: str, name: str
) -> None:
    files = {
        "WORKSPACE": "load('@bazel_tools//tools/build_defs/repo:http.bzl', 'http_archive')\n"
        f"http_archive(name = '{repository}', urls = ['https://x/{repository}.tar.gz'])\n"
    }
    condition = loader(tmp_path, files).target(Label(repository, package, name))
    assert isinstance(condition, Rule)
    assert condition.rule_class.name == "config_setting"


@pytest.mark.parametrize(
    ("bazel", "flags", "holds"),
    [
        ("3.7.2", ["--platforms=//:mac"], "linux_x86_64"),
        ("3.7.2", ["--cpu=darwin_arm64"], "darwin_arm64"),
        ("4.2.3", ["--platforms=//:mac"], "darwin_arm64"),
        ("4.2.3", ["--cpu=darwin_arm64"], "linux_x86_64"),
        ("9.1.0", ["--platforms=//:mac"], "darwin_arm64"),
        ("9.1.0", ["--platforms=//:windows"], "windows_x64"),
    ],
)
def test_conditions_of_bazel_go_by_the_platform_since_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bazel: str, flags: list[str], holds: str
) -> None:
    """As `@bazel_tools//src/conditions` of 2.1.0 and 4.2.3 has it, and those of 5.3.0 and 9.2.0."""
    names = ["linux_x86_64", "darwin_arm64"] + ["windows_x64"] * (bazel > "5")
    branches = ", ".join(f'"@bazel_tools//src/conditions:{one}": [":{one}"]' for one in names)
    build = f"filegroup(name = 'it', srcs = select({{{branches}}}))\n"
    build += "".join(f'filegroup(name = "{one}")\n' for one in names)
    for name, (system, cpu) in {
        "mac": ("macos", "arm64"),
        "windows": ("windows", "x86_64"),
    }.items():
        values = [f"@platforms//os:{system}", f"@platforms//cpu:{cpu}"]
        build += f'platform(name = "{name}", constraint_values = {values})\n'
    asked = 'bazel_dep(name = "platforms", version = "1.0.0")'
    for path, text in {"WORKSPACE": "", "MODULE.bazel": asked, "BUILD": build}.items():
        (tmp_path / path).write_text(text)
    line = ["cquery", "-w", str(tmp_path), f"--bazel-version={bazel}", "--no-cache", "--host=linux"]
    main([*line, *flags, "--output=label", "deps(//:it, 1)"])
    printed, _ = capsys.readouterr()
    assert [one for one in names if f"//:{one} " in printed] == [holds], printed


@pytest.mark.parametrize(
    ("release", "bazel", "version", "is_taken"),
    [
        ("1.1.0", "8.0.0", "3.13", True),
        ("1.0.0", "8.0.0", "3.13", False),
        ("1.0.0", "8.0.0", "PY3", True),
        ("1.1.0", "6.5.0", "3.13", False),
    ],
)
def test_python_versions_are_those_that_the_release_takes(
    tmp_path: Path, release: str, bazel: str, version: str, is_taken: bool
) -> None:
    files = {
        "MODULE.bazel": f'bazel_dep(name = "rules_python", version = "{release}")\n',
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "rules_python", urls = ["https://example.com/{release}.zip"])\n',
    }
    build = 'load("@rules_python//python:defs.bzl", "py_test")\n'
    build += f'py_test(name = "t", srcs = ["t.py"], python_version = "{version}")\n'
    package = loader(tmp_path, {**files, "BUILD": build}, bazel).package(PackageId("", ""))
    assert isinstance(package, Package)
    assert (not package.diagnostics) == is_taken, package.diagnostics


@pytest.mark.parametrize(
    ("release", "is_module", "tool"),
    [
        ("1.63.1", True, "@@protobuf~//:protoc"),
        ("1.63.1", False, "//external:protocol_compiler"),
        ("1.65.0", False, "@com_google_protobuf//:protoc"),
    ],
)
def test_the_compiler_of_protos_is_bound_by_old_releases_outside_of_modules(
    tmp_path: Path, release: str, is_module: bool, tool: str
) -> None:
    name = "com_github_grpc_grpc"
    archive = (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "{name}", urls = ["https://example.com/v{release}.tar.gz"])\n'
    )
    module = f'bazel_dep(name = "grpc", version = "{release}", repo_name = "{name}")\n'
    build = f'load("@{name}//bazel:generate_cc.bzl", "generate_cc")\n'
    build += 'generate_cc(name = "c", srcs = [], well_known_protos = False)\n'
    files = {"MODULE.bazel": module} if is_module else {"WORKSPACE": archive}
    version = "7.7.1" if is_module else "4.2.3"
    package = loader(tmp_path, {**files, "BUILD": build}, version).package(PackageId("", ""))
    assert isinstance(package, Package)
    made = package.targets["c"]
    assert isinstance(made, Rule)
    assert str(made.rule_class.attributes["_protoc"].default) == tool


@pytest.mark.parametrize(("bazel", "loads"), [("7.4.1", 0), ("8.4.2", 1), ("9.1.0", 1)])
def test_a_jar_is_imported_by_the_rule_that_bazel_has(
    tmp_path: Path, bazel: str, loads: int
) -> None:
    for name, text in {"MODULE.bazel": HTTP_JAR, "BUILD": ""}.items():
        (tmp_path / name).write_text(text)
    package = Loader(Workspace.open(tmp_path), LoadingOptions(bazel)).package(PackageId("j", "jar"))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert isinstance(package.targets["jar"], Rule)
    assert len([one for one in package.loads if one.label.name == "java_import.bzl"]) == loads
