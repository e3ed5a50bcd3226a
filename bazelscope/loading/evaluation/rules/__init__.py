"""What makes rules and macros, and what calls of them come to."""
