"""Model of gRPC's //bazel:generate_cc.bzl, as of 1.2x."""

load("//:bazelscope.bzl", "RELEASE")

# Releases of the registry before 1.65 are patched to be as 1.65: a module cannot `bind`.
_IS_MODULE = "~" in str(Label("//:all")) or "+" in str(Label("//:all"))
_BINDS = RELEASE < (1, 65, 0) and not _IS_MODULE

def _nothing(ctx):
    return []

_generate_cc = rule(
    _nothing,
    attrs = {
        "_protoc": attr.label(
            cfg = "host",
            default = Label("//external:protocol_compiler" if _BINDS else "@com_google_protobuf//:protoc"),
            executable = True,
        ),
        "flags": attr.string_list(),
        "generate_mocks": attr.bool(),
        "plugin": attr.label(cfg = "host", executable = True),
        "srcs": attr.label_list(mandatory = True, providers = [ProtoInfo]),
        "well_known_protos": attr.label(),
    },
    output_to_genfiles = True,
)

def generate_cc(well_known_protos, **kwargs):
    if well_known_protos:
        kwargs["well_known_protos"] = "@com_google_protobuf//:well_known_protos"
    _generate_cc(**kwargs)
