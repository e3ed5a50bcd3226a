"""Model of @rules_java//java:java_import.bzl."""

load(":defs.bzl", _java_import = "java_import")

java_import = _java_import
