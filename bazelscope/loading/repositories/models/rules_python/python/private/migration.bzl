"""What rules_python (0.37 to 1.6) adds to its own rules, which Bazel 7 and later get: nothing."""

def marked(attrs):
    return attrs
