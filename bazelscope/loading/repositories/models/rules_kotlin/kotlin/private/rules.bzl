"""The rules of rules_kotlin (1.9 to 2.4) with their attributes; tools of its own are left out."""

def _nothing(ctx):
    return []

_OUTPUTS = {"jar": "%{name}.jar", "srcjar": "%{name}-sources.jar"}

_COMMON = {
    "associates": attr.label_list(),
    "data": attr.label_list(allow_files = True),
    "deps": attr.label_list(allow_files = [".jar"]),
    "javac_opts": attr.label(),
    "kotlinc_opts": attr.label(),
    "module_name": attr.string(),
    "plugins": attr.label_list(cfg = "exec"),
    "resource_jars": attr.label_list(),
    "resource_strip_prefix": attr.string(),
    "resources": attr.label_list(allow_files = True),
    "runtime_deps": attr.label_list(),
    "srcs": attr.label_list(allow_files = [".srcjar", ".kt", ".java"]),
}
_PROGRAM = _COMMON | {
    "env": attr.string_dict(),
    "env_inherit": attr.string_list(),
    "jvm_flags": attr.string_list(),
}

kt_jvm_library = rule(
    _nothing,
    attrs = _COMMON | {
        "exported_compiler_plugins": attr.label_list(),
        "exports": attr.label_list(),
        "neverlink": attr.bool(),
    },
    outputs = _OUTPUTS,
    provides = [JavaInfo],
)

kt_jvm_binary = rule(
    _nothing,
    attrs = _PROGRAM | {"main_class": attr.string(mandatory = True)},
    outputs = _OUTPUTS,
    executable = True,
)

kt_jvm_test = rule(
    _nothing,
    attrs = _PROGRAM | {
        "main_class": attr.string(default = "com.google.testing.junit.runner.BazelTestRunner"),
        "test_class": attr.string(),
    },
    outputs = _OUTPUTS,
    test = True,
)

kt_jvm_import = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(),
        "exported_compiler_plugins": attr.label_list(),
        "exports": attr.label_list(),
        "jar": attr.label(allow_single_file = True),
        "jars": attr.label_list(allow_files = True),
        "neverlink": attr.bool(),
        "runtime_deps": attr.label_list(),
        "srcjar": attr.label(allow_single_file = True),
    },
    provides = [JavaInfo],
)

kt_compiler_plugin = rule(
    _nothing,
    attrs = {
        "compile_phase": attr.bool(default = True),
        "data": attr.label_list(allow_files = True),
        "deps": attr.label_list(),
        "id": attr.string(mandatory = True),
        "options": attr.string_dict(),
        "stubs_phase": attr.bool(default = True),
        "target_embedded_compiler": attr.bool(),
    },
)
