"""Small workspaces with transitions, platforms and mappings, as their files and targets.

The unit tests say what is expected of them; the oracle tests ask Bazel the same.
"""

from __future__ import annotations

from pathlib import Path

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.support.ours import label

_ALLOWLIST = "tools/allowlists/function_transition_allowlist"

TRANSITIONS = {
    "WORKSPACE": "",
    f"{_ALLOWLIST}/BUILD": (
        'package_group(name = "function_transition_allowlist", packages = ["//..."])\n'
    ),
    "p/defs.bzl": """\
def _nothing(ctx):
    return []

string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
bool_flag = rule(implementation = _nothing, build_setting = config.bool(flag = True))

def _arm(settings, attr):
    return {"//command_line_option:cpu": "arm"}

arm = transition(implementation = _arm, inputs = [], outputs = ["//command_line_option:cpu"])

def _color(settings, attr):
    return {
        "//p:color": attr.color or settings["//p:color"],
        "//command_line_option:copt": settings["//command_line_option:copt"] + ["-DX"],
    }

color = transition(
    implementation = _color,
    inputs = ["//p:color", "//command_line_option:copt"],
    outputs = ["//p:color", "//command_line_option:copt"],
)

def _split(settings, attr):
    return [{"//p:fast": True}, {"//p:fast": False}]

split = transition(implementation = _split, inputs = [], outputs = ["//p:fast"])

def _named(settings, attr):
    return {
        name: {"//command_line_option:compilation_mode": name}
        for name in ["opt", "dbg"]
    }

named = transition(
    implementation = _named,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

def _platform(settings, attr):
    return {"//command_line_option:platforms": "//p:west"}

west = transition(
    implementation = _platform,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _attrs(**more):
    attrs = {
        "_allowlist_function_transition": attr.label(
            default = "//tools/allowlists/function_transition_allowlist",
        ),
        "color": attr.string(),
        "deps": attr.label_list(),
    }
    attrs.update(more)
    return attrs

to_arm = rule(implementation = _nothing, attrs = _attrs(arm_deps = attr.label_list(cfg = arm)))
colored = rule(implementation = _nothing, cfg = color, attrs = _attrs())
splitter = rule(
    implementation = _nothing,
    attrs = _attrs(
        named_deps = attr.label_list(cfg = named),
        split_deps = attr.label_list(cfg = split),
    ),
)
to_west = rule(implementation = _nothing, attrs = _attrs(west_deps = attr.label_list(cfg = west)))

def _liar(settings, attr):
    return {"//command_line_option:copt": []}

lie = transition(implementation = _liar, inputs = [], outputs = ["//command_line_option:cpu"])

def _endless(settings, attr):
    for a in range(1000000000):
        pass
    return {"//command_line_option:cpu": "arm"}

endless = transition(
    implementation = _endless,
    inputs = [],
    outputs = ["//command_line_option:cpu"],
)

def _nosy(settings, attr):
    return {"//command_line_option:cpu": settings["//command_line_option:host_cpu"]}

nosy = transition(implementation = _nosy, inputs = [], outputs = ["//command_line_option:cpu"])
lying = rule(implementation = _nothing, attrs = _attrs(bad_deps = attr.label_list(cfg = lie)))
looping = rule(implementation = _nothing, attrs = _attrs(bad_deps = attr.label_list(cfg = endless)))
prying = rule(implementation = _nothing, attrs = _attrs(bad_deps = attr.label_list(cfg = nosy)))
""",
    "p/BUILD": """\
load(":defs.bzl", "bool_flag", "colored", "splitter", "string_flag", "to_arm", "to_west")

exports_files(["x.txt", "y.txt"])

string_flag(name = "color", build_setting_default = "red")
bool_flag(name = "fast", build_setting_default = False)

constraint_setting(name = "side")
constraint_value(name = "w", constraint_setting = ":side")
constraint_value(name = "e", constraint_setting = ":side")
platform(name = "west", constraint_values = [":w"])
platform(name = "east", constraint_values = [":e"])

config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "blue", flag_values = {":color": "blue"})
config_setting(name = "is_fast", flag_values = {":fast": "1"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "dx", values = {"copt": "-DX"})
config_setting(name = "is_west", constraint_values = [":w"])

filegroup(
    name = "leaf",
    srcs = select({":arm": ["x.txt"], "//conditions:default": []}) +
           select({":blue": ["y.txt"], "//conditions:default": []}) +
           select({":is_fast": [":a"], "//conditions:default": [":b"]}) +
           select({":opt": [":c"], "//conditions:default": []}) +
           select({":dx": [":d"], "//conditions:default": []}) +
           select({":is_west": [":f"], "//conditions:default": []}),
)

[filegroup(name = name) for name in ["a", "b", "c", "d", "f"]]

to_arm(name = "attribute", arm_deps = [":leaf"], deps = [":leaf"])
colored(name = "own", color = "blue", deps = [":leaf"])
colored(name = "own_same", deps = [":leaf"])
filegroup(name = "two", srcs = [":own", ":own_same"])
splitter(name = "splits", named_deps = [":leaf"], split_deps = [":leaf"])
to_west(name = "platforms", west_deps = [":leaf", ":own"])
alias(name = "other_name", actual = ":own")
filegroup(name = "through_alias", srcs = [":other_name"])
genrule(name = "tools", outs = ["tools.out"], cmd = "", tools = [":own", ":attribute"])
to_arm(name = "both", arm_deps = [":tools", ":attribute"])
""",
    "bad/BUILD": """\
load("//p:defs.bzl", "looping", "lying", "prying")

lying(name = "lying", bad_deps = ["//p:leaf"])
looping(name = "looping", bad_deps = ["//p:leaf"])
prying(name = "prying", bad_deps = ["//p:leaf"])
""",
}

