"""`mod`: the module graph, as `bazel mod` shows it, with places and causes."""
