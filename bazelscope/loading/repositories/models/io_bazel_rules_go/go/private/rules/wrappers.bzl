"""Model of the macros that stand before rules_go's rules; since release 0.56 only before go_binary."""

load(":binary.bzl", "go_binary", "go_non_executable_binary")
load(":library.bzl", _go_library = "go_library")
load(":test.bzl", _go_test = "go_test")

_FOR_C = ["c-archive", "c-shared"]

go_library_macro = _go_library
go_test_macro = _go_test

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
