"""Random rules over what `implementation_worlds` leaves out: aspects, fragments, features, exec
groups, transitions of rules and attributes, implicit attributes, computed defaults, toolchains."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.oracle.implementation_worlds import FORMAT as _PATHS
from tests.support.files import write_files

FORMAT = _PATHS.replace("f.path", "f.short_path")
"""By short paths: how a directory of another configuration is called, Bazel alone knows."""
_LAYERS = 3
_HEAD = """
Info = provider()
Asp = provider(fields = ["names", "kinds", "sources", "more"])
def _setting(ctx):
    return [Info(value = ctx.build_setting_value, name = ctx.label.name)]
bool_setting = rule(_setting, build_setting = config.bool(flag = True))
text_setting = rule(_setting, build_setting = config.string(flag = True))
def _set_text(settings, attr):
    return {"//p:s_text": "by-" + settings["//p:s_text"]}
def _split(settings, attr):
    return {"on": {"//p:s_bool": True}, "off": {"//p:s_bool": False}}
def _by_attribute(settings, attr):
    return {"//p:s_text": attr.word}
set_text = transition(implementation = _set_text, inputs = ["//p:s_text"], outputs = ["//p:s_text"])
split = transition(implementation = _split, inputs = [], outputs = ["//p:s_bool"])
by_attribute = transition(implementation = _by_attribute, inputs = [], outputs = ["//p:s_text"])
def _seen_impl(target, ctx):
    below = [d[Asp] for d in getattr(ctx.rule.attr, "deps", []) if Asp in d]
    below += [d[Asp] for d in getattr(ctx.rule.attr, "srcs", []) if Asp in d]
    return [Asp(
        names = [target.label.name] + [n for b in below for n in b.names],
        kinds = [ctx.rule.kind] + [k for b in below for k in b.kinds],
        sources = [f.path for f in getattr(ctx.rule.files, "srcs", [])],
        more = [str(ctx.label), len(target.files.to_list()), Info in target],
    )]
seen = aspect(_seen_impl, attr_aspects = ["deps", "srcs"])
def _told_impl(target, ctx):
    return [Asp(names = [ctx.attr.word, ctx.attr._extra.label.name], kinds = [ctx.rule.kind],
                sources = sorted([a for a in dir(ctx.rule.attr) if a in ("srcs", "deps", "cmd")]),
                more = [getattr(ctx.rule.attr, "text", "no")])]
told = aspect(_told_impl, attrs = {
    "word": attr.string(values = ["a", "b"]),
    "_extra": attr.label(default = "//p:a.txt", allow_files = True),
})
def _computed(num):
    return Label("//p:a.txt") if num > 4 else Label("//p:g")
def _tc_impl(ctx):
    return [platform_common.ToolchainInfo(text = ctx.attr.text, tool = ctx.file.tool)]
