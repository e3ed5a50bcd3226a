"""Command lines of Starlark rules' actions, beside `aquery` of real Bazels: random programs that
fill `Args` and register `run` and `run_shell`.

`BAZELSCOPE_RANDOM_ACTIONS` is how many actions each release is asked about,
`BAZELSCOPE_RANDOM_SEED` where they begin.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.oracle.test_compile_lines import lines_in
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_ACTIONS = int(os.environ.get("BAZELSCOPE_RANDOM_ACTIONS", "100"))
_SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
_PER_RULE = 10

_TOP = """\
def _name(x):
    return x.basename if type(x) == "File" else str(x)

def _twice(x):
    return [_name(x), "again"]

def _short(x):
    return None if len(_name(x)) > 4 else _name(x)

def _same(x):
    return "same"

def _root(x):
    return x.dirname if type(x) == "File" else "no file"
"""
_TOOL = """\
def _tool(ctx):
    out = ctx.actions.declare_file("made/" + ctx.label.name)
    ctx.actions.write(out, "", is_executable = True)
    return [DefaultInfo(files = depset([out]), executable = out)]

tool = rule(_tool, executable = True)
"""
_FILES = ("ctx.files.srcs", "ctx.files.none", "depset(ctx.files.srcs, order = 'postorder')")
_LISTS = (
    *_FILES,
    "['a', 'b c', 'a', '']",
    "[]",
    "[1, 'x%y', 2, 1]",
    "depset(['q'], transitive = [depset(['p', 'q']), depset(['r'])])",
    "ctx.files.srcs + ['z']",
    "[ctx.label, Label('//p:a.txt')]",
    "['$HOME', \"it's\", 'a\\\\b', 'two\\nlines']",
    "ctx.attr.words",
)
_VALUES = (
    *("'v'", "''", "'a b'", "3", "-1", "ctx.files.srcs[0]", "ctx.label", "out", "ctx.attr.number"),
    *(
        "ctx.bin_dir.path",
        "'%s%%'",
        "ctx.executable.tool",
        "ctx.attr.mode",
        "ctx.file.one.short_path",
    ),
)
_FORMATS = ("'-I%s'", "'%s'", "'%%%s=%%'", "'a%sb'", "'--x=%s.o'")


class Programs:
    """Random statements."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def _maybe(self, name: str, choices: tuple[str, ...], share: float = 0.3) -> list[str]:
        if self._chance.random() > share:
            return []
        return [f"{name} = {self._chance.choice(choices)}"]

    def _one(self) -> str:
        chance = self._chance
        name = [chance.choice(("'--flag'", "'-f'"))] if chance.random() < 0.4 else []
        kind = chance.choice(("add", "add", "add_all", "add_all", "add_all", "add_joined"))
        if kind == "add":
            value = [chance.choice(_VALUES)]
            return f"add({', '.join(name + value + self._maybe('format', _FORMATS))})"
        words = [*name, chance.choice(_LISTS)]
        words += self._maybe("map_each", ("_twice", "_short", "_same", "_root", "_name"), 0.5)
        words += self._maybe("format_each", _FORMATS)
        words += self._maybe("omit_if_empty", ("True", "False"))
        words += self._maybe("uniquify", ("True", "False"))
        if kind == "add_joined":
            words += self._maybe("join_with", ("','", "''", "' : '"), 1.0)
            words += self._maybe("format_joined", _FORMATS)
        else:
            words += self._maybe("before_each", ("'-b'", "''"))
            words += self._maybe("terminate_with", ("'--'", "''"), 0.15)
        return f"{kind}({', '.join(words)})"

    def action(self, number: int) -> list[str]:
        """The statements that register one action."""
        chance = self._chance
        lines = [f"out = ctx.actions.declare_file(ctx.label.name + '.{number}')"]
        lines += ["made.append(out)", "args = ctx.actions.args()"]
        lines += [f"args.{self._one()}" for _ in range(chance.randrange(1, 5))]
        if chance.random() < 0.2:
            lines.append("args.use_param_file('@%s', use_always = True)")
        if chance.random() < 0.2:
            lines.append("args.set_param_file_format('multiline')")
        arguments = chance.choice(("[args]", "['first', args, 'last']", "[args, args]"))
        if chance.random() < 0.25:
            command = chance.choice(("'echo $1'", "'cat \"$@\" > ' + out.path"))
            arguments = chance.choice((arguments, "[]"))
            given = f"command = {command}, arguments = {arguments}"
            lines.append(f"ctx.actions.run_shell(outputs = [out], {given}, mnemonic = 'Mine')")
        else:
            tool = chance.choice(
                ("'/bin/tool'", "'tool'", "ctx.executable.tool", "ctx.file.one", "ctx.file.top")
            )
            given = f"executable = {tool}, arguments = {arguments}"
            lines.append(f"ctx.actions.run(outputs = [out], {given}, mnemonic = 'Mine')")
        return lines


