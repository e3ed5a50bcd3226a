"""Findings about settings and select()s: never asked, never taken, clashing, unmatched."""
