"""Model of @rules_shell//shell/private:root_symlinks.bzl (0.3 to 0.6)."""

def _nothing(ctx):
    return []

root_symlinks = rule(
    _nothing,
    attrs = {
        "root_symlinks": attr.label_keyed_string_dict(
            allow_files = True,
            mandatory = True,
        ),
    },
)
