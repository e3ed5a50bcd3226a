"""The rules behind the targets of this model that toolchains name (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_variable = rule(_nothing)
cc_artifact_category = rule(_nothing)
cc_external_feature = rule(_nothing, attrs = {"feature_name": attr.string()})
bazels_feature = rule(_nothing, attrs = {"feature_name": attr.string()})
