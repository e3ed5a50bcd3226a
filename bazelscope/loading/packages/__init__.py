"""Evaluated packages and their targets, as `bazel query` knows them."""
