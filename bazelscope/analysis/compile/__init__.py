"""What the C++ compiler and linker get: toolchains, what travels through deps, action lines."""
