"""Model of @bazel_skylib//rules:build_test.bzl (1.1 to 1.3): genrules over the targets, and a test over them."""

load("//lib:new_sets.bzl", "sets")

def _nothing(ctx):
    return []

_empty_test = rule(
    _nothing,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "is_windows": attr.bool(mandatory = True),
    },
    test = True,
)

_REUSED = ("compatible_with", "restricted_to", "tags")

def build_test(name, targets, **kwargs):
    if not targets:
        fail("targets must be non-empty", "targets")
    if kwargs.get("data", None):
        fail("data is not supported on a build_test()", "data")
    inherited = {key: kwargs[key] for key in _REUSED if key in kwargs}

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
            cmd_bat = "type nul > $@",
            **inherited
        )
    _empty_test(
        name = name,
        data = made,
        size = kwargs.pop("size", "small"),
        is_windows = select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
        **kwargs
    )