TRANSITION_TARGETS = (
    "//p:attribute",
    "//p:own",
    "//p:two",
    "//p:splits",
    "//p:platforms",
    "//p:through_alias",
    "//p:tools",
    "//p:both",
)

TRANSITION_FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--//p:color=blue",),
    ("--cpu=arm", "--compilation_mode=opt"),
    ("--platforms=//p:east", "--copt=-DX", "--//p:fast"),
    ("--nodistinct_host_configuration", "--copt=-g"),
)

ANALYSIS_TESTS = {
    "WORKSPACE": "",
    "p/defs.bzl": """\
def _nothing(ctx):
    return []

def _passes(ctx):
    return [AnalysisTestResultInfo(success = True, message = "")]

strict = analysis_test_transition(
    settings = {
        "//command_line_option:cpu": "arm",
        "//command_line_option:copt": ["-DX"],
        "//p:color": "blue",
    },
)
same = analysis_test_transition(settings = {"//command_line_option:cpu": "k8"})
empty = analysis_test_transition(settings = {})

string_flag = rule(_nothing, build_setting = config.string(flag = True))
user = rule(
    _nothing,
    attrs = {
        "exec": attr.label(cfg = "exec"),
        "host": attr.label(cfg = "host"),
        "target": attr.label(),
    },
)
check_test = rule(
    _passes,
    analysis_test = True,
    attrs = {
        "empty": attr.label(cfg = empty),
        "plain": attr.label(),
        "same": attr.label(cfg = same),
        "strict": attr.label(cfg = strict),
    },
)
""",
    "p/BUILD": """\
load(":defs.bzl", "check_test", "string_flag", "user")

string_flag(name = "color", build_setting_default = "red")
config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "blue", flag_values = {":color": "blue"})
config_setting(name = "dx", values = {"copt": "-DX"})
filegroup(
    name = "leaf",
    srcs = select({":arm": [":a"], "//conditions:default": [":b"]}) +
           select({":blue": [":c"], "//conditions:default": []}) +
           select({":dx": [":d"], "//conditions:default": []}),
)

[filegroup(name = name) for name in ["a", "b", "c", "d"]]

user(name = "user", exec = ":leaf", host = ":leaf", target = ":leaf")
check_test(name = "strict_test", strict = ":leaf")
check_test(name = "same_test", plain = ":leaf", same = ":leaf")
check_test(name = "empty_test", empty = ":leaf", plain = ":leaf", same = ":leaf")
check_test(name = "user_test", plain = ":user", same = ":user", strict = ":user")
""",
}

