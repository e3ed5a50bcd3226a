"""Model of @rules_shell//shell:sh_test.bzl: the native rule."""

sh_test = native.sh_test
