"""The errors of one target: of Bazel's kind, with what helps, and the rest stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_errors import errors_of
from bazelscope.api import Workspace
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import PackageId, parse_label

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
        "_allowlist_function_transition": attr.label(default = "//:allowed"),
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
    # flags, target, code, part of the message, part of a note or of the hint
    (BOTH, "ambiguous", "ambiguous-select", "//:opt, //:a", "entries include all of another's"),
    ("", "unmatched", "no-matching-condition", "no default", "compilation_mode=opt, got fastbuild"),
    ("", "explained", "no-matching-condition", "set a!", "--define=a=1, is not set"),
    ("", "no_setting", "invalid-condition", "`//:good` is a filegroup", "attribute `srcs`"),
    ("", "gone", "invalid-condition", "nothing", "attribute `srcs` of //:gone"),
    ("", "no_option", "invalid-condition", "unknown option `no_such_option`", "//:no_option"),
    ("", "bad_type", "invalid-condition", "`big` is not an int", "//:bad_type"),
    ("", "cycle", "invalid-condition", "cycle of conditions: //:round -> //:trip", "//:cycle"),
    ("", "none", "missing-attribute", "the mandatory attribute `dep` is None", "//:none"),
    ("", "lies", "transition-failed", "does not set its output", ""),
]


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def errors(root: Path, flags: str, name: str) -> tuple[Diagnostic, ...]:
    asked = Workspace.open(root, bazel_version="4.2.3").configure(flags.split())
    graph = asked.world.configured
    return errors_of(graph, graph.top(parse_label(f"//:{name}", PackageId("", ""))))


@pytest.mark.parametrize(("flags", "name", "code", "message", "more"), ERRORS)
def test_an_error_says_what_and_where(
    root: Path, flags: str, name: str, code: str, message: str, more: str
) -> None:
    (found,) = errors(root, flags, name)
    assert found.code == code
    assert message in found.message
    assert more in " ".join([*(note.message for note in found.notes), found.hint or ""])


def test_a_label_that_is_nothing_is_an_error(root: Path) -> None:
    (found,) = errors(root, "", "dangling")
    assert found.code == "no-such-target"


@pytest.mark.parametrize("flags", ["", BOTH])
def test_what_depends_on_a_broken_target_has_no_error_itself(root: Path, flags: str) -> None:
    assert errors(root, flags, "around") == ()
    assert errors(root, flags, "good") == ()
