"""Model of @rules_shell//shell:sh_test.bzl (0.1 to 0.6): the native rule."""

sh_test = native.sh_test
