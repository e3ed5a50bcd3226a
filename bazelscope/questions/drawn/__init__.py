"""What several answers draw."""
