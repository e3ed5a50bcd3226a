"""Model of @bazel_skylib//:version.bzl (1.0 to 1.9)."""

version = "1.0.3"
