"""Model of @aspect_rules_js//js:defs.bzl (2.0 to 2.9), without the Node.js of its toolchain."""

load("//:bazelscope.bzl", "RELEASE")
load("//js/private:bazel_lib.bzl", "ENABLE_RUNFILES", "copy_to_bin", "run_binary")
load("//js/private:js_binary.bzl", _js_binary = "js_binary", _js_test = "js_test")
load("//js/private:js_library.bzl", _js_library = "js_library")

def _nothing(ctx):
    return []

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
    ENABLE_RUNFILES: True,
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

def _js_library_with_declarations(types = [], declarations = None, **attrs):
    _js_library(types = types + (declarations or []), **attrs)

js_library = _js_library if RELEASE >= (3, 0, 0) else _js_library_with_declarations

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
        _js_library(
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
