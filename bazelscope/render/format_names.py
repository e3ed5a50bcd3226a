"""The formats of drawings by name: for `--as`, which start-up knows, and for what draws."""

from __future__ import annotations

FORMATS = ("dot", "svg", "png", "pdf", "mmd", "graphml")
"""File name endings that `-o` understands, and what `--as` takes."""
