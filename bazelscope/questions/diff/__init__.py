"""The question of `diff`: what two command lines make different."""
