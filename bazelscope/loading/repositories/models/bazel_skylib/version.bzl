"""Model of @bazel_skylib//:version.bzl."""

version = "1.0.3"
