"""Labels in values that transitions make: they say repositories by their canonical names."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "MODULE.bazel": """\
module(name = "m")
made = use_extension("//:r.bzl", "made")
use_repo(made, "r")
""",
    "r.bzl": """\
def _write(ctx):
    ctx.file("BUILD", 'platform(name = "p", constraint_values = ["@@//:small"])')
_r = repository_rule(implementation = _write)
made = module_extension(implementation = lambda ctx: _r(name = "r"))

def _change(settings, attr):
    return {"//command_line_option:platforms": str(Label("@r//:p"))}
_to_p = transition(
    implementation = _change, inputs = [], outputs = ["//command_line_option:platforms"]
)
wrapped = rule(
    implementation = lambda ctx: [],
    attrs = {"dep": attr.label(cfg = _to_p)},
)
""",
    "BUILD": """\
load(":r.bzl", "wrapped")
constraint_setting(name = "size", default_constraint_value = ":large")
constraint_value(name = "small", constraint_setting = ":size", visibility = ["//visibility:public"])
constraint_value(name = "large", constraint_setting = ":size")
wrapped(name = "w", dep = ":x")
filegroup(
    name = "x",
    srcs = select({":small": [":is_small"], "//conditions:default": [":is_large"]}),
)
filegroup(name = "is_small")
filegroup(name = "is_large")
""",
}


@pytest.mark.parametrize("version", ["7.4.0", "9.0.0"])
@pytest.mark.parametrize(("asked", "taken"), [("//:x", "is_large"), ("//:w", "is_small")])
def test_a_platform_that_a_transition_names_is_found(
    version: str, asked: str, taken: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {**_FILES, ".bazelversion": version})
    query = f"filter(is_, deps({asked}))"
    line = ["cquery", query, "-w", str(tmp_path), "--no-cache", "--output=starlark"]
    assert main(line) == 0
    assert capfd.readouterr().out.split() == [f"@@//:{taken}"]
