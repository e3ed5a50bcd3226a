"""Model of @rules_java//java:java_test.bzl."""

load(":defs.bzl", _java_test = "java_test")

java_test = _java_test
