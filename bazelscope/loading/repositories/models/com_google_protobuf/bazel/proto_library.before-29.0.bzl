"""Model of @protobuf//bazel:proto_library.bzl (27 and 28): Bazel's own rule."""

proto_library = native.proto_library
