"""Syntax trees to Python code objects, kept on disk by content."""
