"""Model of @rules_rust//rust/toolchain/channel:channel.bzl (0.15 to 0.73)."""

def _nothing(ctx):
    return []

rust_toolchain_channel_flag = rule(_nothing, build_setting = config.string(flag = True))
