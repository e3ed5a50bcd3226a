"""Model of @rules_java//java/common:java_common.bzl (7.5 to 9)."""

load("//java/private:natives.bzl", "native_java_common")

java_common = native_java_common
