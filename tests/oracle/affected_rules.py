"""A workspace whose rules are made by helpers in other files, and random edits of all of it."""

from __future__ import annotations

import random
import re
from pathlib import Path

from tests.oracle.affected_oracle import put
from tests.oracle.implementation_worlds import write_stubs
from tests.support.files import write_files

_PROVIDERS = """
Info = provider(fields = ["text", "files"])
Seen = provider(fields = ["names", "files"])
"""
_HELPERS = """
PREFIX = "p"
SUFFIXES = ["one", "two"]
NEVER = "never"
def joined(names):
    return PREFIX + ",".join(names) + SUFFIXES[1]
def shown(file):
    return "at:" + file.short_path
def described(ctx, kind):
    return struct(title = kind + "-" + ctx.label.name, rest = "rest")
def nobody():
    return NEVER + "x"
"""
_MORE = """
load(":helpers.bzl", "joined")
TABLE = {"a": "first", "b": "second"}
def looked_up(key):
    return TABLE.get(key, "none")
def both(names):
    return joined(names) + looked_up("b")
def impl_of_factory(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".made")
    ctx.actions.write(out, looked_up("a") + "made")
    return [DefaultInfo(files = depset([out]))]
def factory(executable):
    return rule(impl_of_factory, attrs = {"deps": attr.label_list(), "word": attr.string()})
"""
_ASPECTS = """
load(":helpers.bzl", "shown")
load(":providers.bzl", "Seen")
def _name(target):
    return "seen-" + target.label.name
def _seen_impl(target, ctx):
    out = ctx.actions.declare_file(target.label.name + ".seen")
    ctx.actions.write(out, _name(target) + ",".join([shown(f) for f in target.files.to_list()]))
    below = [d[Seen].files for d in getattr(ctx.rule.attr, "deps", []) if Seen in d]
    return [Seen(names = [_name(target)], files = depset([out], transitive = below))]
seen = aspect(_seen_impl, attr_aspects = ["deps"])
"""
_RULES = """
load(":aspects.bzl", "seen")
load(":helpers.bzl", "described", "joined", "shown")
load(":more.bzl", "both", "factory")
load(":providers.bzl", "Info", "Seen")
_EXTRA = "extra"
_HEADER = "header"
def _texts(ctx):
    return [d[Info].text for d in ctx.attr.deps if Info in d]
def _write_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(out, joined(_texts(ctx)) + ctx.attr.word)
    return [Info(text = ctx.attr.word + "w", files = depset([out])),
            DefaultInfo(files = depset([out]))]
written = rule(_write_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(default = "plain"),
})
def _run_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".run")
    args = ctx.actions.args()
    args.add("--out", out)
    args.add_all(ctx.files.deps, map_each = shown)
    args.add(_HEADER)
    ctx.actions.run(outputs = [out], inputs = ctx.files.deps, executable = ctx.executable._tool,
                    arguments = [args], mnemonic = "Make")
    return [DefaultInfo(files = depset([out]))]
run = rule(_run_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(),
    "_tool": attr.label(default = "//lib:tool", executable = True, cfg = "host"),
})
def _shell_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".sh_out")
    told = described(ctx, "shell")
    ctx.actions.run_shell(outputs = [out], inputs = ctx.files.deps,
                          command = "echo %s %s > %s" % (told.title, _EXTRA, out.path))
    return [DefaultInfo(files = depset([out])), Info(text = told.rest, files = depset())]
shell = rule(_shell_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(),
})
def _template_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".tpl")
    ctx.actions.expand_template(template = ctx.file._template, output = out,
                                substitutions = {"@A@": both([ctx.attr.word]), "@B@": "b"})
    return [DefaultInfo(files = depset([out], transitive = [d.files for d in ctx.attr.deps]))]
template = rule(_template_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(default = "t"),
    "_template": attr.label(default = "//lib:in.tpl", allow_single_file = True),
})
def _looks_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".looks")
    files = depset(transitive = [d[Seen].files for d in ctx.attr.deps if Seen in d])
    ctx.actions.run_shell(outputs = [out], inputs = files, command = "touch " + out.path)
    return [DefaultInfo(files = depset([out]))]
looks = rule(_looks_impl, attrs = {
    "deps": attr.label_list(allow_files = True, aspects = [seen]),
    "word": attr.string(),
})
def _pass_impl(ctx):
    return [Info(text = "".join(_texts(ctx)) + "passed", files = depset())]
passing = rule(_pass_impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(),
})
def _change_impl(settings, attr):
    return {"//command_line_option:copt": ["-D" + attr.word]}
_change = transition(implementation = _change_impl, inputs = [],
                     outputs = ["//command_line_option:copt"])
moved = rule(_write_impl, cfg = _change, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(default = "moved"),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist"),
})
def _test_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".test")
    ctx.actions.write(out, "exit 0 # " + described(ctx, "test").title, is_executable = True)
    return [DefaultInfo(executable = out, runfiles = ctx.runfiles(ctx.files.deps))]
checked_test = rule(_test_impl, test = True, attrs = {
    "deps": attr.label_list(allow_files = True),
    "word": attr.string(),
})
made = factory(False)
def _unused_impl(ctx):
    return []
unused = rule(_unused_impl)
"""
_MACROS = """
load(":rules.bzl", "passing", "shell", "written")
_WORD = "macro"
_TAGS = ["t1"]
def pair(name, deps = [], word = None):
    written(name = name + "_w", deps = deps, word = word or _WORD, tags = _TAGS)
    passing(name = name, deps = [name + "_w"] + deps)
def stepped(name, deps = [], word = ""):
    for step in ["a", "b"]:
        shell(name = name + step, deps = deps, word = word)
    native.filegroup(name = name, srcs = [name + "a", name + "b"])
"""
_KINDS = (
    *("written", "run", "shell", "template", "looks", "passing", "moved", "checked_test", "made"),
    *("pair", "stepped"),
)
_RULE_NAMES = ", ".join(f'"{name}"' for name in _KINDS if name not in ("pair", "stepped"))
_HEAD = f"""
load("//lib:macros.bzl", "pair", "stepped")
load("//lib:rules.bzl", {_RULE_NAMES})
package(default_visibility = ["//visibility:public"])
exports_files(glob(["*.txt"]))
config_setting(name = "on", define_values = {{"on": "1"}})
"""


