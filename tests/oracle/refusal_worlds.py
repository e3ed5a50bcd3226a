"""Workspaces made at random, with faults planted in them: what a Bazel refuses of each package is
compared with what we do.

One workspace holds many packages, to save starts of a server. Each has a few targets that
depend on one another, one to three faults, and decoys: what looks like a fault and is none.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.oracle.query_language_world import STUBS

FLAGS = ("--define=a=1", "--define=b=1")
"""What all packages are asked under: `//cond:a` and `//cond:b` hold, `//cond:off` does not."""

_DEFS = """
P = provider()
def _impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".out")
    ctx.actions.write(out, ctx.attr.text)
    return [DefaultInfo(files = depset([out]))]

_ATTRS = {
    "deps": attr.label_list(allow_files = True),
    "one": attr.label(allow_files = True),
    "tool": attr.label(allow_files = True, cfg = "host"),
    "text": attr.string(),
    "must": attr.string(mandatory = True),
    "single": attr.label(allow_single_file = [".txt"]),
    "sources": attr.label_list(allow_files = [".zz"]),
    "provided": attr.label_list(providers = [P]),
}

def _gives_impl(ctx):
    return [P()]

gives = rule(implementation = _gives_impl, attrs = {})

def _expands_impl(ctx):
    ctx.expand_make_variables("text", ctx.attr.text, {})
    ctx.expand_location(ctx.attr.text, ctx.attr.deps)
    return []

expands = rule(
    implementation = _expands_impl,
    attrs = {"deps": attr.label_list(allow_files = True), "text": attr.string()},
)

def _declares_impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.out)
    ctx.actions.write(out, ctx.attr.text)
    return [DefaultInfo(files = depset([out]))]

declares = rule(
    implementation = _declares_impl,
    attrs = {"out": attr.string(), "text": attr.string()},
)

def _aspect_impl(target, ctx):
    return []

implies_gone = rule(
    implementation = _gives_impl,
    attrs = {"_tool": attr.label(default = Label("//implied:gone"))},
)
implies_refused = rule(
    implementation = _gives_impl,
    attrs = {"_tools": attr.label_list(default = [Label("//implied:ambiguous")], cfg = "host")},
)
offers_gone = rule(
    implementation = _gives_impl,
    attrs = {"it": attr.label(default = Label("//implied:gone"))},
)
offers_refused = rule(
    implementation = _gives_impl,
    attrs = {"them": attr.label_list(default = [Label("//implied:ambiguous")])},
)
offers_private = rule(
    implementation = _gives_impl,
    attrs = {"it": attr.label(default = Label("//lib:private"))},
)
offers_for_tests = rule(
    implementation = _gives_impl,
    attrs = {"it": attr.label(default = Label("//lib:for_tests"))},
)
implies_private = rule(
    implementation = _gives_impl,
    attrs = {"_it": attr.label(default = Label("//lib:private"))},
)
implies_file = rule(
    implementation = _gives_impl,
    attrs = {"_it": attr.label(default = Label("//lib:plain.txt"), allow_files = True)},
)
implies_for_tests = rule(
    implementation = _gives_impl,
    attrs = {"_it": attr.label(default = Label("//lib:for_tests"))},
)
_aspect = aspect(
    implementation = _aspect_impl,
    attrs = {"_tool": attr.label(default = Label("//implied:of_aspect"))},
)
with_aspect = rule(
    implementation = _gives_impl,
    attrs = {"deps": attr.label_list(allow_files = True, aspects = [_aspect])},
)

def _shells_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.run_shell(outputs = [out], command = ctx.attr.words)
    return [DefaultInfo(files = depset([out]))]

shells = rule(implementation = _shells_impl, attrs = {"words": attr.string_list()})

r = rule(implementation = _impl, attrs = _ATTRS)
def _test_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(out, ctx.attr.text, is_executable = True)
    return [DefaultInfo(executable = out)]

r_test = rule(
    implementation = _test_impl,
    attrs = {"deps": attr.label_list(allow_files = True), "text": attr.string()},
    test = True,
)
wants = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(allow_files = True), "text": attr.string()},
    toolchains = ["//tc:type"],
)
served = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(allow_files = True), "text": attr.string()},
    toolchains = ["//tc:served_type"],
)

