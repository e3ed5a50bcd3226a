"""Labels that options name for rules, such as `--run_under`, beside `bazel cquery`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import query_language_world
from tests.oracle.test_cquery_native_toolchains import BAZELS_OWN
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.query_output import differences

pytestmark = pytest.mark.oracle

BUILD = """\
cc_library(name = "m", srcs = ["a.cc"])
cc_library(name = "m2", srcs = ["a.cc"])
cc_binary(name = "bin", srcs = ["a.cc"])
cc_binary(name = "own", srcs = ["a.cc"], malloc = ":m2")
cc_library(name = "lib", srcs = ["a.cc"])
sh_binary(name = "u", srcs = ["u.sh"])
sh_test(name = "t", srcs = ["u.sh"])
fdo_profile(name = "fdo", profile = "a.profdata")
fdo_prefetch_hints(name = "hints", profile = "b.afdo")
action_listener(name = "listener", mnemonics = ["CppCompile"], extra_actions = [":extra"])
extra_action(name = "extra", cmd = "true")
filegroup(name = "plain")

load(":rules.bzl", "field_cc", "field_xcode", "host_toolchain")
field_cc(name = "field_cc")
field_xcode(name = "field_xcode")
host_toolchain(name = "host_toolchain")
cc_toolchain_suite(name = "suite", toolchains = {
    "k8": "@local_config_cc//:cc-compiler-k8",
    "other": "@local_config_cc//:cc-compiler-k8",
})
genrule(name = "of_cc", outs = ["o"], cmd = "",
        toolchains = ["@bazel_tools//tools/cpp:current_cc_toolchain"])
genrule(name = "of_java", outs = ["oj"], cmd = "",
        toolchains = ["@bazel_tools//tools/jdk:current_java_runtime"])
proto_library(name = "proto", srcs = ["a.proto"])
cc_proto_library(name = "cc_proto", deps = [":proto"])
java_proto_library(name = "java_proto", deps = [":proto"])
java_lite_proto_library(name = "lite_proto", deps = [":proto"])
proto_lang_toolchain(name = "of_proto", command_line = "$(OUT)", runtime = ":m")
java_library(name = "java", srcs = ["A.java"])
java_binary(name = "program", srcs = ["A.java"], main_class = "A")
"""
RULES = """\
def _impl(ctx):
    return []

def _field(fragment, name):
    field = configuration_field(fragment = fragment, name = name)
    return rule(_impl, attrs = {"_field": attr.label(default = field)})

