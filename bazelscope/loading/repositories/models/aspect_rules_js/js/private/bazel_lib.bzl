"""What rules_js takes from bazel_lib, by the name that it has since rules_js 3.0."""

load("@bazel_lib//lib:copy_to_bin.bzl", _copy_to_bin = "copy_to_bin")
load("@bazel_lib//lib:run_binary.bzl", _run_binary = "run_binary")

ENABLE_RUNFILES = Label("@bazel_lib//lib:enable_runfiles")
copy_to_bin = _copy_to_bin
run_binary = _run_binary
