"""The errors of one target: of Bazel's kind, with what helps, and the rest stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.kept_refusals import refusals_below
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from tests.unit.analysis.refusals.closure_world import refused

FILES = {
    "WORKSPACE": "",
    "defs.bzl": """\
def _impl(ctx):
    return []

int_flag = rule(implementation = _impl, build_setting = config.int(flag = True))

def _lie(settings, attr):
    return {}

lie = transition(implementation = _lie, inputs = [], outputs = ["//command_line_option:cpu"])
lying = rule(
    implementation = _impl,
    attrs = {
        "deps": attr.label_list(cfg = lie),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
needs = rule(implementation = _impl, attrs = {"dep": attr.label(mandatory = True)})
""",
    "BUILD": """\
load(":defs.bzl", "int_flag", "lying", "needs")

int_flag(name = "size", build_setting_default = 1)
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "unknown", values = {"no_such_option": "1"})
config_setting(name = "sized", flag_values = {":size": "big"})
alias(name = "round", actual = ":trip")
alias(name = "trip", actual = ":round")
filegroup(name = "good")
filegroup(name = "ambiguous", srcs = select({":opt": [":good"], ":a": ["x"]}))
filegroup(name = "unmatched", srcs = select({":opt": ["x"], ":a": ["y"]}))
filegroup(name = "explained", srcs = select({":a": ["x"]}, no_match_error = "set a!"))
filegroup(name = "no_setting", srcs = select({":good": ["x"], "//conditions:default": []}))
filegroup(name = "gone", srcs = select({":nothing": ["x"], "//conditions:default": []}))
filegroup(name = "no_option", srcs = select({":unknown": ["x"], "//conditions:default": []}))
filegroup(name = "bad_type", srcs = select({":sized": ["x"], "//conditions:default": []}))
filegroup(name = "cycle", srcs = select({":round": ["x"], "//conditions:default": []}))
filegroup(name = "dangling", srcs = ["//nowhere:nobody"])
filegroup(name = "around", srcs = [":ambiguous", ":good"])
needs(name = "none", dep = select({":a": ":good", "//conditions:default": None}))
lying(name = "lies", deps = [":good"])
""",
}
BOTH = "-c opt --define=a=1"

ERRORS = [
    # flags, target, kind, part of the message, part of target, attribute and causes
    (BOTH, "ambiguous", "ambiguous-select", "//:opt\n//:a\n", "//:a holds: --define=a=1"),
    ("", "unmatched", "no-matching-branch", "Conditions checked:\n //:opt", "//:opt does not hold"),
    ("", "explained", "no-matching-branch", "set a!", "--define=a=1 is not set"),
    ("", "no_setting", "invalid-condition", "//:good is not a valid", "`//:good` is a filegroup"),
    ("", "gone", "invalid-condition", "nothing", "//:gone srcs"),
    ("", "no_option", "invalid-condition", "unknown option `no_such_option`", "//:unknown"),
    ("", "bad_type", "invalid-condition", "`big` is not an int", "//:sized"),
    ("", "cycle", "dependency-cycle", "//:round -> //:trip -> //:round", "//:round"),
    (
        "",
        "none",
        "missing-attribute",
        "Mandatory attribute 'dep' resolved to 'None'",
        "//:none dep",
    ),
    ("", "lies", "transition-failed", "were not defined by transition function", ""),
]


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def errors(root: Path, flags: str, name: str, version: str = "4.2.3") -> tuple[Refusal, ...]:
    asked = Workspace.open(root, bazel_version=version).configure(flags.split())
    graph = asked.world.configured
    refused = refusals_below(graph, [parse_label(f"//:{name}", PackageId("", ""))])
    return tuple(one for one in refused if not one.also)


@pytest.mark.parametrize(("flags", "name", "code", "message", "more"), ERRORS)
def test_an_error_says_what_and_where(
    root: Path, flags: str, name: str, code: str, message: str, more: str
) -> None:
    found, *_ = errors(root, flags, name)
    assert found.kind.value == code
    assert message in found.message
    assert more in " ".join(
        [str(found.target), found.attribute, *(cause.text for cause in found.causes)]
    )


def test_a_label_that_is_nothing_is_an_error(root: Path) -> None:
    (found,) = errors(root, "", "dangling")
    assert found.kind is RefusalKind.MISSING_PACKAGE


@pytest.mark.parametrize("flags", ["", BOTH])
def test_what_depends_on_a_broken_target_has_no_error_itself(root: Path, flags: str) -> None:
    assert {str(one.target) for one in errors(root, flags, "around")} == {"//:ambiguous"}
    assert errors(root, flags, "good") == ()


_BARE_VALUES = """
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
platform(name = "p", constraint_values = [":v"])
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "of_v", constraint_values = [":v"])
filegroup(name = "top", srcs = select({":KEY": ["a.txt"], ":v": ["b.txt"]}))
"""


@pytest.mark.parametrize("version", ["5.1.0", "6.5.0", "8.1.0", "9.2.0"])
def test_a_config_setting_is_more_special_than_a_bare_constraint_value(
    tmp_path: Path, version: str
) -> None:
    """Seen on pigweed, which builds so with its sanitizers. Bazel: `ConstraintValueInfo`."""
    words = ("--platforms=//:p", "-c", "opt")
    assert refused(tmp_path, _BARE_VALUES.replace("KEY", "opt"), *words, version=version) == ()
    # Constraint values count since Bazel 6.
    found = refused(tmp_path, _BARE_VALUES.replace("KEY", "of_v"), *words, version=version)
    assert [one.kind.value for one in found] == (["ambiguous-select"] if version < "6" else [])


HELP = "Would a default condition help?"
CHECKED = "Conditions checked:\n //:a"


@pytest.mark.parametrize(
    ("version", "name", "message"),
    [
        # Measured: 0.24.1, 2.1.0, 4.2.3; later releases' words are from reports of their users.
        ("2.1.0", "bare", f"Configurable {{}}{{}} (would a default condition help?).\n{CHECKED}"),
        ("4.2.3", "bare", f"Configurable {{}}{{}} (would a default condition help?).\n{CHECKED}"),
        ("5.1.0", "bare", f"configurable {{}} in //:bare{{}}. {HELP}\n\n{CHECKED}"),
        ("4.2.3", "told", "Configurable {}{}: set a!"),
        ("5.1.0", "told", "configurable {} in //:told{}: set a!"),
        ("2.1.0", "wrong", "//:file is not a valid configuration key for //:wrong"),
        ("4.2.3", "wrong", "//:file is not a valid select() condition for //:wrong"),
    ],
)
def test_words_are_those_of_the_release(
    tmp_path: Path, version: str, name: str, message: str
) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text("""
config_setting(name = "a", values = {"define": "a=1"})
filegroup(name = "file")
filegroup(name = "bare", srcs = select({":a": ["x"]}))
filegroup(name = "told", srcs = select({":a": ["x"]}, no_match_error = "set a!"))
filegroup(name = "wrong", srcs = select({":file": ["x"], "//conditions:default": []}))
""")
    found, *_ = errors(tmp_path, "", name, version)
    assert found.message == message.format('attribute "srcs"', " doesn't match this configuration")
