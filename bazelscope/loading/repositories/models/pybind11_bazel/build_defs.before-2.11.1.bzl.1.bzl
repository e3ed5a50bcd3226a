"""Model of @pybind11_bazel//:build_defs.bzl (2.11.1)."""

PYBIND_COPTS = select({
    "@pybind11//:msvc_compiler": [],
    "//conditions:default": ["-fexceptions"],
})
PYBIND_FEATURES = ["-use_header_modules", "-parse_headers"]
PYBIND_DEPS = ["@pybind11", "@local_config_python//:python_headers"]

def _common(copts = [], features = [], tags = [], deps = [], **kwargs):
    return dict(
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = tags + ["req_dep=%s" % dep for dep in PYBIND_DEPS],
        deps = deps + PYBIND_DEPS,
        **kwargs
    )

def pybind_extension(name, linkopts = [], **kwargs):
    common = _common(**kwargs)
    common["copts"] += select({
        "@pybind11//:msvc_compiler": [],
        "//conditions:default": ["-fvisibility=hidden"],
    })
    native.cc_binary(
        name = name + ".so",
        linkopts = linkopts + select({
            "@pybind11//:msvc_compiler": [],
            "@pybind11//:osx": [],
            "//conditions:default": ["-Wl,-Bsymbolic"],
        }),
        linkshared = 1,
        **common
    )

def pybind_library(name, **kwargs):
    native.cc_library(name = name, **_common(**kwargs))

def pybind_library_test(name, **kwargs):
    common = _common(**kwargs)
    common["deps"] += ["//util/python:python_impl", "//util/python:test_main"]
    native.cc_test(name = name, **common)
