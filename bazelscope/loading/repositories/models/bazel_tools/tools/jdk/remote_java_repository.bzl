"""Model of @bazel_tools//tools/jdk:remote_java_repository.bzl (Bazel 0.24 to 9)."""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

_BUILD = """\
config_setting(
    name = "prefix_version_setting",
    values = {"java_runtime_version": "%PREFIX_%VERSION"},
    visibility = ["//visibility:private"],
)

config_setting(
    name = "version_setting",
    values = {"java_runtime_version": "%VERSION"},
    visibility = ["//visibility:private"],
)

alias(
    name = "version_or_prefix_version_setting",
    actual = select({
        ":version_setting": ":version_setting",
        "//conditions:default": ":prefix_version_setting",
    }),
    visibility = ["//visibility:private"],
)

toolchain(
    name = "toolchain",
    exec_compatible_with = %EXEC,
    target_compatible_with = %TARGET,
    target_settings = [":version_or_prefix_version_setting"],
    toolchain = "@%NAME//:jdk",
    toolchain_type = "@bazel_tools//tools/jdk:runtime_toolchain_type",
)
"""

def _toolchain_config_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD.bazel", ctx.attr.build_file)

_toolchain_config = repository_rule(
    implementation = _toolchain_config_impl,
    attrs = {"build_file": attr.string()},
    local = True,
)

def remote_java_repository(
        name,
        version,
        exec_compatible_with = [],
        target_compatible_with = [],
        prefix = "remotejdk",
        **kwargs):
    # Up to Bazel 5 the machine that runs it is asked for, as of 6 the target, too.
    http_archive(name = name, build_file = "@bazel_tools//tools/jdk:jdk.BUILD", **kwargs)
    text = _BUILD.replace("%PREFIX", prefix).replace("%VERSION", version).replace("%NAME", name)
    text = text.replace("%EXEC", repr(exec_compatible_with))
    text = text.replace("%TARGET", repr(target_compatible_with))
    _toolchain_config(name = name + "_toolchain_config_repo", build_file = text)
    native.register_toolchains("@" + name + "_toolchain_config_repo//:toolchain")
