"""Model of @bazel_skylib//:bzl_library.bzl (1.0 to 1.9): a rule, since 1.8 behind a macro."""

load("//:bazelscope.bzl", "RELEASE")
load("//rules/private:bzl_library.bzl", _StarlarkLibraryInfo = "StarlarkLibraryInfo", _rule = "bzl_library")
load("//rules/private:bzl_library_macro.bzl", _macro = "bzl_library")

StarlarkLibraryInfo = _StarlarkLibraryInfo
bzl_library = _rule if RELEASE < (1, 8, 0) else _macro
