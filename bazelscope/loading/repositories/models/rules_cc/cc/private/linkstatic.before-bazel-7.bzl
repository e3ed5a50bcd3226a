"""Before Bazel 7, how tests are linked is Bazel's own matter."""

def of_tests(attrs):
    return attrs
