"""Model of gRPC's //bazel:cc_grpc_library.bzl, as of 1.2x."""

load("//bazel:generate_cc.bzl", "generate_cc")
load("//bazel:protobuf.bzl", "well_known_proto_libs")

def _only(dep):
    package, colon, name = dep.rpartition(":")
    return "%s%s_%s_only" % (package, colon, name)

def cc_grpc_library(
        name,
        srcs,
        deps,
        proto_only = False,
        well_known_protos = False,
        generate_mocks = False,
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
        proto = "_%s_only" % name
        library = name if proto_only else "_%s_cc_proto" % name
        native.proto_library(
            name = proto,
            srcs = srcs,
            deps = [_only(dep) for dep in deps if ":" not in dep] +
                   [_only(dep) for dep in deps if ":" in dep] +
                   (well_known_proto_libs() if well_known_protos else []),
            **kwargs
        )
        native.cc_proto_library(name = library, deps = [":" + proto], **kwargs)
        protos = [proto]
        more = [":" + library]
    if proto_only:
        return
    generated = "_%s_grpc_codegen" % name
    generate_cc(
        name = generated,
        srcs = protos,
        plugin = "@com_github_grpc_grpc//src/compiler:grpc_cpp_plugin",
        well_known_protos = well_known_protos,
        generate_mocks = generate_mocks,
        **kwargs
    )
    native.cc_library(
        name = name,
        srcs = [":" + generated],
        hdrs = [":" + generated],
        deps = deps + more + ["@com_github_grpc_grpc//:grpc++_codegen_proto"],
        **kwargs
    )
