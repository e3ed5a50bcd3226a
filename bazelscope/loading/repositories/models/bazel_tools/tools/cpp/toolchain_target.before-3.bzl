"""What `:toolchain` stood for (up to Bazel 2): a binding that a WORKSPACE file may replace."""

TOOLCHAIN = "//external:cc_toolchain"
