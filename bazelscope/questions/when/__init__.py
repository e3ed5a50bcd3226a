"""Under which flags one target depends on another, or can be built at all."""
