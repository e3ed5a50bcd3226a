"""Model of @bazel_skylib//rules:build_test.bzl before 1.1: a genrule per target, and a test over them."""

def build_test(name, targets, **kwargs):
    if not targets:
        fail("targets must be non-empty", "targets")
    if kwargs.get("data", None):
        fail("data is not supported on a build_test()", "data")
    inherited = {key: kwargs[key] for key in ("compatible_with", "restricted_to", "tags") if key in kwargs}
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
    native.sh_test(
        name = name,
        srcs = ["@bazel_skylib//rules:empty_test.sh"],
        data = outputs,
        size = kwargs.pop("size", "small"),
        **kwargs
    )
