"""A workspace whose rules carry aspects of every kind, and random ones.

`WRITTEN` has a rule for each way in which an aspect comes to what it needs; `random_packages` has
random aspects on random rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

_RULES = """
Found = provider()

def _none(ctx):
    return []

def _on(target, ctx):
    return []

def _finds(target, ctx):
    return [Found()]

def _program(ctx):
    file = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(file, "", is_executable = True)
    return [DefaultInfo(executable = file)]

def _chain(ctx):
    return [platform_common.ToolchainInfo()]

def _opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

def _both(settings, attr):
    return {mode: {"//command_line_option:compilation_mode": mode} for mode in ("opt", "dbg")}

_to_opt = transition(
    implementation = _opt, inputs = [], outputs = ["//command_line_option:compilation_mode"])
_to_both = transition(
    implementation = _both, inputs = [], outputs = ["//command_line_option:compilation_mode"])
_ALLOWLIST = attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")

walk = aspect(_on, attr_aspects = ["deps"], attrs = {
    "_walker": attr.label(default = "//p:walker"),
    "_exec": attr.label(default = "//p:exec_tool", cfg = "exec", executable = True),
    "_host": attr.label_list(default = ["//p:host_tool"], cfg = "host"),
})
flat = aspect(_on, attrs = {"_flat": attr.label(default = "//p:flat")})
finds = aspect(_finds, attr_aspects = ["deps"], provides = [Found], attrs = {
    "_finder": attr.label(default = "//p:finder"),
})
sees = aspect(_on, attr_aspects = ["deps"], required_aspect_providers = [Found], attrs = {
    "_seer": attr.label(default = "//p:seer"),
})
everywhere = aspect(_on, attr_aspects = ["*"], attrs = {"_star": attr.label(default = "//p:star")})
on_own = aspect(_on, attrs = {"_own": attr.label(default = "//p:own_of_aspect", aspects = [flat])})
chained = aspect(_on, toolchains = ["//p:type"], attr_aspects = ["deps"])
generates = aspect(_on, apply_to_generating_rules = True, attrs = {
    "_generator": attr.label(default = "//p:generator"),
})
for_found = aspect(_on, required_providers = [Found], attrs = {
    "_lost": attr.label(default = "//p:lost"),
})
told = aspect(_on, attr_aspects = ["deps"], attrs = {
    "mode": attr.string(values = ["a", "b"]),
    "_teller": attr.label(default = "//p:teller"),
})

def _carrier(*aspects, **more):
    return rule(_none, attrs = dict(
        deps = attr.label_list(allow_files = True, aspects = list(aspects)), **more))

walks = _carrier(walk)
flattens = _carrier(flat)
pairs = _carrier(finds, sees)
stars = _carrier(everywhere)
owns = _carrier(on_own)
chains = _carrier(chained)
generated = _carrier(generates)
finding = _carrier(for_found)
tells = _carrier(told, mode = attr.string(default = "a", values = ["a", "b"]))
splits = rule(_none, attrs = {
    "deps": attr.label_list(cfg = _to_both, aspects = [walk]),
    "_allowlist_function_transition": _ALLOWLIST,
})
opted = rule(_none, cfg = _to_opt, attrs = {
    "deps": attr.label_list(), "_allowlist_function_transition": _ALLOWLIST,
})
plain = rule(_none, attrs = {
    "deps": attr.label_list(allow_files = True),
    "others": attr.label_list(),
    "exec_deps": attr.label_list(cfg = "exec"),
    "host_deps": attr.label_list(cfg = "host"),
    "_own": attr.label(default = "//p:own"),
})
found = rule(_none, provides = [], attrs = {"deps": attr.label_list()})
program = rule(_program, executable = True, attrs = {"deps": attr.label_list()})
chain = rule(_chain, attrs = {"needs": attr.label_list()})
"""
_BUILD = """
load(":r.bzl", "chain", "chains", "finding", "flattens", "found", "generated", "opted", "owns",
     "pairs", "plain", "program", "splits", "stars", "tells", "walks")
program(name = "exec_tool", deps = [":below_tool"])
program(name = "host_tool")
plain(name = "below_tool")
[filegroup(name = name) for name in (
    "walker", "flat", "finder", "seer", "star", "own", "own_of_aspect", "generator", "lost",
    "teller", "of_chain")]
toolchain_type(name = "type")
chain(name = "of_type", needs = [":of_chain"])
toolchain(name = "toolchain", toolchain = ":of_type", toolchain_type = ":type")
config_setting(name = "is_opt", values = {"compilation_mode": "opt"})

