"""The test that @aspect_rules_ts (3.8 to 3.10) makes of what is to be built."""

def _nothing(ctx):
    return []

_build_test = rule(
    _nothing,
    attrs = {
        "targets": attr.label_list(allow_files = True),
        "_windows_constraint": attr.label(default = "@platforms//os:windows"),
    },
    test = True,
)

def build_test(name, **kwargs):
    _build_test(
        name = name,
        **kwargs
    )
