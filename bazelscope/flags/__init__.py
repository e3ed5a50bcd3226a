"""rc files and a command line become the flags in force, each with its cause."""
