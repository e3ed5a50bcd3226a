"""Model of rules_apple's //apple:resources.bzl (0.30 to 3); rules that it lacks are unknown."""

def _nothing(ctx):
    return []

apple_resource_bundle = rule(
    _nothing,
    attrs = {
        "bundle_id": attr.string(),
        "bundle_name": attr.string(),
        "infoplists": attr.label_list(allow_files = True),
        "resources": attr.label_list(allow_files = True),
        "structured_resources": attr.label_list(allow_files = True),
    },
)

apple_resource_group = rule(
    _nothing,
    attrs = {
        "resources": attr.label_list(allow_files = True),
        "structured_resources": attr.label_list(allow_files = True),
    },
)
