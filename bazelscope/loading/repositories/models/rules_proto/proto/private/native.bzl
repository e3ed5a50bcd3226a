"""Model: the native names that @rules_proto//proto:defs.bzl (4.0 to 7.1) hands on."""

NativeProtoInfo = ProtoInfo
