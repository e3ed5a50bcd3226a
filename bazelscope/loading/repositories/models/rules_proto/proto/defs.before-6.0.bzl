"""Model of @rules_proto//proto:defs.bzl (4.0 to 5.3)."""

load("//proto/private:native.bzl", "NativeProtoInfo")

_TAG = "__PROTO_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    attrs["tags"] = (attrs.get("tags", None) or []) + [_TAG]
    return attrs

ProtoInfo = NativeProtoInfo

def proto_library(**attrs):
    native.proto_library(**_marked(attrs))

def proto_lang_toolchain(**attrs):
    native.proto_lang_toolchain(**_marked(attrs))