ANALYSIS_TEST_TARGETS = (
    "//p:strict_test",
    "//p:same_test",
    "//p:empty_test",
    "//p:user_test",
)

COMPATIBILITY = {
    "WORKSPACE": "",
    "p/defs.bzl": """\
def _nothing(ctx):
    return []

part = rule(
    implementation = _nothing,
    attrs = {
        "hosts": attr.label_list(cfg = "host"),
        "srcs": attr.label_list(allow_files = True),
        "tools": attr.label_list(cfg = "exec"),
    },
)
""",
    "p/BUILD": """\
load(":defs.bzl", "part")

constraint_setting(name = "side")
constraint_value(name = "w", constraint_setting = ":side")
constraint_value(name = "e", constraint_setting = ":side")
constraint_setting(name = "hue", default_constraint_value = ":plain")
constraint_value(name = "plain", constraint_setting = ":hue")
constraint_value(name = "bright", constraint_setting = ":hue")
alias(name = "w_alias", actual = ":w")
platform(name = "west", constraint_values = [":w"])
platform(name = "east", constraint_values = [":e", ":bright"])
config_setting(name = "opt", values = {"compilation_mode": "opt"})

part(name = "free")
part(name = "only_w", target_compatible_with = [":w"])
part(name = "only_w_by_alias", target_compatible_with = [":w_alias"])
part(name = "plain_w", target_compatible_with = [":w", ":plain"])
part(name = "needs", srcs = [":only_w"])
part(name = "needs_more", srcs = [":needs", ":free"])
part(
    name = "selected",
    target_compatible_with = select({":opt": [":e"], "//conditions:default": []}),
)
part(name = "by_select", srcs = select({":opt": [":only_w"], "//conditions:default": []}))
part(name = "exec_user", tools = [":only_w"])
part(name = "host_user", hosts = [":only_w"])
part(name = "by_output", srcs = [":gen.out"])
genrule(name = "gen", outs = ["gen.out"], cmd = "", target_compatible_with = [":e"])
genrule(name = "tool_user", outs = ["o"], cmd = "", tools = [":only_w"])
alias(name = "other_name", actual = ":only_w")
part(name = "needs_alias", srcs = [":other_name"])
filegroup(name = "group", srcs = [":only_w"])
""",
}

COMPATIBILITY_TARGETS = tuple(
    f"//p:{name}"
    for name in (
        *("free", "only_w", "only_w_by_alias", "plain_w", "needs", "needs_more", "selected"),
        *("by_select", "exec_user", "host_user", "by_output", "gen", "tool_user"),
        *("needs_alias", "group"),
    )
)

COMPATIBILITY_FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--platforms=//p:west",),
    ("--platforms=//p:east",),
    ("--platforms=//p:west", "--compilation_mode=opt"),
    ("--platforms=//p:east", "--compilation_mode=opt", "--host_platform=//p:west"),
)

MAPPINGS = {
    "WORKSPACE": "",
    "platform_mappings": """\
# What each platform stands for.
platforms:
  //p:west
    --cpu=arm
    --compilation_mode=opt
    --copt=-DWEST
  //p:south
    --define=mapped=1
    --host_copt=-DSOUTH
    --copt=-DWEST
    --host_cpu=arm

flags:
  --cpu=aarch64
  --compilation_mode=dbg
    //p:east
  --cpu=aarch64
    //p:west
""",
    "p/defs.bzl": """\
def _nothing(ctx):
    return []

exec_user = rule(
    implementation = _nothing,
    attrs = {"deps": attr.label_list(cfg = "exec")},
)
""",
    "p/BUILD": """\
load(":defs.bzl", "exec_user")

constraint_setting(name = "side")
constraint_value(name = "w", constraint_setting = ":side")
constraint_value(name = "e", constraint_setting = ":side")
platform(name = "west", constraint_values = [":w"])
platform(name = "east", constraint_values = [":e"])
platform(name = "south")
config_setting(name = "given", define_values = {"given": "1"})
config_setting(name = "mapped", define_values = {"mapped": "1"})
config_setting(name = "south_copt", values = {"copt": "-DSOUTH"})
config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "copt", values = {"copt": "-DWEST"})
config_setting(name = "is_west", constraint_values = [":w"])
config_setting(name = "is_east", constraint_values = [":e"])

filegroup(
    name = "leaf",
    srcs = select({":arm": [":a"], "//conditions:default": []}) +
           select({":opt": [":b"], "//conditions:default": []}) +
           select({":copt": [":c"], "//conditions:default": []}) +
           select({":is_west": [":d"], "//conditions:default": []}) +
           select({":is_east": [":f"], "//conditions:default": []}) +
           select({":given": [":g"], "//conditions:default": []}) +
           select({":mapped": [":h"], "//conditions:default": []}) +
           select({":south_copt": [":i"], "//conditions:default": []}),
)

[filegroup(name = name) for name in ["a", "b", "c", "d", "f", "g", "h", "i"]]

filegroup(name = "app", srcs = [":leaf"])
genrule(name = "tools", outs = ["o"], cmd = "", tools = [":leaf"])
exec_user(name = "exec_tools", deps = [":leaf"])
""",
}

