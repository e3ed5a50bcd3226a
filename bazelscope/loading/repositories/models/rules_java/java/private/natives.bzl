"""What Bazel itself has under these names, for the files that export them (7.5 to 9)."""

native_java_common = java_common
native_java_info = JavaInfo
native_java_plugin_info = JavaPluginInfo
