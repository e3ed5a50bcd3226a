"""Model: the native names that @rules_proto//proto:defs.bzl hands on."""

NativeProtoInfo = ProtoInfo
