"""Model of @bazel_skylib//lib:sets.bzl."""

load(":new_sets.bzl", new_sets = "sets")

sets = new_sets
