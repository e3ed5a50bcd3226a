"""`check --for`: what Starlark files and templates say that another Bazel refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.bazel import removed_functions
from tests.support.files import write_files


def _told(tmp_path: Path, own: str, target: str) -> dict[str, list[str]]:
    """The places of what is gone under `target`, by what it is."""
    asked = Workspace.open(tmp_path, bazel_version=own).configure()
    found = asked.check(target=target, codes=["BZS510", "BZS511"]).findings
    return {
        one.subject: [
            f"{span.path}:{span.line}"
            for span in (one.span, *(cause.span for cause in one.causes))
            if span is not None
        ]
        for one in found
    }


_RETURNS = """\
def _helper(ctx):
    return struct(files = [])

def _rule_impl(
        ctx):
    # return struct(
    if ctx.attr.x:

        return struct(files = [])
    return []

def _first(ctx):
    return struct()

def _repository_impl(ctx):
    return struct()

def _aspect_impl(target, ctx):
    return struct(x = _helper(ctx))

a = rule(attrs = {"x": attr.bool(default = bool(1))}, implementation = _rule_impl)
b = rule(_first, attrs = {})
c = repository_rule(implementation = _repository_impl)
d = aspect(implementation = _aspect_impl)
e = rule(implementation = _helper_of_another_file)
"""


def test_structs_of_rules_end_with_bazel_8_those_of_aspects_with_9(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", "defs.bzl": _RETURNS})
    rules = {"`struct` of rules": ["defs.bzl:13"]}
    assert _told(tmp_path, "6.5.0", "7.4.0") == {}
    asked = Workspace.open(tmp_path, bazel_version="6.5.0").configure()
    (found,) = asked.check(target="8.1.0", codes=["BZS511"]).findings
    assert found.dependents == 2
    assert found.message.startswith("Bazel 8.1.0 refuses a `struct` that the code of rules returns")
    assert _told(tmp_path, "6.5.0", "9.0.0") == {
        **rules,
        "`struct` of aspects": ["defs.bzl:19"],
    }
    assert _told(tmp_path, "8.1.0", "9.0.0").keys() == {"`struct` of aspects"}
    # Bazel 8 can be asked to take them for now.
    (tmp_path / ".bazelrc").write_text("build --incompatible_disallow_struct_provider_syntax=0\n")
    assert _told(tmp_path, "6.5.0", "8.1.0") == {}
    assert "`struct` of rules" in _told(tmp_path, "6.5.0", "9.0.0")


_OTHERS = """\
x = attr.label(
    default = Label("//:x"),
    providers = ["files_to_run"],
)
y = attr.label_list(aspects = [f(g(1))], providers = [["proto"]])
z = attr.label(providers = [ProtoInfo])
w = macro(providers = ["x"])
JARS = dep[JavaInfo].transitive_deps + dep[JavaInfo].transitive_runtime_deps
OWN = dep[OwnInfo].transitive_deps + dep[JavaInfo].transitive_exports
"""


def test_fields_and_strings_of_providers(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", "defs.bzl": _OTHERS})
    assert _told(tmp_path, "4.2.3", "5.4.0") == {"`JavaInfo.transitive_exports`": ["defs.bzl:9"]}
    assert _told(tmp_path, "5.4.0", "7.4.0") == {
        "`JavaInfo.transitive_deps`": ["defs.bzl:8"],
        "`JavaInfo.transitive_runtime_deps`": ["defs.bzl:8"],
    }
    asked = Workspace.open(tmp_path, bazel_version="8.1.0").configure()
    (found,) = asked.check(target="9.0.0", codes=["BZS511"]).findings
    assert (found.subject, found.dependents) == ("strings in an attribute's `providers`", 2)
    assert found.span is not None and found.span.line == 3


def test_nothing_is_bound_any_more(tmp_path: Path) -> None:
    build = 'alias(name = "a", actual = "//external:zlib")\n'
    build += 'config_setting(name = "b", values = {"crosstool_top": "//external:android/c"})\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    assert _told(tmp_path, "7.4.0", "8.1.0") == {}
    assert _told(tmp_path, "7.4.0", "9.0.0") == {"labels in `//external`": ["BUILD:1"]}


def test_a_runtime_may_be_of_python_2_still(tmp_path: Path) -> None:
    build = 'py_runtime(name = "a", interpreter_path = "/p", python_version = "PY2")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    assert _told(tmp_path, "6.5.0", "7.4.0") == {}
    build += 'py_binary(name = "b", srcs = ["b.py"], python_version = "PY2")\n'
    write_files(tmp_path, {"BUILD": build, "b.py": ""})
    assert _told(tmp_path, "6.5.0", "7.4.0") == {'`python_version = "PY2"`': ["BUILD:2"]}


@pytest.mark.parametrize("name", ["BUILD.tpl", "BUILD.gpu.tpl", "gpu.BUILD.tpl", "defs.bzl.tpl"])
def test_templates_of_starlark_are_read(tmp_path: Path, name: str) -> None:
    text = 'x = ["@bazel_tools//platforms:%{cpu}"]\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", name: text})
    assert list(_told(tmp_path, "4.2.3", "6.5.0").values()) == [[f"{name}:1"]]
    (tmp_path / name).rename(tmp_path / "run.sh.tpl")
    assert _told(tmp_path, "4.2.3", "6.5.0") == {}


def test_a_template_may_load_what_it_calls(tmp_path: Path) -> None:
    calls = 'cc_library(name = "%{name}")\n'
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": "", "BUILD.tpl": calls})
    assert _told(tmp_path, "8.1.0", "9.0.0") == {"cc_library": ["BUILD.tpl:1"]}
    write_files(tmp_path, {"BUILD.tpl": "%{loads}\n" + calls})
    assert _told(tmp_path, "8.1.0", "9.0.0") == {}


def test_the_word_that_a_text_is_searched_for_first_is_part_of_what_is_searched() -> None:
    for function in removed_functions._FUNCTIONS:
        assert function.word in function.pattern.replace("\\", ""), function.what
    assert sum(1 for function in removed_functions._FUNCTIONS if function.word) > 15
