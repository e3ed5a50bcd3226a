"""Model of rules_go's //proto:compiler.bzl (0.46 to 0.62)."""

load(":def.bzl", _GoProtoCompiler = "GoProtoCompiler")

def _nothing(ctx):
    return []

GoProtoCompiler = _GoProtoCompiler

go_reset_target = rule(
    _nothing,
    attrs = {"dep": attr.label(mandatory = True, executable = True, cfg = "target")},
    executable = True,
)

_go_proto_compiler = rule(
    _nothing,
    attrs = {
        "always_generates": attr.bool(),
        "deps": attr.label_list(),
        "import_path_option": attr.bool(),
        "options": attr.string_list(),
        "plugin": attr.label(executable = True, cfg = "exec", mandatory = True),
        "suffix": attr.string(default = ".pb.go"),
        "suffixes": attr.string_list(),
        "valid_archive": attr.bool(default = True),
        "_go_context_data": attr.label(default = "//:go_context_data"),
        "_go_protoc": attr.label(
            executable = True,
            cfg = "exec",
            default = "//go/tools/builders:go-protoc",
        ),
    },
)

_PLUGIN = Label("@com_github_golang_protobuf//protoc-gen-go")

def go_proto_compiler(name, plugin = _PLUGIN, **attrs):
    go_reset_target(
        name = name + "_reset_plugin_",
        dep = plugin,
        visibility = ["//visibility:private"],
    )
    _go_proto_compiler(name = name, plugin = name + "_reset_plugin_", **attrs)
