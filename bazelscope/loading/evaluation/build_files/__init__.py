"""A BUILD file becomes a package."""
