"""Model of the macros that stand before rules_go's rules; c-archive as in releases 0.27 to 0.55."""

load(":binary.bzl", "go_binary", "go_non_executable_binary")
load(":library.bzl", "go_library")
load(":test.bzl", "go_test")

_FOR_C = ["c-archive", "c-shared"]

def go_library_macro(name, **kwargs):
    go_library(name = name, **kwargs)

def go_binary_macro(name, **kwargs):
    linkmode = kwargs.get("linkmode")
    if linkmode in _FOR_C:
        go_non_executable_binary(name = name, **kwargs)
        native.alias(
            name = name + ".cc",
            actual = name,
            tags = ["manual"],
            visibility = ["//visibility:public"],
        )
    else:
        go_binary(name = name, **kwargs)

def go_test_macro(name, **kwargs):
    go_test(name = name, **kwargs)
