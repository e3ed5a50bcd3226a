"""What is known of texts of which a program would print a part."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.unknown import Reason
from bazelscope.loading.packages.repository_access import PartlyKnownFile
from tests.unit.loading.repositories.workspaces import (
    Options,
    assumed,
    evaluate,
    lay_out,
    rule,
    text_of,
)


def test_output_of_a_program_in_a_file_is_a_named_unknown_piece(tmp_path: Path) -> None:
    body = """
version = ctx.execute(["tool", "--version"]).stdout.strip()
ctx.file("defs.bzl", "VERSION = %s\\nKNOWN = 1\\n" % version)
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "defs.bzl")
    assert isinstance(found, PartlyKnownFile)
    ((name, unknown),) = found.unknown_names.items()
    assert found.text == f"VERSION = {name}\nKNOWN = 1\n"
    assert unknown.reason is Reason.RUNS_PROGRAM
    assert "`tool --version`" in unknown.subject


def test_what_is_known_in_a_text_stays_known(tmp_path: Path) -> None:
    body = """
path = ctx.execute(["tool"]).stdout.strip() + "/lib/libcudart.so"
if not path.endswith(".so") or path.endswith(".dylib") or "libcudart" not in path:
    fail("known text is asked of the machine")
name = path
for i in range(len(path)):
    at = len(path) - 1 - i
    if path[at] == "/":
        name = path[at + 1:]
        break
if name != "libcudart.so" or path.rpartition("/")[2] != name:
    fail("got %s" % name)
ctx.file("BUILD", name)
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "libcudart.so"
    assert assumed(root) == []


def test_unknown_text_in_formatted_text_is_still_unknown(tmp_path: Path) -> None:
    body = """
version = ctx.execute(["tool"]).stdout
for shown in ["v%s" % version, "v{}".format(version), "v".join(["", version])]:
    if shown == "v8":
        fail("8 is not supported")
    if shown == "w8":
        fail("cannot be")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`tool`: assumed that `v...` is not `v8`, since the rule fails otherwise"
    ]


@pytest.mark.parametrize("encode", ["json.encode", "json.encode_indent"])
def test_unknown_text_in_json_is_still_unknown(tmp_path: Path, encode: str) -> None:
    body = f"""
text = {encode}({{"versions": [ctx.execute(["tool"]).stdout]}})
if text == "none":
    fail("cannot be")
if '"versions"' not in text:
    fail("what is known stands in it")
ctx.file("x.bzl", "X = " + text)
ctx.file("BUILD", "ok")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "BUILD") == "ok"
    file = table.find_file("r", "x.bzl")
    assert isinstance(file, PartlyKnownFile) and len(file.unknown_names) == 1


@pytest.mark.parametrize("read", ['ctx.os.environ.get("BAZEL_REAL")', 'ctx.getenv("BAZEL_REAL")'])
def test_where_the_real_bazel_is_is_not_known(tmp_path: Path, read: str) -> None:
    """Bazelisk says it to the `tools/bazel` of a workspace."""
    body = f"""
if not {read}:
    fail("BAZEL_REAL is not set")
ctx.file("BUILD", "ok")
"""
    table = evaluate(lay_out(tmp_path, rule(body)), Options(bazel_version="7.1.0"))
    assert text_of(table, "r", "BUILD") == "ok"


@pytest.mark.parametrize(("name", "is_told"), [("HOME", False), ("TOOLS", True)])
def test_whoever_starts_bazel_has_a_home(tmp_path: Path, name: str, is_told: bool) -> None:
    body = f'ctx.file("BUILD", ctx.os.environ["{name}"])'
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert (table.failure_of("r") is not None) == is_told


def test_the_values_of_a_printed_table_are_unknown_one_by_one(tmp_path: Path) -> None:
    body = """
table = dict([line.split(": ") for line in ctx.execute(["tool"]).stdout.splitlines()])
if table["a"] != "1" or table["b"] == "1":
    fail("a must be 1 and b not")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`tool`[a]: assumed that its output is `1`, since the rule fails otherwise",
        "`tool`[b]: assumed that its output is not `1`, since the rule fails otherwise",
    ]


def test_a_string_with_an_unknown_piece_is_an_unknown_value(tmp_path: Path) -> None:
    body = """
out = ctx.execute(["find", "/usr/include"]).stdout
ctx.template("BUILD", Label("//:a.tpl"), {"%{out}": out})
"""
    template = (
        'load(":%{out}.bzl", "x")\n'
        '# not a string: "%{out}"\n'
        'genrule(name = "g", outs = ["a/%{out}", "b"], cmd = """cp\n%{out}\n""")\n'
        'cc_library(name = "after")\n'
    )
    table = evaluate(lay_out(tmp_path, {**rule(body), "a.tpl": template}))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    (piece,) = found.unknown_names
    assert text_of(table, "r", "BUILD") == (
        f'load(":{piece}.bzl", "x")\n'
        f'# not a string: "{piece}"\n'
        f'genrule(name = "g", outs = [{piece}, "b"], cmd = ({piece}\n\n))\n'
        'cc_library(name = "after")\n'
    )


@pytest.mark.parametrize("pair", ["line.split(': ')", "tuple(line.split(': '))"])
def test_a_dict_of_unknown_keys_may_have_any(tmp_path: Path, pair: str) -> None:
    rule = f"""
def _r(ctx):
    lines = ctx.execute(["tool"]).stdout.splitlines()
    table = dict([{pair} for line in lines])
    ctx.file("BUILD", "# %s %s" % (table["version"], [lines[4]]))
r = repository_rule(_r)
"""
    root = lay_out(
        tmp_path / "w",
        {"WORKSPACE": 'load("//:r.bzl", "r")\nr(name = "r")\n', "BUILD": "", "r.bzl": rule},
    )
    found = evaluate(root).build_file("r", "")
    assert isinstance(found, PartlyKnownFile)
