"""Model of @bazel_tools//tools/build_defs/hash:hash.bzl (Bazel 0.24 to 9)."""

def sha256(ctx, artifact):
    fail("sha256() is for rule implementations")

tools = {
    "_hash_tools": attr.label(
        default = "@bazel_tools//tools/build_defs/hash:sha256",
        executable = True,
        cfg = "host",
    ),
}
