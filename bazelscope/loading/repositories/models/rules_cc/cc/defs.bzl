"""Model of @rules_cc//cc:defs.bzl (0.0.10 to 0.2): native rules as macros."""

def _linked(attrs):
    """Programs get the library that a flag adds to every link; shared libraries do not."""
    if not ("linkshared" in attrs and attrs["linkshared"]):
        attrs["deps"] = (attrs.get("deps") or []) + [Label("//:link_extra_lib")]
    return attrs

def cc_binary(**attrs):
    native.cc_binary(**_linked(attrs))

def cc_test(**attrs):
    native.cc_test(**_linked(attrs))

def cc_library(**attrs):
    native.cc_library(**attrs)

def cc_import(**attrs):
    native.cc_import(**attrs)

def cc_proto_library(**attrs):
    native.cc_proto_library(**attrs)

def fdo_prefetch_hints(**attrs):
    native.fdo_prefetch_hints(**attrs)

def fdo_profile(**attrs):
    native.fdo_profile(**attrs)

def cc_toolchain(**attrs):
    native.cc_toolchain(**attrs)

def cc_toolchain_suite(**attrs):
    native.cc_toolchain_suite(**attrs)

def objc_library(**attrs):
    native.objc_library(**attrs)

def objc_import(**attrs):
    native.objc_import(**attrs)
