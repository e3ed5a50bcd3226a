"""Model of @rules_cc//cc:defs.bzl where a commit names it, most likely one of before 0.0.6: native rules with a tag."""

_TAG = "__CC_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs

def cc_binary(**attrs):
    native.cc_binary(**_marked(attrs))

def cc_test(**attrs):
    native.cc_test(**_marked(attrs))

def cc_library(**attrs):
    native.cc_library(**_marked(attrs))

def cc_import(**attrs):
    native.cc_import(**_marked(attrs))

def cc_proto_library(**attrs):
    native.cc_proto_library(**_marked(attrs))

def fdo_prefetch_hints(**attrs):
    native.fdo_prefetch_hints(**_marked(attrs))

def fdo_profile(**attrs):
    native.fdo_profile(**_marked(attrs))

def cc_toolchain(**attrs):
    native.cc_toolchain(**_marked(attrs))

def cc_toolchain_suite(**attrs):
    native.cc_toolchain_suite(**_marked(attrs))

def objc_library(**attrs):
    native.objc_library(**_marked(attrs))

def objc_import(**attrs):
    native.objc_import(**_marked(attrs))
