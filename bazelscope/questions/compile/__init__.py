"""The question `compile`: what the compiler and the linker get, and who put each word there."""
