"""Model of @rules_kotlin//kotlin:core.bzl (1.9 to 2.4); its options and toolchains are unknown."""

load("//kotlin/private:rules.bzl", _kt_compiler_plugin = "kt_compiler_plugin")

kt_compiler_plugin = _kt_compiler_plugin
