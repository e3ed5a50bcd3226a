"""Model of @pybind11_bazel//:build_defs.bzl (2.12 to 3.0)."""

load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

PYBIND_COPTS = select({
    Label("@pybind11//:msvc_compiler"): [],
    "//conditions:default": ["-fexceptions"],
})
PYBIND_DEPS = [Label("@pybind11//:pybind11")]
PYBIND_FEATURES = ["-use_header_modules", "-parse_headers"]

_HEADERS = "@rules_python//python/cc:current_py_cc_headers"

def _tagged(tags):
    return tags + ["req_dep=%s" % dep for dep in PYBIND_DEPS]

def pybind_extension(
        name,
        copts = [],
        features = [],
        linkopts = [],
        tags = [],
        deps = [],
        python_headers_target = _HEADERS,
        **kwargs):
    cc_binary(
        name = name + ".so",
        copts = copts + PYBIND_COPTS + select({
            Label("@pybind11//:msvc_compiler"): [],
            "//conditions:default": ["-fvisibility=hidden"],
        }),
        features = features + PYBIND_FEATURES,
        linkopts = linkopts + select({
            "@platforms//os:osx": ["-undefined", "dynamic_lookup"],
            Label("@pybind11//:msvc_compiler"): [],
            "//conditions:default": ["-Wl,-Bsymbolic"],
        }),
        linkshared = 1,
        tags = _tagged(tags),
        deps = deps + PYBIND_DEPS + [python_headers_target],
        **kwargs
    )
    shown = {"testonly": kwargs.get("testonly"), "visibility": kwargs.get("visibility")}
    copy_file(
        name = name + "_copy_so_to_pyd",
        src = name + ".so",
        out = name + ".pyd",
        **shown
    )
    native.alias(
        name = name,
        actual = select({
            "@platforms//os:windows": name + ".pyd",
            "//conditions:default": name + ".so",
        }),
        **shown
    )

def pybind_library(
        name,
        copts = [],
        features = [],
        tags = [],
        deps = [],
        python_headers_target = _HEADERS,
        **kwargs):
    cc_library(
        name = name,
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = _tagged(tags),
        deps = deps + PYBIND_DEPS + [python_headers_target],
        **kwargs
    )

def pybind_library_test(
        name,
        copts = [],
        features = [],
        tags = [],
        deps = [],
        python_headers_target = _HEADERS,
        python_library_target = "@rules_python//python/cc:current_py_cc_libs",
        **kwargs):
    cc_test(
        name = name,
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = _tagged(tags),
        deps = deps + PYBIND_DEPS + [python_headers_target, python_library_target],
        **kwargs
    )
