"""Model of @bazel_tools//tools/build_defs/repo:local.bzl."""

def local_repository(name, **kwargs):
    native.local_repository(name = name, **kwargs)

def new_local_repository(name, **kwargs):
    native.new_local_repository(name = name, **kwargs)
