"""What rules depend on without a word of their BUILD files is looked at, too (4.2.3, measured)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.api import Workspace

_DEFS = """
def _impl(ctx):
    return []

def _aspect_impl(target, ctx):
    return []

_needs = aspect(implementation = _aspect_impl, attrs = {"_x": attr.label(default = "//x:bad")})
gone = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:gone")})
bad = rule(implementation = _impl, attrs = {"_x": attr.label_list(default = ["//x:bad"])})
tool = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:mode", cfg = "host")})
offers = rule(implementation = _impl, attrs = {"x": attr.label(default = "//x:bad")})
offers_gone = rule(implementation = _impl, attrs = {"x": attr.label(default = "//x:gone")})
offers_odd = rule(implementation = _impl, attrs = {"x": attr.label(default = "//x:flag")})
has_odd = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:flag")})
odd = rule(implementation = _impl, attrs = {})
aspects = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(allow_files = True, aspects = [_needs])},
)
"""
_X = """
load("//:d.bzl", "odd")
package(default_visibility = ["//visibility:public"])
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "bad", srcs = select({":a": [], ":b": []}))
filegroup(name = "mode", srcs = select({":opt": [], ":a": []}))
filegroup(name = "rule")
exports_files(["file"])
constraint_setting(name = "setting")
constraint_value(name = "value", constraint_setting = ":setting")
odd(name = "odd", target_compatible_with = [":value"])
label_flag(name = "flag", build_setting_default = ":odd")
"""


_LOADED = '"aspects", "bad", "gone", "has_odd", "offers", "offers_gone", "offers_odd", "tool"'


def told(root: Path, build: str, *words: str) -> list[tuple[str, str]]:
    files = {
        "WORKSPACE": "",
        "d.bzl": _DEFS,
        "x/BUILD": _X,
        "x/file": "",
        "BUILD": f'load(":d.bzl", {_LOADED})\n{build}',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux")
    refusals = workspace.configure([*words]).refusals("//:top")
    return [(one.kind.value, str(one.target)) for one in refusals if not one.also]


INCOMPATIBLE = [(RefusalKind.INCOMPATIBLE.value, "//:top")]
AMBIGUOUS = [(RefusalKind.AMBIGUOUS_SELECT.value, "//x:bad")]


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ('gone(name = "top")', [(RefusalKind.MISSING_TARGET.value, "//:top")]),
        ('bad(name = "top")', AMBIGUOUS),
        ('bad(name = "low")\nfilegroup(name = "top", srcs = [":low"])', AMBIGUOUS),
        ('aspects(name = "top", deps = ["//x:rule"])', AMBIGUOUS),
        ('aspects(name = "top", deps = ["//x:file"])', []),
        ('offers(name = "top")', AMBIGUOUS),
        ('offers(name = "low")\nfilegroup(name = "top", srcs = [":low"])', AMBIGUOUS),
        ('offers(name = "top", x = "//x:rule")', []),
        ('offers_gone(name = "top")', [(RefusalKind.MISSING_TARGET.value, "//:top")]),
        ('offers_odd(name = "top")', INCOMPATIBLE),
        ('has_odd(name = "top")', INCOMPATIBLE),
        ('offers_odd(name = "low")\nfilegroup(name = "top", srcs = [":low"])', INCOMPATIBLE),
        # Tools of 4.2.3 are built with -c opt, so two keys hold there, and one here.
        ('tool(name = "top")', [(RefusalKind.AMBIGUOUS_SELECT.value, "//x:mode")]),
    ],
)
def test_implicit_dependencies(build: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    assert told(tmp_path, build, "--define=a=1", "--define=b=1") == expected


def test_native_rules_and_their_aspects_need_what_options_name(tmp_path: Path) -> None:
    build = 'proto_library(name = "p")\njava_lite_proto_library(name = "top", deps = [":p"])'
    missing = RefusalKind.MISSING_TARGET.value
    words = ("--proto_compiler=//x:rule", "--proto_toolchain_for_javalite=//x:gone")
    assert told(tmp_path, build, *words) == [(missing, "//:top"), (missing, "//:p")]
    words = ("--proto_compiler=//x:rule", "--proto_toolchain_for_javalite=//x:bad")
    both = ("--define=a=1", "--define=b=1")
    assert told(tmp_path, build, *words, *both) == AMBIGUOUS


_SEEN = {
    "WORKSPACE": "",
    "d/BUILD": "",
    "d/d.bzl": """
