"""What is made anew where files differ that decide about repositories is what a walk over
everything makes."""

from __future__ import annotations

import pytest

from tests.support.repositories import Repository
from tests.unit.questions.affected_ways import LIKE, WALK, Places, committed, way_taken

FILES = {
    "WORKSPACE": """
workspace(name = "w")
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("//:repos.bzl", "laid", "NAME", "written")
http_archive(name = "far", patches = ["//:far.patch"], urls = ["https://example.org/far.zip"])
local_repository(name = "near", path = "near")
laid(name = "laid", build_file = "//:laid.BUILD")
written(name = NAME, text = "x = 1")
bind(name = "bound", actual = "//lib:a")
register_toolchains("//tc:all")
""",
    "BUILD": "",
    "repos.bzl": """
NAME = "made"
VALUE = "v"
def _laid(ctx):
    ctx.symlink(ctx.attr.build_file, "BUILD")
laid = repository_rule(implementation = _laid, attrs = {"build_file": attr.label()})
def _written(ctx):
    ctx.file("BUILD", "filegroup(name = 'f', visibility = ['//visibility:public'])")
    ctx.file("defs.bzl", ctx.attr.text)
written = repository_rule(implementation = _written, attrs = {"text": attr.string()})
""",
    "laid.BUILD": 'filegroup(name = "l", visibility = ["//visibility:public"])\n',
    "far.patch": "-",
    "near/WORKSPACE": "",
    "near/BUILD": 'filegroup(name = "n", srcs = ["n.txt"], visibility = ["//visibility:public"])',
    "near/defs.bzl": "def near(name):\n    native.filegroup(name = name)\n",
    "near/n.txt": "",
    "rules.bzl": """
def _impl(ctx):
    return []
user = rule(implementation = _impl, toolchains = ["//tc:type"])
""",
    "tc/BUILD": """
toolchain_type(name = "type", visibility = ["//visibility:public"])
toolchain(name = "one", toolchain = "//lib:tc", toolchain_type = ":type")
""",
    "lib/BUILD": """
load("@made//:defs.bzl", "x")
load("@near//:defs.bzl", "near")
load("//:repos.bzl", "VALUE")
package(default_visibility = ["//visibility:public"])
filegroup(name = "tc")
filegroup(name = "a", tags = [VALUE])
filegroup(name = "b", tags = [str(x)])
near("c")
""",
    "app/BUILD": """
load("//:rules.bzl", "user")
user(name = "w")
filegroup(name = "u", srcs = ["@laid//:l", "@near//:n", "@made//:f", "@later//:f"])
filegroup(name = "v", srcs = ["@far//:f", "//external:bound", "//lib:b"])
sh_binary(name = "s", srcs = ["s.sh"])
""",
}
LATER = 'local_repository(name = "later", path = "near")\nregister_'
EDITS: dict[str, tuple[Places, bool]] = {
    "lines of WORKSPACE": ({"WORKSPACE": ("workspace(", "# why\n\nworkspace(")}, LIKE),
    "an address": ({"WORKSPACE": ("far.zip", "far-2.zip")}, LIKE),
    "a patch": ({"far.patch": ("-", "+")}, LIKE),
    "what a rule writes": ({"WORKSPACE": ("x = 1", "x = 2")}, LIKE),
    "what a rule writes and nobody sees": ({"WORKSPACE": ("x = 1", "x = 1; y = 2")}, LIKE),
    "what a rule does": ({"repos.bzl": ("'f'", "'f', tags = ['t']")}, LIKE),
    "another place": ({"WORKSPACE": ('path = "near"', 'path = "./near"')}, LIKE),
    "a place where nothing is": ({"WORKSPACE": ('path = "near"', 'path = "tc"')}, WALK),
    "a repository that comes": ({"WORKSPACE": ("register_", LATER)}, LIKE),
    "a repository that goes": ({"WORKSPACE": ("laid(name", "# laid(name")}, LIKE),
    "a repository that loads need": ({"repos.bzl": ('"made"', '"later"')}, WALK),
    "a binding": ({"WORKSPACE": ("//lib:a", "//lib:c")}, LIKE),
    "a toolchain": ({"WORKSPACE": ("//tc:all", "//tc:none")}, WALK),
    "the name": ({"WORKSPACE": ('"w"', '"v"')}, WALK),
    "a BUILD file that is laid": ({"laid.BUILD": ('"l"', '"l", tags = ["t"]')}, LIKE),
    "a value that packages see, too": ({"repos.bzl": ('"v"', '"u"')}, LIKE),
    "a value that nobody sees": ({"repos.bzl": ("VALUE =", "OTHER = 1\nVALUE =")}, LIKE),
    "a BUILD file of a folder": ({"near/BUILD": ('["n.txt"]', "[]")}, LIKE),
    "a macro of a folder": ({"near/defs.bzl": ("= name)", '= name, tags = ["t"])')}, LIKE),
    "an error in WORKSPACE": ({"WORKSPACE": ("register_", "fail()\nregister_")}, WALK),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return committed(tmp_path_factory.mktemp("made") / "w", FILES)


@pytest.mark.parametrize("edit", EDITS)
def test_both_ways_give_the_same(
    edit: str, made: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, way = EDITS[edit]
    assert way_taken(made, places, monkeypatch) == way
