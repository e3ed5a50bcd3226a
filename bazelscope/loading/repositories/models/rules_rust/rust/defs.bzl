"""Model of @rules_rust//rust:defs.bzl (0.30 to 0.73): the rules, with their attributes; one release
or another lacks some of them (allocator_libraries: since 0.65)."""

def _nothing(ctx):
    return []

def _to_platform(settings, attr):
    if not attr.platform:
        return {_PLATFORMS: settings[_PLATFORMS]}
    return {_PLATFORMS: "@" + str(attr.platform).removeprefix("@")}

_PLATFORMS = "//command_line_option:platforms"
_platform_transition = transition(
    implementation = _to_platform,
    inputs = [_PLATFORMS],
    outputs = [_PLATFORMS],
)
_ALLOWLIST = "@bazel_tools//tools/allowlists/function_transition_allowlist"
_PLATFORM = {
    "platform": attr.label(),
    "_allowlist_function_transition": attr.label(default = _ALLOWLIST),
}
_COMMON = {
    "srcs": attr.label_list(allow_files = True),
    "crate_root": attr.label(allow_single_file = True),
    "crate_name": attr.string(),
    "crate_features": attr.string_list(),
    "compile_data": attr.label_list(allow_files = True),
    "data": attr.label_list(allow_files = True),
    "deps": attr.label_list(),
    "edition": attr.string(),
    "aliases": attr.label_keyed_string_dict(),
    "allocator_libraries": attr.label(),
    "alwayslink": attr.bool(),
    "lint_config": attr.label(),
    "proc_macro_deps": attr.label_list(cfg = "exec"),
    "require_explicit_unstable_features": attr.int(default = -1),
    "rustc_env": attr.string_dict(),
    "rustc_env_files": attr.label_list(allow_files = True),
    "rustc_flags": attr.string_list(),
    "skip_deps_verification": attr.bool(),
    "stamp": attr.int(),
    "version": attr.string(default = "0.0.0"),
}
_LIBRARY = {"disable_pipelining": attr.bool()}
_BINARY = {
    "crate_type": attr.string(default = "bin"),
    "env": attr.string_dict(),
    "experimental_use_cc_common_link": attr.int(default = -1),
    "linker_script": attr.label(allow_single_file = True, cfg = "exec"),
    "link_deps": attr.label_list(),
    "malloc": attr.label(),
    "out_binary": attr.bool(),
    "binary_name": attr.string(),
}

rust_library = rule(_nothing, attrs = _COMMON | _LIBRARY)
rust_proc_macro = rule(_nothing, attrs = _COMMON | _LIBRARY)
rust_static_library = rule(_nothing, attrs = _COMMON | _PLATFORM, cfg = _platform_transition)
rust_shared_library = rule(
    _nothing,
    attrs = _COMMON | _PLATFORM | {
        "experimental_use_cc_common_link": attr.int(default = -1),
        "malloc": attr.label(),
    },
    cfg = _platform_transition,
)
rust_binary = rule(
    _nothing,
    attrs = _COMMON | _BINARY | _PLATFORM,
    executable = True,
    cfg = _platform_transition,
)
rust_test = rule(
    _nothing,
    attrs = _COMMON | _PLATFORM | {
        "crate": attr.label(),
        "env": attr.string_dict(),
        "env_inherit": attr.string_list(),
        "experimental_use_cc_common_link": attr.int(default = -1),
        "linker_script": attr.label(allow_single_file = True),
        "link_deps": attr.label_list(),
        "malloc": attr.label(),
        "use_libtest_harness": attr.bool(default = True),
    },
    test = True,
    cfg = _platform_transition,
)
rust_doc = rule(
    _nothing,
    attrs = {
        "crate": attr.label(mandatory = True),
        "crate_features": attr.string_list(),
        "html_after_content": attr.label(allow_single_file = True),
        "html_before_content": attr.label(allow_single_file = True),
        "html_in_header": attr.label(allow_single_file = True),
        "markdown_css": attr.label_list(allow_files = True),
        "rustc_flags": attr.string_list(),
        "rustdoc_flags": attr.string_list(),
    },
)
rust_doc_test = rule(
    _nothing,
    attrs = {
        "crate": attr.label(mandatory = True),
        "crate_features": attr.string_list(),
        "deps": attr.label_list(),
        "proc_macro_deps": attr.label_list(cfg = "exec"),
        "rustdoc_flags": attr.string_list(),
    },
    test = True,
)
rust_clippy = rule(_nothing, attrs = {"deps": attr.label_list()})
rustfmt_test = rule(_nothing, attrs = {"targets": attr.label_list()}, test = True)
rust_library_group = rule(_nothing, attrs = {"deps": attr.label_list()})
rust_unpretty = rule(_nothing, attrs = {"deps": attr.label_list(), "mode": attr.string_list()})
