"""Generated workspaces full of mistakes: rules whose attributes are given files and targets of any
kind, texts that do not expand, keys that are no conditions, and what they may not see.

Every package has a few rules, most of which depend on those of `//good` and on files; of what
depends on another that fails, Bazel says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from tests.support.files import write_files

_RULES_BZL = """
P = provider(fields = ["x"])
Q = provider()

def _one(ctx):
    number = len([d[P].x for d in ctx.attr.deps if P in d])
    return [P(x = number), DefaultInfo(files = depset(ctx.files.srcs))]

one = rule(implementation = _one, attrs = {
    "deps": attr.label_list(providers = [P]),
    "srcs": attr.label_list(allow_files = [".txt", ".c", ".h"]),
})

def _two(ctx):
    return [Q(y = ctx.attr.dep[P].x) if ctx.attr.dep else Q(), P(x = 1)]

two = rule(implementation = _two, attrs = {
    "dep": attr.label(providers = [[P], [Q]]),
    "deps": attr.label_list(providers = [[P, Q], [CcInfo]], allow_files = True),
    "more": attr.label_keyed_string_dict(allow_files = True),
})

def _run(ctx):
    program = ctx.actions.declare_file(ctx.label.name + ".sh")
    text = ctx.expand_location(ctx.attr.text, ctx.attr.data)
    ctx.actions.write(program, text, is_executable = True)
    return [DefaultInfo(executable = program, runfiles = ctx.runfiles(files = ctx.files.data))]

run = rule(implementation = _run, executable = True, attrs = {
    "data": attr.label_list(allow_files = True),
    "text": attr.string(mandatory = True),
})

def _check(ctx):
    if ctx.attr.text:
        fail("text is " + ctx.attr.text, attr = "text")
    return [DefaultInfo(files = depset([ctx.file.src])), P(x = ctx.attr.dep[P].x)]

check = rule(implementation = _check, attrs = {
    "text": attr.string(),
    "src": attr.label(allow_single_file = [".txt", ".sh"], mandatory = True),
    "dep": attr.label(default = "//good:p"),
})

def _tool(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".made")
    ctx.actions.run(
        executable = ctx.executable.tool,
        outputs = [made],
        inputs = ctx.files.srcs,
        arguments = [str(ctx.attr.flag[P].x)] if ctx.attr.flag else [],
    )
    return [DefaultInfo(files = depset([made]))]

