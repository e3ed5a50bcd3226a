"""What asks rules of @bazel_skylib//rules whether the host is Windows (1.0 to 1.7): an attribute."""

load("//:bazelscope.bzl", "RELEASE")

_IS_ASKED = RELEASE < (1, 8, 0)

WINDOWS = {"is_windows": attr.bool(mandatory = True)} if _IS_ASKED else {}

def is_windows():
    return {
        "is_windows": select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
    } if _IS_ASKED else {}
