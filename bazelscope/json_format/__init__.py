"""Answers as JSON, and the schema of it."""
