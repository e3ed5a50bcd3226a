"""What rules_python (0.37 to 1.6) adds to native rules: a tag, before Bazel 7."""

_TAG = "__PYTHON_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs
