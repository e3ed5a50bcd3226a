"""Model of protobuf's //:protobuf.bzl, as of 3.7 to 3.21: what its macros declare."""

def _nothing(ctx):
    return []

def _with_suffixes(srcs, suffixes):
    return [src[:-len(".proto")] + suffix for suffix in suffixes for src in srcs]

def _cc_headers(srcs, use_grpc_plugin):
    return _with_suffixes(srcs, [".pb.h"] + ([".grpc.pb.h"] if use_grpc_plugin else []))

def _cc_sources(srcs, use_grpc_plugin):
    return _with_suffixes(srcs, [".pb.cc"] + ([".grpc.pb.cc"] if use_grpc_plugin else []))

def _py_outputs(srcs, use_grpc_plugin):
    return _with_suffixes(srcs, ["_pb2.py"] + (["_pb2_grpc.py"] if use_grpc_plugin else []))

proto_gen = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(providers = ["proto"]),
        "gen_cc": attr.bool(),
        "gen_py": attr.bool(),
        "includes": attr.string_list(),
        "outs": attr.output_list(),
        "plugin": attr.label(allow_files = True, cfg = "host", executable = True),
        "plugin_language": attr.string(),
        "plugin_options": attr.string_list(),
        "protoc": attr.label(
            allow_single_file = True,
            cfg = "host",
            executable = True,
            mandatory = True,
        ),
        "srcs": attr.label_list(allow_files = True),
    },
    output_to_genfiles = True,
)

def _genproto(deps):
    return [dep + "_genproto" for dep in deps]

def cc_proto_library(
        name,
        srcs = [],
        deps = [],
        cc_libs = [],
        include = None,
        protoc = "@com_google_protobuf//:protoc",
        internal_bootstrap_hack = False,
        use_grpc_plugin = False,
        default_runtime = "@com_google_protobuf//:protobuf",
        **kargs):
    includes = [include] if include != None else []
    if internal_bootstrap_hack:
        proto_gen(
            name = name + "_genproto",
            srcs = srcs,
            deps = _genproto(deps),
            includes = includes,
            protoc = protoc,
            visibility = ["//visibility:public"],
        )
        native.cc_library(name = name, **kargs)
        return

    sources = _cc_sources(srcs, use_grpc_plugin)
    headers = _cc_headers(srcs, use_grpc_plugin)
    proto_gen(
        name = name + "_genproto",
        srcs = srcs,
        deps = _genproto(deps),
        includes = includes,
        protoc = protoc,
        plugin = "//external:grpc_cpp_plugin" if use_grpc_plugin else None,
        plugin_language = "grpc",
        gen_cc = 1,
        outs = sources + headers,
        visibility = ["//visibility:public"],
    )
    runtime = list(cc_libs)
    if default_runtime and default_runtime not in cc_libs:
        runtime.append(default_runtime)
    if use_grpc_plugin:
        runtime.append("//external:grpc_lib")
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        deps = runtime + deps,
        includes = includes,
        **kargs
    )

def py_proto_library(
        name,
        srcs = [],
        deps = [],
        py_libs = [],
        py_extra_srcs = [],
        include = None,
        default_runtime = "@com_google_protobuf//:protobuf_python",
        protoc = "@com_google_protobuf//:protoc",
        use_grpc_plugin = False,
        **kargs):
    includes = [include] if include != None else []
    outputs = _py_outputs(srcs, use_grpc_plugin)
    proto_gen(
        name = name + "_genproto",
        srcs = srcs,
        deps = _genproto(deps),
        includes = includes,
        protoc = protoc,
        gen_py = 1,
        outs = outputs,
        visibility = ["//visibility:public"],
        plugin = "//external:grpc_python_plugin" if use_grpc_plugin else None,
        plugin_language = "grpc",
    )
    libraries = list(py_libs)
    if default_runtime and default_runtime not in py_libs + deps:
        libraries.append(default_runtime)
    native.py_library(
        name = name,
        srcs = outputs + py_extra_srcs,
        deps = libraries + deps,
        imports = includes,
        **kargs
    )
