"""The question of `repos`: external repositories."""
