"""Model of @protobuf//bazel/common:proto_info.bzl (27 to 34)."""

load("//bazel/common:natives.bzl", "native_proto_info")

ProtoInfo = native_proto_info
