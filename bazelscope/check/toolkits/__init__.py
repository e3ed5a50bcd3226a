"""Findings about toolkits that do not go together: CUDA, compilers, Python, oneDNN."""
