"""`platform(flags = [...])`: the flags that a platform sets itself (FINDINGS M3), since Bazel 8."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main

FILES = {
    "MODULE.bazel": 'module(name = "m")\nbazel_dep(name = "bazel_skylib", version = "1.7.1")\n',
    "p/BUILD": """\
load("@bazel_skylib//rules:common_settings.bzl", "string_flag")
string_flag(name = "flag", build_setting_default = "one", visibility = ["//visibility:public"])
""",
    "BUILD": """\
platform(name = "base", flags = ["--define=a=1", "--compilation_mode=opt", "--copt=-DBASE"])
platform(name = "plat", parents = [":base"], flags = ["--copt=-DX", "--@m//p:flag=two"])
platform(name = "plain")
alias(name = "also", actual = ":plat")
config_setting(name = "is_a", values = {"define": "a=1"})
config_setting(name = "is_opt", values = {"compilation_mode": "opt"})
config_setting(name = "both", values = {"copt": "-DBASE"})
config_setting(name = "is_two", flag_values = {"//p:flag": "two"})
filegroup(name = "x", srcs = select({":is_a": [":a"], "//conditions:default": [":no_a"]})
    + select({":is_opt": [":opt"], "//conditions:default": [":no_opt"]})
    + select({":both": [":base_copt"], "//conditions:default": [":no_copt"]})
    + select({":is_two": [":two"], "//conditions:default": [":one"]}))
[filegroup(name = n) for n in ["a", "no_a", "opt", "no_opt", "base_copt", "no_copt", "two", "one"]]
""",
}

TAKEN = {
    "of the platform and its parent": ("8.1.0", "//:plat", "a base_copt opt two"),
    "through an alias": ("8.1.0", "//:also", "a base_copt opt two"),
    "by the main repository's own name": ("8.1.0", "@m//:plat", "a base_copt opt two"),
    "of the parent alone": ("9.0.0", "//:base", "a base_copt one opt"),
    "of a platform without flags": ("8.1.0", "//:plain", "no_a no_copt no_opt one"),
    "before Bazel 8": ("7.4.0", "//:plain", "no_a no_copt no_opt one"),
}


@pytest.mark.parametrize(("version", "platform", "taken"), TAKEN.values(), ids=TAKEN)
def test_a_platform_sets_its_flags(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, version: str, platform: str, taken: str
) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / ".bazelversion").write_text(version)
    line = ["cquery", "kind(filegroup, deps(//:x))", f"--platforms={platform}"]
    main([*line, "-w", str(tmp_path), "--no-cache", "--output=starlark"])
    names = {line.rpartition(":")[2] for line in capfd.readouterr().out.split()}
    assert " ".join(sorted(names - {"x"})) == taken


def test_the_platform_is_named_as_the_cause(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / ".bazelversion").write_text("8.1.0")
    line = ["explain", "//:x", "--platforms=//:plat", "-w", str(tmp_path), "--no-cache", "--full"]
    assert main(line) == 0
    told = [" ".join(line.split()) for line in capfd.readouterr().out.splitlines()]
    assert "--define=a=1 BUILD:1, --platforms=//:plat" in told
    assert "//p:flag=two BUILD:2, --platforms=//:plat" in told


def test_a_long_chain_of_parents_and_of_aliases(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    build = """\
[platform(name = "p%d" % i, parents = ["p%d" % (i + 1)]) for i in range(600)]
platform(name = "p600", flags = ["--define=a=1"], constraint_values = ["v"])
[alias(name = "a%d" % i, actual = "a%d" % (i + 1)) for i in range(600)]
alias(name = "a600", actual = "p0")
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = "s")
config_setting(name = "both", values = {"define": "a=1"}, constraint_values = ["v"])
filegroup(name = "x", srcs = select({":both": [":y"], "//conditions:default": []}))
filegroup(name = "y")
"""
    (tmp_path / "MODULE.bazel").write_text("")
    (tmp_path / "BUILD").write_text(build)
    line = ["path", "//:x", "//:y", "--platforms=//:a0", "--bazel-version", "8.1.0"]
    assert main([*line, "-w", str(tmp_path), "--no-cache"]) == 0
    assert "--define=a=1" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("flags", "version", "told"),
    [
        ('["--nope=1"]', "8.1.0", "Unrecognized option: --nope=1"),
        ('["--nope=1"]', "9.1.0", "Unrecognized option: --nope=1"),
        # By ParsedFlagsFunction and StarlarkOptionsParser of 8 and 9.
        (
            '["--//no:s=1"]',
            "9.1.0",
            "Error loading option //no:s: Failed to load //no:s",
        ),
        ('["--//:gone=1"]', "8.1.0", "Error loading option //:gone: Failed to load //:gone"),
        ('["--no//:gone"]', "8.1.0", "Error loading option //:gone: Failed to load //:gone"),
        ('["--//:x=1"]', "8.1.0", "Unrecognized option: //:x"),
        ('["--//:internal=1"]', "8.1.0", "Unrecognized option: //:internal=1"),
        ('["--nope=1", "--//:x=1"]', "8.1.0", "Unrecognized option: //:x"),
        ('["--//:s=1", "--//:also=2"]', "8.1.0", ""),
        ('["--copt=-DX", "--nostamp", "--notest_keep_going", "--cpu=k8"]', "9.1.0", ""),
    ],
)
def test_an_option_that_there_is_not_is_refused(
    tmp_path: Path, flags: str, version: str, told: str
) -> None:
    (tmp_path / "MODULE.bazel").write_text("")
    (tmp_path / "d.bzl").write_text("""
flag = rule(lambda ctx: [], build_setting = config.string(flag = True))
internal = rule(lambda ctx: [], build_setting = config.string())
""")
    build = f"""
load(":d.bzl", "flag", "internal")
flag(name = "s", build_setting_default = "")
internal(name = "internal", build_setting_default = "")
alias(name = "also", actual = ":s")
platform(name = "p", flags = {flags})
filegroup(name = "x")
"""
    (tmp_path / "BUILD").write_text(build)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    refused = workspace.configure(["--platforms=//:p", "//:x"]).explain().envelope.refusals
    assert [one.message for one in refused] == [told] * bool(told)