def write(root: Path, seed: int, packages: int, targets: int) -> tuple[str, ...]:
    """Writes a workspace: packages `//p0`, `//p1`, ... of targets of all rules and macros. Returns
    the flags that put stubs where Bazel would fetch."""
    pick = random.Random(seed)
    files = {
        "WORKSPACE": 'local_repository(name = "ext", path = "third/ext")\n',
        ".bazelrc": "build --define=y=1\n",
        "lib/BUILD": 'sh_binary(name = "tool", srcs = ["tool.sh"], visibility = '
        '["//visibility:public"])\nexports_files(["in.tpl"])\n',
        "lib/tool.sh": "",
        "lib/in.tpl": "@A@",
        "lib/providers.bzl": _PROVIDERS,
        "lib/helpers.bzl": _HELPERS,
        "lib/more.bzl": _MORE,
        "lib/aspects.bzl": _ASPECTS,
        "lib/rules.bzl": _RULES,
        "lib/macros.bzl": _MACROS,
        "third/ext/WORKSPACE": "",
        "third/ext/BUILD": 'filegroup(name = "e", srcs = ["e.txt"], visibility = '
        '["//visibility:public"])\n',
        "third/ext/e.txt": "",
    }
    earlier = ["@ext//:e"]
    for package in range(packages):
        lines = [_HEAD]
        for index in range(targets):
            kind, name = pick.choice(_KINDS), f"t{index}"
            suffix = "_test" if kind == "checked_test" else ""
            deps = pick.sample(earlier, min(len(earlier), pick.randint(0, 3)))
            deps.append(pick.choice(("a.txt", "b.txt")))
            listed = ", ".join(f'"{one}"' for one in deps)
            if pick.random() < 0.2:
                listed += '] + select({":on": ["c.txt"], "//conditions:default": []}) + ['
            word = f', word = "w{pick.randrange(9)}"' if pick.random() < 0.5 else ""
            lines.append(f'{kind}(name = "{name}{suffix}", deps = [{listed}]{word})')
            if not suffix:
                earlier.append(f"//p{package}:{name}")
        files[f"p{package}/BUILD"] = "\n".join(lines) + "\n"
        files.update((f"p{package}/{name}.txt", name) for name in "abc")
    write_files(root, files)
    (root / "lib/tool.sh").chmod(0o755)
    stubs = root.parent / "stubs"
    flags = write_stubs(stubs)
    coverage = "".join(
        f'sh_binary(name = "{name}", srcs = ["m.sh"], visibility = ["//visibility:public"])\n'
        for name in ("lcov_merger", "coverage_report_generator")
    )
    write_files(stubs / "remote_coverage_tools", {"WORKSPACE": "", "BUILD": coverage, "m.sh": ""})
    return (*flags, f"--override_repository=remote_coverage_tools={stubs}/remote_coverage_tools")


_TEXT = (
    r'(?<![\w"])"(?!//|:|@|%|--|\w+\.bzl|\.|passing|written|shell)[a-z0-9 ,-]{1,12}"(?!\s*[:\]]|")'
)
"""Texts that are no keys and no labels."""


