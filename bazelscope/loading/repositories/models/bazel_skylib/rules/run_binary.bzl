"""Model of @bazel_skylib//rules:run_binary.bzl (1.3 and later)."""

def _nothing(ctx):
    return []

run_binary = rule(
    _nothing,
    attrs = {
        "tool": attr.label(
            executable = True,
            allow_files = True,
            mandatory = True,
            cfg = "exec",
        ),
        "env": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "outs": attr.output_list(mandatory = True, allow_empty = False),
        "args": attr.string_list(),
    },
)
