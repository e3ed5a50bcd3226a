"""What `:toolchain` stands for: the repository that Bazel makes for the machine's compiler."""

TOOLCHAIN = "@local_config_cc//:toolchain"
