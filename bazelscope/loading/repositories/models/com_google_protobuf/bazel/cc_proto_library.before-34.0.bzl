"""Model of @protobuf//bazel:cc_proto_library.bzl (29 to 33): a macro before the rule."""

load("//bazel/private:cc_proto_library.bzl", _cc_proto_library = "cc_proto_library")

def cc_proto_library(**attrs):
    _cc_proto_library(**attrs)
