"""Model of @bazel_skylib//rules:run_binary.bzl (1.0 to 1.9)."""

def _nothing(ctx):
    return []

run_binary = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "env": attr.string_dict(),
        "outs": attr.output_list(mandatory = True, allow_empty = False),
        "srcs": attr.label_list(allow_files = True),
        "tool": attr.label(
            allow_files = True,
            cfg = "host",
            executable = True,
            mandatory = True,
        ),
    },
)
