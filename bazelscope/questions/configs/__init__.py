"""The question of `configs`: the named configs of the rc files."""
