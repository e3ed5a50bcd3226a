"""Model of @rules_java//java:java_plugin.bzl (4.0 to 9)."""

load(":defs.bzl", _java_plugin = "java_plugin")

java_plugin = _java_plugin
