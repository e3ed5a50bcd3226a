"""What files that nobody at the desk wrote may do: floods, attacks, damaged caches."""
