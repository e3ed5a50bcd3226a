"""Model of @rules_proto//proto:defs.bzl (6.0)."""

load("//proto:proto_lang_toolchain.bzl", _proto_lang_toolchain = "proto_lang_toolchain")
load("//proto/private:native.bzl", "NativeProtoInfo")

_TAG = "__PROTO_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    attrs["tags"] = (attrs.get("tags", None) or []) + [_TAG]
    return attrs

ProtoInfo = NativeProtoInfo

def proto_library(**attrs):
    native.proto_library(**_marked(attrs))

proto_lang_toolchain = _proto_lang_toolchain
