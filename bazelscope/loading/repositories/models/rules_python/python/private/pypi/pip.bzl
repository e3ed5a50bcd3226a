"""Model of the file that rules_python (0.36 to 1.9) makes its `pip` extensions in: its own
MODULE.bazel uses `pip_internal` for what it publishes itself with."""

load("//python/extensions:pip.bzl", _pip = "pip")

pip = _pip
pip_internal = _pip