MAPPING_TARGETS = ("//p:app", "//p:tools", "//p:exec_tools")

MAPPING_FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--platforms=//p:west",),
    ("--platforms=//p:east",),
    ("--cpu=aarch64",),
    ("--cpu=aarch64", "--compilation_mode=dbg"),
    ("--platforms=//p:west", "--cpu=k8", "--copt=-g"),
    ("--host_platform=//p:west",),
    ("--platforms=//p:south", "--define=given=1"),
    ("--platforms=//p:south", "--host_cpu=k8", "--host_copt=-g"),
)


def write(root: Path, files: dict[str, str]) -> Path:
    """Writes a workspace below `root`."""
    write_files(root, files)
    return root


APPLE = {
    "WORKSPACE": "",
    "r.bzl": """
def _impl(ctx):
    return []

fw = rule(
    implementation = _impl,
    attrs = {
        "deps": attr.label_list(cfg = apple_common.multi_arch_split),
        "platform_type": attr.string(default = "ios"),
        "minimum_os_version": attr.string(),
    },
)
""",
    "BUILD": """
load(":r.bzl", "fw")
config_setting(name = "ios", values = {"cpu": "ios_x86_64"})
config_setting(name = "arm", values = {"cpu": "ios_arm64"})
config_setting(name = "mac", values = {"cpu": "darwin_x86_64"})
[filegroup(name = name) for name in ["i", "a", "m", "d"]]
filegroup(
    name = "x",
    srcs = select({":ios": [":i"], ":arm": [":a"], ":mac": [":m"], "//conditions:default": [":d"]}),
)
objc_library(name = "o", data = [":x"])
objc_library(name = "o2", deps = [":o"], data = [":x"])
filegroup(name = "plain", srcs = [":o", ":x"])
fw(name = "f", deps = [":x", ":o"])
fw(name = "of_eleven", deps = [":x"], minimum_os_version = "11.0")
fw(name = "watch", deps = [":o2"], platform_type = "watchos")
apple_static_library(name = "s", deps = [":o2"], platform_type = "macos", minimum_os_version="10.1")
""",
    "tc/tc.bzl": """
load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "action_config", "feature", "tool")

_ACTIONS = ["objc-" + kind for kind in ["compile", "archive", "executable", "fully-link"]] + [
    "objc++-compile",
] + [
    "c++-link-" + kind
    for kind in ["static-library", "executable", "dynamic-library", "nodeps-dynamic-library"]
]

def _impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        action_configs = [
            action_config(action_name = name, enabled = True, tools = [tool(path = "/bin/true")])
            for name in _ACTIONS
        ],
        features = [feature(name = "module_maps", enabled = True)],
        toolchain_identifier = "t",
        host_system_name = "h",
        target_system_name = "t",
        target_cpu = "c",
        target_libc = "l",
        compiler = "gcc",
        abi_version = "a",
        abi_libc_version = "a",
        cc_target_os = "apple",
    )

config = rule(implementation = _impl, provides = [CcToolchainConfigInfo])
""",
    "tc/BUILD": """
load(":tc.bzl", "config")
package(default_visibility = ["//visibility:public"])
config(name = "config")
xcode_version(name = "v1", version = "12.0", default_ios_sdk_version = "14.0")
xcode_config(name = "xcode", default = ":v1", versions = [":v1"])
filegroup(name = "none")
cc_toolchain(
    name = "tc",
    all_files = ":none",
    compiler_files = ":none",
    dwp_files = ":none",
    linker_files = ":none",
    objcopy_files = ":none",
    strip_files = ":none",
    toolchain_config = ":config",
)
cc_toolchain_suite(
    name = "suite",
    toolchains = {
        cpu: ":tc"
        for cpu in [
            "darwin_arm64",
            "darwin_x86_64",
            "ios_arm64",
            "ios_armv7",
            "ios_x86_64",
            "k8",
            "watchos_armv7k",
            "watchos_i386",
        ]
    },
)
""",
}
APPLE_TARGETS = ("//:o2", "//:plain", "//:f", "//:of_eleven", "//:watch", "//:s")
_APPLE_TOP = ("--apple_crosstool_top=//tc:suite", "--xcode_version_config=//tc:xcode")
APPLE_FLAGS: tuple[tuple[str, ...], ...] = (
    _APPLE_TOP,
    (*_APPLE_TOP, "--ios_multi_cpus=arm64,x86_64,armv7", "--apple_platform_type=ios"),
    (*_APPLE_TOP, "--cpu=ios_arm64", "--crosstool_top=//tc:suite"),
    (*_APPLE_TOP, "--watchos_cpus=armv7k", "--macos_cpus=arm64,x86_64"),
    (*_APPLE_TOP, "--ios_minimum_os=12"),
)


