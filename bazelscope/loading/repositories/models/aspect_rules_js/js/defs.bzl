"""Model of @aspect_rules_js//js:defs.bzl (2.0 to 2.9), without the Node.js of its toolchain."""

load("@aspect_bazel_lib//lib:copy_to_bin.bzl", "copy_to_bin")
load("@aspect_bazel_lib//lib:run_binary.bzl", "run_binary")

def _nothing(ctx):
    return []

_BINARY = {
    "chdir": attr.string(),
    "copy_data_to_bin": attr.bool(default = True),
    "data": attr.label_list(allow_files = True),
    "enable_runfiles": attr.bool(mandatory = True),
    "entry_point": attr.label(mandatory = True, allow_files = True),
    "env": attr.string_dict(),
    "expand_args": attr.bool(default = True),
    "expand_env": attr.bool(default = True),
    "expected_exit_code": attr.int(),
    "fixed_args": attr.string_list(),
    "include_npm": attr.bool(),
    "include_npm_sources": attr.bool(default = True),
    "include_sources": attr.bool(default = True),
    "include_transitive_sources": attr.bool(default = True),
    "include_transitive_types": attr.bool(),
    "include_types": attr.bool(),
    "log_level": attr.string(default = "error"),
    "no_copy_to_bin": attr.label_list(allow_files = True),
    "node_options": attr.string_list(),
    "node_toolchain": attr.label(),
    "patch_node_fs": attr.bool(default = True),
    "preserve_symlinks_main": attr.bool(default = True),
    "_windows_constraint": attr.label(default = "@platforms//os:windows"),
}

_js_binary = rule(_nothing, attrs = _BINARY, executable = True)
_js_test = rule(_nothing, attrs = _BINARY | {"env_inherit": attr.string_list()}, test = True)

_js_library = rule(
    _nothing,
    attrs = {
        "copy_data_to_bin": attr.bool(default = True),
        "data": attr.label_list(allow_files = True),
        "deps": attr.label_list(),
        "no_copy_to_bin": attr.label_list(allow_files = True),
        "srcs": attr.label_list(allow_files = True),
        "types": attr.label_list(allow_files = True),
    },
)

js_info_files = rule(
    _nothing,
    attrs = {
        "include_npm_sources": attr.bool(default = True),
        "include_sources": attr.bool(default = True),
        "include_transitive_sources": attr.bool(default = True),
        "include_transitive_types": attr.bool(),
        "include_types": attr.bool(),
        "srcs": attr.label_list(allow_files = True),
    },
    provides = [DefaultInfo],
)

_RUNFILES = select({
    Label("@aspect_bazel_lib//lib:enable_runfiles"): True,
    "//conditions:default": False,
})

def _renamed(attrs):
    """The arguments by their names of today."""
    for old, new in [
        ("include_npm_linked_packages", "include_npm_sources"),
        ("include_declarations", "include_types"),
    ]:
        value = attrs.pop(old, None)
        if value != None:
            attrs[new] = value
    return attrs

def js_binary(**attrs):
    _js_binary(enable_runfiles = _RUNFILES, **_renamed(attrs))

def js_test(**attrs):
    _js_test(enable_runfiles = _RUNFILES, **_renamed(attrs))

def js_library(types = [], declarations = None, **attrs):
    _js_library(types = types + (declarations or []), **attrs)

def js_run_binary(
        name,
        tool,
        env = {},
        srcs = [],
        outs = [],
        out_dirs = [],
        args = [],
        stdout = None,
        stderr = None,
        exit_code_out = None,
        use_execroot_entry_point = True,
        copy_srcs_to_bin = True,
        mnemonic = "JsRunBinary",
        stamp = 0,
        **attrs):
    attrs = _renamed(attrs)
    tags = attrs.get("tags", []) + ["manual"]
    testonly = attrs.get("testonly", False)
    files = {
        key: attrs.pop(key, default)
        for key, default in {
            "include_npm_sources": True,
            "include_sources": True,
            "include_transitive_sources": True,
            "include_transitive_types": False,
            "include_types": False,
        }.items()
    }
    for key in _FOR_ITS_ENVIRONMENT:
        attrs.pop(key, None)
    more = []
    if files["include_transitive_sources"] or files["include_types"] or files["include_npm_sources"]:
        js_info_files(
            name = name + "_js_info_files",
            srcs = srcs,
            tags = tags,
            testonly = testonly,
            **files
        )
        more.append(":" + name + "_js_info_files")
    if copy_srcs_to_bin:
        copy_to_bin(
            name = name + "_copy_srcs_to_bin",
            srcs = srcs,
            tags = tags,
            testonly = testonly,
        )
        more.append(":" + name + "_copy_srcs_to_bin")
    if use_execroot_entry_point:
        js_library(
            name = name + "_runfiles_lib",
            srcs = [tool],
            tags = tags,
            testonly = testonly,
        )
        native.filegroup(
            name = name + "_runfiles",
            output_group = "runfiles",
            srcs = [":" + name + "_runfiles_lib"],
            tags = tags,
            testonly = testonly,
        )
        more.append(":" + name + "_runfiles")
    run_binary(
        name = name,
        tool = tool,
        env = env,
        srcs = srcs + more,
        outs = outs + [out for out in [stdout, stderr, exit_code_out] if out],
        out_dirs = out_dirs,
        args = args,
        mnemonic = mnemonic,
        stamp = stamp,
        **attrs
    )

_FOR_ITS_ENVIRONMENT = [
    "allow_execroot_entry_point_with_no_copy_data_to_bin",
    "chdir",
    "log_level",
    "patch_node_fs",
    "silent_on_success",
]
