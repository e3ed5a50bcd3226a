"""Model of @bazel_skylib//rules:common_settings.bzl (1.0 to 1.9)."""

load("//:bazelscope.bzl", "BAZEL")

BuildSettingInfo = provider(fields = ["value"])

def _impl(ctx):
    value = ctx.build_setting_value
    allowed = getattr(ctx.attr, "values", [])
    if allowed and value not in allowed:
        fail("Error setting " + str(ctx.label) + ": invalid value '" + value + "'. Allowed values are " + str(allowed))
    provided = [BuildSettingInfo(value = value)]
    if getattr(ctx.attr, "make_variable", ""):
        provided.append(platform_common.TemplateVariableInfo({ctx.attr.make_variable: str(value)}))
    return provided

# Not every release has them all.
_COMMON = {"scope": attr.string(default = "target")}
_NUMBER = {"make_variable": attr.string(), "scope": attr.string(default = "target")}
_TEXT = {
    "make_variable": attr.string(),
    "scope": attr.string(default = "target"),
    "values": attr.string_list(),
}

bool_flag = rule(_impl, build_setting = config.bool(flag = True), attrs = _COMMON)
bool_setting = rule(_impl, build_setting = config.bool(), attrs = _COMMON)
int_flag = rule(_impl, build_setting = config.int(flag = True), attrs = _NUMBER)
int_setting = rule(_impl, build_setting = config.int(), attrs = _NUMBER)

# In 1.8.2 and later.
repeatable_string_flag = rule(
    _impl,
    build_setting = config.string_list(flag = True, **({"repeatable": True} if BAZEL >= (5, 3, 0) else {})),
    attrs = _COMMON,
)
string_flag = rule(_impl, build_setting = config.string(flag = True), attrs = _TEXT)
string_list_flag = rule(
    _impl,
    build_setting = config.string_list(flag = True),
    attrs = _COMMON,
)
string_list_setting = rule(_impl, build_setting = config.string_list(), attrs = _COMMON)
string_setting = rule(_impl, build_setting = config.string(), attrs = _TEXT)
