"""Model of @gazelle//:def.bzl (0.41 to 0.53): the runner and the program that starts it."""

load("@rules_shell//shell:sh_binary.bzl", "sh_binary")
load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//private:rules.bzl", "gazelle_binary_wrapper", "gazelle_runner", "gazelle_test_runner")

DEFAULT_LANGUAGES = [
    Label("//language/bazel/visibility"),
    Label("//language/proto"),
    Label("//language/go"),
]

gazelle_binary = gazelle_binary_wrapper

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
    gazelle_runner(name = name + "-runner", testonly = testonly, **attrs)
    _start(sh_binary, name, attrs, ["manual"], visibility, {"testonly": testonly})

def gazelle_test(name, size = None, timeout = None, **attrs):
    visibility = attrs.pop("visibility", None)
    if "args" in attrs:
        attrs["extra_args"] = attrs.pop("args")
    gazelle_test_runner(name = name + "-runner", **attrs)
    more = {"size": size, "timeout": timeout}
    _start(sh_test, name, attrs, ["no-sandbox", "no-cache", "external"], visibility, more)