def _tc_impl(ctx):
    return [platform_common.ToolchainInfo()]

tc = rule(implementation = _tc_impl, attrs = {})

def _flag_impl(ctx):
    return [config_common.FeatureFlagInfo(value = ctx.attr.value)]

flag = rule(implementation = _flag_impl, attrs = {"value": attr.string()})
"""

_STUBS = {
    f"stubs/{name}/{path}": text
    for name, files in STUBS.items()
    for path, text in {"WORKSPACE": "", **files}.items()
}
_SHARED = {
    **_STUBS,
    "WORKSPACE": "".join(
        f'local_repository(name = "{name}", path = "stubs/{name}")\n' for name in STUBS
    )
    + 'register_toolchains("//tc:served")\n',
    "defs/BUILD": "",
    "defs/defs.bzl": _DEFS,
    "tc/BUILD": """
load("//defs:defs.bzl", "tc")
toolchain_type(name = "type", visibility = ["//visibility:public"])
toolchain_type(name = "served_type", visibility = ["//visibility:public"])
tc(name = "impl", visibility = ["//visibility:public"])
toolchain(name = "served", toolchain_type = ":served_type", toolchain = ":impl")
""",
    "cond/BUILD": """
load("//defs:defs.bzl", "flag")
package(default_visibility = ["//visibility:public"])
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
config_setting(name = "ab", define_values = {"a": "1", "b": "1"})
config_setting(name = "off", define_values = {"a": "2"})
config_setting(name = "off2", values = {"compilation_mode": "dbg"})
alias(name = "also_a", actual = ":a")
filegroup(name = "no_condition")
flag(name = "on", value = "yes")
config_setting(name = "is_on", flag_values = {":on": "yes"})
config_setting(name = "is_off", flag_values = {":on": "no"})
""",
    "lib/BUILD": """
exports_files(["public.txt", "other.cc", "other.py"])
exports_files(["hidden.txt"], visibility = ["//visibility:private"])
filegroup(name = "uses", srcs = ["plain.txt"])
filegroup(name = "two", srcs = ["public.txt", "plain.txt"], visibility = ["//visibility:public"])
filegroup(name = "one", srcs = ["public.txt"], visibility = ["//visibility:public"])
cc_library(name = "cc", visibility = ["//visibility:public"])
alias(name = "also_cc", actual = ":cc", visibility = ["//visibility:public"])
py_library(name = "py", visibility = ["//visibility:public"])
sh_library(name = "sh", visibility = ["//visibility:public"])
filegroup(name = "public", visibility = ["//visibility:public"])
filegroup(name = "private")
filegroup(name = "for_tests", testonly = 1, visibility = ["//visibility:public"])
label_flag(name = "flag_for_tests", build_setting_default = ":for_tests",
           visibility = ["//visibility:public"])
filegroup(name = "for_p1", visibility = ["//p1:__pkg__", "//p3:__subpackages__"])
package_group(name = "some", packages = ["//p2", "//p4/..."], includes = [":more"])
package_group(name = "more", packages = ["//p5"])
filegroup(name = "for_some", visibility = [":some"])
alias(name = "way_to_private", actual = ":private", visibility = ["//visibility:public"])
alias(name = "private_way", actual = ":public")
genrule(name = "make", outs = ["made.txt"], cmd = "")
genrule(name = "make_open", outs = ["open.txt"], cmd = "", visibility = ["//visibility:public"])
genrule(name = "make_test", outs = ["test.txt"], cmd = "", testonly = 1,
        visibility = ["//visibility:public"])
""",
    "lib/plain.txt": "",
    "lib/other.cc": "",
    "lib/other.py": "",
    "lib/public.txt": "",
    "lib/hidden.txt": "",
    "implied/BUILD": """
