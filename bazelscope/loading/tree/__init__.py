"""The files of one tree, its globs, and what of the machine matters to loading."""
