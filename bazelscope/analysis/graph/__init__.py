"""Targets and edges: with every branch, and under a configuration."""
