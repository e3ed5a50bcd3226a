"""One question over many command lines, hosts and releases of Bazel."""
