"""Model of @rules_cc//cc/toolchains:feature_set.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_feature_set = rule(_nothing, attrs = {"all_of": attr.label_list()})
