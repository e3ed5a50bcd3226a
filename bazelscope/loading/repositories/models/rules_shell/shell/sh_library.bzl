"""Model of @rules_shell//shell:sh_library.bzl: the native rule."""

sh_library = native.sh_library