field_cc = _field("cpp", "cc_toolchain")
field_xcode = _field("apple", "xcode_config_label")
_TYPE = "@bazel_tools//tools/cpp:toolchain_type"
host_toolchain = rule(_impl, toolchains = [_TYPE])
"""
KEEPING = """
own_toolchain = rule(_impl, toolchains = [_TYPE], incompatible_use_toolchain_transition = True)
"""
JAVA = """\
package(default_visibility = ["//visibility:public"])
[java_runtime(name = name, java_home = "/usr/x") for name in ("runtime", "runtime_2")]
filegroup(name = "nothing")
[java_toolchain(
    name = name,
    bootclasspath = [":nothing"],
    genclass = [":A.jar"],
    ijar = [":A.jar"],
    javabuilder = [":A.jar"],
    javac = [":A.jar"],
    misc = [],
    singlejar = [":A.jar"],
    source_version = "8",
    target_version = "8",
    forcibly_disable_header_compilation = True,
) for name in ("toolchain", "toolchain_2")]
"""
OF_JAVA = (
    *("--java_toolchain=//j:toolchain", "--host_java_toolchain=//j:toolchain"),
    *("--javabase=//j:runtime", "--host_javabase=//j:runtime"),
)
PROTOBUF = """\
package(default_visibility = ["//visibility:public"])
sh_binary(name = "protoc", srcs = ["p.sh"])
cc_library(name = "runtime")
java_library(name = "java", srcs = ["A.java"])
proto_lang_toolchain(name = "cc_toolchain", command_line = "$(OUT)", runtime = ":runtime")
proto_lang_toolchain(name = "java_toolchain", command_line = "$(OUT)", runtime = ":java")
proto_lang_toolchain(name = "javalite_toolchain", command_line = "$(OUT)", runtime = ":java")
"""
LINES = (
    "//p:bin --custom_malloc=//p:m",
    "//p:own --custom_malloc=//p:m",
    "//p:lib --custom_malloc=//p:m",
    "//p:u --run_under=//p:bin",
    "//p:t --run_under=//p:u",
    "//p:t --run_under=//p:bin",
    "//p:t --run_under=/usr/bin/nice",
    "//p:plain --experimental_action_listener=//p:listener",
    "//p:bin --experimental_action_listener=//p:listener",
    "//p:lib --fdo_prefetch_hints=//p:hints",
    "//p:bin --cs_fdo_profile=//p:fdo",
    "//p:bin --xbinary_fdo=//p:fdo",
    # In the place of defaults.
    "//p:proto",
    "//p:proto --proto_compiler=//p:u",
    "//p:cc_proto --proto_toolchain_for_cc=//p:of_proto",
    "//p:java_proto --proto_toolchain_for_java=//p:of_proto",
    "//p:lib --crosstool_top=//p:suite",
    "//p:lib --crosstool_top=//p:suite --cpu=other",
    "//p:of_cc --crosstool_top=//p:suite",
    "//p:field_cc",
    "//p:field_cc --crosstool_top=//p:suite",
    "//p:field_xcode",
    "//p:field_xcode --xcode_version_config=//p:plain",
    "//p:t --coverage_support=//p:plain",
    "//p:t --coverage_report_generator=//p:u",
    "//p:host_toolchain",
)
SINCE_3 = (
    "//p:lite_proto --proto_toolchain_for_javalite=//p:of_proto",
    "//p:java",
    "//p:java --java_toolchain=//j:toolchain_2",
    "//p:java --host_java_toolchain=//j:toolchain_2",
    "//p:program --javabase=//j:runtime_2",
    "//p:of_java --javabase=//j:runtime_2",
    "//p:own_toolchain",
    "//p:host_toolchain --incompatible_override_toolchain_transition",
)
"""What stood for Java's toolchain was shown as that before."""


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_what_options_name(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    names = ["a.cc", "u.sh", "a.profdata", "b.afdo", "a.proto", "A.java"]
    files = dict.fromkeys([f"p/{name}" for name in names], "")
    build, rules, lines = BUILD, RULES, LINES
    if version == "4.2.3":
        build += 'load(":rules.bzl", "own_toolchain")\nown_toolchain(name = "own_toolchain")\n'
        rules, lines = rules + KEEPING, LINES + SINCE_3
    write_files(root, {"WORKSPACE": "", "p/BUILD": build, "p/rules.bzl": rules, **files})
    write_files(root, {"j/BUILD": JAVA, "j/A.jar": ""})
    protobuf = {"WORKSPACE": "", "BUILD": PROTOBUF, "p.sh": "", "A.java": ""}
    write_files(warm_path / "protobuf", protobuf)
    _, stubs = query_language_world.lay_out(warm_path / "stubs")
    stubs += (f"--override_repository=com_google_protobuf={warm_path / 'protobuf'}", *OF_JAVA)
    real = bazel(version)
    base = real.run(root, "info", "output_base").checked().lines[-1]
    owned = (*BAZELS_OWN, "local_config_xcode")
    owns = [f"--override_repository={name}={base}/external/{name}" for name in owned]
    different = {}
    for line in lines:
        target, *flags = line.split()
        if version == "2.1.0" and "cs_fdo" in line:
            continue  # It has no such option.
        said = real.cquery(root, f"deps({target})", *stubs, *flags).checked()
        bazels = query_output.configured_nodes(said.lines)
        words = (*stubs, *owns, *flags, target)
        found = ours.configured_nodes(root, version, words, implicit=True)
        difference = differences(found, bazels)
        if difference:
            different[line] = difference
    assert not different
