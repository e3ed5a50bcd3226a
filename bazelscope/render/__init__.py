"""Answers as text, JSON, DOT and SVG; nothing here computes one."""
