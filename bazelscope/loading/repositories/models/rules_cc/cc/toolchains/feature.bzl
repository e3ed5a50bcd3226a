"""Model of @rules_cc//cc/toolchains:feature.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_feature = rule(
    _nothing,
    attrs = {
        "args": attr.label_list(),
        "feature_name": attr.string(),
        "implies": attr.label_list(),
        "mutually_exclusive": attr.label_list(),
        "overrides": attr.label(),
        "requires_any_of": attr.label_list(),
    },
)
