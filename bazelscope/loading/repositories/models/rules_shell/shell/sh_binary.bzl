"""Model of @rules_shell//shell:sh_binary.bzl (0.1 to 0.6): the native rule."""

sh_binary = native.sh_binary
