"""The question of `graph`: what lies between two targets, to be drawn."""
