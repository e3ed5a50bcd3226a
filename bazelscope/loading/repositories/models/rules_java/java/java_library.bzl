"""Model of @rules_java//java:java_library.bzl (4.0 to 9)."""

load(":defs.bzl", _java_library = "java_library")

java_library = _java_library
