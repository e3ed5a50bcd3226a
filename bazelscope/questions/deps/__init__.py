"""The questions of `deps` and `rdeps`."""
