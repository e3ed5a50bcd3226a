"""Model of @rules_cc//cc/toolchains:actions.bzl (0.1 to 0.2; excludes since 0.2.20)."""

def _nothing(ctx):
    return []

cc_action_type = rule(_nothing, attrs = {"action_name": attr.string(mandatory = True)})
cc_action_type_set = rule(
    _nothing,
    attrs = {
        "actions": attr.label_list(mandatory = True),
        "allow_empty": attr.bool(),
        "excludes": attr.label_list(),
    },
)
