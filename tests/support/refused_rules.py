"""Packages that hold one mistake each, or what looks like one, with what Bazel says.

A file of them (`LISTS`) has a part for each package:

    == NAME: KIND; VERSION: KIND; files: empty files; asks: a target; flags: words; missed: why
    the BUILD file
    -- d.bzl
    another file, where the package has one

A package with `flags` is asked of by a line of its own; what is asked for is `all` unless it `asks`
for one target: patterns leave out platforms and what describes them.

The first kind is 4.2.3's, and that of each release that is not named; `crash` where Bazel itself
crashes, or would fetch what is not there, so that it is not asked. `missed` says why we do not say
what Bazel does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.files import write_files

_FOLDER = Path(__file__).parent.parent / "oracle" / "data"
LISTS = (
    "refused_rules",
    "refused_implementations",
    "refused_bzl_files",
    "refused_dependencies",
    "refused_platforms",
    "refused_transitions",
    "refused_macros",
    "refused_environments",
    "refused_aspects",
    "refused_ground",
    "refused_loading",
    "refused_values",
    "refused_mistakes",
)
_USUAL = ("a.cc", "b.cc", "a.h", "A.java", "a.py", "t.py", "a.sh", "a.proto")
CRASH = "crash"
_NEWEST = "4.2.3"
_LIB = {
    "BUILD": 'exports_files(["x.h", "x.proto", "d.bzl", "made.bzl", "people.bzl", "r.bzl"])\n'
    'filegroup(name = "fg", srcs = ["x.proto"], visibility = ["//visibility:public"])\n',
    "d.bzl": "x = 1\n_y = 2\n",
    "d.txt": "",
    "x.h": "",
    "x.proto": "",
    "r.bzl": """
def _none(ctx):
    return []

def _variables(ctx):
    return [platform_common.TemplateVariableInfo({})]

def _test(ctx):
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, "", is_executable = True)
    return [DefaultInfo(executable = script)]

r = rule(_none, attrs = {
    "v": attr.string(values = ["a", "b", "c"], default = "a"),
    "w": attr.int(values = [1, 2], default = 1),
})
tvi = rule(_variables)
my_test = rule(_test, test = True)
""",
    "made.bzl": """
P = provider()
Q = provider()

def i_none(ctx):
    return []

def _p(ctx):
    return [P()]

def _q(ctx):
    return [Q()]

def _files(ctx):
    made = [ctx.actions.declare_file(ctx.label.name + ending) for ending in ctx.attr._endings]
    for one in made:
        ctx.actions.write(one, "")
    return [DefaultInfo(files = depset(made))]

