"""Model of @rules_cc//examples:experimental_cc_shared_library.bzl, as of mid-2020."""

GraphNodeInfo = provider(fields = ["children", "label", "linked_statically_by"])
CcSharedLibraryInfo = provider(
    fields = ["dynamic_deps", "exports", "linker_input", "preloaded_deps"],
)

def _nothing(ctx):
    return []

graph_structure_aspect = aspect(_nothing, attr_aspects = ["*"])

cc_shared_library = rule(
    _nothing,
    attrs = {
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "dynamic_deps": attr.label_list(providers = [CcSharedLibraryInfo]),
        "exports": attr.label_list(aspects = [graph_structure_aspect], providers = [CcInfo]),
        "preloaded_deps": attr.label_list(providers = [CcInfo]),
        "visibility_file": attr.label(allow_single_file = True),
    },
)
