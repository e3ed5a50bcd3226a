"""The question of `canonicalize-flags`: a command line as Bazel itself writes it."""
