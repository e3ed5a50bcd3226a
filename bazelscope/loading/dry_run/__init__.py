"""Repository rules run without programs and without a network."""
