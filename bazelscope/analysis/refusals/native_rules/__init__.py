"""What implementations of Bazel's own rules refuse, a module for each language."""
