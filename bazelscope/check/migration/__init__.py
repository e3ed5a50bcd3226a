"""Findings about a workspace under another release of Bazel: what breaks, what changes."""
