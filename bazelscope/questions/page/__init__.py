"""Everything that the explorer page shows, and evaluates by itself."""
