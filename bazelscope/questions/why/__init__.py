"""The question of `why`: the causes of one fact."""
