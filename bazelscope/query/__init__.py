"""Bazel's query language: `query` and `cquery`, in Bazel's output formats."""
