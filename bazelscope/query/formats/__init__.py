"""Bazel's own output formats for the results of `query` and `cquery`."""
