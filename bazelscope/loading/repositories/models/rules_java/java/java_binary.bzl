"""Model of @rules_java//java:java_binary.bzl (4.0 to 9)."""

load(":defs.bzl", _java_binary = "java_binary")

java_binary = _java_binary
