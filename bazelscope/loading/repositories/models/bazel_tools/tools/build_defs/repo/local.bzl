"""Model of @bazel_tools//tools/build_defs/repo:local.bzl (Bazel 0.24 to 9)."""

def local_repository(name, **kwargs):
    native.local_repository(name = name, **kwargs)

def new_local_repository(name, **kwargs):
    native.new_local_repository(name = name, **kwargs)
