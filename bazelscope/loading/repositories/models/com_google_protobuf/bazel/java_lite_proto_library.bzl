"""Model of @protobuf//bazel:java_lite_proto_library.bzl (34 and 35): the rule itself."""

load("//bazel/private:java_lite_proto_library.bzl", _java_lite_proto_library = "java_lite_proto_library")

java_lite_proto_library = _java_lite_proto_library
