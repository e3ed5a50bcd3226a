"""Starlark values as the values of attributes, by type, and back."""
