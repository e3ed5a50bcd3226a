"""Model of @bazel_skylib//rules:common_settings.bzl."""

BuildSettingInfo = provider(fields = ["value"])

def _nothing(ctx):
    return []

_VALUES = {"values": attr.string_list()}

bool_flag = rule(_nothing, build_setting = config.bool(flag = True))
bool_setting = rule(_nothing, build_setting = config.bool())
int_flag = rule(_nothing, build_setting = config.int(flag = True))
int_setting = rule(_nothing, build_setting = config.int())
string_flag = rule(_nothing, build_setting = config.string(flag = True), attrs = _VALUES)
string_list_flag = rule(_nothing, build_setting = config.string_list(flag = True))
string_list_setting = rule(_nothing, build_setting = config.string_list())
string_setting = rule(_nothing, build_setting = config.string(), attrs = _VALUES)
