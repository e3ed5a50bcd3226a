"""Model of @bazel_skylib//rules:build_test.bzl (1.0 to 1.9): genrules over the targets, and a test over them."""

load("//:bazelscope.bzl", "RELEASE")
load("//lib:dicts.bzl", "dicts")
load("//lib:new_sets.bzl", "sets")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_empty_test = rule(
    _nothing,
    attrs = dicts.add({"data": attr.label_list(allow_files = True)}, WINDOWS),
    test = True,
)

_IS_SHELL_TEST = RELEASE < (1, 1, 0)
_IS_MANUAL = RELEASE >= (1, 4, 0)
_LATER = ["exec_compatible_with", "target_compatible_with"]
_HANDED_ON = ["compatible_with", "restricted_to", "tags"] + (_LATER if _IS_MANUAL else [])

def build_test(name, targets, **kwargs):
    if not targets:
        fail("targets must be non-empty", "targets")
    if kwargs.get("data", None):
        fail("data is not supported on a build_test()", "data")
    inherited = {key: kwargs[key] for key in _HANDED_ON if key in kwargs}
    if _IS_MANUAL:
        tags = inherited.pop("tags", [])
        inherited["tags"] = tags if "manual" in tags else tags + ["manual"]
    if not _IS_SHELL_TEST:
        inherited["cmd_bat"] = "type nul > $@"

    # At most some hundred genrules, each over as many targets.
    targets = sets.to_list(sets.make(targets))
    size = max(1, len(targets) // 100)
    made = []
    for index, first in enumerate(range(0, len(targets), size)):
        made.append("%s_%d__deps" % (name, index))
        native.genrule(
            name = made[-1],
            srcs = targets[first:first + size],
            outs = [made[-1] + ".out"],
            testonly = 1,
            visibility = ["//visibility:private"],
            cmd = "touch $@",
            **inherited
        )
    kwargs["size"] = kwargs.get("size", "small")
    if _IS_SHELL_TEST:
        script = "@bazel_skylib//rules:empty_test.sh"
        native.sh_test(name = name, srcs = [script], data = made, **kwargs)
    else:
        kwargs.update(is_windows())
        _empty_test(name = name, data = made, **kwargs)
