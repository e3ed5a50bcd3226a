"""Starlark text to a checked syntax tree."""
