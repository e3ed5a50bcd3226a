"""The names that files find predeclared."""
