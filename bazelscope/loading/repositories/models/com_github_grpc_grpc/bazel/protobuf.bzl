"""Model of gRPC's //bazel:protobuf.bzl (1.2x and later): what macros call; the rest is for rule implementations."""

_WELL_KNOWN = [
    "any",
    "api",
    "compiler_plugin",
    "descriptor",
    "duration",
    "empty",
    "field_mask",
    "source_context",
    "struct",
    "timestamp",
    "type",
    "wrappers",
]

def well_known_proto_libs():
    return [Label("@com_google_protobuf//:%s_proto" % name) for name in _WELL_KNOWN]

def _for_implementations(*args, **kwargs):
    fail("this function is for rule implementations")

declare_out_files = _for_implementations
get_include_directory = _for_implementations
get_out_dir = _for_implementations
get_plugin_args = _for_implementations
get_proto_arguments = _for_implementations
get_proto_root = _for_implementations
includes_from_deps = _for_implementations
is_in_virtual_imports = _for_implementations
proto_path_to_generated_filename = _for_implementations
protos_from_context = _for_implementations
