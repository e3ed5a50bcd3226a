"""Rules of gazelle (0.30 to 0.53)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "build_tags": attr.string_list(),
    "command": attr.string(default = "update", values = ["fix", "update", "update-repos"]),
    "data": attr.label_list(allow_files = True),
    "env": attr.string_dict(),
    "external": attr.string(values = ["", "external", "static", "vendored"]),
    "extra_args": attr.string_list(),
    "gazelle": attr.label(
        allow_single_file = True,
        default = "//cmd/gazelle",
        executable = True,
        cfg = "target",
    ),
    "mode": attr.string(values = ["", "diff", "fix", "print"]),
    "prefix": attr.string(),
}

_gazelle_runner = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

_gazelle_test_runner = rule(
    _nothing,
    attrs = _ATTRIBUTES | {
        "mode": attr.string(default = "diff", values = ["diff"]),
        "workspace": attr.label(mandatory = True, allow_single_file = True),
    },
    executable = True,
)

gazelle_binary = rule(
    _nothing,
    attrs = {
        "languages": attr.label_list(mandatory = True),
        "_srcs": attr.label(default = "//cmd/gazelle:gazelle_lib"),
    },
    executable = True,
)

gazelle_runner = _gazelle_runner
gazelle_test_runner = _gazelle_test_runner

def gazelle_binary_wrapper(**attrs):
    gazelle_binary(**attrs)
