"""`load()`: finds `.bzl` files and evaluates each once."""
