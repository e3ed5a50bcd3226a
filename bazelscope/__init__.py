"""bazelscope explains Bazel configuration from the files alone."""

__version__ = "0.1.0"
