"""Model of @aspect_rules_js//js/private:js_binary.bzl (2.0 to 3.4), without the Node.js of its toolchain."""

def _nothing(ctx):
    return []

_BINARY = {
    "chdir": attr.string(),
    "data": attr.label_list(allow_files = True),
    "entry_point": attr.label(mandatory = True, allow_files = True),
    "enable_runfiles": attr.bool(mandatory = True),
    "env": attr.string_dict(),
    "expand_args": attr.bool(default = True),
    "expand_env": attr.bool(default = True),
    "fixed_args": attr.string_list(),
    "node_options": attr.string_list(),
    "expected_exit_code": attr.int(),
    "log_level": attr.string(default = "error"),
    "patch_node_fs": attr.bool(default = True),
    "include_sources": attr.bool(default = True),
    "include_transitive_sources": attr.bool(default = True),
    "include_types": attr.bool(),
    "include_transitive_types": attr.bool(),
    "include_npm_sources": attr.bool(default = True),
    "preserve_symlinks_main": attr.bool(default = True),
    "no_copy_to_bin": attr.label_list(allow_files = True),
    "copy_data_to_bin": attr.bool(default = True),
    "include_npm": attr.bool(),
    "node_toolchain": attr.label(),
    "_windows_constraint": attr.label(default = "@platforms//os:windows"),
}

js_binary = rule(_nothing, attrs = _BINARY, executable = True)
js_test = rule(_nothing, attrs = _BINARY | {"env_inherit": attr.string_list()}, test = True)
