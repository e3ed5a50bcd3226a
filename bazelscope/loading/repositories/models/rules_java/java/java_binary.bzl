"""Model of @rules_java//java:java_binary.bzl."""

load(":defs.bzl", _java_binary = "java_binary")

java_binary = _java_binary
