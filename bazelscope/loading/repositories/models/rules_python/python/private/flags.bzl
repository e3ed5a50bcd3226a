"""Model of @rules_python//python/private:flags.bzl (1.5 to 2.3): a flag with a value that goes before
what the line says."""

def _string_flag(ctx):
    value = ctx.attr.override or ctx.build_setting_value
    return [config_common.FeatureFlagInfo(value = value)]

string_flag = rule(
    implementation = _string_flag,
    build_setting = config.string(flag = True),
    attrs = {
        "override": attr.string(),
        "values": attr.string_list(),
    },
)