tool = rule(implementation = _tool, attrs = {
    "tool": attr.label(executable = True, cfg = "host", allow_files = True, mandatory = True),
    "srcs": attr.label_list(allow_files = True, allow_empty = False),
    "flag": attr.label(),
})
"""
_GOOD = """
load(":rules.bzl", "one", "two")
package(default_visibility = ["//visibility:public"])
exports_files(["exported.txt"])
one(name = "p")
two(name = "q", dep = ":p")
cc_library(name = "cc", srcs = ["a.c"])
cc_binary(name = "bin", srcs = ["a.c"])
sh_library(name = "sh", srcs = ["a.sh"])
sh_binary(name = "prog", srcs = ["a.sh"])
py_library(name = "py", srcs = ["a.py"])
genrule(name = "gen", outs = ["gen.txt"], cmd = "touch $@")
filegroup(name = "several", srcs = ["a.txt", "b.txt"])
filegroup(name = "empty")
filegroup(name = "tests_only", testonly = 1, srcs = ["a.txt"])
filegroup(name = "hidden", srcs = ["a.txt"], visibility = ["//visibility:private"])
alias(name = "alias_of_cc", actual = ":cc")
alias(name = "alias_of_file", actual = ":gen.txt")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "fast", values = {"compilation_mode": "fastbuild"})
constraint_setting(name = "setting")
constraint_value(name = "value", constraint_setting = ":setting")
toolchain_type(name = "type")
test_suite(name = "suite", tests = [])
package_group(name = "group", packages = ["//p1/...", "//p3"])
"""
_TARGETS = (
    *("alias_of_cc", "alias_of_file", "bin", "cc", "empty", "exported.txt", "gen", "gen.txt"),
    *("group", "hidden", "opt", "p", "prog", "py", "q", "several", "sh", "suite", "tests_only"),
    *("type", "value"),
)
_FILES = (
    *("A.java", "a.c", "a.py", "a.sh", "a.txt", "b.cc", "h.h", "lib.a", "lib.so", "plain"),
    "x.jar",
)
_ODD = (
    *("//good:nothing", "//good:unexported.txt", "//nothing:x", ":folder", ":nothing"),
    ":nothing.txt",
)
_KEYS = (
    *("//conditions:default", "//good:alias_of_cc", "//good:cc", "//good:fast", "//good:nothing"),
    *("//good:opt", "//nothing:x"),
)
_TEXTS = (
    *("", "a", "x y", "$(location a.txt)", "$(locations //good:several)", "$(CC)", "$(NOTHING)"),
    *("$(location //good:several)", "$(execpath //good:gen)", "$(location //good:alias_of_cc)"),
    *("$$", "$@", "$x", "'open", "$(location", "-I."),
)
_LABEL, _LABELS, _TEXT, _TEXTS_OF = "label", "labels", "text", "texts"
_CC = {"srcs": _LABELS, "deps": _LABELS, "copts": _TEXTS_OF, "defines": _TEXTS_OF}
_NATIVE: Mapping[str, Mapping[str, str]] = {
    "cc_library": {**_CC, "hdrs": _LABELS, "data": _LABELS, "textual_hdrs": _LABELS},
    "cc_binary": {**_CC, "malloc": _LABEL, "args": _TEXTS_OF},
    "cc_import": {"static_library": _LABEL, "shared_library": _LABEL, "hdrs": _LABELS},
    "py_library": {"srcs": _LABELS, "deps": _LABELS, "data": _LABELS},
    "sh_library": {"srcs": _LABELS, "deps": _LABELS, "data": _LABELS},
    "sh_binary": {"srcs": _LABELS, "deps": _LABELS, "args": _TEXTS_OF, "data": _LABELS},
    "genrule": {"srcs": _LABELS, "tools": _LABELS, "cmd": _TEXT},
    "filegroup": {"srcs": _LABELS, "data": _LABELS},
    "alias": {"actual": _LABEL},
    "extra_action": {"cmd": _TEXT, "tools": _LABELS, "data": _LABELS},
}
_STARLARK: Mapping[str, Mapping[str, str]] = {
    "one": {"deps": _LABELS, "srcs": _LABELS},
    "two": {"dep": _LABEL, "deps": _LABELS},
    "run": {"data": _LABELS, "text": _TEXT},
    "check": {"text": _TEXT, "src": _LABEL, "dep": _LABEL},
    "tool": {"tool": _LABEL, "srcs": _LABELS, "flag": _LABEL},
}
_RULES = {**_NATIVE, **_STARLARK}
_WRITTEN = frozenset({"actual", "cmd", "src", "text", "tool"})
_WRITTEN_IN = frozenset({("sh_binary", "srcs")})
"""Attributes that every rule is given, or a rule of that class; others are by chance."""
_PACKAGES = 24
_RULES_OF_EACH = 5


def write_world(root: Path, seed: int) -> None:
    """Writes the world of a seed into an empty folder."""
    chance = random.Random(seed)
    good = ("a.c", "a.py", "a.sh", "a.txt", "b.txt", "exported.txt", "unexported.txt")
    files = {f"good/{name}": "" for name in good}
    files |= {"WORKSPACE": "", "good/rules.bzl": _RULES_BZL, "good/BUILD": _GOOD}
    for number in range(_PACKAGES):
        package = f"p{number}"
        files |= {f"{package}/{name}": "" for name in (*_FILES, "folder/x.txt")}
        rules = "".join(_rule(chance, index) for index in range(_RULES_OF_EACH))
        loaded = ", ".join(f'"{name}"' for name in _STARLARK)
        files[f"{package}/BUILD"] = f'load("//good:rules.bzl", {loaded})\n{rules}'
    write_files(root, files)


def _rule(chance: random.Random, index: int) -> str:
    kind = chance.choice([*_RULES])
    given = {"name": f'"t{index}"'}
    if kind == "genrule":
        given["outs"] = f'["made{index}"]'
    if chance.random() < 0.2:
        given["visibility"] = '["//visibility:public"]'
    for name, type_ in _RULES[kind].items():
        is_written = name in _WRITTEN or (kind, name) in _WRITTEN_IN
        if is_written or chance.random() < 0.4:
            given[name] = _value(chance, type_)
    return f"{kind}({', '.join(f'{name} = {value}' for name, value in given.items())})\n"


def _value(chance: random.Random, type_: str) -> str:
    if chance.random() > 0.08:
        return _plain(chance, type_)
    keys = chance.sample(_KEYS, chance.randint(1, 3))
    return f"select({{{', '.join(f'{key!r}: {_plain(chance, type_)}' for key in keys)}}})"


def _plain(chance: random.Random, type_: str) -> str:
    if type_ == _LABEL:
        return repr(_label(chance))
    if type_ == _LABELS:
        return repr(list(dict.fromkeys(_label(chance) for _ in range(chance.randint(0, 3)))))
    if type_ == _TEXT:
        return repr(chance.choice(_TEXTS))
    return repr([chance.choice(_TEXTS) for _ in range(chance.randint(0, 2))])


def _label(chance: random.Random) -> str:
    number = chance.random()
    if number < 0.3:
        return chance.choice(_FILES)
    if number < 0.94:
        return f"//good:{chance.choice(_TARGETS)}"
    return chance.choice(_ODD)
