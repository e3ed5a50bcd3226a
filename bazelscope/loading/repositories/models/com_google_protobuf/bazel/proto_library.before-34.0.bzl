"""Model of @protobuf//bazel:proto_library.bzl (29 to 33): a macro before the rule."""

load("//bazel/private:proto_library.bzl", _proto_library = "proto_library")

def proto_library(**attrs):
    _proto_library(**attrs)
