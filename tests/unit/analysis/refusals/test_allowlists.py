"""Who may use Starlark transitions: packages of the allowlist that a rule names, and whoever uses a
rule that a file of such a package makes. Measured with 4.2.3; Bazel: `AllowlistChecker`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_LIST = "tools/allowlists/function_transition_allowlist"
_BZL = f"""
def _set(settings, attr):
    return {{"//command_line_option:test_arg": ["a"]}}

_t = transition(
    implementation = _set,
    inputs = [],
    outputs = ["//command_line_option:test_arg"],
)

def _impl(ctx):
    return []

_ATTRS = {{"_allowlist_function_transition": attr.label(default = "//{_LIST}")}}
own = rule(_impl, cfg = _t, attrs = _ATTRS)
of_dep = rule(_impl, attrs = dict(_ATTRS, dep = attr.label(cfg = _t)))
"""
_BUILD = """
load(":d.bzl", "of_dep", "own")
own(name = "own")
of_dep(name = "of_dep")
"""
_FILES = {
    "WORKSPACE": "",
    f"{_LIST}/BUILD": """
package_group(name = "function_transition_allowlist", packages = ["//listed/..."])
""",
    "listed/d.bzl": _BZL,
    "listed/BUILD": _BUILD,
    "other/d.bzl": _BZL,
    "other/BUILD": _BUILD,
    "user/BUILD": 'load("//listed:d.bzl", "own")\nown(name = "x")\n',
}


@pytest.mark.parametrize("version", ["4.2.3", "5.0.0", "7.0.0"])
@pytest.mark.parametrize(
    ("target", "refused"),
    [
        ("//listed:own", ""),
        ("//listed:of_dep", ""),
        ("//user:x", ""),
        ("//other:own", "in own rule //other:own: "),
        ("//other:of_dep", "in of_dep rule //other:of_dep: "),
    ],
)
def test_who_may_use_a_transition(tmp_path: Path, version: str, target: str, refused: str) -> None:
    write_files(tmp_path, _FILES)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    told = [(one.kind.value, one.message) for one in workspace.configure([]).refusals(target)]
    words = "Non-allowlisted use of Starlark transition"
    assert told == ([("transition-failed", refused + words)] if refused else [])
