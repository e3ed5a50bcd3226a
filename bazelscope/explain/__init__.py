"""The answers as values: what a user asked, what holds, and everything that caused it."""
