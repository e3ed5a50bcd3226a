"""Findings about external repositories, modules, and the variables that their rules read."""
