"""Model of @rules_jvm_external//:defs.bzl (2.0 to 4.2): before Bazel 4 nothing reads lock files."""

load("//private/rules:artifact.bzl", _artifact = "artifact", _maven_artifact = "maven_artifact")

artifact = _artifact
maven_artifact = _maven_artifact
