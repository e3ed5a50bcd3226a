"""Model of @rules_jvm_external//:defs.bzl (2.0 to 7.1)."""

load("//private/rules:artifact.bzl", _artifact = "artifact", _maven_artifact = "maven_artifact")
load("//private/rules:maven_install.bzl", _maven_install = "maven_install")

artifact = _artifact
maven_artifact = _maven_artifact
maven_install = _maven_install