def i_program(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(made, "", is_executable = True)
    return [DefaultInfo(executable = made)]

def i_outputs(ctx):
    for one in ctx.outputs.outs:
        ctx.actions.write(one, "")
    return []

mk_p = rule(_p)
mk_q = rule(_q)
mk_f = rule(_files, attrs = {"_endings": attr.string_list(default = [".txt"])})
mk_two = rule(_files, attrs = {"_endings": attr.string_list(default = [".txt", ".h"])})
mk_e = rule(i_program, executable = True)
mk_n = rule(i_none)
""",
    "people.bzl": """
P = provider(fields = ["x", "files"])
N = provider()
def _p(ctx):
    f = ctx.actions.declare_file(ctx.label.name + ".p")
    ctx.actions.write(f, "")
    one = depset([f])
    return [DefaultInfo(files = one, runfiles = ctx.runfiles(files = [f])), P(x = 1, files = one)]
_made_p = rule(_p)

def around():
    _made_p(name = "d")
    native.cc_library(name = "c", srcs = ["a.cc"], hdrs = ["a.h"])
    native.genrule(name = "g", outs = ["g.txt"], cmd = "x")
    native.filegroup(name = "fg", srcs = ["a.cc", "a.h"])
    native.sh_binary(name = "sh", srcs = ["a.sh"])

def given(rule_class, **more):
    around()
    rule_class(
        name = "t",
        dep = ":d",
        deps = [":d", ":c"],
        src = "a.sh",
        srcs = ["a.cc", ":g", ":fg"],
        tool = ":sh",
        names = {":fg": "x"},
        **more
    )

def made(implementation, **more):
    return rule(implementation, attrs = {
        "dep": attr.label(),
        "deps": attr.label_list(),
        "src": attr.label(allow_single_file = True),
        "srcs": attr.label_list(allow_files = True),
        "tool": attr.label(executable = True, cfg = "host"),
        "names": attr.label_keyed_string_dict(allow_files = True),
        "s": attr.string(default = "s"),
        "n": attr.int(default = 3),
        "b": attr.bool(),
        "ss": attr.string_list(default = ["a", "b"]),
        "d": attr.string_dict(default = {"k": "v"}),
        "ns": attr.int_list(),
        "o": attr.output(),
        "os": attr.output_list(),
    }, **more)
""",
}
_STUBS: Mapping[str, Mapping[str, str]] = {
    "rules_proto": {
        "proto/defs.bzl": "proto_lang_toolchain = native.proto_lang_toolchain\n"
        "proto_library = native.proto_library\n"
    },
    "com_google_protobuf": {
        "BUILD": 'package(default_visibility = ["//visibility:public"])\n'
        'sh_binary(name = "protoc", srcs = ["protoc.sh"])\n'
        'cc_library(name = "protobuf")\n'
        'proto_lang_toolchain(name = "cc_toolchain", command_line = "--cpp_out=$(OUT)",'
        ' runtime = ":protobuf")\n',
        "protoc.sh": "",
    },
}
"""What rules for protocol buffers need."""


@dataclass(frozen=True)
class RefusedRule:
    """One package. `kinds` are, by version, of which kind the first thing is that Bazel refuses;
    "" where it refuses nothing."""

    name: str
    kinds: Mapping[str, str]
    files: Mapping[str, str]
    """The texts of its own files, the BUILD file among them."""
    asks: str = "all"
    """What is asked for: one target, or all that are not `manual`."""
    flags: tuple[str, ...] = ()
    """What a command line of its own has; without, it is asked of among all others."""
    missed: str = ""
    """Why we refuse nothing of it, though Bazel does; empty: we do as Bazel does."""

    def kind(self, version: str) -> str:
        """What `version` of Bazel refuses first."""
        return self.kinds.get(version, self.kinds[_NEWEST])


def read_cases(name: str) -> tuple[RefusedRule, ...]:
    """All packages of one of the `LISTS`, in their order."""
    parts = f"\n{(_FOLDER / f'{name}.txt').read_text()}".split("\n== ")[1:]
    return tuple(_case(*part.split("\n", 1)) for part in parts)


def write_workspace(root: Path, cases: tuple[RefusedRule, ...]) -> None:
    """Writes each package, what they load, and nothing else."""
    write_files(root, {"WORKSPACE": "", "BUILD": ""})
    write_files(root, {f"lib/{name}": text for name, text in _LIB.items()})
    for case in cases:
        write_files(root / case.name, {**dict.fromkeys(_USUAL, ""), **case.files})


def write_stubs(folder: Path) -> tuple[str, ...]:
    """Writes the repositories that rules for protocol buffers need, and gives the flags that name
    them."""
    for name, files in _STUBS.items():
        write_files(folder / name, {"WORKSPACE": "", "BUILD": "", **files})
    return tuple(f"--override_repository={name}={folder / name}" for name in _STUBS)


def _case(head: str, text: str) -> RefusedRule:
    name, *facts = head.split("; ")
    name, _, kind = name.partition(": ")
    given = dict(fact.split(": ", 1) for fact in facts)
    files = dict.fromkeys(given.pop("files", "").split(), "")
    asks = given.pop("asks", "all")
    flags = tuple(given.pop("flags", "").split())
    missed = given.pop("missed", "")
    build, *others = f"\n{text}".split("\n-- ")
    files |= {"BUILD": build[1:], **dict(other.split("\n", 1) for other in others)}
    kinds = {_NEWEST: kind, **given}
    return RefusedRule(
        name,
        {version: _word(kind) for version, kind in kinds.items()},
        files,
        asks,
        flags,
        missed,
    )


def _word(kind: str) -> str:
    return "" if kind == "-" else kind
