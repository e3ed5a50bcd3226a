"""Random workspaces whose dependencies hang on all that conditions can look at: defines, options,
flags of several types, constraints, groups, aliases, refinement, tools, transitions, platforms."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

from tests.support.files import write_files

NODES = 8

_DEFS = """
def _nothing(ctx):
    pass

text = rule(implementation = _nothing, build_setting = config.string(flag = True))
switch = rule(implementation = _nothing, build_setting = config.bool(flag = True))
many = rule(
    implementation = _nothing,
    build_setting = config.string_list(flag = True),
)

def _mode(settings, attr):
    return {"//command_line_option:compilation_mode": "dbg"}

def _text(settings, attr):
    _ignore = settings
    return {"//w:s": "b", "//w:f": True}

def _copy(settings, attr):
    return {"//w:s": settings["//w:s"] + settings["//w:s"]}

def _platform(settings, attr):
    return {"//command_line_option:platforms": "//w:p1"}

def _attr(settings, attr):
    return {"//w:s": attr.wish}

mode = transition(
    implementation = _mode,
    inputs = ["//w:s"],
    outputs = ["//command_line_option:compilation_mode"],
)
words = transition(implementation = _text, inputs = [], outputs = ["//w:s", "//w:f"])
copy = transition(implementation = _copy, inputs = ["//w:s"], outputs = ["//w:s"])
place = transition(
    implementation = _platform,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)
wish = transition(implementation = _attr, inputs = [], outputs = ["//w:s"])

_LIST = "@bazel_tools//tools/allowlists/function_transition_allowlist"

def _attrs():
    return {
        "srcs": attr.label_list(allow_files = True),
        "tools": attr.label_list(cfg = "exec"),
        "hosts": attr.label_list(cfg = "host"),
        "mode": attr.label_list(cfg = mode),
        "words": attr.label_list(cfg = words),
        "copy": attr.label_list(cfg = copy),
        "place": attr.label_list(cfg = place),
        "wishes": attr.label_list(cfg = wish),
        "wish": attr.string(default = "c"),
        "_allowlist_function_transition": attr.label(default = _LIST),
    }

