"""What Bazel refuses of package groups: as 4.2.3, 2.1.0 and 0.24.1 were measured to."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace

_GROUPS = """
filegroup(name = "rule", visibility = ["//visibility:public"])
exports_files(["file.txt"])
package_group(name = "whole", packages = ["//..."])
package_group(name = "none", includes = [":gone"])
package_group(name = "rules", includes = [":rule"])
alias(name = "al", actual = ":whole", visibility = ["//visibility:public"])
alias(name = "of_file", actual = ":file.txt", visibility = ["//visibility:public"])
package_group(name = "aliased", includes = [":al"])
package_group(name = "lost", includes = ["//nowhere:g"])
package_group(name = "round", includes = [":around"])
package_group(name = "around", includes = [":round"])
package_group(name = "self", includes = [":self"])
package_group(name = "files", includes = [":file.txt"])
package_group(name = "nested", includes = [":whole", ":none"])
package_group(name = "on_broken", includes = ["//broken:g"])
package_group(name = "behind", includes = ["//broken:h"])
package_group(name = "both", includes = [":rule", ":gone"])
"""
_BROKEN = 'package_group(name = "g")\nfail("x")\npackage_group(name = "h")\n'

_WAYS = {
    "rule": ('filegroup(name = "x", visibility = ["{}"])\n', "//v:x"),
    "file": ('exports_files(["x"], visibility = ["{}"])\n', "//v:x"),
    "source": (
        'filegroup(name = "x", srcs = ["{}"], visibility = ["//visibility:public"])',
        "//v:x",
    ),
    "package": (
        (
            'package(default_visibility = ["{}"])\n'
            'genrule(name = "x", outs = ["o"], cmd = "")\nexports_files(["s"])\n'
        ),
        "//v:o",
    ),
}


def _refused(root: Path, group: str, way: str) -> set[tuple[str, str]]:
    build, target = _WAYS[way]
    files = {
        "WORKSPACE": "",
        "g/BUILD": _GROUPS,
        "broken/BUILD": _BROKEN,
        "v/BUILD": build.format(group),
        "u/BUILD": f'filegroup(name = "u", srcs = ["{target}"])\n',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux")
    refused = workspace.configure([]).refusals("//u:u")
    return {(one.kind.value, str(one.target)) for one in refused if not one.also}


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    ("group", "kind", "target"),
    [
        ("//g:none", "no-such-target", "//g:none"),
        ("//g:rules", "misplaced", "//g:rules"),
        ("//g:aliased", "misplaced", "//g:aliased"),
        ("//g:lost", "no-such-package", "//g:lost"),
        ("//g:round", "dependency-cycle", "//g:around"),
        ("//g:self", "dependency-cycle", "//g:self"),
        ("//g:files", "misplaced", "//g:files"),
        ("//g:nested", "no-such-target", "//g:none"),
        ("//g:on_broken", "package-in-error", "//g:on_broken"),
        ("//g:behind", "no-such-target", "//g:behind"),
        ("//g:both", "no-such-target", "//g:both"),
    ],
)
def test_a_group_in_error_fails_what_it_sees(
    tmp_path: Path, way: str, group: str, kind: str, target: str
) -> None:
    assert _refused(tmp_path, group, way) == {(kind, target)}


def test_the_group_of_those_who_may_use_transitions_is_an_attributes(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        "defs.bzl": """\
def _impl(ctx):
    pass

def _opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

opt = transition(
    implementation = _opt,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)
rule_ = rule(_impl, cfg = opt, attrs = {"_allowlist_function_transition": attr.label(
    default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
)})
""",
        "BUILD": 'load(":defs.bzl", "rule_")\nrule_(name = "x")\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert workspace.configure([]).refusals("//:x") == ()


@pytest.mark.parametrize(
    ("group", "way", "expected"),
    [
        ("//g:whole", "rule", set()),
        ("//g:whole", "file", set()),
        ("//g:whole", "package", set()),
        ("//g:whole", "source", {("misplaced", "//v:x")}),
        ("//g:rule", "rule", {("misplaced", "//v:x")}),
        ("//g:rule", "file", {("misplaced", "//v:x")}),
        ("//g:rule", "source", set()),
        ("//g:al", "rule", {("misplaced", "//g:al")}),
        ("//g:al", "package", {("misplaced", "//g:al")}),
        ("//g:al", "source", {("misplaced", "//g:al")}),
        ("//g:al", "file", {("misplaced", "//v:x")}),
        ("//g:of_file", "rule", {("misplaced", "//v:x")}),
        ("//g:of_file", "file", {("misplaced", "//v:x")}),
        ("//broken:g", "rule", {("package-in-error", "//v:x")}),
        ("//broken:g", "file", {("package-in-error", "//v:x")}),
        ("//broken:h", "file", {("no-such-target", "//v:x")}),
    ],
)
def test_what_stands_for_a_group(
    tmp_path: Path, group: str, way: str, expected: set[tuple[str, str]]
) -> None:
    assert _refused(tmp_path, group, way) == expected


_ASKS = """
P = provider()
_WANTED = {wanted}
r = rule(
    lambda ctx: [],
    attrs = {{
        "plain": attr.label_list(allow_files = True),
        "asks": attr.label_list(providers = _WANTED),
        "_hidden": attr.label(default = "//:{hidden}"),
    }},
)
"""
_MISPLACED = "package group '//:g' is misplaced here (they are only allowed in the visibility"


@pytest.mark.parametrize("version", ["5.4.0", "9.1.0"])
@pytest.mark.parametrize(
    ("wanted", "attribute", "hidden", "is_refused"),
    [
        ("[PackageSpecificationInfo]", "plain", "f", True),
        ("[PackageSpecificationInfo]", "asks", "f", False),
        ("[[P], [PackageSpecificationInfo]]", "asks", "f", False),
        ("[P]", "asks", "f", True),
        ("[PackageSpecificationInfo]", "asks", "g", True),
    ],
)
def test_only_attributes_that_ask_for_it_take_a_package_group(
    tmp_path: Path, version: str, wanted: str, attribute: str, hidden: str, is_refused: bool
) -> None:
    build = 'load(":r.bzl", "r")\npackage_group(name = "g", packages = ["//..."])\n'
    build += 'filegroup(name = "f")\n'
    build += f'r(name = "x", {attribute} = [":g"])\n'
    files = {"WORKSPACE": "", "MODULE.bazel": "", "BUILD": build}
    files["r.bzl"] = _ASKS.format(wanted=wanted, hidden=hidden)
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    told = [one.message for one in workspace.configure([]).refusals("//:x")]
    assert len(told) == is_refused
    assert all(_MISPLACED in one for one in told)
