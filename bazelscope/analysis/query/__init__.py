"""Bazel's query language: parsed, and evaluated over the unconfigured or configured graph."""
