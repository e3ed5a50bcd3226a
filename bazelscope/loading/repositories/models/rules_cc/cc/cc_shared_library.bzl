"""Model of @rules_cc//cc:cc_shared_library.bzl (0.0.9 to 0.2)."""

def cc_shared_library(**attrs):
    native.cc_shared_library(**attrs)
