"""What `:toolchain` stands for (Bazel 3 and later): the repository that Bazel makes for the machine's compiler."""

TOOLCHAIN = "@local_config_cc//:toolchain"
