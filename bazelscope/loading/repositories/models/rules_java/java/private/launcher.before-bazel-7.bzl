"""Before Bazel 7, the launcher is Bazel's own matter."""

def launched(attrs):
    return attrs
