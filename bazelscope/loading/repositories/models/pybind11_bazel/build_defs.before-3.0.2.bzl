"""Model of @pybind11_bazel//:build_defs.bzl (2.12 to 3.0.1)."""

load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//:bazelscope.bzl", "RELEASE")

PYBIND_COPTS = select({
    Label("@pybind11//:msvc_compiler"): [],
    "//conditions:default": ["-fexceptions"],
})
PYBIND_FEATURES = ["-use_header_modules", "-parse_headers"]
PYBIND_DEPS = [
    Label("@pybind11//:pybind11"),
    "@rules_python//python/cc:current_py_cc_headers",
]
_IS_NATIVE = RELEASE < (3, 0, 0)
_COPIES = RELEASE < (3, 0, 1)
_SHOWN = ["testonly", "visibility"] if RELEASE >= (2, 13, 0) else []

def _rule(kind, **kwargs):
    """Declares a C++ rule as the release does: the native one, or that of rules_cc."""
    if _IS_NATIVE:
        getattr(native, kind)(**kwargs)
    else:
        {"cc_binary": cc_binary, "cc_library": cc_library, "cc_test": cc_test}[kind](**kwargs)

def _common(copts = [], features = [], tags = [], deps = [], **kwargs):
    return dict(
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = tags + ["req_dep=%s" % dep for dep in PYBIND_DEPS],
        deps = deps + PYBIND_DEPS,
        **kwargs
    )

def _binary(name, on_windows, others, linkopts = [], **kwargs):
    common = _common(**kwargs)
    common["copts"] += select({
        Label("@pybind11//:msvc_compiler"): [],
        "//conditions:default": ["-fvisibility=hidden"],
    })
    if not _COPIES:
        common["target_compatible_with"] = select({
            "@platforms//os:windows": on_windows,
            "//conditions:default": others,
        })
    _rule(
        "cc_binary",
        name = name,
        linkopts = linkopts + select({
            "@platforms//os:osx": ["-undefined", "dynamic_lookup"],
            Label("@pybind11//:msvc_compiler"): [],
            "//conditions:default": ["-Wl,-Bsymbolic"],
        }),
        linkshared = 1,
        **common
    )

def pybind_extension(name, **kwargs):
    _binary(name + ".so", ["@platforms//:incompatible"], [], **kwargs)
    shown = {key: kwargs.get(key) for key in _SHOWN}
    if _COPIES:
        copy_file(
            name = name + "_copy_so_to_pyd",
            src = name + ".so",
            out = name + ".pyd",
            **(shown or {"testonly": kwargs.get("testonly")})
        )
    else:
        _binary(name + ".pyd", [], ["@platforms//:incompatible"], **kwargs)
    is_copy = _COPIES and not _IS_NATIVE
    native.alias(
        name = name,
        actual = select({
            "@platforms//os:windows": name + ("_copy_so_to_pyd" if is_copy else ".pyd"),
            "//conditions:default": name + ".so",
        }),
        **shown
    )

def pybind_library(name, **kwargs):
    _rule("cc_library", name = name, **_common(**kwargs))

_LIBRARIES = ["@rules_python//python/cc:current_py_cc_libs"]

def pybind_library_test(name, **kwargs):
    of_test = {} if _COPIES else {
        key: kwargs.pop(key)
        for key in ["size", "timeout", "flaky", "shard_count", "local"]
        if key in kwargs
    }
    common = _common(**kwargs)
    common["deps"] += _LIBRARIES
    if _COPIES:
        _rule("cc_test", name = name, **common)
        return
    tags = common.pop("tags")
    cc_binary(
        name = name + "_bin",
        testonly = True,
        visibility = ["//visibility:private"],
        **common
    )
    pybind_py_env_test(
        name = name,
        binary = ":" + name + "_bin",
        testonly = True,
        tags = tags,
        visibility = kwargs.get("visibility"),
        **of_test
    )

pybind_py_env_test = rule(
    implementation = lambda ctx: [],
    test = True,
    attrs = {
        "binary": attr.label(executable = True, cfg = "target", mandatory = True),
        "_windows_constraint": attr.label(default = "@platforms//os:windows"),
    },
    toolchains = ["@rules_python//python:toolchain_type"],
)
