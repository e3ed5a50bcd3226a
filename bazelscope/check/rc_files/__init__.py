"""Findings in rc files: what is written there in vain, twice, or for another Bazel."""
