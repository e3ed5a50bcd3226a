"""What macros and rules of the models make: the targets that the real ones make."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId
from bazelscope.cli import main
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.unit.loading.repositories.workspaces import labels_of, loader, rules

RULES_OF_MODULES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_python", urls = ["https://example.org/rules_python-1.4.0.tar.gz"])
http_archive(name = "io_bazel_rules_go", urls = ["https://example.org/rules_go-v0.43.0.zip"])
"""
}

MACROS = [
    (
        "@aspect_bazel_lib//lib:write_source_files.bzl",
        'write_source_files(name = "x", files = {"BUILD": ":f", "gone": ":f"})',
        {
            "x": "_write_source_file",
            "x_0": "_write_source_file",
            "x_0_test": "_diff_test",
            "x_1": "_write_source_file",
            "x_1_test": "fail_with_message_test",
            "x_tests": "test_suite",
        },
    ),
    (
        "@rules_oci//oci:defs.bzl",
        'oci_image(name = "x", base = ":f", entrypoint = ["/x"], env = {"A": "1"})',
        {
            "x": "oci_image",
            "x.digest": "jq_rule",
            "x_index_json": "directory_path",
            "x_index_json_cp": "_copy_file",
            "x_write_entrypoint": "_write_file",
            "x_write_env": "_write_file",
        },
    ),
    (
        "@gazelle//:def.bzl",
        'gazelle(name = "x")',
        {"x": "sh_binary", "x-runner": "_gazelle_runner"},
    ),
    (
        "@aspect_rules_js//js:defs.bzl",
        'js_run_binary(name = "x", tool = ":f", outs = ["o"])',
        {
            "x": "_run_binary",
            "x_copy_srcs_to_bin": "_copy_to_bin",
            "x_js_info_files": "js_info_files",
            "x_runfiles": "filegroup",
        },
    ),
    (
        "@io_bazel_rules_go//extras:gomock.bzl",
        'gomock(name = "x", out = "x.go", library = ":f", interfaces = ["I"])',
        {
            "x": "_gomock_prog_exec",
            "x_gomock_prog": "_gomock_prog_gen",
            "x_gomock_prog_bin": "go_binary",
        },
    ),
    (
        "@rules_python//python/entry_points:py_console_script_binary.bzl",
        'py_console_script_binary(name = "x", pkg = "@pypi//p:pkg")',
        {"x": "py_binary", "x_gen__": "py_console_script_gen"},
    ),
    (
        "@rules_python//python:pip.bzl",
        'compile_pip_requirements(name = "x", requirements_txt = "l.txt")',
        {"x": "filegroup", "x.update": "py_binary", "x_test": "py_test"},
    ),
    (
        "@rules_pkg//pkg:rpm.bzl",
        'pkg_rpm(name = "x", data = [], release = "0", spec_file = "x.spec", version = "1")',
        {"x": "pkg_rpm"},
    ),
    (
        "@rules_python//python:pip.bzl",
        'compile_pip_requirements(name = "y")',
        {"y": "filegroup", "y.update": "py_binary", "y_test": "py_test"},
    ),
    (
        "@rules_fuzzing//fuzzing:cc_defs.bzl",
        'cc_fuzz_test(name = "x", srcs = ["x.cc"])',
        {
            "x": "fuzzing_regression_test",
            "x_bin": "fuzzing_binary",
            "x_corpus": "fuzzing_corpus",
            "x_oss_fuzz": "oss_fuzz_package",
            "x_raw_": "cc_binary",
            "x_run": "fuzzing_launcher",
        },
    ),
    (
        "@com_google_emboss//:build_defs.bzl",
        'emboss_cc_library(name = "x", srcs = ["x.emb"])',
        {"x": "cc_emboss_library", "x_ir": "emboss_library"},
    ),
    (
        "@rules_cc//cc/toolchains:toolchain.bzl",
        'cc_toolchain(name = "x", tool_map = ":f")',
        {
            "x": "cc_toolchain",
            "_x_config": "cc_toolchain_config",
            **{
                f"_x_{kind}_files": "cc_legacy_file_group"
                for kind in (
                    *("ar", "as", "compiler", "coverage"),
                    *("dwp", "linker", "objcopy", "strip"),
                )
            },
        },
    ),
]


