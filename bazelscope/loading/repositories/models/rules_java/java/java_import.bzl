"""Model of @rules_java//java:java_import.bzl (4.0 to 9)."""

load(":defs.bzl", _java_import = "java_import")

java_import = _java_import
