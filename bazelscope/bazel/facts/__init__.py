"""What differs between the releases of Bazel, as named facts, stage by stage."""