plain(name = "low", deps = ["f.txt"])
plain(name = "side")
plain(name = "tool_low")
plain(name = "mid", deps = [":low"], others = [":side"], exec_deps = [":tool_low"],
      host_deps = [":tool_low"])
plain(name = "none")
alias(name = "other", actual = ":mid")
alias(name = "another", actual = ":other")
genrule(name = "make", outs = ["made.txt"], srcs = [":low"], cmd = "touch $@")
cc_library(name = "cc", deps = [":cc_low"], srcs = ["f.cc"])
cc_library(name = "cc_low")
found(name = "is_found", deps = [":low"])
opted(name = "opted", deps = [":low"])
plain(name = "chooses", deps = select({":is_opt": [":mid"], "//conditions:default": [":none"]}))

walks(name = "w_mid", deps = [":mid"])
walks(name = "w_other", deps = [":other"])
walks(name = "w_another", deps = [":another"])
walks(name = "w_file", deps = ["f.txt"])
walks(name = "w_made", deps = ["made.txt"])
walks(name = "w_make", deps = [":make"])
walks(name = "w_none", deps = [":none"])
walks(name = "w_w", deps = [":w_mid"])
walks(name = "w_cc", deps = [":cc"])
walks(name = "w_opted", deps = [":opted"])
walks(name = "w_chooses", deps = [":chooses"])
walks(name = "w_select", deps = select({":is_opt": [":mid"], "//conditions:default": [":none"]}))
plain(name = "host_w", host_deps = [":w_none"])
walks(name = "w_host_w", deps = [":host_w"])
flattens(name = "f_mid", deps = [":mid"])
flattens(name = "f_w", deps = [":w_mid"])
pairs(name = "p_mid", deps = [":mid"])
stars(name = "s_mid", deps = [":mid"])
stars(name = "s_cc", deps = [":cc"])
owns(name = "o_mid", deps = [":mid"])
chains(name = "c_mid", deps = [":mid"])
generated(name = "g_made", deps = ["made.txt"])
generated(name = "g_make", deps = [":make"])
finding(name = "l_found", deps = [":is_found"])
finding(name = "l_mid", deps = [":mid"])
tells(name = "t_mid", deps = [":mid"])
tells(name = "t_t", deps = [":t_mid"], mode = "b")
splits(name = "two", deps = [":none"])
alias(name = "file", actual = "f.txt")
alias(name = "other_file", actual = ":file")
alias(name = "made", actual = "made.txt")
walks(name = "w_file_2", deps = [":other_file"])
generated(name = "g_file", deps = [":file"])
walks(name = "w_alias_made", deps = [":made"])
generated(name = "g_alias_made", deps = [":made"])
"""
WRITTEN: Mapping[str, str] = {
    "WORKSPACE": 'register_toolchains("//p:toolchain")\n',
    "p/r.bzl": _RULES,
    "p/BUILD": _BUILD,
    "p/f.txt": "",
    "p/f.cc": "",
}
CARRIERS = tuple(
    line.partition('name = "')[2].partition('"')[0]
    for line in _BUILD.splitlines()
    if line.startswith(("walks", "flattens", "pairs", "stars", "owns", "chains", "generated"))
    or line.startswith(("finding", "tells", "splits", 'plain(name = "host_w'))
)
"""The targets of `//p` that carry aspects, or depend on one that does."""
_NATIVE_BUILD = """
load("//p:r.bzl", "aspect_for_cc", "walks")
proto_library(name = "low", srcs = ["low.proto"])
proto_library(name = "mid", srcs = ["mid.proto"], deps = [":low"])
proto_library(name = "other", deps = [":mid"])
proto_library(name = "exports", deps = [":mid"], exports = [":low"])
alias(name = "alias", actual = ":mid")
cc_proto_library(name = "cc_low", deps = [":low"])
cc_proto_library(name = "cc_mid", deps = [":mid"])
cc_proto_library(name = "cc_other", deps = [":other"])
cc_proto_library(name = "cc_exports", deps = [":exports"])
cc_proto_library(name = "cc_alias", deps = [":alias"])
cc_library(name = "cc", deps = [":cc_low"])
walks(name = "w_cc_low", deps = [":cc_low"])
aspect_for_cc(name = "keeps", deps = [":low"])
aspect_for_cc(name = "keeps_cc", deps = [":cc"])
proto_lang_toolchain(name = "own", command_line = "$(OUT)", runtime = ":cc_runtime")
cc_library(name = "cc_runtime")
"""
NATIVE: Mapping[str, str] = {
    "n/BUILD": _NATIVE_BUILD,
    "n/low.proto": "",
    "n/mid.proto": "",
    "p/r.bzl": _RULES
    + """
