"""Model of @bazel_skylib//lib:selects.bzl (1.0 to 1.9)."""

load("//:bazelscope.bzl", "RELEASE")

_DEFAULT = "//conditions:default"

def _with_or_dict(input_dict):
    flat = {}
    for key, value in input_dict.items():
        for condition in (key if type(key) == "tuple" else (key,)):
            if condition in flat:
                fail("key %s appears multiple times" % condition)
            flat[condition] = value
    return flat

def _with_or(input_dict, no_match_error = ""):
    return select(_with_or_dict(input_dict), no_match_error = no_match_error)

def _chain(name, settings, visibility, is_any):
    # A chain of aliases: each looks at one setting and hands over to the next alias, the last
    # one to the last setting itself.
    if len(settings) == 1:
        native.alias(name = name, actual = settings[0], visibility = visibility)
        return
    last = len(settings) - 1
    for index in range(last):
        this = settings[index]
        key = this if RELEASE < (1, 8, 0) else native.package_relative_label(this)
        following = settings[last] if index + 1 == last else "%s_%d" % (name, index + 2)
        native.alias(
            name = name if index == 0 else "%s_%d" % (name, index + 1),
            actual = select({
                key: this if is_any else following,
                _DEFAULT: following if is_any else this,
            }),
            visibility = visibility if index == 0 else ["//visibility:private"],
        )

def _config_setting_group(name, match_any = [], match_all = [], visibility = None):
    if bool(match_any) == bool(match_all):
        fail('Either "match_any" or "match_all" must be set, but not both.')
    settings = match_any or match_all
    if len({setting: None for setting in settings}) < len(settings):
        fail("Duplicates not allowed in config_setting_group %s" % name)
    if settings == [_DEFAULT] and RELEASE < (1, 9, 1):
        # A chain of which one matches, whatever the flags.
        match_any = []
        for stamp in ("1", "0"):
            check = "%s_stamp_binary_%s_check" % (name, "on" if stamp == "1" else "off")
            native.config_setting(name = check, values = {"stamp": stamp})
            match_any.append(":" + check)
        settings = match_any
    elif settings == [_DEFAULT]:
        native.alias(name = name, actual = Label("//lib:always_true"), visibility = visibility)
        return
    _chain(name, settings, visibility, bool(match_any))

selects = struct(
    config_setting_group = _config_setting_group,
    with_or = _with_or,
    with_or_dict = _with_or_dict,
)
