"""What differs between releases of Bazel: options, native rules, builtin repositories, hosts."""
