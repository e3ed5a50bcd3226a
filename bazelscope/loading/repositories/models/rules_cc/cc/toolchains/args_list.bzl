"""Model of @rules_cc//cc/toolchains:args_list.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_args_list = rule(_nothing, attrs = {"args": attr.label_list()})
