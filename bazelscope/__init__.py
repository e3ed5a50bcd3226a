"""bazelscope explains Bazel configuration from the files alone."""
