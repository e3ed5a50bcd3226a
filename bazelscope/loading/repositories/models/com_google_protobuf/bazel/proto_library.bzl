"""Model of @protobuf//bazel:proto_library.bzl (34 and 35): the rule itself."""

load("//bazel/private:proto_library.bzl", _proto_library = "proto_library")

proto_library = _proto_library
