"""Model of gRPC's //bazel:generate_cc.bzl, as of 1.66 and later, which have modules."""

load("@com_google_protobuf//bazel/common:proto_info.bzl", "ProtoInfo")

def _nothing(ctx):
    return []

_generate_cc = rule(
    _nothing,
    attrs = {
        "_protoc": attr.label(
            cfg = "exec",
            default = Label("@com_google_protobuf//:protoc"),
            executable = True,
        ),
        "allow_deprecated": attr.bool(),
        "flags": attr.string_list(),
        "generate_mocks": attr.bool(),
        "plugin": attr.label(cfg = "exec", executable = True),
        "srcs": attr.label_list(mandatory = True, providers = [ProtoInfo]),
        "well_known_protos": attr.label(),
    },
)

def generate_cc(well_known_protos, **kwargs):
    if well_known_protos:
        kwargs["well_known_protos"] = Label("@com_google_protobuf//:well_known_protos")
    _generate_cc(**kwargs)
