"""Model of @rules_java//java:java_test.bzl (4.0 to 9)."""

load(":defs.bzl", _java_test = "java_test")

java_test = _java_test
