"""Random workspaces of native rules and of Starlark rules with attributes of every kind, with
platforms, toolchains, flags, aspects and transitions, for questions of `cquery`.

Releases before 1.0 have neither flags nor transitions of Starlark's here. No target is made so
that it surely can be analysed: who asks has to look which can.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.oracle.select_worlds import _of_version, _quote
from tests.support.files import write_files

Value = Callable[[], object]

_FILES = ("a.txt", "b.txt", "c.cc", "d.cc", "d.h", "e.sh", "g.py", "sub/i.txt")
_PUBLIC = 'package(default_visibility = ["//visibility:public"])\n'
_CON = f"""{_PUBLIC}
constraint_setting(name = "hue", default_constraint_value = ":plain")
constraint_value(name = "plain", constraint_setting = ":hue")
constraint_value(name = "bright", constraint_setting = ":hue")
constraint_setting(name = "shape")
constraint_value(name = "round", constraint_setting = ":shape")
alias(name = "bright_alias", actual = ":bright")
platform(name = "base", constraint_values = [
    ":round", "@platforms//os:linux", "@platforms//cpu:x86_64",
])
platform(name = "child", constraint_values = [":bright_alias"], parents = [":base"])
alias(name = "child_alias", actual = ":child")
config_setting(name = "opt", values = {{"compilation_mode": "opt"}})
config_setting(name = "def1", define_values = {{"a": "1"}})
config_setting(
    name = "def1opt",
    define_values = {{"a": "1"}},
    values = {{"compilation_mode": "opt"}},
)
config_setting(name = "copt", values = {{"copt": "-O3"}})
config_setting(name = "bright_c", constraint_values = [":bright_alias"])
alias(name = "any", actual = select({{":opt": ":opt", "//conditions:default": ":def1"}}))
"""
_FLAGS = f"""load(":flags.bzl", "int_flag", "string_flag")
{_PUBLIC}
string_flag(name = "color", build_setting_default = "red")
int_flag(name = "size", build_setting_default = 7)
config_setting(name = "blue", flag_values = {{":color": "blue"}})
label_flag(name = "pick", build_setting_default = "//base:one")
label_setting(name = "fixed", build_setting_default = "//base:two")
config_setting(name = "picked", flag_values = {{":pick": "//base:two"}})
"""
_FLAGS_BZL = """
def _impl(ctx):
    return []
string_flag = rule(implementation = _impl, build_setting = config.string(flag = True))
int_flag = rule(implementation = _impl, build_setting = config.int(flag = True))
"""
_BASE = f"""load("//lib:rules.bzl", "tool_rule")
{_PUBLIC}
[filegroup(name = name) for name in ["one", "two"]]
sh_binary(name = "sh", srcs = ["s.sh"])
tool_rule(
    name = "round_tool",
    deps = select({{"//con:def1": ["s.sh"], "//conditions:default": []}}),
)
tool_rule(name = "any_tool", tools = [":one"])
toolchain_type(name = "shape")
toolchain_type(name = "hue")
toolchain(
    name = "round",
    target_compatible_with = ["//con:round"],
    toolchain = ":round_tool",
    toolchain_type = ":shape",
)
toolchain(name = "hue_any", toolchain = ":any_tool", toolchain_type = ":hue")
cc_library(name = "malloc", srcs = ["m.cc"])
package_group(name = "people", packages = ["//..."])
extra_action(name = "xa", cmd = "echo", tools = [":sh"], data = ["s.sh"])
action_listener(name = "listener", mnemonics = ["Genrule"], extra_actions = [":xa"])
alias(name = "al_file", actual = "s.sh")
"""
_LIB = """
P = provider()
def _tool(ctx):
    return [platform_common.ToolchainInfo(name = "x")]
tool_rule = rule(_tool, attrs = {
    "deps": attr.label_list(allow_files = True),
    "tools": attr.label_list(cfg = "host", allow_files = True),
})
def _none(*args):
    return []
def _computed(text):
    return Label("//base:one") if text else Label("//base:two")
