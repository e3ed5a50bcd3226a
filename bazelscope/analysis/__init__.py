"""Bazel's analysis phase: configurations, conditions, selects and the graphs over targets."""
