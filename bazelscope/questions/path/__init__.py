"""The question of `path`: why one target depends on another."""
