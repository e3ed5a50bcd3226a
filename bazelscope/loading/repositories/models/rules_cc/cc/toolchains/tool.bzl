"""Model of @rules_cc//cc/toolchains:tool.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_tool = rule(
    _nothing,
    attrs = {
        "allowlist_include_directories": attr.label_list(),
        "capabilities": attr.label_list(),
        "data": attr.label_list(allow_files = True),
        "src": attr.label(allow_files = True, cfg = "exec"),
    },
    executable = True,
)