_keeps = aspect(_on, attr_aspects = ["deps"], incompatible_use_toolchain_transition = True,
                toolchains = ["@bazel_tools//tools/cpp:toolchain_type"])
aspect_for_cc = _carrier(_keeps)
""",
}
"""A package whose rules carry aspects of Bazel's own, and one that keeps its toolchains."""
NATIVE_CARRIERS = (
    *("cc_low", "cc_mid", "cc_other", "cc_exports", "cc_alias", "cc", "w_cc_low"),
    *("keeps", "keeps_cc"),
)
PROTOBUF: Mapping[str, str] = {
    "WORKSPACE": "",
    "p.sh": "",
    "BUILD": """
package(default_visibility = ["//visibility:public"])
sh_binary(name = "protoc", srcs = ["p.sh"])
cc_library(name = "runtime")
proto_lang_toolchain(name = "cc_toolchain", command_line = "$(OUT)", runtime = ":runtime")
""",
}


def write(root: Path, files: Mapping[str, str]) -> None:
    """Writes files below `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def random_package(seed: int, name: str, rules: int = 5, targets: int = 14) -> dict[str, str]:
    """Returns the files of a package `name` of random rules that carry random aspects."""
    random = Random(seed)
    lines = [
        "P = provider()",
        "Q = provider()",
        "def _none(ctx): return []",
        "def _on(target, ctx): return []",
        "def _p(target, ctx): return [P()]",
        "def _q(target, ctx): return [Q()]",
    ]
    tools = [f"tool{number}" for number in range(4)]
    for number in range(4):
        along = random.choice(([], ["deps"], ["deps", "more"], ["*"], ["more"]))
        gives = random.choice(("", "", "P", "Q"))
        words = [f"attr_aspects = {along}"]
        if gives:
            words.append(f"provides = [{gives}]")
        if random.random() < 0.4:
            words.append(f"required_aspect_providers = [{random.choice(('P', 'Q'))}]")
        attributes = []
        for letter in "xy"[: random.randint(0, 2)]:
            where = random.choice(("", ', cfg = "exec"', ', cfg = "host"'))
            more = (
                f", aspects = [a{random.randrange(number)}]"
                if number and random.random() < 0.2
                else ""
            )
            tool = f"//{name}:{random.choice(tools)}"
            attributes.append(f'"_{letter}": attr.label(default = "{tool}"{where}{more})')
        words.append(f"attrs = {{{', '.join(attributes)}}}")
        implementation = {"": "_on", "P": "_p", "Q": "_q"}[gives]
        lines.append(f"a{number} = aspect({implementation}, {', '.join(words)})")
    for number in range(rules):
        attributes = []
        for attribute in ("deps", "more", "tools"):
            chosen = random.sample(range(4), random.choice((0, 0, 1, 1, 2)))
            aspects = ", ".join(f"a{one}" for one in sorted(chosen))
            where = ', cfg = "exec"' if attribute == "tools" else ""
            attributes.append(
                f'"{attribute}": attr.label_list(allow_files = True, aspects = [{aspects}]{where})'
            )
        if random.random() < 0.3:
            attributes.append(f'"_own": attr.label(default = "//{name}:{random.choice(tools)}")')
        lines.append(f"r{number} = rule(_none, attrs = {{{', '.join(attributes)}}})")
    build = [f'load(":r.bzl", {", ".join(f"{chr(34)}r{n}{chr(34)}" for n in range(rules))})']
    build += [f'filegroup(name = "{tool}")' for tool in tools]
    build.append('genrule(name = "make", outs = ["made.txt"], cmd = "touch $@")')
    known = ["f.txt", "made.txt"]
    for number in range(targets):
        kind = random.random()
        if kind < 0.12 and number:
            build.append(f'alias(name = "t{number}", actual = ":{random.choice(known)}")')
        else:
            words = [f'name = "t{number}"']
            for attribute, share in (("deps", 0.9), ("more", 0.5), ("tools", 0.2)):
                if random.random() < share:
                    chosen = random.sample(known, min(len(known), random.choice((1, 1, 2))))
                    words.append(f"{attribute} = {[f':{one}' for one in chosen]}")
            build.append(f"r{random.randrange(rules)}({', '.join(words)})")
        known.append(f"t{number}")
    return {
        f"{name}/r.bzl": "\n".join(lines) + "\n",
        f"{name}/BUILD": "\n".join(build) + "\n",
        f"{name}/f.txt": "",
    }
