"""Model of @rules_java//java/common:java_plugin_info.bzl (7.5 to 9)."""

load("//java/private:natives.bzl", "native_java_plugin_info")

JavaPluginInfo = native_java_plugin_info
