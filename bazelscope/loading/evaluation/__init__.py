"""BUILD and `.bzl` files run: rules, natives, macros, and the package that comes out."""
