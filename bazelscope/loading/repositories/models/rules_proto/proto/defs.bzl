"""Model of @rules_proto//proto:defs.bzl (7.0 and 7.1): what protobuf has."""

load("@com_google_protobuf//bazel:proto_library.bzl", _proto_library = "proto_library")
load("@com_google_protobuf//bazel/common:proto_info.bzl", _ProtoInfo = "ProtoInfo")
load("//proto:proto_lang_toolchain.bzl", _proto_lang_toolchain = "proto_lang_toolchain")

ProtoInfo = _ProtoInfo

proto_lang_toolchain = _proto_lang_toolchain
proto_library = _proto_library