@pytest.mark.parametrize(("file", "call", "expected"), MACROS, ids=[file for file, _, _ in MACROS])
def test_macros_make_the_targets_of_the_original(
    tmp_path: Path, file: str, call: str, expected: dict[str, str]
) -> None:
    """As the files of those releases make them: names and rule classes were compared on three
    trees whose modules lay on the machine, once from the models and once from the modules."""
    macro = call.partition("(")[0]
    build = f'load("{file}", "{macro}")\nfilegroup(name = "f")\n{call}\n'
    files = {**RULES_OF_MODULES, "BUILD": build}
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics
    made = {
        name: target.rule_class.name
        for name, target in package.targets.items()
        if isinstance(target, Rule) and name != "f"
    }
    assert made == expected


@pytest.mark.parametrize(
    ("module", "file", "rule", "with_tag", "without"),
    [
        ("rules_cc", "//cc:cc_library.bzl", "cc_library", "0.0.9", "0.0.10"),
        ("rules_java", "//java:java_library.bzl", "java_library", "7.4.0", "7.5.0"),
        ("rules_python", "//python:py_library.bzl", "py_library", "1.6.0", "1.7.0"),
    ],
)
def test_rules_are_tagged_until_a_release(
    tmp_path: Path, module: str, file: str, rule: str, with_tag: str, without: str
) -> None:
    build = f'load("@{module}{file}", "{rule}")\n{rule}(name = "x", tags = ["mine"])\n'
    for release, tags in ((with_tag, 2), (without, 1)):
        (tmp_path / release).mkdir()
        archive = (
            f'http_archive(name = "{module}", urls = ["https://a.org/{module}-{release}.zip"])'
        )
        first = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")'
        files = {"WORKSPACE": f"{first}\n{archive}\n", "BUILD": build}
        package = loader(tmp_path / release, files).package(PackageId("", ""))
        assert isinstance(package, Package) and not package.diagnostics
        target = package.targets["x"]
        assert isinstance(target, Rule)
        attribute = target.attribute("tags")
        assert attribute is not None and len(list(attribute.value)) == tags  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("release", "compilers"), [("0.43.0", ["go_grpc"]), ("0.50.1", ["go_proto", "go_grpc_v2"])]
)
def test_go_grpc_library_by_release(tmp_path: Path, release: str, compilers: list[str]) -> None:
    workspace = RULES_OF_MODULES["WORKSPACE"].replace("0.43.0", release)
    build = 'load("@io_bazel_rules_go//proto:def.bzl", "go_grpc_library")\n'
    files = {"WORKSPACE": workspace, "BUILD": build + 'go_grpc_library(name = "x")\n'}
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package)
    target = package.targets["x"]
    assert isinstance(target, Rule)
    assert labels_of(target, "compilers") == [
        f"@io_bazel_rules_go//proto:{name}" for name in compilers
    ]


WITH_CFG_MODULES = """
bazel_dep(name = "bazel_features", version = "1.30.0")
bazel_dep(name = "with_cfg.bzl", version = "0.14.6")
"""
WITH_CFG = """
load("@with_cfg.bzl", "with_cfg")
load("@bazel_features//:features.bzl", "bazel_features")

def wrapped_test(**kwargs):
    native.cc_test(**kwargs)

plain = rule(lambda ctx: [], attrs = {"deps": attr.label_list()})
own, _own = with_cfg(plain).extend("copt", ["-DA"]).set(Label("//:flag"), True).build()
the_test, reset = (
    with_cfg(wrapped_test).set("stamp", 1).resettable(Label("//:original")).build()
)
HAS = bazel_features.rules.rule_extension_apis_available
"""
WITH_CFG_BUILD = """
load("@with_cfg.bzl", "original_settings")
load(":t.bzl", "own", "reset", "the_test", "HAS")

original_settings(name = "original")
own(name = "lib", deps = [":dep"])
the_test(name = "a/t", srcs = ["a.cc"], args = ["$(location :dep) --x"], tags = ["slow"])
reset(name = "back", exports = ":dep")
cc_library(name = "dep")
genrule(name = "has", outs = ["has.%s" % HAS], cmd = "")
"""


