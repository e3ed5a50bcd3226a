"""Workspaces whose BUILD files see what a prelude defines or loads, or should not."""

from __future__ import annotations

_PRELUDE = "tools/build_rules/prelude_bazel"
_HOME = {"WORKSPACE": "", "tools/build_rules/BUILD": ""}
_MACRO = "def library(name):\n    native.filegroup(name = name)\n"


def _with(prelude: str, files: dict[str, str]) -> dict[str, str]:
    return {**_HOME, _PRELUDE: prelude, **files}


WORLDS: dict[str, dict[str, str]] = {
    "assigned and loaded": _with(
        'load("//tools/build_rules:macros.bzl", "library")\nNAME = "one"\n_OWN = "two"\n',
        {
            "tools/build_rules/macros.bzl": _MACRO,
            "a/BUILD": 'library("three")\nfilegroup(name = NAME)\nfilegroup(name = _OWN)\n',
        },
    ),
    "of its own package": _with(
        'NAME = "one"\n', {"tools/build_rules/BUILD": "filegroup(name = NAME)\n"}
    ),
    "hides a rule of Bazel's": _with(
        'cc_library = "one"\n', {"a/BUILD": "filegroup(name = cc_library)\n"}
    ),
    "hidden by the file": _with(
        'NAME = "one"\n',
        {
            "a/BUILD": 'NAME = "two"\nfilegroup(name = NAME)\n',
            "b/BUILD": 'filegroup(name = NAME)\nNAME = "three"\n',
            "c/BUILD": 'load("//a:names.bzl", NAME = "OTHER")\nfilegroup(name = NAME)\n',
            "a/names.bzl": 'OTHER = "four"\n',
        },
    ),
    "loaded by the file, too": _with(
        'load("//tools/build_rules:macros.bzl", "library")\n',
        {
            "tools/build_rules/macros.bzl": _MACRO,
            "a/BUILD": 'library("one")\nload("//tools/build_rules:macros.bzl", "library")\n',
        },
    ),
    "loads what a package lies beside": _with(
        'load("//a:names.bzl", "NAME")\n',
        {"a/names.bzl": 'NAME = "one"\n', "a/BUILD": "filegroup(name = NAME)\n"},
    ),
    "a relative load": _with(
        'load(":macros.bzl", "library")\n',
        {
            "tools/build_rules/macros.bzl": _MACRO,
            "a/macros.bzl": _MACRO.replace("name = name", 'name = name + "_of_a"'),
            "a/BUILD": 'library("one")\n',
            "b/BUILD": 'filegroup(name = "two")\n',
        },
    ),
    "not seen by .bzl files": _with(
        'NAME = "one"\n',
        {
            "a/BUILD": 'load(":macros.bzl", "library")\nlibrary()\n',
            "a/macros.bzl": "def library():\n    native.filegroup(name = NAME)\n",
        },
    ),
    "in no package": {
        "WORKSPACE": "",
        _PRELUDE: 'NAME = "one"\n',
        "a/BUILD": "filegroup(name = NAME)\n",
    },
    "below .bazelignore": _with(
        'NAME = "one"\n', {".bazelignore": "tools\n", "a/BUILD": "filegroup(name = NAME)\n"}
    ),
    "not to be loaded by name": _with(
        'NAME = "one"\n',
        {
            "a/BUILD": "filegroup(name = NAME)\n",
            "b/BUILD": 'load("//tools/build_rules:prelude_bazel", "NAME")\n',
        },
    ),
    "of an external repository": _with(
        'NAME = "outer"\n',
        {
            "WORKSPACE": 'local_repository(name = "inner", path = "inner")\n',
            "a/BUILD": 'filegroup(name = NAME, srcs = ["@inner//b:inner"])\n',
            "inner/WORKSPACE": "",
            "inner/tools/build_rules/BUILD": "",
            f"inner/{_PRELUDE}": 'NAME = "inner"\n',
            "inner/b/BUILD": "filegroup(name = NAME)\n",
        },
    ),
    "fails": _with('NAME = "one"\nfail("no")\n', {"a/BUILD": 'filegroup(name = "a")\n'}),
    "is no Starlark": _with("NAME = = 1\n", {"a/BUILD": 'filegroup(name = "a")\n'}),
    "loads no file": _with(
        'load("//tools/build_rules:none.bzl", "NAME")\n', {"a/BUILD": 'filegroup(name = "a")\n'}
    ),
    "loads no symbol": _with(
        'load("//a:names.bzl", "NAME")\n',
        {"a/names.bzl": "OTHER = 1\n", "a/BUILD": 'filegroup(name = "a")\n'},
    ),
    "an if": _with('if True:\n    NAME = "one"\n', {"a/BUILD": 'filegroup(name = "a")\n'}),
    "names bound late": {
        "WORKSPACE": "",
        "a/BUILD": 'filegroup(name = "one")\nfilegroup = 3\n',
        "b/BUILD": 'filegroup(name = "two")\nload("//a:names.bzl", "filegroup")\n',
        "a/names.bzl": "filegroup = 3\n",
    },
    "names bound late in a .bzl file": {
        "WORKSPACE": "",
        "a/BUILD": 'load(":names.bzl", "NAME")\nfilegroup(name = NAME)\n',
        "a/names.bzl": "NAME = str(1)\nstr = 3\n",
    },
    "is a directory": {
        **_HOME,
        f"{_PRELUDE}/x": "",
        "p/BUILD": 'filegroup(name = "x")\n',
        "q/BUILD": 'filegroup(name = "y", srcs = SOURCES)\n',
    },
}
"""The files of each, by what its prelude is like."""
