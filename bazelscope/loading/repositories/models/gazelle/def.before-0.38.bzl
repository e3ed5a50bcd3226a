"""Model of @gazelle//:def.bzl (0.30 to 0.37): the runner and the program that starts it."""

load("//private:rules.bzl", "gazelle_binary_wrapper", "gazelle_runner")

DEFAULT_LANGUAGES = [
    Label("//language/bazel/visibility"),
    Label("//language/proto"),
    Label("//language/go"),
]

gazelle_binary = gazelle_binary_wrapper

def gazelle(name, **attrs):
    visibility = attrs.pop("visibility", None)
    if "args" in attrs:
        attrs["extra_args"] = attrs.pop("args")
    attrs["tags"] = {tag: None for tag in attrs.get("tags", []) + ["manual"]}.keys()
    gazelle_runner(name = name + "-runner", **attrs)
    native.sh_binary(
        name = name,
        srcs = [name + "-runner"],
        tags = attrs["tags"],
        visibility = visibility,
        deps = ["@bazel_tools//tools/bash/runfiles"],
        data = attrs.get("data", []),
    )
