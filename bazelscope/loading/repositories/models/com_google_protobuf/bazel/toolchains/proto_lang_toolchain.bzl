"""Model of @protobuf//bazel/toolchains:proto_lang_toolchain.bzl (27 to 35)."""

def proto_lang_toolchain(
        name,
        toolchain_type = None,
        exec_compatible_with = [],
        target_compatible_with = [],
        **attrs):
    native.proto_lang_toolchain(name = name, **attrs)
    if toolchain_type:
        native.toolchain(
            name = name + "_toolchain",
            toolchain_type = toolchain_type,
            exec_compatible_with = exec_compatible_with,
            target_compatible_with = target_compatible_with,
            toolchain = name,
        )