walk = aspect(
    implementation = _none,
    attr_aspects = ["deps", "dep"],
    attrs = {"_w": attr.label(default = "//base:one", cfg = "host")},
)
walk_all = aspect(
    implementation = _none,
    attr_aspects = ["*"],
    attrs = {"_ws": attr.label_list(default = ["//base:two", "//base:s.sh"], allow_files = True)},
)
"""
_TRANSITIONS = """
def _mode(settings, attr):
    return {"//command_line_option:compilation_mode": "dbg" if attr.text else "opt"}
to_mode = transition(
    implementation = _mode,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)
def _color(settings, attr):
    return {"//flags:color": "blue", "//flags:size": settings["//flags:size"] + 1}
to_color = transition(
    implementation = _color,
    inputs = ["//flags:size"],
    outputs = ["//flags:color", "//flags:size"],
)
def _split(settings, attr):
    return [{"//command_line_option:cpu": cpu} for cpu in ["arm", "k8"]]
to_split = transition(
    implementation = _split,
    inputs = [],
    outputs = ["//command_line_option:cpu"],
)
"""
_ALLOWED = (
    '"_whitelist_function_transition": attr.label(default ='
    ' "@bazel_tools//tools/whitelists/function_transition_whitelist")'
)
_CFG = ("", "", ', cfg = "host"', ', cfg = "target"')
_NEW_CFG = (', cfg = "exec"', ", cfg = to_mode", ", cfg = to_color", ", cfg = to_split")
_OWN = ("", "", "to_mode", "to_color")
_HIDDEN = (
    'attr.label(default = "//base:one"{})',
    'attr.label_list(default = ["//base:one", "//base:al_file"], allow_files = True{})',
    'attr.label(default = Label("//base:s.sh"), allow_single_file = True{})',
    "attr.label(default = _computed{})",
)
_PLAIN: dict[str, Value] = {
    "bool": lambda: True,
    "int": lambda: 7,
    "string_list": lambda: ["x"],
    "string_dict": lambda: {"k": "x"},
    "string_list_dict": lambda: {"k": ["x"], "l": []},
}
_FLAG_WORDS = (
    *("-c opt", "-c dbg", "--define=a=1", "--cpu=k8", "--copt=-O3", "--host_copt=-g", "--stamp"),
    *("--platforms=//con:child", "--platforms=//con:child_alias", "--platforms=//con:base"),
    *("--extra_toolchains=//base:all", "--extra_execution_platforms=//con:child"),
    *("--host_compilation_mode=dbg", "--custom_malloc=//base:malloc", "--force_pic"),
    *("--experimental_action_listener=//base:listener", "--nocheck_visibility"),
)
_NEW_WORDS = ("--//flags:color=blue", "--//flags:size=8", "--//flags:pick=//base:two")


class RuleWorld:
    """A workspace made from a seed for a release of Bazel."""

    def __init__(self, seed: int, version: str) -> None:
        self._random = random.Random(f"rules {seed}")
        self._is_old = version.startswith("0.")
        self._version = version
        self._labels = ["//base:one", "//base:al_file"]
        self._programs = ["//base:sh"]
        self._libraries = ["//base:malloc"]
        self._conditions = [f"//con:{name}" for name in ("opt", "def1", "def1opt", "any", "copt")]
        if not self._is_old:
            self._conditions += ["//flags:blue", "//flags:picked", "//con:bright_c"]
        self._attributes: dict[str, dict[str, str]] = {}
        """The attributes of each rule in Starlark that a target may set, with their types."""

    def write(self, root: Path) -> None:
        """Writes it all below `root`."""
        rules = "".join(self._rule(f"k{index}") for index in range(6))
        lib = _LIB + ("" if self._is_old else _TRANSITIONS) + rules
        files = {
            "WORKSPACE": 'workspace(name = "w")\n'
            'register_toolchains("//base:round", "//base:hue_any")\n'
            'register_execution_platforms("//con:base")\n',
            **{
                "con/BUILD": _of_version(_CON, self._version),
                "lib/BUILD": "",
                "lib/rules.bzl": lib,
            },
            **{"base/BUILD": _BASE, "base/s.sh": "", "base/m.cc": ""},
            **({} if self._is_old else {"flags/BUILD": _FLAGS, "flags/flags.bzl": _FLAGS_BZL}),
        }
        names = ", ".join(f'"{name}"' for name in self._attributes)
        for package in ("p0", "p1", "p2"):
            lines = [f'load("//lib:rules.bzl", {names})', _PUBLIC, 'exports_files(["b.txt"])']
            lines += [self._target(package, f"t{index}") for index in range(9)]
            files[f"{package}/BUILD"] = "\n".join(lines) + "\n"
            files.update({f"{package}/{name}": "" for name in _FILES})
        write_files(root, files)

    def flag_sets(self, count: int) -> tuple[tuple[str, ...], ...]:
        """Command lines; the first is empty."""
        words = _FLAG_WORDS if self._is_old else (*_FLAG_WORDS, *_NEW_WORDS)
        sets: list[tuple[str, ...]] = [()]
        while len(sets) < count:
            chosen = self._random.sample(words, self._random.randint(1, 4))
            sets.append(tuple(word for one in chosen for word in one.split(" ")))
        return tuple(sets)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    # ---- Rules

    def _rule(self, name: str) -> str:
        choose = self._random.choice
        cfgs = _CFG if self._is_old else (*_CFG, *_NEW_CFG)
        attributes = {"text": "attr.string()"}
        given = {"text": "string"}
        made = ["    made = []"]
        for index in range(self._random.randint(1, 5)):
            kind = choose(("label", "label_list", "label_list", "keyed", "output", *_PLAIN))
            attribute = {"label": "dep", "label_list": "deps"}.get(kind, f"{kind}{index}")
            given[attribute] = kind
            if kind == "output":
                attributes[attribute] = "attr.output()"
                made.append(f"    if ctx.outputs.{attribute}:")
                made.append(f'        ctx.actions.write(ctx.outputs.{attribute}, "")')
                continue
            if kind in _PLAIN:
                attributes[attribute] = f"attr.{kind}()"
                continue
            cfg = choose(cfgs)
            if kind != "keyed" and "split" not in cfg and self._chance(0.25):
                cfg += f", aspects = [{choose(('walk', 'walk_all'))}]"
            function = "label_keyed_string_dict" if kind == "keyed" else kind
            attributes[attribute] = f"attr.{function}(allow_files = True{cfg})"
        for index in range(choose((0, 1, 1, 2))):
            attributes[f"_p{index}"] = choose(_HIDDEN).format(choose(cfgs[:5]))
        more = []
        if not self._is_old and (own := choose(_OWN)):
            more.append(f"cfg = {own}")
        if self._chance(0.3):
            more.append(f'toolchains = ["//base:{choose(("shape", "hue"))}"]')
        if self._chance(0.2):
            more.append('outputs = {"x": "%{name}.x"}')
            made.append('    ctx.actions.write(ctx.outputs.x, "")')
        entries = [f'"{key}": {value}' for key, value in attributes.items()]
        if "= to_" in "".join((*entries, *more)):
            entries.append(_ALLOWED)
        self._attributes[name] = given
        body = "\n".join((*made, "    return [P(x = 1)]"))
        arguments = ", ".join((f"_{name}", f"attrs = {{{', '.join(entries)}}}", *more))
        return f"def _{name}(ctx):\n{body}\n{name} = rule({arguments})\n"

    # ---- Values

    def _value(self, value: Value, sums: bool = False) -> str:
        share = self._random.random()
        if share < 0.5:
            return _quote(value())
        keys = self._random.sample(self._conditions, self._random.choice((1, 1, 2, 3)))
        branches = {key: value() for key in keys}
        if self._chance(0.93):
            branches["//conditions:default"] = value()
        chosen = f"select({_quote(branches)})"
        return f"{_quote(value())} + {chosen}" if sums and share < 0.65 else chosen

    def _some(self, pool: Sequence[str]) -> Value:
        """Makes lists in which no label of the pool comes twice, all together."""
        unused = list(dict.fromkeys(pool))
        self._random.shuffle(unused)
        return lambda: [
            unused.pop() for _ in range(min(len(unused), self._random.choice((0, 1, 2))))
        ]

    def _any(self) -> Value:
        return self._some([*self._labels[-12:], *self._random.sample(_FILES, 3)])

    def _one(self) -> object:
        return self._random.choice((*self._labels[-10:], "a.txt"))

    # ---- Targets

    def _target(self, package: str, name: str) -> str:
        label = f"//{package}:{name}"
        line = self._starlark(name) if self._chance(0.45) else self._native(name, label)
        self._labels.append(label)
        more = ""
        if "alias(" not in line and "suite(" not in line:
            if self._chance(0.1):
                more += ', tags = ["manual"]'
            if self._chance(0.06):
                more += ', visibility = ["//base:people"]'
        return f"{line[:-1]}{more})"

    def _starlark(self, name: str) -> str:
        rule = self._random.choice(tuple(self._attributes))
        words = [f'name = "{name}"']
        for attribute, kind in self._attributes[rule].items():
            if self._chance(0.25):
                continue
            value = {
                "label": lambda: self._value(self._one),
                "label_list": lambda: self._value(self._any(), sums=True),
                "keyed": lambda: self._value(lambda: {str(self._one()): "x"}),
                "output": lambda attribute=attribute: f'"{name}.{attribute}"',
                "string": lambda: self._value(lambda: self._random.choice(("", "x")), sums=True),
            }.get(kind, lambda kind=kind: self._value(_PLAIN[kind]))
            words.append(f"{attribute} = {value()}")
        return f"{rule}({', '.join(words)})"

    def _native(self, name: str, label: str) -> str:
        kinds = ["filegroup", "genrule", "genrule", "alias", "cc_library", "cc_library", "program"]
        kinds += ["config_setting", "group"]
        kinds += [] if self._is_old else ["label_setting", "sh_test", "suite"]
        kind = self._random.choice(kinds)
        head = f'{kind}(name = "{name}"'
        if kind == "genrule":
            pool = [*self._programs, *self._labels[-8:], "e.sh"]
            tools = self._value(self._some(pool), sums=True)
            inputs = f"srcs = {self._value(self._any())}, tools = {tools}"
            return f'{head}, outs = ["{name}.out"], cmd = "x", {inputs})'
        if kind == "alias":
            return f"{head}, actual = {self._value(self._one)})"
        if kind == "cc_library":
            deps = self._value(self._some(self._libraries), sums=True)
            self._libraries.append(label)
            return f'{head}, srcs = ["c.cc"], hdrs = ["d.h"], deps = {deps})'
        if kind == "program":
            self._programs.append(label)
            form = self._random.choice(("sh_binary", "py_binary", "cc_binary"))
            file = {"sh_binary": "e.sh", "py_binary": "g.py", "cc_binary": "d.cc"}[form]
            main = ', main = "g.py"' if form == "py_binary" else ""
            data = self._value(self._any())
            return f'{form}(name = "{name}", srcs = ["{file}"]{main}, data = {data})'
        if kind == "config_setting":
            self._conditions.append(label)
            return f'{head}, define_values = {{"a": "1", "b": "1"}}, values = {{"stamp": "1"}})'
        if kind == "label_setting":
            return f'{head}, build_setting_default = "{self._random.choice(self._labels)}")'
        if kind == "sh_test":
            return f'{head}, srcs = ["e.sh"], data = {self._value(self._any())})'
        if kind == "suite":
            return f'test_suite(name = "{name}")'
        if kind == "group":
            return f'filegroup(name = "{name}", srcs = glob(["*.txt"]))'
        return f"{head}, srcs = {self._value(self._any(), sums=True)})"
