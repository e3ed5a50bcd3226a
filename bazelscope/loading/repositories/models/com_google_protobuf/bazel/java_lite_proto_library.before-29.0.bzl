"""Model of @protobuf//bazel:java_lite_proto_library.bzl (27 and 28): Bazel's own rule."""

java_lite_proto_library = native.java_lite_proto_library
