"""Model of the macro of @bazel_skylib//:bzl_library.bzl (1.8 and later)."""

load("//rules/private:bzl_library.bzl", _bzl_library = "bzl_library")

# What would keep it from where it is used is dropped, whoever sets it.
_DROPPED = {
    "compatible_with": [],
    "exec_compatible_with": [],
    "features": [],
    "target_compatible_with": [],
}

def bzl_library(name, **attrs):
    attrs.update(_DROPPED)
    _bzl_library(name = name, **attrs)
