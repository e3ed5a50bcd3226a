"""Model of @gazelle//:def.bzl (0.30 to 0.53; gazelle_test since 0.38): the runner and the program that starts it."""

load("@rules_shell//shell:sh_binary.bzl", "sh_binary")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

def _nothing(ctx):
    return []

DEFAULT_LANGUAGES = [
    Label("//language/bazel/visibility"),
    Label("//language/proto"),
    Label("//language/go"),
]

_ATTRIBUTES = {
    "build_tags": attr.string_list(),
    "command": attr.string(default = "update", values = ["fix", "update", "update-repos"]),
    "data": attr.label_list(allow_files = True),
    "env": attr.string_dict(),
    "external": attr.string(values = ["", "external", "static", "vendored"]),
    "extra_args": attr.string_list(),
    "gazelle": attr.label(
        allow_single_file = True,
        default = "//cmd/gazelle",
        executable = True,
        cfg = "target",
    ),
    "mode": attr.string(values = ["", "diff", "fix", "print"]),
    "prefix": attr.string(),
}

_gazelle_runner = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

_gazelle_test_runner = rule(
    _nothing,
    attrs = _ATTRIBUTES | {
        "mode": attr.string(default = "diff", values = ["diff"]),
        "workspace": attr.label(mandatory = True, allow_single_file = True),
    },
    executable = True,
)

gazelle_binary = rule(
    _nothing,
    attrs = {
        "languages": attr.label_list(mandatory = True),
        "_srcs": attr.label(default = "//cmd/gazelle:gazelle_lib"),
    },
    executable = True,
)

def _start(rule, name, attrs, tags, visibility, more):
    rule(
        name = name,
        srcs = [name + "-runner"],
        tags = {tag: None for tag in attrs.get("tags", []) + tags}.keys(),
        visibility = visibility,
        deps = ["@bazel_tools//tools/bash/runfiles"],
        data = attrs.get("data", []),
        **more
    )

def gazelle(name, testonly = False, **attrs):
    visibility = attrs.pop("visibility", None)
    if "args" in attrs:
        attrs["extra_args"] = attrs.pop("args")
    _gazelle_runner(name = name + "-runner", testonly = testonly, **attrs)
    _start(sh_binary, name, attrs, ["manual"], visibility, {"testonly": testonly})

def gazelle_test(name, size = None, timeout = None, **attrs):
    visibility = attrs.pop("visibility", None)
    if "args" in attrs:
        attrs["extra_args"] = attrs.pop("args")
    _gazelle_test_runner(name = name + "-runner", **attrs)
    more = {"size": size, "timeout": timeout}
    _start(sh_test, name, attrs, ["no-sandbox", "no-cache", "external"], visibility, more)
