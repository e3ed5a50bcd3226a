"""The question of `select`: which branch of each select() of a target is taken."""
