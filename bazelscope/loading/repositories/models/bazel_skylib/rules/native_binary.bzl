"""Model of @bazel_skylib//rules:native_binary.bzl (1.0 to 1.9): rules since 1.3, macros before."""

load("//:bazelscope.bzl", "RELEASE")
load("//lib:dicts.bzl", "dicts")
load("//rules/private:native_binary.bzl", _binary = "native_binary", _test = "native_test")

def _nothing(ctx):
    return []

_ATTRIBUTES = dicts.add(
    {
        "src": attr.label(
            executable = True,
            allow_files = True,
            mandatory = True,
            cfg = "target",
        ),
        "data": attr.label_list(allow_files = True),
        # A string, so that a select() may stand there.
        "out": attr.string(mandatory = RELEASE < (1, 6, 0)),
    },
    {"env": attr.string_dict()} if RELEASE >= (1, 8, 0) else {},
)
_ARE_MACROS = RELEASE < (1, 3, 0)

native_binary = _binary if _ARE_MACROS else rule(_nothing, attrs = _ATTRIBUTES, executable = True)
native_test = _test if _ARE_MACROS else rule(_nothing, attrs = _ATTRIBUTES, test = True)
