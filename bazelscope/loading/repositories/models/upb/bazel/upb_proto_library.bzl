"""Model of upb's //bazel:upb_proto_library.bzl, as of 2021 to 2023: the rules and their aspects."""

UpbWrapped = provider()
UpbDefsWrapped = provider()
GeneratedSrcsInfo = provider()

def _nothing(target, ctx = None):
    return []

_TOOLS = {
    "_copts": attr.label(
        default = "//:upb_proto_library_copts__for_generated_code_only_do_not_use",
    ),
    "_protoc": attr.label(
        executable = True,
        cfg = "exec",
        default = "@com_google_protobuf//:protoc",
    ),
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

def _with(more):
    found = dict(_TOOLS)
    found.update(more)
    return found

_upb_proto_library_aspect = aspect(
    _nothing,
    attrs = _with({
        "_fasttable_enabled": attr.label(default = "//:fasttable_enabled"),
        "_gen_upb": attr.label(
            executable = True,
            cfg = "exec",
            default = "//upbc:protoc-gen-upb",
        ),
        "_upb": attr.label_list(default = [
            "//:generated_code_support__only_for_generated_code_do_not_use__i_give_permission_to_break_me",
        ]),
    }),
    attr_aspects = ["deps"],
    provides = [UpbWrapped],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

_upb_proto_reflection_library_aspect = aspect(
    _nothing,
    attrs = _with({
        "_gen_upbdefs": attr.label(
            executable = True,
            cfg = "exec",
            default = "//upbc:protoc-gen-upbdefs",
        ),
        "_upbdefs": attr.label_list(default = [
            "//:generated_reflection_support__only_for_generated_code_do_not_use__i_give_permission_to_break_me",
        ]),
    }),
    attr_aspects = ["deps"],
    provides = [UpbDefsWrapped],
    required_aspect_providers = [UpbWrapped],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

upb_proto_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(
            allow_rules = ["proto_library"],
            aspects = [_upb_proto_library_aspect],
            providers = [ProtoInfo],
        ),
    },
    output_to_genfiles = True,
)

upb_proto_reflection_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(
            allow_rules = ["proto_library"],
            aspects = [_upb_proto_library_aspect, _upb_proto_reflection_library_aspect],
            providers = [ProtoInfo],
        ),
    },
    output_to_genfiles = True,
)
