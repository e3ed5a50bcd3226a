"""The question of `explain`: what a command line amounts to."""
