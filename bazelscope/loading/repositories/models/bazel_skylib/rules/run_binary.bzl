"""Model of @bazel_skylib//rules:run_binary.bzl (1.0 to 1.9)."""

load("//:bazelscope.bzl", "RELEASE")

def _nothing(ctx):
    return []

run_binary = rule(
    _nothing,
    attrs = {
        "tool": attr.label(
            executable = True,
            allow_files = True,
            mandatory = True,
            cfg = "host" if RELEASE < (1, 3, 0) else "exec",
        ),
        "env": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "outs": attr.output_list(mandatory = True, allow_empty = False),
        "args": attr.string_list(),
    },
)
