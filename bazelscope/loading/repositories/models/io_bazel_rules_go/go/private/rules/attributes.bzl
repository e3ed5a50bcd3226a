"""What rules_go's rules have in common: the attributes of releases 0.22 to 0.50.

Left out: what the transitions of later releases set of rules_go's own flags, and the tools that
single releases name in attributes of their own (`_stdlib`, `_nogo`).
"""

load("//go/private:providers.bzl", "GoLibrary")

def nothing(ctx):
    return []

def joined(*parts):
    found = {}
    for part in parts:
        found.update(part)
    return found

CONTEXT = {"_go_context_data": attr.label(default = "//:go_context_data")}

SOURCES = {
    "data": attr.label_list(allow_files = True),
    "deps": attr.label_list(providers = [GoLibrary]),
    "embed": attr.label_list(providers = [GoLibrary]),
    "gc_goopts": attr.string_list(),
    "srcs": attr.label_list(allow_files = True),
}

COMPILED = joined(CONTEXT, SOURCES, {
    "cdeps": attr.label_list(),
    "cgo": attr.bool(),
    "clinkopts": attr.string_list(),
    "copts": attr.string_list(),
    "cppopts": attr.string_list(),
    "cxxopts": attr.string_list(),
    "embedsrcs": attr.label_list(allow_files = True),
    "importpath": attr.string(),
    "x_defs": attr.string_dict(),
})

_PLATFORMS = "//command_line_option:platforms"

def _to_platform(settings, attr):
    if attr.goos == "auto" or attr.goarch == "auto":
        return {_PLATFORMS: settings[_PLATFORMS]}
    has_c = attr.pure == "off" or "on" in [attr.race, attr.msan]
    name = "{}_{}{}".format(attr.goos, attr.goarch, "_cgo" if has_c else "")
    return {_PLATFORMS: str(Label("//go/toolchain:" + name))}

TRANSITION = transition(
    implementation = _to_platform,
    inputs = [_PLATFORMS],
    outputs = [_PLATFORMS],
)

LINKED = joined(COMPILED, {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
    "env": attr.string_dict(),
    "gc_linkopts": attr.string_list(),
    "goarch": attr.string(default = "auto"),
    "goos": attr.string(default = "auto"),
    "gotags": attr.string_list(),
    "linkmode": attr.string(default = "auto"),
    "msan": attr.string(default = "auto"),
    "pure": attr.string(default = "auto"),
    "race": attr.string(default = "auto"),
    "static": attr.string(default = "auto"),
})
