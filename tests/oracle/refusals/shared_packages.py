"""The packages that all others of a world of refusals depend on, and the rules that they define."""

from __future__ import annotations

from tests.oracle.query_language_world import STUBS

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
SHARED = {
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
