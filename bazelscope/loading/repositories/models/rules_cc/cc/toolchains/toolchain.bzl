"""Model of @rules_cc//cc/toolchains:toolchain.bzl (0.1 to 0.2, on Bazel before 9)."""

def _nothing(ctx):
    return []

cc_toolchain_config = rule(
    _nothing,
    attrs = {
        "args": attr.label_list(),
        "artifact_name_patterns": attr.label_list(),
        "compiler": attr.string(),
        "cpu": attr.string(),
        "enabled_features": attr.label_list(),
        "known_features": attr.label_list(),
        "make_variables": attr.label_list(),
        "target_libc": attr.string(),
        "target_system_name": attr.string(),
        "tool_map": attr.label(mandatory = True),
        "_builtin_features": attr.label(default = "//cc/toolchains/features:all_builtin_features"),
    },
)

cc_legacy_file_group = rule(
    _nothing,
    attrs = {
        "actions": attr.label_list(mandatory = True),
        "config": attr.label(mandatory = True),
    },
)

_GROUPS = {
    "ar_files": ["ar_actions"],
    "as_files": ["assembly_actions"],
    "compiler_files": [
        "cc_flags_make_variable",
        "c_compile",
        "cpp_compile",
        "cpp_header_parsing",
    ],
    "coverage_files": [],
    "dwp_files": [],
    "linker_files": [
        "cpp_link_dynamic_library",
        "cpp_link_nodeps_dynamic_library",
        "cpp_link_executable",
    ],
    "objcopy_files": [],
    "strip_files": ["strip"],
}

_OF_CONFIG = [
    "args",
    "artifact_name_patterns",
    "compiler",
    "cpu",
    "enabled_features",
    "known_features",
    "make_variables",
    "target_system_name",
    "tool_map",
]

_OF_TOOLCHAIN = {
    "dynamic_runtime_lib": None,
    "libc_top": None,
    "module_map": None,
    "static_runtime_lib": None,
    "supports_header_parsing": False,
    "supports_param_files": False,
}

def cc_toolchain(name, visibility = None, **attrs):
    config = "_%s_config" % name
    of_config = {key: attrs.pop(key) for key in _OF_CONFIG if key in attrs}
    of_toolchain = {key: attrs.pop(key, value) for key, value in _OF_TOOLCHAIN.items()}
    cc_toolchain_config(
        name = config,
        visibility = ["//visibility:private"],
        **(of_config | attrs)
    )
    files = {}
    for group, actions in _GROUPS.items():
        files[group] = "_%s_%s" % (name, group)
        cc_legacy_file_group(
            name = files[group],
            config = config,
            actions = [Label("//cc/toolchains/actions:" + action) for action in actions],
            visibility = ["//visibility:private"],
            **attrs
        )
    native.cc_toolchain(
        name = name,
        toolchain_config = config,
        all_files = config,
        exec_transition_for_inputs = False,
        visibility = visibility,
        **(of_toolchain | attrs | files)
    )