ANDROID = {
    "WORKSPACE": "",
    "r.bzl": """
def _impl(ctx):
    return []

several = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(cfg = android_common.multi_cpu_configuration)},
)
""",
    "BUILD": """
load(":r.bzl", "several")
[config_setting(name = cpu, values = {"cpu": cpu}) for cpu in ["armeabi-v7a", "arm64-v8a", "x86"]]
config_setting(name = "chosen", values = {"android_cpu": "x86"})
config_setting(name = "off", values = {"dynamic_mode": "off"})
[filegroup(name = name) for name in ["a", "b", "c", "d", "e", "f"]]
filegroup(
    name = "x",
    srcs = select({
        ":armeabi-v7a": [":a"],
        ":arm64-v8a": [":b"],
        ":x86": [":c"],
        "//conditions:default": [":d"],
    }) + select({":chosen": [":e"], "//conditions:default": []}) + select({
        ":off": [":f"],
        "//conditions:default": [],
    }),
)
several(name = "s", deps = [":x"])
several(name = "twice", deps = [":s"])
filegroup(name = "plain", srcs = [":s", ":x"])
""",
}
ANDROID_TARGETS = ("//:s", "//:twice", "//:plain")
ANDROID_FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--fat_apk_cpu=x86,arm64-v8a,x86",),
    ("--fat_apk_cpu=", "--android_cpu=x86"),
    ("--fat_apk_cpu=", "--android_cpu=x86", "--crosstool_top=//external:android/crosstool"),
    ("--fat_apk_cpu=",),
    ("--cpu=arm64-v8a", "--fat_apk_cpu=arm64-v8a", "--dynamic_mode=off"),
    ("--android_dynamic_mode=default",),
)


def graph_of(root: Path, *flags: str, version: str = "4.2.3") -> ConfiguredGraph:
    return Workspace.open(root, bazel_version=version).configure(flags).world.configured


def leaves(graph: ConfiguredGraph, start: str, leaf: str = "//p:leaf") -> list[list[str]]:
    """What `leaf` takes, once for each configuration that `start` reaches it in."""
    found = []
    for node in graph.deps([label(start)]):
        if node.label == label(leaf):
            edges = [e for e in graph.taken(node) if e.edge.attribute == "srcs"]
            kept = [e.edge.target.name for e in edges if e.edge.kind.value == "attribute"]
            found.append(sorted(kept))
    return sorted(found)
