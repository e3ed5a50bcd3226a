"""Model of @rules_shell//shell:sh_library.bzl (0.1 to 0.6): the native rule."""

sh_library = native.sh_library
