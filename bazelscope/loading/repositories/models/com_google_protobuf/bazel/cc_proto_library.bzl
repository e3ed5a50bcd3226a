"""Model of @protobuf//bazel:cc_proto_library.bzl (34 and 35): the rule itself."""

load("//bazel/private:cc_proto_library.bzl", _cc_proto_library = "cc_proto_library")

cc_proto_library = _cc_proto_library
