"""Model of @bazel_skylib//lib:sets.bzl (1.0 to 1.9)."""

load(":new_sets.bzl", new_sets = "sets")

sets = new_sets
