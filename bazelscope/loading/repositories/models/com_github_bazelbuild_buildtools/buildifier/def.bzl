"""Model of @com_github_bazelbuild_buildtools//buildifier:def.bzl (0.29 to 8.5): `buildifier` alone,
whose default for its own program differs by release."""

def _nothing(ctx):
    return []

_buildifier = rule(
    _nothing,
    attrs = {
        "buildifier": attr.label(cfg = "exec", executable = True),
        "verbose": attr.bool(),
        "mode": attr.string(default = "fix"),
        "lint_mode": attr.string(),
        "lint_warnings": attr.string_list(),
        "exclude_patterns": attr.string_list(),
        "diff_command": attr.string(),
        "multi_diff": attr.bool(),
        "add_tables": attr.label(allow_single_file = True),
    },
    executable = True,
)

def buildifier(**kwargs):
    tags = kwargs.pop("tags", [])
    _buildifier(tags = tags + ([] if "manual" in tags else ["manual"]), **kwargs)
