"""Writes a workspace of made packages: `scripts/made_tree.py DIRECTORY PACKAGES [LIBRARIES]`.

The same numbers give the same files. Packages are as those of large trees, of rules that need no
toolchain, so that a real Bazel can load them without a network: libraries that a macro makes,
sources, a generated file, a test, select()s; most of what they depend on is near, some of it is
far. `//top:whole` leads to all of them. Each package may have so many more libraries, each of ten
edges: 2,500 packages with 39 have a million edges, as 47,500 packages without.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

_WIDTH = 100
"""Packages in a directory."""

_DEFINITIONS = """
def library(name, deps = [], wide = [], **rest):
    native.sh_library(
        name = name,
        srcs = [name + ".sh"],
        deps = deps + select({
            "//build:wide": wide,
            "//conditions:default": [],
        }) if wide else deps,
        **rest
    )
    native.filegroup(name = name + "_files", srcs = [name + ".sh"])
"""
_SETTINGS = """
config_setting(name = "wide", define_values = {"wide": "true"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
exports_files(["defs.bzl"])
"""


def path_of(number: int) -> str:
    """The directory of a package."""
    return f"code/d{number // _WIDTH}/p{number}"


def write(root: Path, packages: int, libraries: int = 0) -> None:
    """Writes the workspace."""
    _write(root / "WORKSPACE", 'workspace(name = "made")\n')
    _write(root / ".bazelversion", "4.2.3\n")
    _write(root / ".bazelrc", "build:wide --define=wide=true\n")
    _write(root / "build/BUILD", _SETTINGS)
    _write(root / "build/defs.bzl", _DEFINITIONS)
    rng = random.Random(packages)
    for number in range(packages):
        _write(root / path_of(number) / "BUILD", _package(number, rng, libraries))
    tops = [number for number in range(packages) if number % 7 == 0 or number >= packages - 50]
    deps = "".join(f'    "//{path_of(number)}:a",\n' for number in tops)
    _write(root / "top/BUILD", f'filegroup(name = "whole", srcs = [\n{deps}])\n')


def _package(number: int, rng: random.Random, libraries: int) -> str:
    near = [n for n in range(number - 12, number) if n >= 0]
    some = rng.sample(near, min(len(near), 4)) + [
        rng.randrange(number) for _ in range(2 * bool(number))
    ]
    deps = sorted({f'"//{path_of(one)}:{rng.choice("abc")}"' for one in some})
    more = {f"more{one}": _more(one, near, rng) for one in range(libraries)}
    own = "".join(f'":{name}", ' for name in more)
    lines = [
        'load("//build:defs.bzl", "library")',
        'package(default_visibility = ["//visibility:public"])',
        f'library(name = "a", deps = [":b", ":c", {own}{", ".join(deps)}])',
        f'library(name = "b", deps = [{", ".join(deps[:3])}], data = select({{',
        '    "//build:opt": [":data"],',
        '    "//conditions:default": [],',
        "}))",
    ]
    wide = f", wide = [{deps[-1]}]" if number % 3 == 0 and deps else ""
    lines += [
        f'library(name = "c", deps = [{", ".join(deps[3 : -1 if wide else None])}]{wide})',
        'genrule(name = "make", srcs = ["in.txt"], outs = ["made.txt"], cmd = "cp $< $@")',
        'filegroup(name = "data", srcs = ["in.txt", ":make"])',
        'sh_test(name = "test", srcs = ["test.sh"], data = [":data", ":a"])',
    ]
    lines += [f'library(name = "{name}", deps = [{deps}])' for name, deps in more.items()]
    return "\n".join(lines) + "\n"


def _more(one: int, near: list[int], rng: random.Random) -> str:
    """What one more library depends on: some of those before it, some of packages nearby."""
    own = [f'":more{before}"' for before in sorted(rng.sample(range(one), min(one, 4)))]
    others = sorted(rng.sample(near, min(len(near), 8 - len(own))))
    return ", ".join((*own, *[f'"//{path_of(number)}:more{one}"' for number in others]))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
