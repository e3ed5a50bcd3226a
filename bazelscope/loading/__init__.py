"""Bazel's loading phase: files, repositories, modules, packages and their targets."""
