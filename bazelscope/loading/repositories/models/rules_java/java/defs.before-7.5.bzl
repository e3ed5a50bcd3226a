"""Model of @rules_java//java:defs.bzl (4.0 to 7.4): native rules with a tag."""

_TAG = "__JAVA_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs

def java_binary(**attrs):
    native.java_binary(**_marked(attrs))

def java_library(**attrs):
    native.java_library(**_marked(attrs))

def java_test(**attrs):
    native.java_test(**_marked(attrs))

def java_import(**attrs):
    native.java_import(**_marked(attrs))

def java_package_configuration(**attrs):
    native.java_package_configuration(**_marked(attrs))

def java_plugin(**attrs):
    native.java_plugin(**_marked(attrs))

def java_proto_library(**attrs):
    native.java_proto_library(**_marked(attrs))

def java_lite_proto_library(**attrs):
    native.java_lite_proto_library(**_marked(attrs))

def java_runtime(**attrs):
    native.java_runtime(**_marked(attrs))

def java_toolchain(**attrs):
    native.java_toolchain(**_marked(attrs))
