"""Under which flags one target depends on another, found and put into words."""
