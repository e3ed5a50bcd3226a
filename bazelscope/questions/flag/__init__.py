"""The question of `flag`: who set a flag, and what that beat."""
