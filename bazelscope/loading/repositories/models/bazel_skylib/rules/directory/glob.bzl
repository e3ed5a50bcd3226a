"""Model of @bazel_skylib//rules/directory:glob.bzl (1.7 and later)."""

def _nothing(ctx):
    return []

directory_glob = rule(
    _nothing,
    attrs = {
        "allow_empty": attr.bool(),
        "data": attr.string_list(),  # patterns, as exclude and srcs
        "directory": attr.label(mandatory = True),
        "exclude": attr.string_list(),
        "srcs": attr.string_list(),
    },
)
