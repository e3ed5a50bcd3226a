"""What `:toolchain` stood for: a binding that a WORKSPACE file may replace."""

TOOLCHAIN = "//external:cc_toolchain"
