"""Which targets another state of a git repository changes."""
