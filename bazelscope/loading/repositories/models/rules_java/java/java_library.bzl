"""Model of @rules_java//java:java_library.bzl."""

load(":defs.bzl", _java_library = "java_library")

java_library = _java_library
