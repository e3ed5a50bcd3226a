"""WORKSPACE: what it defines, and which definition counts."""
