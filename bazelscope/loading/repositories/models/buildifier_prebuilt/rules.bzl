"""Model of @buildifier_prebuilt//:rules.bzl (6.4 to 8.5)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "add_tables": attr.label(allow_single_file = True),
    "diff_command": attr.string(),
    "exclude_patterns": attr.string_list(),
    "format": attr.string(),
    "lint_mode": attr.string(),
    "lint_warnings": attr.string_list(),
    "mode": attr.string(default = "fix"),
    "multi_diff": attr.bool(),
    "verbose": attr.bool(),
}

buildifier = rule(
    _nothing,
    attrs = _ATTRIBUTES | {"disabled_rewrites": attr.string_list()},
    executable = True,
)

_buildifier_test = rule(
    _nothing,
    attrs = _ATTRIBUTES | {
        "mode": attr.string(default = "diff"),
        "no_sandbox": attr.bool(),
        "srcs": attr.label_list(allow_files = True),
        "workspace": attr.label(allow_single_file = True),
    },
    test = True,
)

buildifier_binary = rule(_nothing, attrs = {}, executable = True)
buildozer_binary = rule(_nothing, attrs = {}, executable = True)

def buildifier_test(**attrs):
    if attrs.get("no_sandbox", False):
        tags = list(attrs.pop("tags", []))
        attrs["tags"] = tags + [
            tag
            for tag in ["no-sandbox", "no-cache", "external"]
            if tag not in tags
        ]
    _buildifier_test(**attrs)
