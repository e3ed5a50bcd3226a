"""Model of @rules_cc//cc/toolchains:feature_constraint.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_feature_constraint = rule(
    _nothing,
    attrs = {"all_of": attr.label_list(), "none_of": attr.label_list()},
)