def test_with_cfg_wraps_a_macro_and_extends_a_rule(tmp_path: Path) -> None:
    files = {"t.bzl": WITH_CFG, "BUILD": WITH_CFG_BUILD, "MODULE.bazel": WITH_CFG_MODULES}
    package = loader(tmp_path, files, "8.2.0").package(PackageId("", ""))
    assert isinstance(package, Package), package
    assert not package.diagnostics, package.diagnostics
    found = {name: rule for name, rule in package.targets.items() if isinstance(rule, Rule)}
    assert {name: rule.rule_class.name for name, rule in found.items()} == {
        "original": "original_settings",
        "lib": "own",
        "a/t_/t": "cc_test",
        "a/t_with_cfg": "reset",
        "a/t_with_cfg__args___Cdep": "filegroup",
        "a/t": "_frontend_test",
        "back": "reset",
        "dep": "cc_library",
        "has": "genrule",
    }
    assert all(rule.rule_class.is_known for rule in found.values())
    assert [str(label) for label in found["has"].outputs] == ["//:has.True"]
    assert _value(found["lib"], "with_cfg_copt") == ("-DA",)
    assert _value(found["a/t"], "args") == ("$(location :a/t_with_cfg__args___Cdep) --x",)
    assert _value(found["a/t_with_cfg"], "with_cfg_stamp") == 1
    assert str(_value(found["a/t_with_cfg"], "exports")) == "//:a/t_/t"
    assert _value(found["a/t_/t"], "tags") == ("manual", "slow")


def _value(rule: Rule, name: str) -> object:
    attribute = rule.attribute(name)
    assert attribute is not None
    return attribute.value


@pytest.mark.parametrize(
    ("version", "seen"),
    [
        ("6.5.0", "False JavaInfo None None"),
        ("7.4.0", "False JavaInfo None aspect"),
        ("8.2.0", "True None set None"),
        ("9.0.0", "True None set None"),
    ],
)
def test_bazel_features_go_by_the_release_of_bazel(tmp_path: Path, version: str, seen: str) -> None:
    text = """
load("@bazel_features//:features.bzl", "bazel_features")
globals = bazel_features.globals
RESULT = "%s %s %s %s" % (
    bazel_features.docs.kwargs_name_with_double_star,
    "JavaInfo" if globals.JavaInfo else None,
    "set" if globals.set else None,
    "aspect" if globals.cc_proto_aspect else None,
)
"""
    files = {"t.bzl": text, "MODULE.bazel": WITH_CFG_MODULES, "WORKSPACE": ""}
    module = loader(tmp_path, files, version).module(Label("", "", "t.bzl"))
    assert isinstance(module, starlark.Module), module
    assert module.globals["RESULT"] == seen


def test_gentbl_makes_a_rule_for_each_output_and_a_library(tmp_path: Path) -> None:
    text = """
load("@llvm-project//mlir:tblgen.bzl", "gentbl_cc_library", "td_library")
td_library(name = "td", srcs = ["a.td"])
gentbl_cc_library(
    name = "inc",
    tbl_outs = {"a.h.inc": ["-gen-op-decls"], "a.md": ["-gen-op-doc"]},
    tblgen = ":tool",
    td_file = "a.td",
    deps = [":td"],
)
genrule(name = "tool", outs = ["t"], cmd = "")
"""
    found = rules(tmp_path, text)
    assert [rule.rule_class.name for rule in found.values()].count("gentbl_rule") == 2
    assert found["inc"].rule_class.name == "cc_library"
    assert [str(one) for one in _labels(found["inc"], "textual_hdrs")] == ["//:inc_filegroup"]
    assert [str(one) for one in _labels(found["inc_filegroup"], "srcs")] == ["//:a.h.inc"]
    (name,) = (name for name in found if "_gen_op_decls_" in name)
    assert name.startswith("inc_filegroup___gen_op_decls_") and name.endswith("_genrule")


def _labels(rule: Rule, name: str) -> tuple[object, ...]:
    value = _value(rule, name)
    assert isinstance(value, tuple)
    return value


@pytest.mark.parametrize("version", ["0.4.0", "0.6.0", "1.1.0"])
@pytest.mark.parametrize("macro", ["pkg_tar", "pkg_zip"])
def test_what_a_package_holds_is_decided_where_it_is_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], version: str, macro: str
) -> None:
    file = "pkg.bzl" if version < "1" else f"pkg/{macro[4:]}.bzl"
    folder, _, name = file.rpartition("/")
    for path, text in {
        "WORKSPACE": f"""
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_pkg", urls = ["https://example.org/rules_pkg-{version}.tar.gz"])
""",
        "BUILD": f"""
load("@rules_pkg//{folder}:{name}", "{macro}")
{macro}(
    name = "x",
    srcs = [
        ":f",
    ],
)
filegroup(name = "f")
""",
        ".bazelversion": "6.5.0",
    }.items():
        (tmp_path / path).write_text(text)
    assert main(["path", "//:x", "//:f", "-w", str(tmp_path), "--no-cache"]) == 0
    (line,) = (line for line in capfd.readouterr().out.splitlines() if "  srcs" in line)
    assert line.split() == ["srcs", "BUILD:6"]