package(default_visibility = ["//visibility:public"])
[
    filegroup(name = name, srcs = select({"//cond:a": [], "//cond:b": []}))
    for name in ["ambiguous", "of_aspect"]
]
""",
    "broken/BUILD": 'filegroup(name = "before", visibility = ["//visibility:public"])\n'
    'fail("stop")\nfilegroup(name = "behind", visibility = ["//visibility:public"])\n',
    "unloaded/BUILD": 'load("//unloaded:none.bzl", "x")\nfilegroup(name = "x")\n',
}


@dataclass
class _Rule:
    """One rule of a package: its class, and its attributes as they are written."""

    kind: str
    name: str
    labels: list[str] = field(default_factory=list)
    """Of the attribute that takes most: `deps`, or `srcs`."""
    sums: list[str] = field(default_factory=list)
    """What is added to it: select()s."""
    more: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        attribute = "srcs" if self.kind in ("filegroup", "genrule") else "deps"
        listed = "[" + ", ".join(f'"{label}"' for label in dict.fromkeys(self.labels)) + "]"
        parts = [f'name = "{self.name}"']
        parts.append(f"{attribute} = " + " + ".join([listed, *self.sums]))
        more = dict(self.more)
        if self.kind == "genrule":
            more = {"outs": f'["{self.name}.out"]', "cmd": '""', **more}
        if self.kind == "r":
            more = {"must": '"m"', **more}
        if self.kind == "alias":
            actual = self.labels[0] if self.labels else "//lib:public"
            parts = [f'name = "{self.name}"', f'actual = "{actual}"']
        parts += [f"{key} = {value}" for key, value in more.items()]
        return f"{self.kind}({', '.join(parts)})\n"


_LOADED = (
    *("declares", "expands", "gives", "implies_file", "implies_for_tests", "implies_gone"),
    *("implies_private", "implies_refused", "offers_for_tests"),
    *("offers_gone", "offers_private", "offers_refused", "r", "r_test", "served", "shells"),
    *("wants", "with_aspect"),
)


class _Package:
    """One package while it is made."""

    def __init__(self, name: str, random_: random.Random) -> None:
        self.name = name
        self.random = random_
        self.rules: list[_Rule] = []
        self.head: list[str] = []
        self.tail: list[str] = []
        self.extra: dict[str, str] = {}
        self.raw: list[str] = []
        for number in range(random_.randint(3, 7)):
            kinds = ["filegroup", "r", "r", "genrule", "alias", "served"]
            rule = _Rule(random_.choice(kinds), f"t{number}")
            for other in self.rules:
                if random_.random() < 0.4:
                    rule.labels.append(f":{other.name}")
            if rule.kind == "alias":
                rule.labels = rule.labels[:1]
            self.rules.append(rule)

    def any(self) -> _Rule:
        """A rule that takes many labels."""
        return self.random.choice(
            [rule for rule in self.rules if rule.kind != "alias"] or [self.add("filegroup")]
        )

    def custom(self) -> _Rule:
        """A rule of our own class."""
        own = [rule for rule in self.rules if rule.kind == "r"]
        return self.random.choice(own) if own else self.add("r")

    def add(self, kind: str, *labels: str) -> _Rule:
        rule = _Rule(kind, f"t{len(self.rules)}", list(labels))
        self.rules.append(rule)
        return rule

    def text(self) -> str:
        names = ", ".join(f'"{name}"' for name in _LOADED)
        load = f'load("//defs:defs.bzl", {names})\n'
        return (
            load
            + "".join(self.head)
            + "".join(r.text() for r in self.rules)
            + "".join(self.raw)
            + "".join(self.tail)
        )


def _written(text: str) -> Callable[[_Package], None]:
    """Rules as they are written, `@` for what makes their names the only ones."""

    def plant(package: _Package) -> None:
        name = f"x{len(package.raw)}"
        package.raw.append(text.replace("@@", "\0").replace("@", name).replace("\0", "@") + "\n")

    return plant


def _depends(label: str) -> Callable[[_Package], None]:
    def plant(package: _Package) -> None:
        way = package.random.randrange(5)
        if way == 0:
            package.custom().more["one"] = f'"{label}"'
        elif way == 1:
            package.custom().more["tool"] = f'"{label}"'
        elif way == 2:
            package.add("alias", label)
        elif way == 3:
            branches = f'"//cond:a": ["{label}"], "//conditions:default": []'
            package.any().sums.append(f"select({{{branches}}})")
        else:
            package.any().labels.append(label)

    return plant


def _not_taken(label: str) -> Callable[[_Package], None]:
    def plant(package: _Package) -> None:
        branches = f'"//cond:off": ["{label}"], "//conditions:default": []'
        package.any().sums.append(f"select({{{branches}}})")

    return plant


def _select(entries: str, error: str = "", text: str = "") -> Callable[[_Package], None]:
    """A select() whose keys are `entries`, in a list of labels or in a string."""

    def plant(package: _Package) -> None:
        keys = entries.split()
        more = f', no_match_error = "{error}"' if error else ""
        if package.random.random() < 0.4:
            branches = ", ".join(f'"{key}": "{n}"' for n, key in enumerate(keys))
            package.custom().more["text"] = f"select({{{branches}}}{more})"
        else:
            branches = ", ".join(f'"{key}": []' for key in keys)
            package.any().sums.append(f"select({{{branches}}}{more})")

    return plant


def _setting(values: str, used: bool = True) -> Callable[[_Package], None]:
    def plant(package: _Package) -> None:
        name = f"s{len(package.head)}"
        package.head.append(f'config_setting(name = "{name}"{values})\n')
        if used:
            _select(f":{name} //conditions:default")(package)

    return plant


def _cycle(package: _Package) -> None:
    way = package.random.randrange(3)
    first = package.add("filegroup")
    if way == 0:
        second = package.add("r", f":{first.name}")
        first.labels.append(f":{second.name}")
    elif way == 1:
        middle = package.add("alias", f":{first.name}")
        last = package.add("genrule", f":{middle.name}")
        first.labels.append(f":{last.name}.out")
    else:
        second = package.add("filegroup", f":{first.name}")
        first.sums.append(f'select({{"//cond:a": [":{second.name}"], "//conditions:default": []}})')


def _no_cycle(package: _Package) -> None:
    first = package.add("filegroup")
    second = package.add("filegroup", f":{first.name}")
    first.sums.append(f'select({{"//cond:off": [":{second.name}"], "//conditions:default": []}})')


def _none_where_it_must(package: _Package) -> None:
    package.custom().more["must"] = 'select({"//cond:a": None, "//conditions:default": "x"})'


def _none_where_it_may(package: _Package) -> None:
    package.custom().more["text"] = 'select({"//cond:a": None, "//conditions:default": "x"})'


def _test_only_user(package: _Package) -> None:
    rule = package.add("filegroup", "//lib:for_tests")
    rule.more["testonly"] = "1"


def _test_user(package: _Package) -> None:
    rule = package.add("r_test", "//lib:for_tests")
    rule.name += "_test"


def _test_only_by_alias(package: _Package) -> None:
    alias = package.add("alias", "//lib:for_tests")
    _depends(f":{alias.name}")(package)


def _fails(package: _Package) -> None:
    package.tail.append('fail("planted")\nfilegroup(name = "behind")\n')


def _unserved(package: _Package) -> None:
    package.add("wants", *package.any().labels[:1])


FAULTS: dict[str, Callable[[_Package], None]] = {
    "missing target": _depends("//lib:gone"),
    "missing package": _depends("//nowhere:x"),
    "private": _depends("//lib:private"),
    "private file": _depends("//lib:hidden.txt"),
    "file not exported": _depends("//lib:plain.txt"),
    "private output": _depends("//lib:made.txt"),
    "for p1 and p3": _depends("//lib:for_p1"),
    "for a group": _depends("//lib:for_some"),
    "private alias": _depends("//lib:private_way"),
    "testonly": _depends("//lib:for_tests"),
    "testonly maker": _depends("//lib:make_test"),
    "testonly by an alias": _test_only_by_alias,
    "testonly by a label_flag": _depends("//lib:flag_for_tests"),
    "package in error": _depends("//broken:before"),
    "behind the failure": _depends("//broken:behind"),
    "package not loaded": _depends("//unloaded:x"),
    "ambiguous": _select("//cond:a //cond:b //conditions:default"),
    "ambiguous alias": _select("//cond:a //cond:also_a"),
    "no match": _select("//cond:off //cond:off2"),
    "no match, own words": _select("//cond:off", "own words"),
    "missing key": _select("//cond:gone //conditions:default"),
    "key is no condition": _select("//cond:no_condition //conditions:default"),
    "bad enum": _setting(', values = {"compilation_mode": "fast"}'),
    "unknown option": _setting(', values = {"no_such_option": "1"}'),
    "empty setting": _setting(""),
    "no build setting": _setting(', flag_values = {"//cond:no_condition": "x"}'),
    "bad boolean": _setting(', values = {"stamp": "perhaps"}'),
    "cycle": _cycle,
    "mandatory": _none_where_it_must,
    "failing statement": _fails,
    "no toolchain": _unserved,
    "cc srcs of text": _written('cc_library(name = "@", srcs = ["//lib:public.txt"])'),
    "cc srcs without sources": _written('cc_library(name = "@", srcs = ["//lib:one"])'),
    "cc srcs of an empty filegroup": _written('cc_binary(name = "@", srcs = ["//lib:public"])'),
    "cc deps of text": _written('cc_library(name = "@", deps = ["//lib:public.txt"])'),
    "cc deps of a filegroup": _written('cc_library(name = "@", deps = ["//lib:one"])'),
    "cc deps of a Starlark rule": _written(
        'gives(name = "@g")\ncc_library(name = "@", deps = [":@g"])'
    ),
    "py deps of a filegroup": _written('py_library(name = "@", deps = ["//lib:one"])'),
    "py deps of a C++ library": _written('py_library(name = "@", deps = ["//lib:cc"])'),
    "py srcs of text": _written('py_library(name = "@", srcs = ["//lib:public.txt"])'),
    "sh deps of a C++ library": _written('sh_library(name = "@", deps = ["//lib:cc"])'),
    "sh deps of a file": _written('sh_library(name = "@", deps = ["//lib:public.txt"])'),
    "a script of two": _written('sh_binary(name = "@", srcs = ["//lib:two"])'),
    "a script of none": _written('sh_binary(name = "@", srcs = ["//lib:public"])'),
    "suite of no tests": _written('test_suite(name = "@", tests = ["//lib:cc"])'),
    "single of two": _written('r(name = "@", must = "m", single = "//lib:two")'),
    "single of none": _written('r(name = "@", must = "m", single = "//lib:public")'),
    "single of another type": _written(
        'genrule(name = "@g", outs = ["@.zz"], cmd = "")\n'
        'r(name = "@", must = "m", single = ":@.zz")'
    ),
    "sources of text": _written('r(name = "@", must = "m", sources = ["//lib:public.txt"])'),
    "sources without one": _written('r(name = "@", must = "m", sources = ["//lib:one"])'),
    "not provided": _written('r(name = "@", must = "m", provided = ["//lib:cc"])'),
    "not provided through an alias": _written(
        'r(name = "@", must = "m", provided = ["//lib:also_cc"])'
    ),
    "variable not defined": _written(
        'genrule(name = "@", outs = ["@.out"], cmd = "echo $(NO_SUCH_VARIABLE) > $@@")'
    ),
    "location of no prerequisite": _written(
        'genrule(name = "@", outs = ["@.out"], cmd = "cat $(location //lib:one)")'
    ),
    "location of two": _written(
        'genrule(name = "@", srcs = ["//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:two)")'
    ),
    "location of none": _written(
        'genrule(name = "@", srcs = ["//lib:public"], outs = ["@.out"],'
        ' cmd = "cat $(locations //lib:public)")'
    ),
    "unclosed variable": _written('genrule(name = "@", outs = ["@.out"], cmd = "echo $(BINDIR")'),
    "$< of two": _written(
        'genrule(name = "@", srcs = ["//lib:two"], outs = ["@.out"], cmd = "cat $<")'
    ),
    "$@@ of two": _written('genrule(name = "@", outs = ["@.out", "@.out2"], cmd = "cat > $@@")'),
    "copts not defined": _written('cc_library(name = "@", copts = ["-D$(NO_SUCH_VARIABLE)"])'),
    "linkopts of no prerequisite": _written(
        'cc_library(name = "@", linkopts = ["$(location //lib:one)"])'
    ),
    "defines not defined": _written('cc_library(name = "@", defines = ["$(NO_SUCH_VARIABLE)"])'),
    "args of no prerequisite": _written(
        'sh_binary(name = "@", srcs = ["//lib:public.txt"], args = ["$(location //lib:one)"])'
    ),
    "group not there": _written('filegroup(name = "@", visibility = ["//lib:no_group"])'),
    "no package of a group": _written('filegroup(name = "@", visibility = ["//nowhere:group"])'),
    "a rule for a group": _written('filegroup(name = "@", visibility = ["//lib:one"])'),
    "a group of no group": _written(
        'package_group(name = "@g", includes = ["//lib:no_group"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "a group of no package": _written(
        'package_group(name = "@g", includes = ["//nowhere:group"])\n'
        'package_group(name = "@h", includes = [":@g"])\n'
        'filegroup(name = "@", visibility = [":@h"])'
    ),
    "a group of a rule": _written(
        'package_group(name = "@g", includes = ["//lib:some", "//lib:one"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "a group of an alias": _written(
        'alias(name = "@a", actual = "//lib:one")\n'
        'package_group(name = "@g", includes = [":@a"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "groups in a circle": _written(
        'package_group(name = "@g", includes = [":@h"])\n'
        'package_group(name = "@h", includes = [":@g"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "an alias for a group": _written(
        'alias(name = "@a", actual = "//lib:some")\nfilegroup(name = "@", visibility = [":@a"])'
    ),
    "a file for no group": _written(
        'exports_files(["@.txt"], visibility = ["//lib:no_group"])\n'
        'filegroup(name = "@", srcs = ["@.txt"])'
    ),
    "a file for a rule": _written(
        'exports_files(["@.txt"], visibility = ["//lib:one"])\n'
        'filegroup(name = "@", srcs = ["@.txt"])'
    ),
    "a group among sources": _written('filegroup(name = "@", srcs = ["//lib:some"])'),
    "bash command not defined": _written(
        'genrule(name = "@", outs = ["@.out"], cmd_bash = "$(NO_SUCH_VARIABLE)", cmd = "x")'
    ),
    "includes not defined": _written('cc_library(name = "@", includes = ["$(NO_SUCH_VARIABLE)"])'),
    "location of a tool of two": _written(
        'genrule(name = "@", tools = ["//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:two)")'
    ),
    "no command": _written('genrule(name = "@", outs = ["@.out"])'),
    "program of two": _written(
        'genrule(name = "@", outs = ["@.out", "@.out2"], cmd = "x", executable = 1)'
    ),
    "program without main": _written('py_binary(name = "@", srcs = ["//lib:other.py"])'),
    "expands a variable that is not defined": _written(
        'expands(name = "@", text = "$(NO_SUCH_VARIABLE)")'
    ),
    "a default that is not there": _written('implies_gone(name = "@")'),
    "a default that is refused": _written('implies_refused(name = "@")'),
    "a private target that every rule needs": _written('implies_private(name = "@")'),
    "a file that is not exported, by default": _written('implies_file(name = "@")'),
    "a testonly target that every rule needs": _written('implies_for_tests(name = "@")'),
    "a public default that is not there": _written('offers_gone(name = "@")'),
    "a public default that is refused": _written('offers_refused(name = "@")'),
    "a private target by default": _written('offers_private(name = "@")'),
    "a testonly target by default": _written('offers_for_tests(name = "@")'),
    "what an aspect needs is refused": _written('with_aspect(name = "@", deps = ["//lib:cc"])'),
    "a shell's command of words": _written('shells(name = "@", words = ["x"])'),
    "a path in the way": _written(
        'declares(name = "@", out = "@dir", text = "1")\n'
        'declares(name = "@y", out = "@dir/sub/x", text = "1")'
    ),
    "a generated file in the way": _written(
        'genrule(name = "@", outs = ["@.same"], cmd = "x")\n'
        'declares(name = "@y", out = "@.same", text = "1")'
    ),
    "actions in conflict": _written(
        'declares(name = "@", out = "@.txt", text = "1")\n'
        'declares(name = "@y", out = "@.txt", text = "2")'
    ),
}

DECOYS: dict[str, Callable[[_Package], None]] = {
    "group": _written('filegroup(name = "@", visibility = ["//lib:some"])'),
    "groups in a group": _written(
        'package_group(name = "@g", includes = ["//lib:some", ":@h"])\n'
        'package_group(name = "@h", packages = ["//..."])\n'
        'exports_files(["@.txt"], visibility = [":@g"])\n'
        'filegroup(name = "@", srcs = ["@.txt"], visibility = [":@g"])'
    ),
    "another machine's command": _written(
        'genrule(name = "@", outs = ["@.out"], cmd_bat = "$(NO_SUCH_VARIABLE)", cmd = "x")'
    ),
    "linker input": _written(
        'cc_binary(name = "@", srcs = ["//lib:other.cc"], additional_linker_inputs ='
        ' ["//lib:public.txt"], linkopts = ["$(location //lib:public.txt)"])'
    ),
    "another than the default": _written('offers_gone(name = "@", it = "//lib:public")'),
    "nothing but the default": _written(
        'offers_refused(name = "@", them = [])\noffers_for_tests(name = "@t", testonly = 1)'
    ),
    "public": _depends("//lib:public"),
    "public file": _depends("//lib:public.txt"),
    "public output": _depends("//lib:open.txt"),
    "testonly output": _depends("//lib:test.txt"),
    "way to private": _depends("//lib:way_to_private"),
    "missing, not taken": _not_taken("//lib:gone"),
    "no package, not taken": _not_taken("//nowhere:x"),
    "private, not taken": _not_taken("//lib:private"),
    "broken, not taken": _not_taken("//broken:before"),
    "specialised": _select("//cond:a //cond:ab"),
    "default": _select("//cond:off //conditions:default"),
    "feature flag": _select("//cond:is_on //cond:is_off"),
    "no cycle": _no_cycle,
    "none": _none_where_it_may,
    "testonly user": _test_only_user,
    "test": _test_user,
    "cc": _written('cc_library(name = "@", srcs = ["//lib:other.cc"], deps = ["//lib:also_cc"])'),
    "cc of generated sources": _written(
        'genrule(name = "@g", outs = ["@.h", "@.txt"], cmd = "")\n'
        'cc_library(name = "@", srcs = [":@g"], hdrs = [":@g"])'
    ),
    "py": _written(
        'py_library(name = "@", srcs = ["//lib:other.py"], deps = ["//lib:py"],'
        ' data = ["//lib:cc"])'
    ),
    "sh": _written('sh_library(name = "@", deps = ["//lib:sh"], data = ["//lib:public.txt"])'),
    "sh with a warning": _written('sh_library(name = "@", deps = ["//lib:one"])'),
    "single": _written('r(name = "@", must = "m", single = "//lib:one")'),
    "provided": _written('gives(name = "@g")\nr(name = "@", must = "m", provided = [":@g"])'),
    "expanded": _written(
        'genrule(name = "@", srcs = ["//lib:one", "//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:one) $(locations //lib:two) $(BINDIR) $$(pwd) > $@@")'
    ),
    "an aspect meets no rule": _written('with_aspect(name = "@", deps = ["//lib:public.txt"])'),
    "equal actions": _written(
        'declares(name = "@", out = "@.txt", text = "1")\n'
        'declares(name = "@y", out = "@.txt", text = "1")'
    ),
}


@dataclass(frozen=True)
class RefusalWorld:
    """Files of a workspace, and what was planted in each package."""

    files: dict[str, str]
    planted: dict[str, tuple[str, ...]]

    def write(self, root: Path) -> None:
        for path, text in self.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)


def _of_one_mind(faults: list[str]) -> list[str]:
    """At most one of the faults of keys: which of two Bazel tells of one target is chance."""
    keys = [name for name in faults if name in _OF_KEYS]
    return [name for name in faults if name not in keys[1:]]


_OF_KEYS = frozenset(
    {
        *("missing key", "key is no condition"),
        *("bad enum", "unknown option", "empty setting", "bad boolean", "no build setting"),
    }
)


def make_world(seed: int, packages: int) -> RefusalWorld:
    """A workspace of so many packages `p1`, `p2`, ..., each with one to three faults."""
    random_ = random.Random(seed)
    files = dict(_SHARED)
    planted: dict[str, tuple[str, ...]] = {}
    for number in range(1, packages + 1):
        package = _Package(f"p{number}", random_)
        faults = _of_one_mind(random_.sample(sorted(FAULTS), random_.randint(1, 3)))
        decoys = random_.sample(sorted(DECOYS), random_.randint(1, 4))
        for name in faults:
            FAULTS[name](package)
        for name in decoys:
            DECOYS[name](package)
        files[f"{package.name}/BUILD"] = package.text()
        files.update(package.extra)
        planted[package.name] = (*faults, *decoys)
    return RefusalWorld(files, planted)
