"""Model of @rules_java//java:java_plugin.bzl."""

load(":defs.bzl", _java_plugin = "java_plugin")

java_plugin = _java_plugin
