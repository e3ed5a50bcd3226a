"""Model of @rules_shell//shell:sh_binary.bzl: the native rule."""

sh_binary = native.sh_binary