def test_stardoc_extracts_and_renders(tmp_path: Path) -> None:
    """Beside stardoc 0.8.1: every attribute of every target was the same."""
    call = 'stardoc(name = "x", input = ":f", out = "x.md")\n'
    raw = 'stardoc(name = "y", input = ":f", out = "z.binaryproto", format = "proto")\n'
    load = 'load("@stardoc//stardoc:stardoc.bzl", "stardoc")\n'
    files = {"MODULE.bazel": 'bazel_dep(name = "stardoc", version = "0.8.1")'}
    files["BUILD"] = f'{load}filegroup(name = "f")\n{call}{raw}'
    package = loader(tmp_path, files, "8.1.0").package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics
    made = {
        name: target.rule_class.name
        for name, target in package.targets.items()
        if isinstance(target, Rule) and name != "f"
    }
    assert made == {
        **{"x": "stardoc_markdown_renderer", "x.extract": "starlark_doc_extract"},
        **{"y": "_copy_file", "y.extract": "starlark_doc_extract"},
    }


def test_suites_of_rules_testing_make_a_target_for_each_function(tmp_path: Path) -> None:
    """Beside rules_testing 0.9: every attribute of every target was the same."""
    tests = """
load("@rules_testing//lib:analysis_test.bzl", "analysis_test", "test_suite")
load("@rules_testing//lib:util.bzl", "util")

def _one_test(name):
    util.helper_target(native.filegroup, name = name + "_subject")
    analysis_test(name = name, impl = _one, target = name + "_subject", expect_failure = True)

def _one(env, target):
    env.expect.that_target(target)

def _two_test(name):
    targets = {"one": ":f", "many": [":f"]}
    attrs = {"x": attr.string()}
    analysis_test(name, impl = _one, targets = targets, attrs = attrs, attr_values = {"x": "y"})

def _basic(env):
    pass

def suite(name):
    test_suite(name = name, tests = [_one_test, _two_test], basic_tests = [_basic])
"""
    build = 'load(":tests.bzl", "suite")\nsuite(name = "all")\nfilegroup(name = "f")\n'
    files = {
        "MODULE.bazel": 'bazel_dep(name = "rules_testing", version = "0.9.0")',
        "BUILD": build,
        "tests.bzl": tests,
    }
    package = loader(tmp_path, files, "8.1.0").package(PackageId("", ""))
    assert isinstance(package, Package) and not package.diagnostics
    made = {
        name: target.rule_class.name
        for name, target in package.targets.items()
        if isinstance(target, Rule) and name != "f"
    }
    assert made == {
        **{"all": "test_suite", "one_test_subject": "filegroup", "one_test": "one_test_test"},
        **{"two_test": "two_test_test", "basic": "basic_test"},
    }
    two = package.targets["two_test"]
    assert isinstance(two, Rule) and two.rule_class.is_test
    assert sorted(map(str, labels_of(two, "many"))) == ["//:f"]


def test_what_an_analysis_test_does_not_take(tmp_path: Path) -> None:
    """Bazel: `StarlarkTestingModule`."""
    for call, said in {
        '"a-b"': "'name' is limited to Starlark identifiers, got a-b",
        '"x", attr_values = {"name": "y"}': "'name' cannot be set or overridden in 'attr_values'",
    }.items():
        name, _, more = call.partition(",")
        macro = f"""
def _impl(ctx):
    pass

def declare():
    testing.analysis_test({name}, _impl,{more})
"""
        files = {"x.bzl": macro, "BUILD": 'load(":x.bzl", "declare")\ndeclare()\n'}
        package = loader(tmp_path, files, "8.1.0").package(PackageId("", ""))
        assert isinstance(package, Package)
        assert [problem.message for problem in package.diagnostics] == [said]


def test_rules_testing_asserts_while_a_file_is_loaded(tmp_path: Path) -> None:
    """Tests of builders do (rules_python's), and give targets that a platform must fit."""
    files = {
        "MODULE.bazel": 'bazel_dep(name = "rules_testing", version = "0.6.0")',
        "BUILD": """
load("@rules_testing//lib:analysis_test.bzl", "analysis_test")
load("@rules_testing//lib:truth.bzl", "truth")
truth.expect(None).where(expr = "x").that_str("a").equals("a")
filegroup(name = "f")
analysis_test(
    name = "t",
    impl = print,
    target = ":f",
    attr_values = {
        "target_compatible_with": select({
            "@platforms//os:windows": ["@platforms//:incompatible"],
            "//conditions:default": [],
        }),
    },
)
""",
    }
    opened = loader(tmp_path, files, "8.4.0")
    package = opened.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert [problem.message for problem in package.diagnostics] == []
    assert "t" in package.targets
