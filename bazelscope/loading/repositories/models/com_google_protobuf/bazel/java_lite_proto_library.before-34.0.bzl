"""Model of @protobuf//bazel:java_lite_proto_library.bzl (29 to 33): a macro before the rule."""

load("//bazel/private:java_lite_proto_library.bzl", _java_lite_proto_library = "java_lite_proto_library")

def java_lite_proto_library(**attrs):
    _java_lite_proto_library(**attrs)