thing = rule(implementation = _nothing, attrs = _attrs())
opted = rule(implementation = _nothing, attrs = _attrs(), cfg = mode)
"""

_FIXED = """
load(":defs.bzl", "many", "opted", "switch", "text", "thing")
package(default_visibility = ["//visibility:public"])
text(name = "s", build_setting_default = "a")
switch(name = "f", build_setting_default = False)
many(name = "m", build_setting_default = [])
constraint_setting(name = "c")
constraint_value(name = "c0", constraint_setting = ":c")
constraint_value(name = "c1", constraint_setting = ":c")
constraint_setting(name = "k", default_constraint_value = ":k0")
constraint_value(name = "k0", constraint_setting = ":k")
constraint_value(name = "k1", constraint_setting = ":k")
platform(name = "p0", constraint_values = [":c0"])
platform(name = "p1", constraint_values = [":c1", ":k1"])
platform(name = "p2", constraint_values = [":k1"])
thing(name = "l0")
thing(name = "l1", srcs = [":n7"])
label_flag(name = "l", build_setting_default = ":l0")
"""

AXES: tuple[tuple[tuple[str, ...], ...], ...] = (
    ((), ("--define=d=1",), ("--define=d=2",)),
    ((), ("--define=e=1",)),
    ((), ("-c", "opt"), ("-c", "dbg")),
    ((), ("--host_compilation_mode=dbg",)),
    ((), ("--//w:s=b",), ("--//w:s=c",)),
    ((), ("--//w:f=true",)),
    ((), ("--//w:m=x",), ("--//w:m=x,y",)),
    ((), ("--platforms=//w:p0",), ("--platforms=//w:p1",), ("--platforms=//w:p2",)),
    ((), ("--//w:l=//w:l1",)),
    ((), ("--copt=-DA",), ("--copt=-DB", "--copt=-DA")),
)
"""What the command line may say, by what it says it of: ten."""


def lines(seed: int, most: int) -> list[tuple[str, ...]]:
    """Every command line of these, or so many of them, drawn at random."""
    choose = random.Random(f"lines {seed}")
    every = list(itertools.product(*AXES))
    some = every if len(every) <= most else choose.sample(every, most)
    return [tuple(itertools.chain.from_iterable(groups)) for groups in some]


def write_world(root: Path, seed: int, version: str = "4.2.3") -> Path:
    """Writes the workspace of a seed."""
    choose = random.Random(f"world {seed}")
    settings = [_setting(choose, number) for number in range(choose.randint(4, 8))]
    conditions = [f":o{number}" for number in range(len(settings))]
    settings += [_group(choose, number, conditions) for number in range(2)]
    conditions += [":g0", ":g1"]
    nodes = [_node(choose, number, conditions) for number in range(NODES)]
    write_files(
        root,
        {
            "WORKSPACE": "",
            ".bazelversion": f"{version}\n",
            ".bazelrc": "build:other --//w:l=//w:l1\n",
            "w/defs.bzl": _DEFS,
            "w/BUILD": "\n".join([_FIXED, *settings, *nodes]),
        },
    )
    return root


_DEFINES = ("d=1", "d=2", "e=1")
_FLAGS = (":s=a", ":s=b", ":s=c", ":f=true", ":f=false", ":m=x", ":m=y")
_VALUES = ("compilation_mode=opt", "compilation_mode=dbg", "copt=-DA", "copt=-DB")
_CONSTRAINTS = (":c0", ":c1", ":k0", ":k1")


def _setting(choose: random.Random, number: int) -> str:
    parts: dict[str, dict[str, str]] = {"define_values": {}, "values": {}, "flag_values": {}}
    constraints: list[str] = []
    for _ in range(choose.randint(1, 3)):
        kind = choose.choice(["define", "define", "value", "flag", "flag", "constraint"])
        if kind == "constraint":
            constraints.append(choose.choice(_CONSTRAINTS))
            continue
        name = {"define": "define_values", "value": "values", "flag": "flag_values"}[kind]
        texts = {"define": _DEFINES, "value": _VALUES, "flag": _FLAGS}[kind]
        key, _, value = choose.choice(texts).partition("=")
        parts[name][key] = value
    given = "".join(f", {name} = {value}" for name, value in parts.items() if value)
    if constraints:
        given += f", constraint_values = {sorted(set(constraints))}"
    return f'config_setting(name = "o{number}"{given})'


def _group(choose: random.Random, number: int, conditions: Sequence[str]) -> str:
    first, second = choose.sample(conditions, 2)
    if choose.random() < 0.5:
        chosen = {first: second, "//conditions:default": first}  # All of them.
    else:
        chosen = {first: first, "//conditions:default": second}  # Any of them.
    if choose.random() < 0.3:
        return f'alias(name = "g{number}", actual = "{first}")'
    return f'alias(name = "g{number}", actual = select({chosen}))'


def _node(choose: random.Random, number: int, conditions: Sequence[str]) -> str:
    below = [f":n{other}" for other in range(number + 1, NODES)]
    attributes: dict[str, list[str]] = {}
    for _ in range(choose.randint(1, 3)):
        name = choose.choice(
            ["srcs"] * 5 + ["tools", "hosts", "mode", "words", "copy", "place", "wishes"]
        )
        ends = [*below, ":l"] if name == "srcs" and number < NODES - 1 else below
        taken = attributes.setdefault(name, [])
        ends = [end for end in ends if not any(end in text for text in taken)]
        if ends:
            taken.append(_value(choose, ends, conditions))
    rule = "opted" if choose.random() < 0.1 else "thing"
    given = "".join(f", {name} = {' + '.join(v)}" for name, v in attributes.items() if v)
    if choose.random() < 0.2:
        wanted = choose.choice(_CONSTRAINTS)
        text = f'["{wanted}"]'
        if choose.random() < 0.4:
            text = str({choose.choice(conditions): [wanted], "//conditions:default": []})
            text = f"select({text})"
        given += f", target_compatible_with = {text}"
    if choose.random() < 0.2:
        wish = f'select({{"{choose.choice(conditions)}": "b", "//conditions:default": "a"}})'
        given += f", wish = {wish if choose.random() < 0.5 else repr('b')}"
    return f'{rule}(name = "n{number}"{given})'


def _value(choose: random.Random, below: Sequence[str], conditions: Sequence[str]) -> str:
    def some() -> list[str]:
        return sorted(choose.sample(below, min(len(below), choose.choice([0, 1, 1, 2]))))

    if choose.random() < 0.25:
        return str(some())
    keys = choose.sample(conditions, choose.randint(1, min(3, len(conditions))))
    branches = {key: some() for key in keys}
    if choose.random() < 0.9:
        branches["//conditions:default"] = some()
    return f"select({branches})"