def write_world(root: Path, seed: int, actions: int) -> None:
    """A workspace of rules that register so many actions each."""
    programs = Programs(seed)
    bzl, build = [_TOP, _TOOL], ["load(':rules.bzl', 'tool', "]
    rules = range(actions // _PER_RULE)
    build[0] += ", ".join(f"'r{rule}'" for rule in rules) + ")"
    for rule in rules:
        lines = [line for number in range(_PER_RULE) for line in programs.action(number)]
        body = "\n".join(f"    {line}" for line in lines)
        bzl.append(
            f"def _r{rule}(ctx):\n    made = []\n"
            + body
            + "\n    return [DefaultInfo(files = depset(made))]\n"
            f"r{rule} = rule(_r{rule}, attrs = _ATTRS)\n"
        )
        build.append(
            f"r{rule}(name = 't{rule}', srcs = ['a.txt', ':bin', '//p/q:deep.txt'], one = 'a.txt',"
            " top = '//:top', tool = ':bin')"
        )
    bzl.insert(
        1,
        "_ATTRS = {'srcs': attr.label_list(allow_files = True),"
        " 'none': attr.label_list(allow_files = True),"
        " 'one': attr.label(allow_single_file = True), 'top': attr.label(allow_single_file = True),"
        " 'tool': attr.label(executable = True, cfg = 'host'), 'number': attr.int(default = 7),"
        " 'mode': attr.string(default = 'm%s'), 'words': attr.string_list(default = ['w', 'w2']),"
        "}\n",
    )
    build.append("tool(name = 'bin')")
    write_files(
        root,
        {
            "WORKSPACE": "",
            "BUILD": "exports_files(['top'])\n",
            "top": "",
            "p/rules.bzl": "\n".join(bzl),
            "p/BUILD": "\n".join(build) + "\n",
            "p/a.txt": "",
            "p/q/BUILD": "exports_files(['deep.txt'])\n",
            "p/q/deep.txt": "",
        },
    )


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_lines_of_actions(version: str, bazel: Callable[[str], Bazel], warm_root: Path) -> None:
    write_world(warm_root, _SEED, _ACTIONS)
    real = bazel(version)
    words = ("mnemonic('Mine', //p:all)", "--output=textproto", "--noshow_progress")
    theirs = lines_in(real.run(warm_root, "aquery", *words).checked().stdout)
    assert len(theirs) == _ACTIONS
    asked = Workspace.open(warm_root, bazel_version=version).configure(())
    differing = []
    ours = {
        one.output: tuple(word.text for word in one.words)
        for rule in range(_ACTIONS // _PER_RULE)
        for one in asked.compile(f"//p:t{rule}").actions
    }
    for (_, _, output), line in theirs.items():
        if ours.get(output) != line:
            differing.append(f"{output}:\n  Bazel {line}\n  ours  {ours.get(output)}")
    assert not differing, f"{len(differing)} of {len(theirs)}\n" + "\n".join(differing[:10])


_CALLS = {
    "add_list": "args.add(['a'])",
    "add_depset": "args.add('-x', depset(['a']))",
    "add_none": "args.add(None)",
    "add_tuple": "args.add(('a',))",
    "add_name": "args.add(1, 'x')",
    "add_three": "args.add('a', 'b', 'c')",
    "add_nothing": "args.add()",
    "add_truth": "args.add(True)",
    "add_dict": "args.add({'a': 1})",
    "add_struct": "args.add(struct(a = 1))",
    "add_target": "args.add(ctx.attr.one)",
    "add_directory": "args.add(directory)",
    "format_none": "args.add('a', format = 'x')",
    "format_two": "args.add('a', format = '%s%s')",
    "format_other": "args.add('a', format = '%d%s')",
    "format_end": "args.add('a', format = '%s%')",
    "format_each": "args.add_all([], format_each = 'x')",
    "format_joined": "args.add_joined(['a'], join_with = ',', format_joined = 'x')",
    "all_string": "args.add_all('a')",
    "all_named_string": "args.add_all('-x', 'a')",
    "all_none": "args.add_all(None)",
    "all_file": "args.add_all(ctx.file.one)",
    "all_dict": "args.add_all({'a': 1})",
    "all_tuple": "args.add_all(('a', 'b'))",
    "all_nothing": "args.add_all()",
    "all_keyword": "args.add_all(['a'], each = 'x')",
    "all_before": "args.add_all(['a'], before_each = 1)",
    "all_map": "args.add_all(['a'], map_each = 'x')",
    "all_lists": "args.add_all([['a', 'b'], 'c'])",
    "all_truths": "args.add_all([True])",
    "all_nones": "args.add_all([None])",
    "join_nothing": "args.add_joined(['a'])",
    "join_list": "args.add_joined([['a']], join_with = ',')",
    "directories": "args.add_all([directory, ctx.file.one])",
    "directories_as_such": "args.add_all([directory], expand_directories = False)",
    "directories_mapped": "args.add_all([directory], map_each = _n, expand_directories = False)",
    "file_argument": "args.use_param_file('x')",
    "file_format": "args.set_param_file_format('x')",
    "given_number": "given = [1]",
    "given_list": "given = [['a']]",
    "given_file": "given = [ctx.file.one]",
    "given_label": "given = [ctx.label]",
}
"""What people may write, right or wrong."""


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_calls_that_are_refused(
    version: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    bzl = ["def _n(x):\n    return x.basename\n"]
    build = [f"load(':rules.bzl', {', '.join(map(repr, _CALLS))})"]
    for name, call in _CALLS.items():
        bzl.append(f"""\
def _{name}(ctx):
    directory = ctx.actions.declare_directory(ctx.label.name + "_d")
    ctx.actions.run_shell(outputs = [directory], command = "x", mnemonic = "Other")
    out = ctx.actions.declare_file(ctx.label.name)
    args = ctx.actions.args()
    given = [args]
    {call}
    ctx.actions.run(outputs = [out], executable = "/x", arguments = given, mnemonic = "Mine")
    return [DefaultInfo(files = depset([out]))]

{name} = rule(_{name}, attrs = {{"one": attr.label(allow_single_file = True)}})
""")
        build.append(f"{name}(name = 't_{name}', one = 'a.txt')")
    write_files(
        warm_root,
        {
            "WORKSPACE": "",
            "p/rules.bzl": "\n".join(bzl),
            "p/BUILD": "\n".join(build),
            "p/a.txt": "",
        },
    )
    real = bazel(version)
    words = ("--noshow_progress", "--keep_going", "--nobuild", "//p:all")
    said = real.run(warm_root, "build", *words).stderr
    theirs = set(re.findall(r"in \w+ rule //p:t_(\w+):", said))
    asked = Workspace.open(warm_root, bazel_version=version).configure(())
    refused = asked.refusals(*(f"//p:t_{name}" for name in _CALLS))
    assert {str(one.target).removeprefix("//p:t_") for one in refused} == theirs
    assert len(theirs) > 20
    good = sorted(set(_CALLS) - theirs)
    query = " + ".join(f"//p:t_{name}" for name in good)
    words = (f"mnemonic('Mine', {query})", "--output=textproto", "--noshow_progress")
    lines = lines_in(real.run(warm_root, "aquery", *words).checked().stdout)
    for (label, _, _), line in lines.items():
        (ours,) = (one for one in asked.compile(label).actions if one.mnemonic == "Mine")
        told = [(word.text, word.unknown is None) for word in ours.words]
        assert len(told) == len(line), label
        for theirs_word, (text, is_known) in zip(line, told, strict=True):
            assert not is_known or text == theirs_word, label
