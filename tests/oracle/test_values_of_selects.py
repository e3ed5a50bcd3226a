"""What attributes hold whose values are select()s, as `cquery` writes them: branches of None,
joined ones, dictionaries; more special settings; flags that are lists, numbers or labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.query.formats.written import ask_query
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_RULES = """
def _setting(ctx):
    return []
sf = rule(_setting, build_setting = config.string(flag = True))
bf = rule(_setting, build_setting = config.bool(flag = True))
lf = rule(_setting, build_setting = config.string_list(flag = True))
nf = rule(_setting, build_setting = config.int(flag = True))
many = rule(_setting, attrs = {
    "s": attr.string(default = "dflt"), "n": attr.int(default = 3), "b": attr.bool(default = True),
    "l": attr.label(), "ls": attr.label_list(), "ss": attr.string_list(), "d": attr.string_dict(),
    "sld": attr.string_list_dict(), "lkd": attr.label_keyed_string_dict(), "ol": attr.int_list(),
})
"""
_BUILD = """
load(":defs.bzl", "bf", "lf", "many", "nf", "sf")
D = "//conditions:default"
sf(name = "sf", build_setting_default = "zero")
bf(name = "bf", build_setting_default = False)
lf(name = "lf", build_setting_default = ["a", "b"])
nf(name = "nf", build_setting_default = 4)
label_flag(name = "lab", build_setting_default = ":sf")
label_setting(name = "labset", build_setting_default = ":bf")
alias(name = "alf", actual = ":lf")
config_setting(name = "one", flag_values = {":sf": "one"})
config_setting(name = "two", flag_values = {":sf": "two"})
config_setting(name = "bon", flag_values = {":bf": "1"})
config_setting(name = "la", flag_values = {":lf": "a"})
config_setting(name = "lq", flag_values = {":alf": "q"})
config_setting(name = "n4", flag_values = {":nf": "4"})
config_setting(name = "lab_sf", flag_values = {":lab": ":sf"})
config_setting(name = "lab_full", flag_values = {":lab": "//f:sf"})
config_setting(name = "lab_val", flag_values = {":lab": ":bf"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "opt_one",
     values = {"compilation_mode": "opt"}, flag_values = {":sf": "one"})
config_setting(name = "copt_t", values = {"copt": "-t"})
config_setting(name = "copt_x", values = {"copt": "-x"})
config_setting(name = "feat", values = {"features": "ff"})
config_setting(name = "da1", values = {"define": "a=1"})
config_setting(name = "da2", define_values = {"a": "2"})
config_setting(name = "da2b", define_values = {"a": "2", "b": "1"})
config_setting(name = "linux", constraint_values = ["@platforms//os:linux"])
config_setting(name = "linux_opt",
     constraint_values = ["@platforms//os:linux"], values = {"compilation_mode": "opt"})
alias(name = "a_opt", actual = ":opt")
alias(name = "a_by", actual = select({":bon": ":opt", D: ":one"}))
alias(name = "a_never", actual = ":a_opt")
many(name = "none1", s = select({":opt": "o", D: None}), n = select({":opt": None, D: 5}))
many(name = "none2",
     b = select({":bon": False, D: None}), ss = select({":opt": ["x"], D: None}) + ["y"])
many(name = "none3",
     ss = select({":opt": ["k"], D: None})
     + select({":one": ["one"], D: []}))
many(name = "none4", ss = select({":opt": None, D: ["d"]}), l = select({":opt": ":sf", D: None}))
many(name = "dicts",
     d = select({":opt": {"a": "1"}, D: {}}),
     sld = select({":one": {"a": ["b", "c"]}, D: {"x": []}}))
many(name = "lkd",
     lkd = select({":opt": {":sf": "v"}, D: {":bf": "w"}}),
     ol = select({":la": [1, 2], D: [3]}) + [9])
many(name = "spec", s = select({":opt": "opt", ":opt_one": "opt_one", ":one": "one", D: "d"}))
many(name = "spec2", s = select({":da2": "a2", ":da2b": "a2b", ":linux": "l", D: "d"}))
many(name = "amb", s = select({":opt": "o", ":bon": "b", D: "d"}))
many(name = "amb_same", s = select({":opt": "same", ":bon": "same", D: "d"}))
many(name = "aliased", s = select({":a_opt": "o", D: "d"}))
many(name = "aliased2", s = select({":a_opt": "o", ":opt": "o2", D: "d"}))
many(name = "aliased_by", s = select({":a_by": "y", D: "d"}))
many(name = "lists",
     ss = select({":la": ["la"], D: []})
     + select({":lq": ["lq"], D: []}))
many(name = "num", n = select({":n4": 44, D: 55}))
many(name = "labs", s = select({":lab_sf": "sf", D: "d"}))
many(name = "labs2", s = select({":lab_full": "sf", D: "d"}))
many(name = "labs3", s = select({":lab_val": "one", D: "d"}))
many(name = "rep",
     ss = select({":copt_t": ["t"], D: []})
     + select({":copt_x": ["x"], D: []}) + select({":feat": ["f"], D: []}))
many(name = "def",
     ss = select({":da1": ["da1"], D: []})
     + select({":da2": ["da2"], D: []}))
many(name = "nodef", s = select({":opt": "o", ":da2": "x"}, no_match_error = "give one"))
many(name = "con", s = select({"@platforms//os:linux": "L", ":linux_opt": "LO", D: "d"}))
many(name = "con2",
     s = select({"@platforms//os:linux": "L", "@platforms//cpu:x86_64": "X", D: "d"}))
NONE = {":opt": None, D: None}
genrule(name = "g", outs = ["g.o"], cmd = "x", local = select(NONE), message = select(NONE),
        tools = select(NONE), toolchains = select(NONE))
filegroup(name = "f", srcs = select(NONE), output_group = select(NONE),
          data = select({":opt": ["x.txt"], D: None}))
py_library(name = "p", srcs = select(NONE), imports = select(NONE), deps = select(NONE))
"""
_LINES = (
    *("", "-c opt", "--//f:sf=one", "-c opt --//f:sf=one", "--//f:bf -c opt", "--//f:lab=//f:bf"),
    *("--//f:bf --//f:sf=two", "--//f:lf=q --copt=-x", "--//f:lab=//f:nf -c dbg"),
    *("--//f:lf=a,q --features=ff --features=-ff", "--define=a=1 --define=a=2"),
    *("--define=a=2 --define=b=1 --//f:nf=5", "--//f:lf=q --//f:lf=a"),
    "--//f:lf= --copt=-t --copt=-x --features=-ff",
)


def _told(text: str) -> dict[str, str]:
    """The rules of an answer by their names, without places."""
    bare = re.sub(r"^#.*\n", "", text + "\n", flags=re.M)
    rules = (one.strip() for one in re.split(r"\n\)\n", bare))
    return {one.split('"')[1]: one for one in rules if '"' in one}


@pytest.mark.parametrize("line", _LINES)
def test_what_attributes_hold(line: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    write_files(root, {"WORKSPACE": "", "f/defs.bzl": _RULES, "f/BUILD": _BUILD, "f/x.txt": ""})
    names = re.findall(r'^(?:many|genrule|filegroup|py_library)\(name = "(\w+)"', _BUILD, re.M)
    asked = f"set({' '.join(f'//f:{name}' for name in names)})"
    words = ["--output=build", *line.split()]
    theirs = _told(bazel("4.2.3").cquery(root, asked, *words).stdout)
    ours = Workspace.open(root, bazel_version="4.2.3").configure(
        ["--keep_going", *words], command="cquery"
    )
    answer = ask_query(ours.world, ours.envelope_of_flags, asked, str(root), ours.directory_package)
    text = answer.text()
    assert isinstance(text, str)
    assert len(theirs) > 20
    assert _told(text) == theirs
