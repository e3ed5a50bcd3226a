"""What the packages of `mixed_worlds` share: toolchains, aspects, transitions, macros,
bindings, and conditions that not everybody may use."""

from __future__ import annotations

BZL = """\
def _impl(ctx):
    return []

def _toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(name = ctx.label.name)]

def _by_color(settings, attr):
    made = {
        name: {"//flags:color": name, "//command_line_option:features": [name]}
        for name in attr.colors
    }
    kept = {
        "//flags:color": settings["//flags:color"],
        "//command_line_option:features": settings["//command_line_option:features"],
    }
    return made or {"same": kept}

by_color = transition(
    implementation = _by_color,
    inputs = ["//flags:color", "//command_line_option:features"],
    outputs = ["//flags:color", "//command_line_option:features"],
)

def _by_cpu(settings, attr):
    return {cpu: {"//command_line_option:cpu": cpu} for cpu in ["arm", "k8"]}

by_cpu = transition(
    implementation = _by_cpu,
    inputs = [],
    outputs = ["//command_line_option:cpu"],
)

def _same(settings, attr):
    return {
        "//command_line_option:cpu": settings["//command_line_option:cpu"],
        "//flags:size": settings["//flags:size"],
    }

same = transition(
    implementation = _same,
    inputs = ["//command_line_option:cpu", "//flags:size"],
    outputs = ["//command_line_option:cpu", "//flags:size"],
)

def _to_platform(settings, attr):
    return {"//command_line_option:platforms": attr.platform or "//con:child"}

to_platform = transition(
    implementation = _to_platform,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _host_too(settings, attr):
    return {
        "//command_line_option:host_copt": ["-DHOST"],
        "//command_line_option:copt": ["-g"],
    }

host_too = transition(
    implementation = _host_too,
    inputs = [],
    outputs = ["//command_line_option:copt", "//command_line_option:host_copt"],
)

def _walk(target, ctx):
    return []

walk = aspect(
    implementation = _walk,
    attr_aspects = ["deps", "aspect_deps"],
    attrs = {"_walker": attr.label(default = "//con:one", allow_files = True)},
)

def _attrs():
    return {
        "ALLOWLIST": attr.label(default = "LABEL"),
        "aspect_deps": attr.label_list(allow_files = True, aspects = [walk]),
        "color_split_deps": attr.label_list(cfg = by_color, allow_files = True),
        "colors": attr.string_list(),
        "cpu_split_deps": attr.label_list(cfg = by_cpu, allow_files = True),
        "cpu_split_dep": attr.label(cfg = by_cpu, allow_files = True),
        "deps": attr.label_list(allow_files = True),
        "exec_deps": attr.label_list(cfg = "exec", allow_files = True),
        "host_too_deps": attr.label_list(cfg = host_too, allow_files = True),
        "platform": attr.string(),
        "platform_deps": attr.label_list(cfg = to_platform, allow_files = True),
        "same_deps": attr.label_list(cfg = same, allow_files = True),
    }

tool = rule(implementation = _toolchain_impl, attrs = _attrs())
plain = rule(implementation = _impl, attrs = _attrs())
shaped = rule(implementation = _impl, attrs = _attrs(), toolchains = ["//tc:shape"])
hued = rule(implementation = _impl, attrs = _attrs(), toolchains = ["//tc:hue", "//tc:shape"])
split_own = rule(implementation = _impl, attrs = _attrs(), cfg = same)
host_own = rule(implementation = _impl, attrs = _attrs(), cfg = host_too)

def picked(name, table, more, plain):
    native.filegroup(
        name = name,
        srcs = plain + select(dict(table.items() + more.items())),
        data = select({key: [":" + name + "_data"] for key in table}),
    )
    native.filegroup(name = name + "_data", srcs = ["README"])

def summed(name, tables):
    total = []
    for table in tables:
        total = total + select(table)
    native.filegroup(name = name, srcs = total)

def wrapped(name, table, more):
    picked(name + "_inner", table, more, [])
    native.alias(name = name, actual = name + "_inner")
"""

LOAD = (
    'load("//lib:mixed.bzl", "hued", "host_own", "picked", "plain", "shaped", "split_own",'
    ' "summed", "wrapped")'
)
RULE_NAMES = ("plain", "plain", "plain", "shaped", "hued", "split_own", "host_own")

WORKSPACE = """\
workspace(name = "w")
bind(name = "one", actual = "//con:one")
bind(name = "again", actual = "//con:by_mode")
bind(name = "condition", actual = "//con:always")
register_toolchains("//tc:round", "//tc:any_hue")
register_toolchains("//tc/more:all")
register_execution_platforms("//con:base")
"""

CONSTRAINTS = """
alias(name = "by_mode", actual = select({":always": ":one", "//conditions:default": ":two"}))
alias(name = "by_flag", actual = select({":other": "//external:one", ":dbg": ":by_mode"}))
config_setting(name = "dbg", values = {"compilation_mode": "dbg"})
config_setting(
    name = "hidden",
    values = {"define": "b=1"},
    visibility = ["//visibility:private"],
)
config_setting(name = "for_some", values = {"cpu": "arm"}, visibility = [":some"])
package_group(name = "some", packages = ["//w1", "//w2", "//w3", "//w5", "//w8"])
"""

TOOLCHAINS = """\
load("//lib:mixed.bzl", "tool")

package(default_visibility = ["//visibility:public"])

toolchain_type(name = "shape")
toolchain_type(name = "hue")
tool(name = "round_tool", deps = select({"//con:always": ["a.txt"], "//conditions:default": []}))
tool(name = "any_tool", exec_deps = [":helper"])
filegroup(name = "helper", srcs = ["b.txt"])
toolchain(
    name = "round",
    target_compatible_with = ["//con:round"],
    toolchain = ":round_tool",
    toolchain_type = ":shape",
)
toolchain(name = "any_hue", toolchain = ":any_tool", toolchain_type = ":hue")
"""

MORE_TOOLCHAINS = """\
load("//lib:mixed.bzl", "tool")

package(default_visibility = ["//visibility:public"])

tool(name = "bright_tool")
tool(name = "any_tool")
toolchain(
    name = "bright",
    exec_compatible_with = ["//con:bright"],
    toolchain = ":bright_tool",
    toolchain_type = "//tc:hue",
)
toolchain(
    name = "linux",
    target_compatible_with = ["@platforms//os:linux"],
    toolchain = ":any_tool",
    toolchain_type = "//tc:shape",
)
"""
