"""Model of @protobuf//bazel:cc_proto_library.bzl (27 and 28): Bazel's own rule."""

cc_proto_library = native.cc_proto_library
