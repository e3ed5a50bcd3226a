"""Model of @build_bazel_rules_android//android:rules.bzl (0.1): native rules with a tag."""

_TAG = "__ANDROID_RULES_MIGRATION__"

def _marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs

def aar_import(**attrs):
    native.aar_import(**_marked(attrs))

def android_binary(**attrs):
    native.android_binary(**_marked(attrs))

def android_device(**attrs):
    native.android_device(**_marked(attrs))

def android_instrumentation_test(**attrs):
    native.android_instrumentation_test(**_marked(attrs))

def android_library(**attrs):
    native.android_library(**_marked(attrs))

def android_local_test(**attrs):
    native.android_local_test(**_marked(attrs))
