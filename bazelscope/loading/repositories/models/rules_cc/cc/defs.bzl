"""Model of @rules_cc//cc:defs.bzl (0.0.1 to 0.2): native rules as macros, with a tag up to 0.0.9."""

load("//:bazelscope.bzl", "BAZEL", "RELEASE")

# A commit alone is most likely one of before 0.0.6: later ones are taken by their release. What
# Bazel 9 takes cannot be so old.
_IS_OLD_COMMIT = RELEASE >= (9999, 0, 0) and BAZEL < (9, 0, 0)
_ARE_MARKED = RELEASE < (0, 0, 10) or _IS_OLD_COMMIT
_ARE_LINKED = RELEASE >= (0, 0, 6) and not _IS_OLD_COMMIT
_TAG = "__CC_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    if _ARE_MARKED:
        attrs["tags"] = (attrs.get("tags") or []) + [_TAG]
    return attrs

def _linked(attrs):
    """Programs get the library that a flag adds to every link; shared libraries do not."""
    if _ARE_LINKED and not ("linkshared" in attrs and attrs["linkshared"]):
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
