"""What Bazel refuses of the targets that an answer rests on."""
