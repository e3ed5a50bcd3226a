"""Model of @stardoc//stardoc:stardoc.bzl up to Bazel 6, with releases before 0.6: nothing is known."""