def _impl(ctx):
    return []

by_rule = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:for_d")})
by_none = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:for_none")})
by_file = rule(
    implementation = _impl,
    attrs = {"_x": attr.label(default = "//x:file", allow_files = True)},
)
for_tests = rule(implementation = _impl, attrs = {"_x": attr.label(default = "//x:for_tests")})
offers = rule(implementation = _impl, attrs = {"x": attr.label(default = "//x:for_d")})
""",
    "x/BUILD": """
filegroup(name = "for_d", visibility = ["//d:__pkg__"])
filegroup(name = "for_none", visibility = ["//visibility:private"])
filegroup(name = "for_tests", testonly = 1, visibility = ["//visibility:public"])
exports_files(["file"], visibility = ["//d:__pkg__"])
""",
    "x/file": "",
    "BUILD": """
load("//d:d.bzl", "by_file", "by_none", "by_rule", "for_tests", "offers")
by_rule(name = "by_rule")
by_none(name = "by_none")
by_file(name = "by_file")
for_tests(name = "for_tests")
offers(name = "offers")
""",
}
_FROM_DEFINITION = "--incompatible_visibility_private_attributes_at_definition"


@pytest.mark.parametrize("implicit", [False, True])
@pytest.mark.parametrize(
    ("version", "words", "sees"),
    [
        ("4.2.3", (), ()),
        ("4.2.3", (_FROM_DEFINITION,), ("by_file", "by_rule")),
        ("6.0.0", (), ()),
        ("7.4.1", (), ("by_file", "by_rule")),
        ("7.4.1", (f"--no{_FROM_DEFINITION[2:]}",), ()),
        ("8.4.0", (), ("by_file", "by_rule")),
    ],
)
def test_private_attributes_see_what_the_file_of_their_rule_sees(
    version: str, words: tuple[str, ...], sees: tuple[str, ...], implicit: bool, tmp_path: Path
) -> None:
    """What a public attribute has by default, its target must see (4.2.3 measured)."""
    for name, text in _SEEN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    line = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([*words])
    found = {}
    for name in ("by_file", "by_none", "by_rule", "offers", "for_tests"):
        asked = f"//:{name}"
        refusals = line.cquery(asked).envelope.refusals if implicit else line.refusals(asked)
        found[name] = [one.kind for one in refusals if not one.also]
    hidden = [RefusalKind.VISIBILITY]
    expected = {name: [] if name in sees else hidden for name in ("by_file", "by_none", "by_rule")}
    assert found == {**expected, "offers": hidden, "for_tests": [RefusalKind.TEST_ONLY]}


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        ("--custom_malloc=//x:private", None),
        ("--custom_malloc=//x:gone", "--custom_malloc=//x:gone names it"),
        ("--custom_malloc=//gone", "--custom_malloc=//gone names it"),
        ("--run_under=//x:gone", None),  # No test stands there.
    ],
)
def test_what_an_option_names_is_looked_at_but_for_its_visibility(
    tmp_path: Path, flag: str, told: str | None
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "x" / "BUILD").write_text('cc_library(name = "private")\n')
    (tmp_path / "BUILD").write_text('cc_binary(name = "b", srcs = ["b.cc"])\n')
    (tmp_path / "b.cc").touch()
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    refusals = workspace.configure([flag, "//:b"]).explain().envelope.refusals
    assert [cause.text for one in refusals for cause in one.causes] == ([told] if told else [])
