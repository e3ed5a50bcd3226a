"""Model of @protobuf//bazel:java_proto_library.bzl (34 and 35): the rule itself."""

load("//bazel/private:java_proto_library.bzl", _java_proto_library = "java_proto_library")

java_proto_library = _java_proto_library