def edit(pick: random.Random, root: Path) -> str:
    """One random edit, half of them of `.bzl` files. Returns what it is."""
    while True:
        done = _code(pick, root) if pick.random() < 0.5 else _other(pick, root)
        if done:
            return done


def _code(pick: random.Random, root: Path) -> str:
    path = root / "lib" / pick.choice(("helpers", "more", "aspects", "rules", "rules", "macros"))
    path = path.with_suffix(".bzl")
    kind = pick.randrange(10)
    if kind < 5:
        return put(pick, path, _TEXT, lambda place: f'"{place[0][1:-1]}X"')
    if kind == 5:
        done = put(pick, path, r"^def (\w+)\(.*\):\n", lambda place: f"{place[0]}    y = 1\n")
        return f"{done}: another way to the same" if done else ""
    if kind == 6:
        path.write_text(f"{path.read_text()}\n# {pick.random()}\n")
        return f"{path.name}: a comment"
    if kind == 7:
        path.write_text(f"{path.read_text()}\ndef also(x):\n    return [x]\n")
        return f"{path.name}: a function that nobody calls: a comment"
    if kind == 8:
        old, new = pick.choice(
            (
                ('mnemonic = "Make"', 'mnemonic = "Made"'),
                ("depset([out])),", "depset([out, out])),"),
                ("ctx.files.deps, map_each", "ctx.files.deps[:1], map_each"),
                ("[DefaultInfo(files = depset([out])), Info(text", "[Info(text"),
                ("attr.string()", 'attr.string(default = "other")'),
                ('cfg = "host"', 'cfg = "target"'),
                ('for step in ["a", "b"]', 'for step in ["b", "a"]'),
                ('+ "passed"', ""),
                ('attr_aspects = ["deps"]', 'attr_aspects = ["srcs"]'),
                (", is_executable = True", ""),
                ("return [Info(text = ctx", "out = out\n    return [Info(text = ctx"),
            )
        )
        return put(pick, path, re.escape(old), lambda place: new)
    return put(pick, path, r"(?<=return )[A-Z]+(?= \+)", lambda place: f'"{place[0]}"')


def _other(pick: random.Random, root: Path) -> str:
    builds = sorted(root.glob("p*/BUILD"))
    path, kind = pick.choice(builds), pick.randrange(14)
    where = path.parent.name
    texts = sorted(one for one in root.glob("**/*.txt") if one.is_file() and not one.is_symlink())
    file = pick.choice([*texts, root / "lib/in.tpl", root / "lib/tool.sh"])
    shown = file.relative_to(root)
    if kind < 2:
        file.write_text(f"{pick.random()}")
        return f"{shown} is edited"
    if kind == 2:
        file.rename(file.with_name(f"new_{file.name}"))
        return f"{shown} is renamed"
    if kind == 3:
        file.chmod(0o644 if file.stat().st_mode & 0o100 else 0o755)
        return f"{shown} has another mode: a comment"
    if kind == 4:
        content = file.read_text()
        (root / "elsewhere").write_text(content)
        file.unlink()
        file.symlink_to(root / "elsewhere")
        return f"{shown} is a link"
    if kind == 5:
        done = put(pick, path, r'(?<=name = ")t\d+', lambda place: f"{place[0]}renamed")
        return f"{where}/{done}" if done else ""
    if kind == 6:
        done = put(pick, path, r'(?<=word = ")w\d', lambda place: f"{place[0]}x")
        return f"{where}/{done}" if done else ""
    if kind == 7:
        done = put(pick, path, r'"(//p\d:t\d+|[ab]\.txt)", ', lambda place: "")
        return f"{where}/{done}" if done else ""
    if kind == 8:
        done = put(pick, path, r"^\w+\(name = .*\n", lambda place: "")
        return f"{where}/{done}" if done else ""
    if kind == 9 and pick.random() < 0.5:
        path.unlink()
        return f"{where}/BUILD is gone"
    if kind == 10:
        write_files(root, {"new/BUILD": _HEAD + 'written(name = "n", deps = ["//p0:a.txt"])\n'})
        return "new/BUILD is new"
    if kind == 11:
        line = pick.choice(("build --copt=-DX", "build --define=on=1", "# x", "build:c --copt=-X"))
        (root / ".bazelrc").write_text(f"build --define=y=1\n{line}\n")
        return f".bazelrc: {line}"
    if kind == 12:
        done = put(pick, path, r'(?<=define_values = )\{"on"', lambda place: '{"y"')
        return f"{where}/{done}" if done else ""
    text = (root / "WORKSPACE").read_text()
    line = pick.choice(
        ("# x", 'local_repository(name = "more", path = "third/ext")', 'workspace(name = "w")')
    )
    (root / "WORKSPACE").write_text(f"{line}\n{text}")
    return f"WORKSPACE: {line}"
