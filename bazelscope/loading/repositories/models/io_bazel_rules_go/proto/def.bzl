"""Model of rules_go's //proto:def.bzl (0.22 to 0.62); go_grpc_library has compilers by release."""

load("//go:def.bzl", "GoLibrary")
load(":grpc_compilers.bzl", "GRPC_COMPILERS")

GoProtoCompiler = provider()

def _nothing(ctx):
    return []

go_proto_library = rule(
    _nothing,
    attrs = {
        "compiler": attr.label(providers = [GoProtoCompiler]),
        "compilers": attr.label_list(
            providers = [GoProtoCompiler],
            default = ["//proto:go_proto"],
        ),
        "deps": attr.label_list(providers = [GoLibrary]),
        "embed": attr.label_list(providers = [GoLibrary]),
        "gc_goopts": attr.string_list(),
        "importmap": attr.string(),
        "importpath": attr.string(),
        "importpath_aliases": attr.string_list(),
        "proto": attr.label(providers = [ProtoInfo]),
        "protos": attr.label_list(providers = [ProtoInfo]),
        "_go_context_data": attr.label(default = "//:go_context_data"),
    },
)

def go_grpc_library(name, compilers = GRPC_COMPILERS, **attrs):
    go_proto_library(name = name, compilers = compilers, **attrs)
