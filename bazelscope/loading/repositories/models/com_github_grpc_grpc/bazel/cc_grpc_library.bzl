"""Model of gRPC's //bazel:cc_grpc_library.bzl, as of 1.66 and later, which have modules."""

load("@com_google_protobuf//bazel:cc_proto_library.bzl", "cc_proto_library")
load("@com_google_protobuf//bazel:proto_library.bzl", "proto_library")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("//bazel:generate_cc.bzl", "generate_cc")
load("//bazel:protobuf.bzl", "well_known_proto_libs")

_SHARED = "com_google_googleapis"

def _proto_dep(dep):
    return dep if _SHARED in dep else dep + "_only"

def cc_grpc_library(
        name,
        srcs,
        deps,
        proto_only = False,
        well_known_protos = False,
        generate_mocks = False,
        allow_deprecated = False,
        use_external = False,
        grpc_only = False,
        **kwargs):
    if len(srcs) > 1:
        fail("Only one srcs value supported", "srcs")
    if grpc_only and proto_only:
        fail("grpc_only and proto_only exclude each other")
    protos = list(srcs)
    more = []
    if grpc_only:
        if not srcs:
            fail("srcs cannot be empty", "srcs")
    else:
        proto = name + "_only"
        library = name if proto_only else name + "_cc_proto"
        proto_library(
            name = proto,
            srcs = srcs,
            deps = [_proto_dep(dep) for dep in deps] +
                   (well_known_proto_libs() if well_known_protos else []),
            **kwargs
        )
        cc_proto_library(name = library, deps = [":" + proto], **kwargs)
        protos = [proto]
        more = [":" + library]
    if proto_only:
        return
    generated = "_%s_grpc_codegen" % name
    generate_cc(
        name = generated,
        srcs = protos,
        plugin = Label("//src/compiler:grpc_cpp_plugin"),
        well_known_protos = well_known_protos,
        generate_mocks = generate_mocks,
        allow_deprecated = allow_deprecated,
        **kwargs
    )
    cc_library(
        name = name,
        srcs = [":" + generated],
        hdrs = [":" + generated],
        deps = deps + more + [Label("//:grpc++_codegen_proto")],
        **kwargs
    )
