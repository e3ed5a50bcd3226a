"""Model of @bazel_skylib//rules:build_test.bzl (1.4 to 1.9): a genrule per target, and a test over them."""

def _nothing(ctx):
    return []

_empty_test = rule(
    _nothing,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "is_windows": attr.bool(),
    },
    test = True,
)

def build_test(name, targets, **kwargs):
    if not targets:
        fail("targets must be non-empty", "targets")
    if kwargs.get("data", None):
        fail("data is not supported on a build_test()", "data")
    inherited = {key: kwargs[key] for key in ("compatible_with", "restricted_to") if key in kwargs}
    inherited["tags"] = kwargs.get("tags", []) + ["manual"]
    outputs = []
    for index, target in enumerate(targets):
        output = "%s_%d__deps" % (name, index)
        native.genrule(
            name = output,
            srcs = [target],
            outs = [output + ".out"],
            testonly = 1,
            visibility = ["//visibility:private"],
            cmd = "touch $@",
            **inherited
        )
        outputs.append(output + ".out")
    _empty_test(
        name = name,
        data = outputs,
        is_windows = select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
        size = kwargs.pop("size", "small"),
        **kwargs
    )
