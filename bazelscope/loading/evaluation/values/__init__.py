"""The values that Bazel adds to the language: labels, selects, structs, and what is unknown."""