tc = rule(_tc_impl, attrs = {
    "text": attr.string(),
    "tool": attr.label(allow_single_file = True),
})
"""
_BUILD = """
load(":rules.bzl", {names})
bool_setting(name = "s_bool", build_setting_default = False)
text_setting(name = "s_text", build_setting_default = "plain")
config_setting(name = "on", define_values = {{"on": "1"}})
config_setting(name = "s_on", flag_values = {{":s_bool": "True"}})
genrule(name = "g", outs = ["g1.txt"], srcs = ["a.txt"], cmd = "touch $(OUTS)")
filegroup(name = "fg", srcs = ["a.txt", ":g"])
filegroup(name = "fg2", srcs = select({{":s_on": ["a.txt"], "//conditions:default": [":fg"]}}))
sh_binary(name = "sh", srcs = ["s.sh"])
sh_library(name = "shl", srcs = ["s.sh"], deps = [":shl2"])
sh_library(name = "shl2", srcs = ["s.sh"])
alias(name = "al", actual = ":shl")
toolchain_type(name = "tt")
tc(name = "tc_on", text = "on", tool = "a.txt")
tc(name = "tc_off", text = "off", tool = ":g")
toolchain(name = "toolchain_on", toolchain = ":tc_on", toolchain_type = ":tt")
toolchain(name = "toolchain_off", toolchain = ":tc_off", toolchain_type = ":tt")
exports_files(["a.txt", "b.h"])
"""
NATIVE = (":g", ":fg", ":fg2", ":sh", ":shl", ":al", "a.txt", "g1.txt")

# Statements that gather something; what Bazel alone can tell may be unknown here.
_GATHERING = (
    'out["features"] = sorted(ctx.features)',
    'out["disabled"] = sorted(ctx.disabled_features)',
    'out["mode"] = ctx.var["COMPILATION_MODE"]',
    'out["copts"] = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts',
    'out["conlyopts"] = ctx.fragments.cpp.conlyopts',
    'out["linkopts"] = ctx.fragments.cpp.linkopts',
    'out["platform"] = str(ctx.fragments.platform.platform)',
    'out["host"] = str(ctx.fragments.platform.host_platform)',
    'out["coverage"] = ctx.configuration.coverage_enabled',
    'out["separator"] = ctx.configuration.host_path_separator',
    'out["split"] = sorted([str(k) for k in ctx.split_attr.split.keys()])',
    'out["split_values"] = sorted([(k, v[Info].value) for k, v in ctx.split_attr.split.items()])',
    'out["splits"] = sorted([d[Info].value for d in ctx.attr.split])',
    (
        'out["many"] = [sorted([len(t.files.to_list()) for t in v])'
        " for v in ctx.split_attr.many.values()]"
    ),
    (
        'out["set"] = ctx.attr.set[Info].value if type(ctx.attr.set) == "Target"'
        " else ctx.attr.set[0][Info].value"
    ),
    'out["set_type"] = type(ctx.attr.set)',
    'out["own"] = ctx.attr.plain_setting[Info].value',
    'out["seen"] = [(d[Asp].names, d[Asp].kinds) for d in ctx.attr.aspected if Asp in d]',
    'out["seen_sources"] = [(d[Asp].sources, d[Asp].more) for d in ctx.attr.aspected if Asp in d]',
    'out["seen_by"] = [Asp in d for d in ctx.attr.aspected]',
    'out["told"] = [(d[Asp].names, d[Asp].kinds) for d in ctx.attr.told if Asp in d]',
    'out["told_more"] = [(d[Asp].sources, d[Asp].more) for d in ctx.attr.told if Asp in d]',
    'out["hidden"] = ctx.file._hidden.path',
    'out["hidden_label"] = str(ctx.attr._hidden.label)',
    'out["hidden_text"] = ctx.attr._text',
    'out["hidden_program"] = ctx.executable._program.basename',
    'out["hidden_files"] = [f.short_path for f in ctx.files._several]',
    'out["computed"] = str(ctx.attr._computed.label)',
    'out["computed_files"] = [f.path for f in ctx.files._computed]',
    'out["toolchain"] = ctx.toolchains["//p:tt"].text',
    'out["toolchain_file"] = ctx.toolchains["//p:tt"].tool.short_path',
    'out["has_toolchain"] = "//p:tt" in ctx.toolchains',
    'out["groups"] = ctx.exec_groups["g"].toolchains["//p:tt"].text',
    'out["tool"] = ctx.executable.tool.short_path if ctx.executable.tool else None',
    'out["tool_root"] = ctx.executable.tool.root.path if ctx.executable.tool else None',
    'out["exec_root"] = ctx.executable.exec_tool.short_path if ctx.executable.exec_tool else None',
    'out["bin"] = ctx.bin_dir.path',
    'out["attrs"] = sorted([n for n in dir(ctx.attr) if n in ("_hidden", "split", "tags")])',
    'out["names"] = [d.label.name for d in ctx.attr.deps]',
    (
        'out["values"] = [d[Info].text for d in ctx.attr.deps'
        ' if Info in d and hasattr(d[Info], "text")]'
    ),
)


def _kind(random: Random, index: int) -> str:
    """The definition of one rule."""
    lines = [f"def _impl{index}(ctx):", "    out = {}"]
    lines += [f"    {one}" for one in random.sample(_GATHERING, random.randint(1, 2))]
    lines.append('    declared = ctx.actions.declare_file(ctx.label.name + ".o")')
    lines.append('    ctx.actions.write(declared, "x")')
    lines.append(
        "    return [Info(text = ctx.attr.text, **out), DefaultInfo(files = depset([declared]))]"
    )
    options = [
        'fragments = ["cpp", "platform"]',
        'toolchains = ["//p:tt"]',
        'exec_groups = {"g": exec_group(toolchains = ["//p:tt"])}',
    ]
    if random.random() < 0.3:
        options.append(f"cfg = {random.choice(('set_text', 'by_attribute'))}")
    hidden = random.choice(("a.txt", "g1.txt"))
    attributes = {
        "_allowlist_function_transition": (
            'attr.label(default = "@bazel_tools//tools/whitelists/function_transition_whitelist")'
        ),
        "_computed": "attr.label(default = _computed, allow_files = True)",
        "_hidden": f'attr.label(default = "//p:{hidden}", allow_single_file = True)',
        "_program": 'attr.label(default = "//p:sh", executable = True, cfg = "host")',
        "_several": 'attr.label_list(default = ["//p:fg", "//p:b.h"], allow_files = True)',
        "_text": 'attr.string(default = "hidden")',
        "aspected": "attr.label_list(allow_files = True, aspects = [seen])",
        "deps": "attr.label_list(allow_files = True)",
        "exec_tool": 'attr.label(executable = True, cfg = "exec")',
        "many": "attr.label_list(allow_files = True, cfg = split)",
        "num": f"attr.int(default = {random.randint(0, 9)})",
        "plain_setting": 'attr.label(default = "//p:s_text")',
        "set": 'attr.label(default = "//p:s_text", cfg = set_text)',
        "split": 'attr.label(default = "//p:s_bool", cfg = split)',
        "text": 'attr.string(default = "t")',
        "told": "attr.label_list(allow_files = True, aspects = [told])",
        "tool": 'attr.label(executable = True, cfg = "host")',
        "word": f'attr.string(default = "{random.choice("ab")}", values = ["a", "b"])',
    }
    held = ", ".join(f'"{key}": {value}' for key, value in attributes.items())
    lines.append(f"r{index} = rule(_impl{index}, {', '.join(options)}, attrs = {{{held}}})")
    return "\n".join(lines)


def _target(random: Random, name: str, kinds: int, earlier: list[str]) -> str:
    pool = [*NATIVE, *(f":{one}" for one in random.sample(earlier, min(5, len(earlier))))]
    given = [f'name = "{name}"']
    for attribute, most in (("deps", 3), ("aspected", 3), ("told", 2), ("many", 2)):
        chosen = random.sample(pool, random.randint(0, most))
        given.append(f"{attribute} = [" + ", ".join(f'"{one}"' for one in chosen) + "]")
    for attribute in ("tool", "exec_tool"):
        if random.random() < 0.4:
            given.append(f'{attribute} = ":sh"')
    if random.random() < 0.3:
        given.append('text = select({":on": "on", "//conditions:default": "off"})')
    elif random.random() < 0.3:
        given.append('text = "own"')
    if random.random() < 0.3:
        given.append('features = ["f1", "-f2", "f3"]')
    if random.random() < 0.3:
        given.append(f"num = {random.randint(0, 9)}")
    return f"r{random.randrange(kinds)}({', '.join(given)})"


def write_wider_world(root: Path, seed: int, kinds: int, targets: int) -> None:
    """Writes a workspace: `//p` has `targets` targets of `kinds` rules."""
    random = Random(seed)
    bzl = "\n".join([_HEAD, *(_kind(random, index) for index in range(kinds))])
    made = (*(f"r{index}" for index in range(kinds)), "bool_setting", "tc", "text_setting")
    lines = [_BUILD.format(names=", ".join(f'"{name}"' for name in made))]
    for index in range(targets):
        # Each transition on the way down makes more configurations of all that is below: chains
        # of any length would keep Bazel busy with thousands of these for minutes.
        layer = index * _LAYERS // targets
        below = [f"t{number}" for number in range(layer * targets // _LAYERS)]
        lines.append(_target(random, f"t{index}", kinds, below))
    files = {
        "WORKSPACE": 'workspace(name = "ws")\nregister_toolchains("//p:toolchain_off")\n',
        "format.cquery": FORMAT,
        "p/BUILD": "\n".join(lines),
        "p/rules.bzl": bzl,
    }
    write_files(root, {**files, **{f"p/{name}": "" for name in ("a.txt", "b.h", "s.sh")}})
    (root / "p" / "s.sh").chmod(0o755)
