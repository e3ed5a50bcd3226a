"""Why one target depends on another, and what each path needs."""
