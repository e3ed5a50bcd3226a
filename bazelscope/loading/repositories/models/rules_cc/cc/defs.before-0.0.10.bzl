"""Model of @rules_cc//cc:defs.bzl (0.0.6 to 0.0.9): native rules with a tag."""

_TAG = "__CC_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs

def _linked(attrs):
    """Programs get the library that a flag adds to every link; shared libraries do not."""
    if not ("linkshared" in attrs and attrs["linkshared"]):
        attrs["deps"] = (attrs.get("deps") or []) + [Label("//:link_extra_lib")]
    return attrs

def cc_binary(**attrs):
    native.cc_binary(**_linked(_marked(attrs)))

def cc_test(**attrs):
    native.cc_test(**_linked(_marked(attrs)))

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
